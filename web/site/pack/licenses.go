package pack

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/web/must"
)

// LicensesName is the file with the licences, to which the pages link.
const LicensesName = "licenses.txt"

// Licenses collects the licences of everything in the page. Most of them require their text in every copy.
func Licenses(o Options) (f File, err error) {
	defer must.Caught(&err)
	var buf bytes.Buffer
	fmt.Fprintln(&buf, "The playground contains parts of the packages below, each under its own licence.")
	for _, p := range must.Have(Packages(o.Root)) {
		fmt.Fprintf(&buf, "\n%s\n%s\n", p.Title(), strings.Repeat("=", len(p.Title())))
		for _, text := range must.Have(p.licenses()) {
			fmt.Fprintf(&buf, "\n%s\n", bytes.TrimSpace(text))
		}
	}
	return File{Name: LicensesName, Type: TypeOf(LicensesName), Raw: buf.Bytes()}, nil
}

// Package is something that others wrote and that the download contains: Go, a Go module, or an npm package.
type Package struct {
	Name, Version string
	dir           string
	npm           bool
}

// Title names the package and its version.
func (p Package) Title() string { return p.Name + " " + p.Version }

// Packages returns everything that the download contains: Go, the modules of ./wasm by name, and the npm packages by name.
func Packages(root string) (all []Package, err error) {
	defer must.Caught(&err)
	return append(goModules(root), npmPackages(filepath.Join(root, "web"))...), nil
}

func goModules(root string) []Package {
	const format = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"
	cmd := exec.Command("go", "list", "-deps", "-f", format, "./wasm")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		must.Do(fmt.Errorf("listing the modules of ./wasm: %w", err))
	}
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

// npmPackages returns the installed packages that the page contains.
func npmPackages(web string) (all []Package) {
	forTests := testPackages(web)
	for _, pattern := range []string{"*", "@*/*"} {
		for _, file := range must.Have(filepath.Glob(filepath.Join(web, "node_modules", pattern, "package.json"))) {
			p := Package{dir: filepath.Dir(file), npm: true}
			about := must.Have(p.about())
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
	if err := json.Unmarshal(must.Have(os.ReadFile(filepath.Join(web, "package-lock.json"))), &lock); err != nil {
		must.Do(fmt.Errorf("web/package-lock.json: %w", err))
	}
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

func (p Package) about() (a about, err error) {
	text, err := os.ReadFile(filepath.Join(p.dir, "package.json"))
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	return a, err
}

// licenses returns the licence texts of a package, at least one.
func (p Package) licenses() (all [][]byte, err error) {
	defer must.Caught(&err)
	for _, dir := range []string{p.dir, filepath.Join(p.dir, "licenses")} { // the folder is for parts by others
		entries, err := os.ReadDir(dir)
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		for _, e := range entries {
			if isLicense(e) {
				all = append(all, must.Have(os.ReadFile(filepath.Join(dir, e.Name()))))
			}
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	return [][]byte{must.Have(p.stated())}, nil
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
func (p Package) stated() ([]byte, error) {
	if !p.npm {
		return nil, fmt.Errorf("%s has no licence", p.Name)
	}
	a := must.Have(p.about())
	author, _ := a.Author.(string)
	if a.License != "MIT" || author == "" {
		return nil, fmt.Errorf("%s has no text of its licence (%q)", p.Name, a.License)
	}
	return fmt.Appendf(nil, mit, author), nil
}
