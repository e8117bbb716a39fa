package pages

import (
	"bytes"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/site/pack"
)

// embedPages makes the pages of this file from stand-ins for what the rest of the build makes.
func embedPages(t *testing.T) map[string]*pack.File {
	t.Helper()
	root, err := pack.Root()
	if err != nil {
		t.Fatal(err)
	}
	o := pack.Options{Root: root}
	others := []pack.File{{Name: posterName("first-rollout", "light", "en")}, {Name: posterName("first-rollout", "dark", "en")}, {Name: posterName("recreate", "light", "en")}}
	program := pack.Program{
		Wasm: pack.File{Name: "app-W.wasm", Raw: make([]byte, 77)}, Boot: pack.File{Name: "boot-B.js"},
		Main: "main-M.js", Style: "style-S.css", AtOnce: []string{"a.js", "b.js"},
	}
	embed := buildEmbed(o, &program, others)
	authors := buildAuthors(o, append(others, embed...))
	all := map[string]*pack.File{}
	for _, f := range append(embed, authors...) {
		all[f.Name] = &f
		if f.First {
			t.Errorf("%s counts as a file of the playground", f.Name)
		}
	}
	return all
}

func TestEmbedPage(t *testing.T) {
	page := string(embedPages(t)[EmbedPage].Raw)
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
	known := shippedScenarios([]pack.File{{Name: posterName("recreate", "light", "en")}, {Name: posterName("first-rollout", "light", "en")}, {Name: posterName("first-rollout", "dark", "en")}})
	if want := len(scenarios.Names()) + len(scenarios.Aliases()); len(known) != want {
		t.Errorf("%d names are known, want %d", len(known), want)
	}
	for old, now := range scenarios.Aliases() {
		if got := known[old]; got.En != known[now].En || got.Zh == "" || got.Poster {
			t.Errorf("%s: got %+v", old, got)
		}
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
	f := files[FileIn(AuthorsFolder, "en")]
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
	host := files[HostV1].Raw
	if sum := sha512.Sum384(host); !strings.Contains(html.UnescapeString(page), "sha384-"+base64.StdEncoding.EncodeToString(sum[:])) {
		t.Error("the page does not have the hash of the host script")
	}
	if !bytes.Equal(host, files[HostScript].Raw) {
		t.Error("the addresses of the host script have different scripts")
	}
	if strings.Contains(page, "../posters/recreate-light.svg") {
		t.Error("the page shows a poster of a scenario that lacks one of its two")
	}
	if strings.Contains(page, "<style") || strings.Contains(page, " style=") || strings.Contains(page, "<script>\n") {
		t.Error("the page holds a script or a style")
	}
}

// TestAuthorsPageInChinese: the page has the same sections, tables, code and embeds in both languages.
func TestAuthorsPageInChinese(t *testing.T) {
	files := embedPages(t)
	en, zh := string(files[FileIn(AuthorsFolder, "en")].Raw), string(files[FileIn(AuthorsFolder, "zh")].Raw)
	for _, mark := range []string{"<h2", "<h3", "<p>", "<tr>", "<td>", "<li>", "<pre", "<details", "<rollplay-embed", MarkBefore, MarkHost, MarkProgram} {
		if a, b := strings.Count(en, mark), strings.Count(zh, mark); a != b || a == 0 {
			t.Errorf("%s stands %d times in the English page and %d times in the Chinese", mark, a, b)
		}
	}
	for _, want := range []string{`<html lang="zh">`, `src="../../posters/first-rollout-zh-light.svg"`, `href="../../authors/"`, "第一次滚动更新", `src="../../embed/v1/host.js"`} {
		if !strings.Contains(zh, want) {
			t.Errorf("the Chinese page lacks %s", want)
		}
	}
	code := regexp.MustCompile(`(?s)<pre class="copy">.*?</pre>`)
	if a, b := code.FindAllString(en, -1), code.FindAllString(zh, -1); !slices.Equal(a, b) {
		t.Error("what authors copy is another text in Chinese")
	}
}
