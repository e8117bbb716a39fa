package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base32"
	"html"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/traffic/measured"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/pages"
)

// TestBuild builds the site for publication once, for all checks.
func TestBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("compressing takes a minute")
	}
	root, err := pack.Root()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Build(pack.Options{Root: root, Speed: pack.Small, Log: func(line string) { t.Log(line) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("sizes", func(t *testing.T) { checkSizes(t, s) })
	t.Run("names", func(t *testing.T) { checkNames(t, s) })
	t.Run("references", func(t *testing.T) { checkReferences(t, s) })
	t.Run("page", func(t *testing.T) { checkPage(t, s) })
	t.Run("no paths of this machine", func(t *testing.T) { checkPaths(t, s, root) })
	t.Run("files", func(t *testing.T) { checkFiles(t, s) })
	t.Run("licenses", func(t *testing.T) { checkLicenses(t, s) })
}

func checkSizes(t *testing.T, s *Site) {
	var b strings.Builder
	if err := s.WriteSizes(&b); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", b.String())
	if err := s.CheckSizes(); err != nil {
		t.Error(err)
	}
}

// checkNames checks that the name of a script, a stylesheet or the wasm changes with its content. esbuild hashes
// more than the content, so only its form can be checked.
func checkNames(t *testing.T, s *Site) {
	form := regexp.MustCompile(`^[a-z_]+-[A-Z2-7]{8}\.(js|css|wasm|json|svg)$`)
	for _, f := range s.Files {
		if f.Hashed != form.MatchString(f.Name) {
			t.Errorf("%s: hashed is %v", f.Name, f.Hashed)
		}
		if strings.HasPrefix(f.Name, "app-") || strings.HasPrefix(f.Name, "boot-") {
			sum := sha256.Sum256(f.Raw)
			if hash := base32.StdEncoding.EncodeToString(sum[:5]); !strings.Contains(f.Name, hash) {
				t.Errorf("%s: the content's hash is %s", f.Name, hash)
			}
		}
	}
}

// lessonLinks returns the addresses that lessons link to.
func lessonLinks() map[string]bool {
	all := map[string]bool{}
	for _, name := range scenarios.Names() {
		sc, _ := scenario.Parse(scenarios.Text(name))
		for _, l := range sc.Links {
			all[l.URL], all[lang.Chinese.Docs(l.URL)] = true, true
		}
	}
	return all
}

// checkReferences checks that every reference is relative and leads to a file of the site.
func checkReferences(t *testing.T, s *Site) {
	asked, sources := lessonLinks(), map[string]bool{}
	for i := range measured.All {
		sources[measured.All[i].URL] = true
	}
	patterns := map[string]*regexp.Regexp{
		".html": regexp.MustCompile(`(?:href|src|srcset|data-wasm|data-texts|data-offline)="([^"]*)"`),
		".js":   regexp.MustCompile(`(?:from|import|import\()"(\.[^"]*)"`),
		".css":  regexp.MustCompile(`url\(["']?([^)"']*)`),
	}
	for _, f := range s.Files {
		pattern := patterns[filepath.Ext(f.Name)]
		if pattern == nil {
			continue
		}
		for _, m := range pattern.FindAllSubmatch(f.Raw, -1) {
			ref := string(m[1])
			if strings.HasPrefix(ref, "data:") || strings.HasPrefix(ref, "#") || strings.HasPrefix(ref, "https://rollplay.example/") || // in a snippet to copy
				strings.HasPrefix(f.Name, "s/") && asked[html.UnescapeString(ref)] || strings.HasPrefix(f.Name, pages.MeasuredFolder) && sources[ref] {
				continue
			}
			if s.File(leadsTo(f.Name, ref)) == nil {
				t.Errorf("%s refers to %q, which is not in the site", f.Name, ref)
			}
		}
	}
}

// leadsTo returns the target of a reference in a file.
func leadsTo(from, ref string) string {
	ref, _, _ = strings.Cut(ref, "#")
	ref, _, _ = strings.Cut(ref, "?")
	name := path.Join(path.Dir(from), ref)
	if ref == "" || strings.HasSuffix(ref, "/") {
		name = path.Join(name, "index.html")
	}
	return name
}

func checkPage(t *testing.T, s *Site) {
	page := string(s.File("index.html").Raw)
	for _, want := range []string{
		`<script src="arrive-`, `A first rolling update`, `第一次滚动更新`, `<template class="arrive-en"`, `<template class="arrive-zh"`, `name="viewport"`, `name="color-scheme"`,
		`name="theme-color"`, `rel="icon"`, `<noscript>`, `http-equiv="Content-Security-Policy"`, `id="loader"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("index.html lacks %s", want)
		}
	}
	// Whatever the browser asks for before it draws comes out of the first second of a slow line. It needs the style to draw.
	if asked := strings.Count(page, `rel="preload"`); asked != strings.Count(page, `rel="preload" as="style" href="style-`) {
		t.Error("the page asks for the program before it is drawn")
	}
	// go-app takes over the first element of the body, so that must be empty.
	if !regexp.MustCompile(`<body>\s*<div></div>`).MatchString(page) {
		t.Error("index.html has no place for go-app to mount")
	}
	// The policy forbids both.
	if regexp.MustCompile(`<script[^>]*>[^<]|<style|\s(?:on[a-z]+|style)="`).MatchString(page) {
		t.Error("index.html holds a script or a style")
	}
}

// checkPaths checks that the same sources give the same site on any machine.
func checkPaths(t *testing.T, s *Site, root string) {
	for _, f := range s.Files {
		for _, path := range []string{root, filepath.Join(os.TempDir(), "rollplay")} {
			if bytes.Contains(f.Raw, []byte(path)) {
				t.Errorf("%s contains the path %s", f.Name, path)
			}
		}
	}
}

// checkFiles writes the site and reads back every file and its compressed forms.
func checkFiles(t *testing.T, s *Site) {
	dir := filepath.Join(t.TempDir(), "dist")
	if err := s.WriteTo(dir); err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Files {
		name := filepath.Join(dir, f.Name)
		same(t, name, f.Raw, func(r io.Reader) (io.Reader, error) { return r, nil })
		if f.Brotli != nil {
			same(t, name+".br", f.Raw, func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil })
		}
		if f.Gzip != nil {
			same(t, name+".gz", f.Raw, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
		}
		if f.Type == "application/wasm" && (f.Brotli == nil || f.Gzip == nil) {
			t.Errorf("%s is not compressed", f.Name)
		}
	}
}

func same(t *testing.T, name string, want []byte, decode func(io.Reader) (io.Reader, error)) {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Error(err)
		return
	}
	defer file.Close()
	r, err := decode(file)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	got, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s decodes to %d bytes, want %d (%v)", name, len(got), len(want), err)
	}
}

// checkLicenses checks that every page for reading links to the licences; the playground does in its help. TestLicenses
// checks the file.
func checkLicenses(t *testing.T, s *Site) {
	link := regexp.MustCompile(`<a data-act="licenses" href="([^"]*)">`)
	for _, f := range s.Files {
		if filepath.Ext(f.Name) != ".html" || f.Name == "index.html" || f.Name == "404.html" || f.Name == "embed/index.html" {
			continue
		}
		if m := link.FindSubmatch(f.Raw); m == nil || leadsTo(f.Name, string(m[1])) != pack.LicensesName {
			t.Errorf("%s does not link to %s", f.Name, pack.LicensesName)
		}
	}
}
