package pack

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// goApp is the module that draws the page.
const goApp = "github.com/maxence-charriere/go-app/v10"

// goAppServer are the files of go-app that serve pages over HTTP. A browser never runs them, but they link net/http and
// TLS: 350 kB of the download.
var goAppServer = []string{"http.go", "resource.go", "static.go"}

// goAppClient replaces them by the two names that the rest of go-app uses. Our page has no resources under go-app's /web/, so
// every location stays as it is.
const goAppClient = `package app

type Handler struct{}

func clientResourceResolver(string) func(string) string { return func(location string) string { return location } }
`

// goAppCopy is where the copy of go-app lies, relative to the root. The path ends up in the wasm, so it must be the same in
// every build and on every machine: otherwise equal sources would give another file, and every visitor another download.
const goAppCopy = "./web/node_modules/.cache/go-app"

// withoutServer copies go-app without its server part, and writes a go.mod into dir that replaces the module by the copy. It
// returns that go.mod, for go build -modfile. A version of go-app that needs more of the missing files does not compile, so
// the build notices.
func withoutServer(root, dir string) (modfile string, err error) {
	cmd := exec.Command("go", "list", "-f", "{{.Module.Dir}}", goApp+"/pkg/app")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("looking for go-app: %w", err)
	}
	unlock, err := lock("go-app")
	if err != nil {
		return "", err
	}
	defer unlock()
	if err := copyGo(strings.TrimSpace(string(out)), filepath.Join(root, goAppCopy)); err != nil {
		return "", err
	}
	return modfileWith(root, dir, fmt.Sprintf("\nreplace %s => %s\n", goApp, goAppCopy))
}

// copyGo copies go-app's Go files except for tests and the server.
func copyGo(from, to string) error {
	paths := []string{filepath.Join(from, "go.mod")}
	for _, pkg := range []string{"app", "errors"} {
		files, err := filepath.Glob(filepath.Join(from, "pkg", pkg, "*.go"))
		if err != nil {
			return err
		}
		paths = append(paths, files...)
	}
	for _, p := range paths {
		if strings.HasSuffix(p, "_test.go") {
			continue
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		switch i := slices.Index(goAppServer, filepath.Base(p)); {
		case i == 0:
			text = []byte(goAppClient)
		case i > 0:
			text = []byte("package app\n")
		}
		if err := writeNew(filepath.Join(to, strings.TrimPrefix(p, from)), text); err != nil {
			return err
		}
	}
	return nil
}

// writeNew writes a file unless it has that content already. Another build may be reading it, so the file is never half
// written.
func writeNew(name string, content []byte) error {
	if have, err := os.ReadFile(name); err == nil && bytes.Equal(have, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	draft := fmt.Sprintf("%s.%d", name, os.Getpid())
	if err := os.WriteFile(draft, content, 0o644); err != nil {
		return err
	}
	return os.Rename(draft, name)
}

// modfileWith copies the project's go.mod and go.sum into dir and adds a directive.
func modfileWith(root, dir, directive string) (string, error) {
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return "", err
		}
		if name == "go.mod" {
			text = append(bytes.TrimRight(text, "\n"), directive...)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "go.mod"), nil
}
