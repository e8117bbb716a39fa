package site

import (
	"net/http"
	"path"
	"strings"

	"github.com/rollplay/rollplay/web/site/pack"
)

// Handler serves the site at "/". Mount it elsewhere with http.StripPrefix: the site does not mind.
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
	f := pack.File{Type: pack.TypeOf("404.html"), Raw: s.missing.Page(home)}
	f.Answer(w, r, http.StatusNotFound)
}
