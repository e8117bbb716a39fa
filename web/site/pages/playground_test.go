package pages

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/web/site/pack"
)

// playground is what a first load needs, and something that it does not.
func playground() []pack.File {
	page := pack.Text("index.html", "<p>page")
	page.First = true
	style := pack.Hashed("pages", ".css", []byte("pages"))
	style.First = false
	return []pack.File{page, pack.Hashed("main", ".js", []byte("main")), style}
}

func TestWorkerKeepsTheFirstLoad(t *testing.T) {
	root, err := pack.Root()
	if err != nil {
		t.Fatal(err)
	}
	files := playground()
	f := buildWorker(pack.Options{Root: root}, "VERSION1", files)
	digest := func(f pack.File) string {
		sum := sha256.Sum256(f.Raw)
		return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
	}
	want, err := json.Marshal([][2]string{{"./", digest(files[0])}, {files[1].Name, digest(files[1])}})
	if err != nil {
		t.Fatal(err)
	}
	code := string(f.Raw)
	if f.Name != "sw.js" || f.Hashed || f.First {
		t.Errorf("the worker is %s, hashed %v, first %v", f.Name, f.Hashed, f.First)
	}
	for _, part := range []string{string(want), `"VERSION1"`} {
		if !strings.Contains(code, part) {
			t.Errorf("the worker lacks %s:\n%s", part, code)
		}
	}
}

// TestVersion: another file of the first load is another version; another order, or another file, is not.
func TestVersion(t *testing.T) {
	base := versionOf(playground())
	turned := playground()
	slices.Reverse(turned)
	if got := versionOf(turned); got != base {
		t.Errorf("in another order: got %s, want %s", got, base)
	}
	page, more := playground(), append(playground(), pack.Text("robots.txt", "other"))
	page[0].Raw = []byte("<p>another page")
	if versionOf(page) == base {
		t.Error("another page has the same version")
	}
	if versionOf(more) != base {
		t.Error("a file that is not of the first load makes another version")
	}
}
