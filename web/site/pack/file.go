package pack

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// File is a file of the site.
type File struct {
	Name   string // relative to the root of the site, with slashes
	Type   string // the Content-Type header
	Hashed bool   // the name changes with the content, so browsers may cache it permanently
	First  bool   // it belongs to the first load of the playground
	Later  bool   // the playground loads it when it works, and keeps it for offline use
	Policy string // the Content-Security-Policy header; empty for the usual Policy
	Raw    []byte
	Brotli []byte // nil if compression gains nothing
	Gzip   []byte // nil if compression gains nothing
}

// Options are the settings of a build.
type Options struct {
	Root  string       // the root of the module
	Speed Speed        // how hard to compress
	URL   string       // where the site will be, as NormalURL writes it; empty if unknown
	Debug bool         // keep all that helps to find a bug in app.wasm: line numbers, names of functions for profiles
	Log   func(string) // takes one line of progress; may be nil

	// A site of embeds alone.
	Embed      []string // the scenarios; empty for the whole site
	Playground string   // where their links lead, empty for no links
	Still      bool     // without the program: an embed plays its picture
}

// Logf reports progress.
func (o Options) Logf(format string, args ...any) {
	if o.Log != nil {
		o.Log(fmt.Sprintf(format, args...))
	}
}

// ByName is the order of the files of a site.
func ByName(a, b File) int { return cmp.Compare(a.Name, b.Name) }

// Text returns a file that is no part of the first load, under its own name.
func Text[T string | []byte](name string, content T) File {
	return File{Name: name, Type: TypeOf(name), Raw: []byte(content)}
}

// Transfer returns the number of bytes that a browser downloads.
func (f *File) Transfer() int {
	if f.Brotli != nil {
		return len(f.Brotli)
	}
	return len(f.Raw)
}

// Hashed returns a file of the first load whose name holds a hash of its content, in the form of esbuild's own names.
func Hashed(stem, ext string, raw []byte) File {
	sum := sha256.Sum256(raw)
	name := stem + "-" + base32.StdEncoding.EncodeToString(sum[:5]) + ext
	return File{Name: name, Type: TypeOf(name), Hashed: true, First: true, Raw: raw}
}

// TypeOf returns the content type for a file name. The table is our own, because the answers of the mime package depend on
// the machine.
func TypeOf(name string) string {
	ext := path.Ext(name)
	return cmp.Or(types[ext], mime.TypeByExtension(ext))
}

var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".txt":  "text/plain; charset=utf-8",
	"":      "text/plain; charset=utf-8", // a file for hosts
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".json": "application/json",
	".xml":  "application/xml",
	".wasm": "application/wasm", // anything else, and the browser refuses to compile while it loads
}

// Root returns the root of the module that contains the working directory.
func Root() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		mod, _ := os.ReadFile(filepath.Join(dir, "go.mod")) // a folder without one is not the root
		if strings.HasPrefix(string(mod), "module github.com/rollplay/rollplay\n") {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			err = errors.New("run this inside a clone of rollplay, because it builds from the sources")
		}
	}
	return "", err
}

// NormalURL checks the future address of a site, and adds a final slash.
func NormalURL(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	if u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", errors.New("want an address such as https://example.org/rollplay/")
	}
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
	}
	return u.String(), nil
}

// Answer sends the smallest form of the file that the browser accepts.
func (f *File) Answer(w http.ResponseWriter, r *http.Request, status int) {
	h, body := w.Header(), f.Raw
	for _, header := range f.Headers() {
		h.Set(header[0], header[1])
	}
	h.Set("Content-Type", f.Type)
	h.Set("Vary", "Accept-Encoding")
	switch accept := strings.Join(r.Header.Values("Accept-Encoding"), ","); {
	case f.Brotli != nil && accepts(accept, "br"):
		h.Set("Content-Encoding", "br")
		body = f.Brotli
	case f.Gzip != nil && accepts(accept, "gzip"):
		h.Set("Content-Encoding", "gzip")
		body = f.Gzip
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
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
