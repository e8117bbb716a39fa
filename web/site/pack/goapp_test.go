package pack

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// brokenChild is a program with a page whose first child panics.
const brokenChild = `package main

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

type page struct {
	app.Compo
	broke string
}

func (p *page) Broke(v any) { p.broke = fmt.Sprint(v) }

func (p *page) Render() app.UI {
	return app.Div().Body(&child{}, app.Elem("p").Text("the rest of the page"))
}

type child struct{ app.Compo }

func (c *child) Render() app.UI { panic("a bug for the test") }

func main() {
	p := &page{}
	e := app.NewTestEngine()
	if err := e.Load(p); err != nil {
		panic(err)
	}
	fmt.Println(app.HTMLString(p), p.broke)
}
`

// TestAPanicOfAChildIsToldToThePage: the rest of the page is drawn, and the page hears what happened.
func TestAPanicOfAChildIsToldToThePage(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	modfile := withCopies(root, dir)
	source, overlay := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "brokenchild", "main.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{source: brokenChild, overlay: string(replace)} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "-modfile", modfile, "-overlay", overlay, "./brokenchild")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"the rest of the page", "a bug for the test"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
}
