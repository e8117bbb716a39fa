// Package site builds and serves the page: the wasm, the bundles of JavaScript and CSS, and the shell that loads
// them. A Site is held in memory, so that it can be written to a folder, served, or looked at by a test alike.
package site

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"mime"
	"path"
	"slices"
)

// Site is the whole static site. Every URL in it is relative, so it works under any path.
type Site struct {
	Files   []File // sorted by name
	missing *missing
}

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

// Build makes the site from the sources below o.Root.
func Build(o Options) (*Site, error) {
	if err := installPackages(o); err != nil {
		return nil, err
	}
	wasm, err := buildWasm(o)
	if err != nil {
		return nil, err
	}
	boot, err := buildBoot(o)
	if err != nil {
		return nil, err
	}
	bundle, err := buildBundle(o)
	if err != nil {
		return nil, err
	}
	playground, err := buildPlayground(o, wasm, boot, bundle)
	if err != nil {
		return nil, err
	}
	licenses, err := buildLicenses(o)
	if err != nil {
		return nil, err
	}
	pages, missing, err := buildPages(o)
	if err != nil {
		return nil, err
	}
	files := slices.Concat(playground, pages, []File{licenses})
	embed, err := buildEmbed(o, wasm, boot, bundle, files)
	if err != nil {
		return nil, err
	}
	authors, err := buildAuthors(o, files)
	if err != nil {
		return nil, err
	}
	files = slices.Concat(files, embed, authors)
	s := &Site{Files: append(files, buildHeaders(files)), missing: missing}
	slices.SortFunc(s.Files, byName)
	return s, compress(o, s.Files)
}

func byName(a, b File) int { return cmp.Compare(a.Name, b.Name) }

// File returns the file of that name, nil if there is none.
func (s *Site) File(name string) *File {
	i, ok := slices.BinarySearchFunc(s.Files, name, func(f File, name string) int { return cmp.Compare(f.Name, name) })
	if !ok {
		return nil
	}
	return &s.Files[i]
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
