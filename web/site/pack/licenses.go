package pack

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Licenses collects the licences of everything in the page. Most of them require their text in every copy.
func Licenses(o Options) (File, error) {
	var buf bytes.Buffer
	fmt.Fprintln(&buf, "The playground contains parts of the packages below, each under its own licence.")
	modules, err := goLicenses(o.Root)
	if err != nil {
		return File{}, err
	}
	packages, err := npmLicenses(filepath.Join(o.Root, "web", "node_modules"))
	if err != nil {
		return File{}, err
	}
	for _, l := range append(modules, packages...) {
		fmt.Fprintf(&buf, "\n%s\n%s\n\n%s\n", l.name, strings.Repeat("=", len(l.name)), bytes.TrimSpace(l.text))
	}
	return File{Name: "licenses.txt", Type: TypeOf("licenses.txt"), Raw: buf.Bytes()}, nil
}

type license struct {
	name string
	text []byte
}

// goLicenses returns those of Go and of the modules in ./wasm, by name.
func goLicenses(root string) ([]license, error) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}", "./wasm")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing the modules of ./wasm: %w", err)
	}
	goroot, err := goRoot()
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	dirs := [][2]string{{"Go", goroot}}
	for _, line := range slices.Compact(lines) {
		if name, dir, ok := strings.Cut(line, " "); ok {
			dirs = append(dirs, [2]string{name, dir})
		}
	}
	return readLicenses(dirs)
}

// npmLicenses returns those of the installed packages, by name. npm installs only packages that are part of the page.
func npmLicenses(modules string) ([]license, error) {
	var dirs [][2]string
	for _, pattern := range []string{"*", "@*/*"} {
		found, err := filepath.Glob(filepath.Join(modules, pattern, "package.json"))
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			dir := filepath.Dir(p)
			name, err := filepath.Rel(modules, dir)
			if err != nil {
				return nil, err
			}
			dirs = append(dirs, [2]string{filepath.ToSlash(name), dir})
		}
	}
	return readLicenses(dirs)
}

// readLicenses reads the licence files of folders, which come with their names. It skips a package without such a file, which
// has only a line in its package.json.
func readLicenses(dirs [][2]string) ([]license, error) {
	var all []license
	for _, d := range dirs {
		entries, err := os.ReadDir(d[1])
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if !isLicense(e) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(d[1], e.Name()))
			if err != nil {
				return nil, err
			}
			all = append(all, license{d[0], text})
		}
	}
	return all, nil
}

func isLicense(e fs.DirEntry) bool {
	stem, _, _ := strings.Cut(strings.ToLower(e.Name()), ".")
	return e.Type().IsRegular() && slices.Contains([]string{"license", "licence", "notice", "copying"}, stem)
}
