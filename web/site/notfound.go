package site

import (
	"bytes"
	"html/template"
	"net/url"
	"path/filepath"
)

// missing makes the page for an address that leads nowhere. Nobody knows how deep that address is, so a link in the page
// has to begin where the site does.
type missing struct {
	template *template.Template
	shell    missingShell
}

// missingShell is what web/shell/404.html is filled in with.
type missingShell struct {
	Policy string
	Icon   template.URL
	Style  string
	Home   string // the way to the top of the site; without one, the page has no links and the browser's own look
}

func newMissing(o Options, style string) (*missing, error) {
	dir := filepath.Join(o.Root, "web", "shell")
	t, err := template.ParseFiles(filepath.Join(dir, "404.html"))
	if err != nil {
		return nil, err
	}
	icon, err := dataURL(filepath.Join(dir, "favicon.svg"))
	return &missing{t, missingShell{Policy: Policy, Icon: icon, Style: style}}, err
}

func (m *missing) page(home string) []byte {
	shell := m.shell
	shell.Home = home
	var buf bytes.Buffer
	if err := m.template.Execute(&buf, shell); err != nil {
		panic("site: 404.html: " + err.Error()) // the same template has made the file of the site
	}
	return buf.Bytes()
}

// file is the page for hosts that show a file of this name. They are told nothing of the address, so the links are those of
// the site's own, if that is known.
func (m *missing) file(o Options) (File, error) {
	home := ""
	if o.URL != "" {
		u, err := url.Parse(o.URL)
		if err != nil {
			return File{}, err
		}
		home = u.EscapedPath()
	}
	return File{Name: "404.html", Type: typeOf("404.html"), Raw: m.page(home)}, nil
}
