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

// goAppTexts are the places where go-app hands a text or an attribute to the browser, and what they become in the copy:
// characters that hide or move others are visible, wherever the page shows a text that a stranger wrote. shown is in the
// file that copyVisible writes.
var goAppTexts = map[string][][2]string{
	"js_wasm.go": {
		{`Call("createTextNode", v)`, `Call("createTextNode", Visible(v))`},
		{`v.Set("nodeValue", val)`, `v.Set("nodeValue", Visible(val))`},
	},
	// A panic of a component, of a handler or of what is deferred is told to the page (goAppGuard), instead of ending the program.
	"node.go": {{`FilterUIElems(v.Render())`, `rendered(v)`}},
	"engine.go": {
		{"\t\t\tdispatch()\n\n\t\tcase <-frames.C:", "\t\t\tguarded(dispatch)\n\n\t\tcase <-frames.C:"},
		{"\t\t\tdefere()\n", "\t\t\tguarded(defere)\n"},
	},
	"attribute.go": {{`jsElement.Call("setAttribute", name, value)`, `jsElement.Call("setAttribute", name, shown(name, value))`}},
}

// goAppVisible is added to our own words.Visible. Other attributes than those that people read or hear have a meaning, such as
// an address.
const goAppVisible = `
func shown(name, value string) string {
	if name == "title" || strings.HasPrefix(name, "aria-") {
		return Visible(value)
	}
	return value
}
`

// goAppGuard is a file of the copy. The page is the component that has a method Broke; where another one panics, there is nothing.
const goAppGuard = `package app

var broke func(any)

func guarded(do func()) {
	defer func() {
		if broke == nil {
			return
		}
		if v := recover(); v != nil {
			broke(v)
		}
	}()
	do()
}

func rendered(c Composer) (ui []UI) {
	if page, ok := c.(interface{ Broke(any) }); ok {
		broke = page.Broke
	}
	guarded(func() { ui = FilterUIElems(c.Render()) })
	if ui == nil {
		ui = []UI{Elem("div").Hidden(true)}
	}
	return ui
}
`

// goAppCopy is where the copy of go-app lies, relative to the root. The path ends up in the wasm, so it must be the same in
// every build and on every machine: otherwise equal sources would give another file, and every visitor another download.
const goAppCopy = "./web/node_modules/.cache/go-app"

// withoutServer copies go-app without its server part and with visible texts, and writes a go.mod into dir that replaces the module by the copy. It
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
	to := filepath.Join(root, goAppCopy)
	if err := copyGo(strings.TrimSpace(string(out)), to); err != nil {
		return "", err
	}
	if err := writeNew(filepath.Join(to, "pkg", "app", "guard.go"), []byte(goAppGuard)); err != nil {
		return "", err
	}
	if err := copyVisible(root, filepath.Join(to, "pkg", "app", "visible.go")); err != nil {
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
		if text, err = replaceOnce(text, goAppTexts[filepath.Base(p)]); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		if err := writeNew(filepath.Join(to, strings.TrimPrefix(p, from)), text); err != nil {
			return err
		}
	}
	return nil
}

// replaceOnce replaces texts that stand there exactly once. A version of go-app that hands texts over elsewhere fails here.
func replaceOnce(text []byte, pairs [][2]string) ([]byte, error) {
	for _, p := range pairs {
		if n := bytes.Count(text, []byte(p[0])); n != 1 {
			return nil, fmt.Errorf("%q stands there %d times, not once", p[0], n)
		}
		text = bytes.Replace(text, []byte(p[0]), []byte(p[1]), 1)
	}
	return text, nil
}

// copyVisible gives the copy the function that the rest of the program uses, because go-app can't import it.
func copyVisible(root, name string) error {
	text, err := os.ReadFile(filepath.Join(root, "engine", "words", "visible.go"))
	if err != nil {
		return err
	}
	if text, err = replaceOnce(text, [][2]string{{"package words\n", "package app\n"}}); err != nil {
		return err
	}
	return writeNew(name, append(text, goAppVisible...))
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
