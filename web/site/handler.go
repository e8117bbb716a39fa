package site

import (
	"net/http"
	"strconv"
	"strings"
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
			http.NotFound(w, r)
			return
		}
		f.serve(w, r)
	})
}

// serve answers with the smallest form of the file that the browser accepts.
func (f *File) serve(w http.ResponseWriter, r *http.Request) {
	encoding, body := f.encoded(r.Header.Values("Accept-Encoding"))
	h := w.Header()
	h.Set("Content-Type", f.Type)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", Policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", f.cacheControl())
	h.Set("Vary", "Accept-Encoding")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	if r.Method == http.MethodHead {
		return
	}
	w.Write(body) // the only error is a reader that went away
}

// cacheControl lets a hashed name be kept for a year, because its content never changes. All else must be asked for
// each time, or a browser would hold on to a page whose scripts are gone.
func (f *File) cacheControl() string {
	if f.Hashed {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
}

// encoded returns the content and its Content-Encoding for what a client says it accepts.
func (f *File) encoded(accept []string) (encoding string, body []byte) {
	switch header := strings.Join(accept, ","); {
	case f.Brotli != nil && accepts(header, "br"):
		return "br", f.Brotli
	case f.Gzip != nil && accepts(header, "gzip"):
		return "gzip", f.Gzip
	default:
		return "", f.Raw
	}
}

// accepts says whether an Accept-Encoding header names an encoding with a weight above zero.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		q, weighted := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(params), " ", ""), "q=")
		weight, err := strconv.ParseFloat(q, 64)
		return !weighted || err == nil && weight > 0
	}
	return false
}
