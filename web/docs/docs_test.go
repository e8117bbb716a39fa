// Package docs_test tests what authors copy, as far as that needs no documentation site; make docs-test builds those.
package docs_test

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPackage runs the tests of the npm package, and checks what would be published.
func TestPackage(t *testing.T) {
	if out, err := exec.Command("node", "--test", "npm/").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	out, err := exec.Command("npm", "pack", "--dry-run", "--json", "./npm").Output()
	if err != nil {
		t.Fatal(err)
	}
	var packed []struct{ Files []struct{ Path string } }
	if err := json.Unmarshal(out, &packed); err != nil || len(packed) != 1 {
		t.Fatalf("%v\n%s", err, out)
	}
	var files []string
	for _, f := range packed[0].Files {
		files = append(files, f.Path)
	}
	slices.Sort(files)
	want := strings.Fields("README.md element.d.ts element.js package.json react.d.ts react.js remark.d.ts remark.js")
	if !slices.Equal(files, want) {
		t.Errorf("the package has %q, want %q", files, want)
	}
}

// TestNames: the documents list every folder, and what they name is there: files of Go, tests and targets of make.
func TestNames(t *testing.T) {
	folders, files, tests := map[string]bool{}, map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.Name() == "node_modules" || d.Name() == "testdata":
			return cmp.Or(err, filepath.SkipDir)
		case filepath.Ext(path) != ".go":
			return nil
		}
		folders[filepath.ToSlash(filepath.Dir(path))], files[d.Name()] = true, true
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)`).FindAllStringSubmatch(read(t, path), -1) {
			tests[m[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	targets := read(t, "../../Makefile")
	for _, file := range []string{"../../README.md", "../../CONTRIBUTING.md", "../../DESIGN.md", "../../SECURITY.md", "README.md"} {
		for _, m := range regexp.MustCompile("`(?:[\\w/]+/)?(\\w+\\.go)|`((?:Test|Fuzz)\\w+)`|(?m:^|`)make ([a-z-]+)").FindAllStringSubmatch(read(t, file), -1) {
			if m[1] != "" && !files[m[1]] || m[2] != "" && !tests[m[2]] || m[3] != "" && !strings.Contains(targets, "\n"+m[3]+":") {
				t.Errorf("%s names %s, which is not there", file, m[0])
			}
		}
	}
	table := read(t, "../../CONTRIBUTING.md")
	for folder := range folders {
		if name := filepath.Base(folder); !regexp.MustCompile("(?m)^\\|.*[`/]"+name+"[`/]").MatchString(table) && name != ".." {
			t.Errorf("CONTRIBUTING.md does not list %s", folder)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestOptions: the host script, the package, the Hugo module and the Sphinx extension know the same options.
func TestOptions(t *testing.T) {
	in := func(file, list, word string) []string {
		found := regexp.MustCompile(list).FindStringSubmatch(read(t, file))
		if found == nil {
			t.Fatalf("%s has no list of options", file)
		}
		var names []string
		for _, m := range regexp.MustCompile(word).FindAllStringSubmatch(found[1], -1) {
			if name := m[1]; !slices.Contains([]string{"scenario", "src", "yaml", "autoplay"}, name) { // what names the run, and a flag in Sphinx
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return names
	}
	want := in("../shell/host.js", `(?s)const options = \{(.*?)\n  \};`, `(\w+): `)
	if len(want) < 9 {
		t.Fatalf("the host script has only the options %q", want)
	}
	for what, got := range map[string][]string{
		"npm":    in("npm/element.js", `options = \[(.*)\]`, `"(\w+)"`),
		"Hugo":   in("hugo/layouts/partials/rollplay/options.html", `slice (.*) -`, `"(\w+)"`),
		"Sphinx": in("sphinx/rollplay.py", `OPTIONS = \((.*)\)`, `"(\w+)"`),
	} {
		if !slices.Equal(got, want) {
			t.Errorf("%s has the options %q, the host script %q", what, got, want)
		}
	}
}
