package site

import (
	"bytes"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"strings"
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

// notFound answers where there is no file of a name. Our own server knows how deep the address is.
func (s *Site) notFound(w http.ResponseWriter, r *http.Request, name string) {
	if s.File(path.Join(name, "index.html")) != nil {
		// A folder without its slash, which relative links need. http.Redirect would make the address whole, and does not
		// know the path that the site is mounted at.
		w.Header().Set("Location", "./"+path.Base(name)+"/")
		w.WriteHeader(http.StatusMovedPermanently)
		return
	}
	if s.missing == nil {
		http.NotFound(w, r)
		return
	}
	home := "./" + strings.Repeat("../", strings.Count(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/"))
	f := File{Type: typeOf("404.html"), Raw: s.missing.page(home)}
	f.answer(w, r, http.StatusNotFound)
}
