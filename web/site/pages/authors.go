package pages

import (
	"bytes"
	"crypto/sha512"
	_ "embed"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/poster"
)

// HostPolicy is the content security policy of a page that embeds runs: it may also show frames of the site.
const HostPolicy = pack.Policy + "; frame-src 'self'"

// AuthorsFolder is the path of the English page for authors.
const AuthorsFolder = "authors/"

// Marks in the page for authors, in whose place the site writes sizes, once all files are compressed.
const (
	MarkBefore  = "@size-before-play@"
	MarkHost    = "@size-host-script@"
	MarkProgram = "@size-program@"
)

// authorsShell holds the values of web/shell/authors.html and authors-zh.html.
type authorsShell struct {
	words
	HostPolicy    string // of the page itself
	Style, Script string
	Embeds        []authorsEmbed
	Manifest      string // the YAML of a code block that becomes an embed
	Panels        string // the panels that an author can choose from
	Integrity     string // of the host script
	Before        string // sizes
	HostSize      string
	Program       string
	Hugo, NPM     []copied
	MkDocs        copied
	Sphinx        []copied
}

// authorsEmbed is an embed of a shipped scenario in this page.
type authorsEmbed struct {
	Name, Title, Poster, Panels, Run string
	Width, Height                    int
}

// copied is a file of web/docs that authors copy.
type copied struct{ Name, Text string }

// buildAuthors makes the page that shows authors how to embed runs, and embeds some itself, in each language. others must contain the
// posters and the host script.
func buildAuthors(o pack.Options, others []pack.File) []pack.File {
	script, style := pack.Script(o, "authors.js"), pack.Style(o, "authors.css")
	shell := authorsShell{
		HostPolicy: HostPolicy, Style: style.Name, Script: script.Name, Manifest: authorsManifest,
		Panels: strings.Join(app.EmbedPanels(), ", "), Integrity: integrity(others), Before: MarkBefore, HostSize: MarkHost, Program: MarkProgram,
	}
	shell.readCopied(o)
	return append(inLangs(func(lang string) pack.File { return shell.page(o, others, lang) }), script, style)
}

// page fills in the page in a language. The code to copy is the same in all of them.
func (s authorsShell) page(o pack.Options, others []pack.File, lang string) pack.File {
	s.words = wordsFor(o, lang, AuthorsFolder)
	s.Style, s.Script = s.Root+s.Style, s.Root+s.Script
	s.Embeds = s.embeds(others)
	name := "authors.html"
	if lang != app.Langs()[0] {
		name = "authors-" + lang + ".html"
	}
	t := must.Have(pack.Template(o, name).ParseFiles(filepath.Join(o.Root, "web", "shell", "authors-code.html")))
	var buf bytes.Buffer
	must.Do(t.ExecuteTemplate(&buf, name, s))
	page := pack.Text(FileIn(AuthorsFolder, lang), buf.Bytes())
	page.Policy = HostPolicy
	return page
}

// embeds are the two embeds of the page.
func (s authorsShell) embeds(others []pack.File) []authorsEmbed {
	known := shippedScenarios(others)
	embeds := []authorsEmbed{{Name: "first-rollout", Panels: "why"}, {Name: "recreate", Panels: "pods"}}
	for i := range embeds {
		e := &embeds[i]
		e.Run, e.Width, e.Height = s.Root+"#s="+e.Name, poster.Width, poster.Height
		if e.Title = known[e.Name].En; s.Lang != app.Langs()[0] {
			e.Title = known[e.Name].Zh
		}
		if known[e.Name].Poster {
			e.Poster = s.Root + posterName(e.Name, "light", s.Lang)
		}
	}
	return embeds
}

// readCopied reads the files that authors copy.
func (s *authorsShell) readCopied(o pack.Options) {
	read := func(names ...string) (all []copied) {
		for _, name := range names {
			text := must.Have(os.ReadFile(filepath.Join(o.Root, "web", "docs", filepath.FromSlash(name))))
			all = append(all, copied{"web/docs/" + name, string(text)})
		}
		return all
	}
	s.Hugo = read("hugo/layouts/shortcodes/rollplay.html", "hugo/layouts/_default/_markup/render-codeblock-rollplay.html",
		"hugo/layouts/partials/rollplay/options.html", "hugo/layouts/partials/rollplay/script.html")
	s.NPM = read("npm/element.js", "npm/react.js", "npm/remark.js")
	s.Sphinx = read("sphinx/rollplay.py")
	s.MkDocs = read("mkdocs/mkdocs.yml")[0]
}

// integrity is the hash with which a page can pin the host script.
func integrity(others []pack.File) string {
	i := slices.IndexFunc(others, func(f pack.File) bool { return f.Name == HostV1 })
	if i < 0 {
		return ""
	}
	sum := sha512.Sum384(others[i].Raw)
	return "sha384-" + base64.StdEncoding.EncodeToString(sum[:])
}

// authorsManifest is an example of YAML in an author's page.
//
//go:embed authors.yaml
var authorsManifest string
