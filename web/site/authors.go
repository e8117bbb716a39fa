package site

import (
	"html/template"
	"strings"

	"github.com/rollplay/rollplay/app"
)

// HostPolicy is the content security policy of a page of the site that embeds runs: it may show frames of the site too.
const HostPolicy = Policy + "; frame-src 'self'"

// authorsShell is what web/shell/authors.html is filled in with.
type authorsShell struct {
	Policy, HostPolicy string // of the embed and of the page itself
	Icon               template.URL
	Style, Script      string
	Embeds             []authorsEmbed
	Manifest           string // the YAML of a code block that becomes an embed
	Panels             string // what an author can choose from
}

// authorsEmbed is an embed of a shipped scenario in that page.
type authorsEmbed struct {
	Name, Title, Poster, Panels string
}

// buildAuthors makes the page that tells authors how to embed runs, and embeds some. Of the other files it wants the posters.
func buildAuthors(o Options, others []File) ([]File, error) {
	script, err := classicScript(o, "", "authors.js")
	if err != nil {
		return nil, err
	}
	style, err := styleSheet(o, "authors.css")
	if err != nil {
		return nil, err
	}
	js, css := later(hashed("authors", ".js", script)), later(hashed("authors", ".css", style))
	known := shippedScenarios(others)
	embeds := []authorsEmbed{{Name: "first-rollout", Panels: "why"}, {Name: "recreate", Panels: "pods"}}
	for i := range embeds {
		e := &embeds[i]
		if e.Title = known[e.Name].En; known[e.Name].Poster {
			e.Poster = up(posterName(e.Name, "light", "en"))
		}
	}
	page, err := fill(o, "authors.html", authorsPage, HostPolicy, func(icon template.URL) any {
		return authorsShell{
			Policy: Policy, HostPolicy: HostPolicy, Icon: icon, Style: up(css.Name), Script: up(js.Name),
			Embeds: embeds, Manifest: authorsManifest, Panels: strings.Join(app.EmbedPanels(), ", "),
		}
	})
	return []File{page, js, css}, err
}

// authorsManifest is what an author might have in a page already.
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
