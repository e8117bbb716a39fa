package pack

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLicenses: every module of go.mod that the wasm contains and every package of the lockfile is named with its version, and
// has a text.
func TestLicenses(t *testing.T) {
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	if !fresh(filepath.Join(root, "web")) {
		t.Skip("the npm packages are not installed")
	}
	f := Licenses(Options{Root: root})
	for _, title := range append(wasmModules(t, root), lockedPackages(t, root)...) {
		_, after, found := strings.Cut(string(f.Raw), "\n"+title+"\n"+strings.Repeat("=", len(title))+"\n\n")
		if !found {
			t.Errorf("%s lacks %s", f.Name, title)
			continue
		}
		text, _, _ := strings.Cut(after, "\n====") // up to the next title
		if !strings.Contains(strings.ToLower(text), "copyright") || len(text) < 500 {
			t.Errorf("%s has no licence: %.200q", title, text)
		}
	}
}

// wasmModules returns what the linker would put into the module info.
func wasmModules(t *testing.T, root string) (titles []string) {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=Module", "./wasm")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p struct {
			Module *struct {
				Path, Version string
				Main          bool
			}
		}
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		if p.Module != nil && !p.Module.Main {
			titles = append(titles, p.Module.Path+" "+p.Module.Version)
		}
	}
	if len(titles) < 5 {
		t.Fatalf("only %q", titles)
	}
	return titles
}

func lockedPackages(t *testing.T, root string) (titles []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "web", "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	var lock struct {
		Packages map[string]struct {
			Version string
			Dev     bool
		}
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	for path, p := range lock.Packages {
		if name, ok := strings.CutPrefix(path, "node_modules/"); ok && !p.Dev {
			titles = append(titles, name+" "+p.Version)
		}
	}
	if len(titles) < 10 {
		t.Fatalf("only %q", titles)
	}
	return titles
}

// TestStatedLicense: a package without a text has the one that package.json names, if we know it.
func TestStatedLicense(t *testing.T) {
	for about, want := range map[string]string{
		`{"license": "MIT", "author": "A. Uthor <a@example.org>"}`: "Copyright (c) A. Uthor <a@example.org>\n",
		`{"license": "GPL-3.0", "author": "A"}`:                    "", `{"license": "MIT"}`: "", `{}`: "",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(about), 0o644); err != nil {
			t.Fatal(err)
		}
		texts, err := Package{Name: "x", dir: dir, npm: true}.licenses()
		if want == "" && err == nil || want != "" && (err != nil || !strings.Contains(string(texts[0]), want)) {
			t.Errorf("%s: got %s, %v", about, texts, err)
		}
	}
}
