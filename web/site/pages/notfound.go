package pages

import (
	"bytes"
	"html/template"
	"net/url"

	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
)

// Missing makes the page for an address without a page. Only the server can count the folders in that address, so a link in the
// page has to begin at the top of the site.
type Missing struct {
	template *template.Template
	style    string
}

// Page returns the page with links that begin with home, the way to the top of the site. Without a way the page has no links
// and no style.
func (m *Missing) Page(home string) []byte {
	var buf bytes.Buffer
	if err := m.template.Execute(&buf, struct{ Style, Home string }{m.style, home}); err != nil {
		panic("pages: 404.html: " + err.Error()) // the same template has made the file of the site
	}
	return buf.Bytes()
}

// file returns the page for hosts that show a file of this name. They do not adapt it to the address, so its links begin with
// the site's own address, if the build knows that.
func (m *Missing) file(o pack.Options) pack.File {
	home := ""
	if o.URL != "" {
		home = must.Have(url.Parse(o.URL)).EscapedPath()
	}
	return pack.Text("404.html", string(m.Page(home)))
}
