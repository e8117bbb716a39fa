package site

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/web/site/pack"
)

func TestWriteToReplacesAnEarlierSite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	if err := sample().WriteTo(dir); err != nil {
		t.Fatal(err)
	}
	if err := (&Site{Files: []pack.File{{Name: "new.html", Raw: []byte("new")}}}).WriteTo(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "index.html")); !os.IsNotExist(err) {
		t.Errorf("the earlier index.html is still there (%v)", err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "new.html")); err != nil || string(got) != "new" {
		t.Errorf("new.html: got %q, %v", got, err)
	}
}

func TestWriteToLeavesAForeignFolderAlone(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "thesis.txt")
	if err := os.WriteFile(mine, []byte("years of work"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := sample().WriteTo(dir)
	if err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("got %v, want a refusal", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}
