package site

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Root returns the root of the module that the working directory lies in.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if isRoot(dir) {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("site: run this inside a clone of rollplay, because it builds from the sources")
		}
		dir = parent
	}
}

func isRoot(dir string) bool {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && strings.HasPrefix(string(mod), "module github.com/rollplay/rollplay\n")
}
