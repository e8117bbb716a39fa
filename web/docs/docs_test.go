// Package docs_test tests what authors copy, as far as that needs no documentation site; make docs-test builds those.
package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
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

// TestOptions: the host script, the package, the Hugo module and the Sphinx extension know the same options.
func TestOptions(t *testing.T) {
	in := func(file, list, word string) []string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(list).FindSubmatch(text)
		if found == nil {
			t.Fatalf("%s has no list of options", file)
		}
		var names []string
		for _, m := range regexp.MustCompile(word).FindAllSubmatch(found[1], -1) {
			if name := string(m[1]); !slices.Contains([]string{"scenario", "src", "yaml", "autoplay"}, name) { // what names the run, and a flag in Sphinx
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
