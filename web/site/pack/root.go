package pack

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Root returns the root of the module that contains the working directory.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for !isRoot(dir) {
		if dir == filepath.Dir(dir) {
			return "", errors.New("run this inside a clone of rollplay, because it builds from the sources")
		}
		dir = filepath.Dir(dir)
	}
	return dir, nil
}

func isRoot(dir string) bool {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && strings.HasPrefix(string(mod), "module github.com/rollplay/rollplay\n")
}

// NormalURL checks the future address of a site, and adds a final slash.
func NormalURL(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	if u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", errors.New("want an address such as https://example.org/rollplay/")
	}
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
	}
	return u.String(), nil
}
