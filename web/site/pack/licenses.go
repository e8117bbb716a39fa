package pack

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/web/must"
)

// LicensesName is the file with the licences, to which the pages link.
const LicensesName = "licenses.txt"

// Licenses collects the licences of everything in the page. Most of them require their text in every copy.
func Licenses(o Options) File {
	var buf bytes.Buffer
	fmt.Fprintln(&buf, "The playground contains parts of the packages below, each under its own licence.")
	for _, p := range append(goModules(o.Root), npmPackages(filepath.Join(o.Root, "web"))...) {
		title := p.Name + " " + p.Version
		fmt.Fprintf(&buf, "\n%s\n%s\n", title, strings.Repeat("=", len(title)))
		for _, text := range must.Have(p.licenses()) {
			fmt.Fprintf(&buf, "\n%s\n", bytes.TrimSpace(text))
		}
	}
	return Text(LicensesName, buf.String())
}

// Package is something that others wrote and that the download contains: Go, a Go module, or an npm package.
type Package struct {
	Name, Version string
	dir           string
	npm           bool
}

// goModules returns Go and the modules of ./wasm by name.
func goModules(root string) []Package {
	const format = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"
	out, err := goForWasm(Options{Root: root}, []string{"list", "-deps", "-f", format, "./wasm"})
	must.Wrap(err, "listing the modules of ./wasm")
	goroot := goRoot()
	version := must.Have(os.ReadFile(filepath.Join(goroot, "VERSION"))) // its first line is "go1.26.8"
	number, _, _ := strings.Cut(strings.TrimPrefix(string(version), "go"), "\n")
	all := []Package{{Name: "Go", Version: number, dir: goroot}}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		if f := strings.Split(line, "\t"); len(f) == 3 {
			all = append(all, Package{Name: f[0], Version: f[1], dir: f[2]})
		}
	}
	return all
}

// npmPackages returns the installed packages that the page contains, by name.
func npmPackages(web string) (all []Package) {
	forTests := testPackages(web)
	for _, pattern := range []string{"*", "@*/*"} {
		for _, file := range must.Have(filepath.Glob(filepath.Join(web, "node_modules", pattern, "package.json"))) {
			p := Package{dir: filepath.Dir(file), npm: true}
			about := p.about()
			p.Name, p.Version = about.Name, about.Version
			if !forTests[p.Name] {
				all = append(all, p)
			}
		}
	}
	return all
}

// testPackages names the packages of the lockfile that only tests use.
func testPackages(web string) map[string]bool {
	var lock struct{ Packages map[string]struct{ Dev bool } }
	must.Wrap(json.Unmarshal(must.Have(os.ReadFile(filepath.Join(web, "package-lock.json"))), &lock), "web/package-lock.json")
	names := map[string]bool{}
	for path, p := range lock.Packages {
		if name, ok := strings.CutPrefix(path, "node_modules/"); ok && p.Dev {
			names[name] = true
		}
	}
	return names
}

// about holds some fields of a package.json.
type about struct {
	Name, Version, License string
	Author                 any // a text, or an object with a name
}

func (p Package) about() (a about) {
	must.Do(json.Unmarshal(must.Have(os.ReadFile(filepath.Join(p.dir, "package.json"))), &a))
	return a
}

// licenses returns the licence texts of a package, at least one.
func (p Package) licenses() (all [][]byte, err error) {
	defer must.Caught(&err)
	for _, dir := range []string{p.dir, filepath.Join(p.dir, "licenses")} { // the folder is for parts by others
		entries, err := os.ReadDir(dir)
		must.Be(err == nil || os.IsNotExist(err), "%w", err)
		for _, e := range entries {
			if isLicense(e) {
				all = append(all, must.Have(os.ReadFile(filepath.Join(dir, e.Name()))))
			}
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	return [][]byte{p.stated()}, nil
}

func isLicense(e fs.DirEntry) bool {
	stem, _, _ := strings.Cut(strings.ToLower(e.Name()), ".")
	stem, _, _ = strings.Cut(stem, "-")
	return e.Type().IsRegular() && slices.Contains([]string{"license", "licence", "notice", "copying"}, stem)
}

//go:embed mit.txt
var mit string

// stated is the licence of an npm package that has no file with the text: package.json names it. Any other than MIT stops the
// build, so that somebody reads its conditions.
func (p Package) stated() []byte {
	must.Be(p.npm, "%s has no licence", p.Name)
	a := p.about()
	author, _ := a.Author.(string)
	must.Be(a.License == "MIT" && author != "", "%s has no text of its licence (%q)", p.Name, a.License)
	return fmt.Appendf(nil, mit, author)
}
