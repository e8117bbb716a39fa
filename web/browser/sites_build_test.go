package browser_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/web/site/pack"
)

// generator makes the pages of a documentation site from web/docs/sites and from what authors copy out of web/docs.
type generator struct {
	name    string
	tool    string // that must be installed
	install string // says how
	build   func(t *testing.T, from string) (to string)
	marks   bool   // the page says which theme it has
	scripts bool   // the pages show nothing without scripts
	late    string // how the address of its script begins, after which the page must not be changed
	toDark  string // an expression for the button that makes the page dark; without one, the system's setting does
}

var generators = []generator{
	{name: "plain", build: func(_ *testing.T, from string) string { return from }},
	{name: "hugo", tool: "hugo", install: "apt-get install hugo", build: buildHugo},
	{name: "mkdocs", tool: "mkdocs", install: "apt-get install mkdocs mkdocs-material python3-pymdownx", build: buildMkDocs,
		marks: true, toDark: `document.querySelector("label[for=__palette_2]")`},
	{name: "sphinx", tool: "sphinx-build", install: "apt-get install python3-sphinx python3-myst-parser", build: buildSphinx},
	{name: "jekyll", tool: "jekyll", install: "apt-get install jekyll", build: buildJekyll},
	{name: "docusaurus", tool: "npm", install: "Node.js 20 or newer", build: buildDocusaurus, marks: true},
	{name: "vitepress", tool: "npm", install: "Node.js 20 or newer", build: buildVitePress, marks: true, late: "/assets/app."},
	{name: "reveal", tool: "npm", install: "Node.js 20 or newer", build: buildReveal, scripts: true},
}

// docs is web/docs.
func docs(t *testing.T, names ...string) string {
	t.Helper()
	root, err := pack.Root()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(append([]string{root, "web", "docs"}, names...)...)
}

// site builds the site of a generator, which names our test site and a link.
func (g generator) site(t *testing.T, link string) string {
	t.Helper()
	if g.tool != "" {
		if _, err := exec.LookPath(g.tool); err != nil {
			t.Fatalf("%s is missing: %s", g.tool, g.install)
		}
	}
	from := filepath.Join(t.TempDir(), g.name)
	copyTree(t, docs(t, "sites", g.name), from, link)
	return g.build(t, from)
}

// copyTree copies a folder and puts the addresses of the test into its texts.
func copyTree(t *testing.T, from, to, link string) {
	t.Helper()
	addresses := strings.NewReplacer("https://rollplay.example/#1.LINK", playURL+prefix+link, "https://rollplay.example/", playURL+prefix)
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, strings.TrimPrefix(path, from))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, []byte(addresses.Replace(string(text))), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// tool runs a command in a folder.
func tool(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, bytes.TrimSpace(out))
	}
}

func buildHugo(t *testing.T, from string) string {
	copyTree(t, docs(t, "hugo", "layouts"), filepath.Join(from, "layouts"), "")
	tool(t, from, "hugo", "--quiet", "--destination", "out")
	return filepath.Join(from, "out")
}

func buildMkDocs(t *testing.T, from string) string {
	copyTree(t, docs(t, "mkdocs"), from, "")
	ours, err := os.ReadFile(filepath.Join(from, "mkdocs.yml"))
	if err != nil {
		t.Fatal(err)
	}
	head, err := os.ReadFile(filepath.Join(from, "head.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(from, "mkdocs.yml"), append(head, ours...), 0o644); err != nil {
		t.Fatal(err)
	}
	tool(t, from, "mkdocs", "build", "--quiet", "--site-dir", "out")
	return filepath.Join(from, "out")
}

func buildSphinx(t *testing.T, from string) string {
	copyTree(t, docs(t, "sphinx"), from, "")
	tool(t, from, "sphinx-build", "-q", "-W", "-b", "html", ".", "out")
	return filepath.Join(from, "out")
}

func buildJekyll(t *testing.T, from string) string {
	tool(t, from, "jekyll", "build", "--quiet", "--disable-disk-cache", "--destination", "out")
	return filepath.Join(from, "out")
}

func buildVitePress(t *testing.T, from string) string {
	site := installed(t, from)
	tool(t, site, "node", "../node_modules/vitepress/bin/vitepress.js", "build", "--outDir", filepath.Join(from, "out"))
	return filepath.Join(from, "out")
}

// buildReveal puts reveal.js beside the slides.
func buildReveal(t *testing.T, from string) string {
	if err := os.CopyFS(filepath.Join(from, "dist"), os.DirFS(filepath.Join(installed(t, from), "..", "node_modules", "reveal.js", "dist"))); err != nil {
		t.Fatal(err)
	}
	return from
}

func buildDocusaurus(t *testing.T, from string) string {
	site := installed(t, from)
	copyTree(t, docs(t, "npm"), filepath.Join(site, "node_modules", "rollplay-embed"), "")
	tool(t, site, "node", "../node_modules/@docusaurus/core/bin/docusaurus.mjs", "build", "--out-dir", filepath.Join(from, "out"))
	return filepath.Join(from, "out")
}

// installed copies a site below the packages that it needs. They stay in the cache of the person who runs the test: Docusaurus has a thousand.
func installed(t *testing.T, from string) (site string) {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(from, "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(cache, "rollplay", fmt.Sprintf("%s-%x", filepath.Base(from), sha256.Sum256(list))[:20])
	if _, err := os.Stat(filepath.Join(kept, "node_modules", ".package-lock.json")); err != nil {
		copyTree(t, from, kept, "")
		tool(t, kept, "npm", "install", "--no-audit", "--no-fund", "--no-progress", "--no-package-lock", "--ignore-scripts")
	}
	// Node looks for packages in the folders above.
	site = filepath.Join(kept, "site")
	if err := os.RemoveAll(site); err != nil {
		t.Fatal(err)
	}
	copyTree(t, from, site, "")
	return site
}
