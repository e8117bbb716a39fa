package site

import (
	"net/http"
	"path"
	"strings"

	"github.com/rollplay/rollplay/web/site/pack"
)

// Handler serves the site at "/". Use http.StripPrefix to serve it elsewhere.
func (s *Site) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" || strings.HasSuffix(name, "/") {
			name += "index.html"
		}
		f := s.File(name)
		if f == nil {
			s.notFound(w, r, name)
			return
		}
		f.Answer(w, r, http.StatusOK)
	})
}

// notFound answers requests for missing files. Unlike a static host, it can count the folders in the address.
func (s *Site) notFound(w http.ResponseWriter, r *http.Request, name string) {
	if s.File(path.Join(name, "index.html")) != nil {
		// A folder without its slash, which relative links need. http.Redirect would write an absolute path, without the
		// prefix that the site is served under.
		to := "./" + path.Base(name) + "/"
		if r.URL.RawQuery != "" {
			to += "?" + r.URL.RawQuery
		}
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusMovedPermanently)
		return
	}
	if s.missing == nil {
		http.NotFound(w, r)
		return
	}
	home := "./" + strings.Repeat("../", strings.Count(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/"))
	f := pack.File{Type: pack.TypeOf("404.html"), Raw: s.missing.Page(home)}
	f.Answer(w, r, http.StatusNotFound)
}
