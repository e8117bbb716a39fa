package pack

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
)

// Answer sends the smallest form of the file that the browser accepts.
func (f *File) Answer(w http.ResponseWriter, r *http.Request, status int) {
	encoding, body := f.encoded(r.Header.Values("Accept-Encoding"))
	h := w.Header()
	for _, header := range f.Headers() {
		h.Set(header[0], header[1])
	}
	h.Set("Content-Type", f.Type)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body) // the only possible error is a closed connection
	}
}

// Headers returns the names and values that any host should send with the file, besides its type and encoding.
func (f *File) Headers() [][2]string {
	return [][2]string{
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "no-referrer"},
		// A sandboxed embed has no origin, so its requests for modules and wasm are cross-origin. Everything is public.
		{"Access-Control-Allow-Origin", "*"},
		{"Cross-Origin-Resource-Policy", "cross-origin"},
		{"Content-Security-Policy", cmp.Or(f.Policy, Policy)},
		{"Cache-Control", f.cacheControl()},
	}
}

// cacheControl lets browsers cache a hashed name for a year, because its content never changes. They must request all other
// files each time, or they would keep a page whose scripts are gone.
func (f *File) cacheControl() string {
	if f.Hashed {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
}

// encoded returns the content and its Content-Encoding for an Accept-Encoding header.
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

// accepts reports whether an Accept-Encoding header names an encoding with a weight above zero.
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
