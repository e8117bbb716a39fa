package pack

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"mime"
	"net/url"
	"os"
	"path"
	"path/filepath"
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

// Text returns a file that only programs read.
func Text(name, content string) File {
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
	if err != nil {
		return "", err
	}
	for !isRoot(dir) {
		if dir == filepath.Dir(dir) {
			return "", errors.New("run this inside a clone of rollplay, because it builds from the sources")
		}
		dir = filepath.Dir(dir)
	}
	return dir, nil
}

func isRoot(dir string) bool {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && strings.HasPrefix(string(mod), "module github.com/rollplay/rollplay\n")
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
