package site

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// goApp is the module that draws the page.
const goApp = "github.com/maxence-charriere/go-app/v10"

// goAppServer are the files of go-app that serve pages over HTTP. A browser never runs them, but they link net/http and
// TLS: 350 kB of the download.
var goAppServer = []string{"http.go", "resource.go", "static.go"}

// goAppClient stands in for them: the two names that the rest of go-app uses of them. Our page has no resources under
// go-app's /web/, so every location stays as it is.
const goAppClient = `package app

type Handler struct{}

func clientResourceResolver(string) func(string) string { return func(location string) string { return location } }
`

// withoutServer writes a copy of go-app without its server part into dir, and a go.mod beside it that puts the copy in the
// place of the module. It returns that go.mod, for go build -modfile. A version of go-app that needs more of the left-out
// files does not compile, so that nothing is missed silently.
func withoutServer(root, dir string) (modfile string, err error) {
	cmd := exec.Command("go", "list", "-f", "{{.Module.Dir}}", goApp+"/pkg/app")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("looking for go-app: %w", err)
	}
	module, slim := strings.TrimSpace(string(out)), filepath.Join(dir, "go-app")
	if err := copyGo(module, slim); err != nil {
		return "", err
	}
	for _, name := range goAppServer {
		text := "package app\n"
		if name == goAppServer[0] {
			text = goAppClient
		}
		if err := os.WriteFile(filepath.Join(slim, "pkg", "app", name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	return modfileWith(root, dir, fmt.Sprintf("\nreplace %s => %s\n", goApp, slim))
}

// copyGo copies a module's Go files, tests apart.
func copyGo(from, to string) error {
	paths := []string{"go.mod"}
	for _, pkg := range []string{"app", "errors"} {
		files, err := filepath.Glob(filepath.Join(from, "pkg", pkg, "*.go"))
		if err != nil {
			return err
		}
		for _, f := range files {
			if !strings.HasSuffix(f, "_test.go") {
				paths = append(paths, filepath.Join("pkg", pkg, filepath.Base(f)))
			}
		}
	}
	for _, p := range paths {
		text, err := os.ReadFile(filepath.Join(from, p))
		if err != nil {
			return err
		}
		target := filepath.Join(to, p)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// modfileWith copies the project's go.mod and go.sum into dir, with one more directive.
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
