package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/rollplay/rollplay/app/version"
)

// TestScripts plays the scripts of testdata/commands: archives of files, with command lines above them. Below each line of rollplay is its exit code
// and what it prints: "stdout" and "stderr" are followed by a part of the text, or by "!" and a text that it must not have.
func TestScripts(t *testing.T) {
	names, err := filepath.Glob("testdata/commands/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("there are no scripts", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			for _, f := range archive.Files {
				err := os.MkdirAll(filepath.Dir(f.Name), 0o755)
				if err == nil {
					err = os.WriteFile(f.Name, bytes.ReplaceAll(f.Data, []byte("@VERSION@"), []byte(version.Number)), 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			play(t, string(archive.Comment))
		})
	}
}

// word is a word of a script's line, with or without quotes.
var word = regexp.MustCompile(`'[^']*'|\S+`)

// play carries out a script, with one worker, so that runs end in their order.
func play(t *testing.T, script string) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	code, printed, line := 0, map[string]string{}, ""
	for _, l := range strings.Split(script, "\n") {
		kind, rest, _ := strings.Cut(l, " ")
		switch kind {
		case "$":
			var args []string
			for _, w := range word.FindAllString(rest, -1) {
				args = append(args, strings.Trim(w, "'"))
			}
			if line = rest; args[0] != "rollplay" {
				if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
					t.Fatalf("%s: %v\n%s", line, err, out)
				}
				continue
			}
			code, printed["stdout"], printed["stderr"] = command("", args[1:]...)
		case "exit":
			if want := int(rest[0] - '0'); code != want {
				t.Errorf("%s: exit %d, want %d\n%.2000s%.1000s", line, code, want, printed["stdout"], printed["stderr"])
			}
		case "stdout", "stderr":
			part, unwanted := strings.CutPrefix(rest, "! ")
			if strings.Contains(printed[kind], part) == unwanted {
				t.Errorf("%s: %s: %s\n%.3000s", line, kind, rest, printed[kind])
			}
		case "", "#":
		default:
			t.Errorf("%q is no line of a script", l)
		}
	}
}
