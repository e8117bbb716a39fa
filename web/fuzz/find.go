package main

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
)

// target is a fuzz function of the package in a folder.
type target struct{ dir, name string }

func (t target) String() string { return t.dir + " " + t.name }

var declared = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// find returns the fuzz functions below folders of a module, in the order of their files.
func find(root string, dirs []string) ([]target, error) {
	var found []target
	files := os.DirFS(root)
	for _, dir := range dirs {
		err := fs.WalkDir(files, path.Clean(dir), func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir():
				return skip(files, name, dir)
			case !strings.HasSuffix(name, "_test.go"):
				return nil
			}
			text, err := fs.ReadFile(files, name)
			for _, m := range declared.FindAllSubmatch(text, -1) {
				found = append(found, target{path.Dir(name), string(m[1])})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// skip leaves out folders that hold no packages of this module.
func skip(files fs.FS, name, top string) error {
	if base := path.Base(name); base == "testdata" || base == "node_modules" {
		return fs.SkipDir
	}
	if _, err := fs.Stat(files, path.Join(name, "go.mod")); err == nil && name != path.Clean(top) {
		return fs.SkipDir // another module
	}
	return nil
}
