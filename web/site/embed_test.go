package site

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/scenarios"
)

func TestCheckEmbedSizes(t *testing.T) {
	file := func(name string, size int) File {
		return File{Name: name, Type: typeOf(name), Brotli: make([]byte, size)}
	}
	page, small, large := file(embedPage, 30_000), file("posters/a-light.svg", 100), file("posters/b-dark.svg", 20_000)
	tests := []struct {
		name  string
		files []File
		want  string // part of the error
	}{
		{"just small enough", []File{page, file("embed-ABCDEFGH.css", 4_000), file("embed-ABCDEFGH.js", 6_000), small, large}, ""},
		{"too large with the largest poster", []File{page, file("embed-ABCDEFGH.css", 4_000), file("embed-ABCDEFGH.js", 6_001), small, large}, "the embed before the click has 60,001 bytes"},
		{"other files do not count", []File{page, file("main-ABCDEFGH.js", 200_000), file("posters/a.png", 50_000)}, ""},
		{"host script just small enough", []File{file(hostScript, HostCeiling)}, ""},
		{"host script too large", []File{file(hostScript, HostCeiling+1)}, "embed/host.js has 3,001 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &Site{Files: tt.files}
			err := s.CheckSizes()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestWriteEmbedSizes(t *testing.T) {
	s := &Site{Files: []File{
		{Name: hostScript, Raw: make([]byte, 5000), Brotli: make([]byte, 2000)},
		{Name: embedPage, Raw: make([]byte, 1500), Brotli: make([]byte, 1000)},
		{Name: "posters/x-light.svg", Raw: make([]byte, 6000), Brotli: make([]byte, 1234)},
	}}
	var b bytes.Buffer
	if err := s.WriteSizes(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"embed before the click", "2,234   (ceiling 60,000)", "2,000   (ceiling 3,000)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, b.String())
		}
	}
}

// embedPages makes the pages of this file from stand-ins for what the rest of the build makes.
func embedPages(t *testing.T) map[string]*File {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Root: root}
	others := []File{{Name: posterName("first-rollout", "light", "en")}, {Name: posterName("first-rollout", "dark", "en")}, {Name: posterName("recreate", "light", "en")}}
	wasm, boot := File{Name: "app-W.wasm", Raw: make([]byte, 77)}, File{Name: "boot-B.js"}
	embed, err := buildEmbed(o, wasm, boot, bundle{main: "main-M.js", style: "style-S.css", atOnce: []string{"a.js", "b.js"}}, others)
	if err != nil {
		t.Fatal(err)
	}
	authors, err := buildAuthors(o, others)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*File{}
	for _, f := range append(embed, authors...) {
		all[f.Name] = &f
		if f.First {
			t.Errorf("%s counts as a file of the playground", f.Name)
		}
	}
	return all
}

func TestEmbedPage(t *testing.T) {
	page := string(embedPages(t)[embedPage].Raw)
	for _, want := range []string{
		`data-wasm="../app-W.wasm"`, `data-size="77"`, `data-boot="../boot-B.js"`, `data-main="../main-M.js"`, `data-look="../style-S.css"`,
		`data-at-once="../a.js ../b.js"`, `http-equiv="Content-Security-Policy"`, `<noscript>`, `target="_blank" rel="noopener"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, part := range []string{"preload", "app-W.wasm\" as", "<style", " style=", "onclick"} {
		if strings.Contains(page, part) {
			t.Errorf("the page has %s", part)
		}
	}
}

func TestShippedScenarios(t *testing.T) {
	known := shippedScenarios([]File{{Name: posterName("recreate", "light", "en")}, {Name: posterName("first-rollout", "light", "en")}, {Name: posterName("first-rollout", "dark", "en")}})
	if len(known) != len(scenarios.Names()) {
		t.Errorf("%d scenarios are known, %d ship", len(known), len(scenarios.Names()))
	}
	if got := known["first-rollout"]; got != (shipped{"A first rolling update", "第一次滚动更新", true}) {
		t.Errorf("got %+v", got)
	}
	if known["recreate"].Poster {
		t.Error("a scenario with one poster of two has posters")
	}
	b, err := json.Marshal(known)
	if err != nil || len(b) > 20_000 {
		t.Errorf("what the embed knows has %d bytes (%v)", len(b), err)
	}
}

func TestAuthorsPage(t *testing.T) {
	files := embedPages(t)
	f := files[authorsPage]
	if f.Policy != HostPolicy || !strings.Contains(f.Policy, "frame-src 'self'") || strings.Contains(f.Policy, "unsafe-inline") {
		t.Errorf("the policy is %q", f.Policy)
	}
	page := string(f.Raw)
	if n := strings.Count(page, `<rollplay-embed scenario="first-rollout" panels="why">`) + strings.Count(page, `<rollplay-embed scenario="recreate"`) +
		strings.Count(page, `<pre class="rollplay" data-`); n != 3 {
		t.Errorf("the page embeds %d runs, want 3", n)
	}
	for _, want := range []string{
		"Hugo", "Docusaurus", "MkDocs", "Backstage", "GitHub Pages", "nginx", "_headers", "frame-src", "Access-Control-Allow-Origin",
		`src="../posters/first-rollout-light.svg"`, "{{&lt; rollplay scenario", "why, controls, diagnosis, pods",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page, "../posters/recreate-light.svg") {
		t.Error("the page shows a poster of a scenario that lacks one of its two")
	}
	if strings.Contains(page, "<style") || strings.Contains(page, " style=") || strings.Contains(page, "<script>\n") {
		t.Error("the page holds a script or a style")
	}
}
