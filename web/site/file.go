package site

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"mime"
	"path"
)

// File is one file of the site.
type File struct {
	Name   string // relative to the root of the site, with slashes
	Type   string // what the Content-Type header says
	Hashed bool   // the name changes with the content, so that it may be cached for ever
	First  bool   // it belongs to the first load of the playground
	Policy string // what the Content-Security-Policy header says; empty for Policy
	Raw    []byte
	Brotli []byte // nil where compression gains nothing
	Gzip   []byte // nil where compression gains nothing
}

// Options says what to build, and how.
type Options struct {
	Root  string       // the root of the module
	Speed Speed        // how hard to compress
	URL   string       // where the site will be, as NormalURL writes it; empty if nobody knows
	Log   func(string) // takes one line of progress; nil: nobody listens
}

func (o Options) logf(format string, args ...any) {
	if o.Log != nil {
		o.Log(fmt.Sprintf(format, args...))
	}
}

func byName(a, b File) int { return cmp.Compare(a.Name, b.Name) }

// later takes a file out of the first load of the playground.
func later(f File) File {
	f.First = false
	return f
}

func text(name, content string) File {
	return File{Name: name, Type: typeOf(name), Raw: []byte(content)}
}

// transfer is what a browser downloads of a file.
func (f *File) transfer() int {
	if f.Brotli != nil {
		return len(f.Brotli)
	}
	return len(f.Raw)
}

// hashed returns a file of the first load whose name holds a hash of its content, in the form that esbuild gives
// to the names of its bundles.
func hashed(stem, ext string, raw []byte) File {
	sum := sha256.Sum256(raw)
	name := stem + "-" + base32.StdEncoding.EncodeToString(sum[:5]) + ext
	return File{Name: name, Type: typeOf(name), Hashed: true, First: true, Raw: raw}
}

// typeOf returns the content type that belongs to a file name. The table is our own, because what the mime package
// answers depends on the machine.
func typeOf(name string) string {
	switch ext := path.Ext(name); ext {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".txt", "": // a name without an ending is a file for hosts
		return "text/plain; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".json":
		return "application/json"
	case ".xml":
		return "application/xml"
	case ".wasm":
		return "application/wasm" // anything else, and the browser refuses to compile while it loads
	default:
		return mime.TypeByExtension(ext)
	}
}
