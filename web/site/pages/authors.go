package pages

import (
	"strings"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/poster"
)

// HostPolicy is the content security policy of a page that embeds runs: it may also show frames of the site.
const HostPolicy = pack.Policy + "; frame-src 'self'"

// authorsShell holds the values of web/shell/authors.html.
type authorsShell struct {
	HostPolicy    string // of the page itself
	Style, Script string
	Embeds        []authorsEmbed
	Manifest      string // the YAML of a code block that becomes an embed
	Panels        string // what an author can choose from
}

// authorsEmbed is an embed of a shipped scenario in this page.
type authorsEmbed struct {
	Name, Title, Poster, Panels string
	Width, Height               int // of the poster
}

// buildAuthors makes the page that tells authors how to embed runs, and embeds some itself. others must contain the posters.
func buildAuthors(o pack.Options, others []pack.File) ([]pack.File, error) {
	script, err := pack.Script(o, "authors.js")
	if err != nil {
		return nil, err
	}
	style, err := pack.Style(o, "authors.css")
	if err != nil {
		return nil, err
	}
	known := shippedScenarios(others)
	embeds := []authorsEmbed{{Name: "first-rollout", Panels: "why"}, {Name: "recreate", Panels: "pods"}}
	for i := range embeds {
		e := &embeds[i]
		e.Width, e.Height = poster.Width, poster.Height
		if e.Title = known[e.Name].En; known[e.Name].Poster {
			e.Poster = up(posterName(e.Name, "light", "en"))
		}
	}
	page, err := pack.Fill(o, "authors.html", authorsPage, authorsShell{
		HostPolicy: HostPolicy, Style: up(style.Name), Script: up(script.Name),
		Embeds: embeds, Manifest: authorsManifest, Panels: strings.Join(app.EmbedPanels(), ", "),
	})
	page.Policy = HostPolicy
	return []pack.File{page, script, style}, err
}

// authorsManifest is an example of YAML in an author's page.
const authorsManifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: nginx:1.27
`
