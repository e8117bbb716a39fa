// Package site builds the whole site and serves it. It puts together what pack compiles and pages writes, and checks the
// sizes. A Site stays in memory, so a command can write it to a folder, a server can serve it, and a test can inspect it.
package site

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/pages"
)

// Site is the whole static site. All its URLs are relative, so it works under any path.
type Site struct {
	Files   []pack.File // sorted by name
	missing *pages.Missing
}

// Build makes the site from the sources below o.Root.
func Build(o pack.Options) (s *Site, err error) {
	defer must.Caught(&err)
	program := &pack.Program{}
	if !o.Still {
		program = pack.Build(o)
	}
	files, missing := pages.Build(o, program)
	files = append(files, pack.Licenses(o))
	s = &Site{Files: append(files, buildHeaders(files)), missing: missing}
	slices.SortFunc(s.Files, pack.ByName)
	must.Do(pack.Compress(o, s.Files))
	s.writeFigures(o)
	return s, nil
}

// File returns the file with this name, or nil.
func (s *Site) File(name string) *pack.File {
	i, ok := slices.BinarySearchFunc(s.Files, name, func(f pack.File, name string) int { return cmp.Compare(f.Name, name) })
	if !ok {
		return nil
	}
	return &s.Files[i]
}

// marker is a file that only our own folders have, so an earlier site can be recognized and removed.
const marker = ".rollplay-site"

// WriteTo writes the site into dir, each file beside its compressed forms, which web servers such as nginx (gzip_static,
// brotli_static) and Caddy (precompressed) send as they are. It removes an earlier site from dir first, and refuses a folder
// with other files.
func (s *Site) WriteTo(dir string) (err error) {
	defer must.Caught(&err)
	empty(dir)
	write(dir, marker, []byte("Made by go run ./web/rollplay build, which may delete all of this folder.\n"))
	for _, f := range s.Files {
		for suffix, content := range map[string][]byte{"": f.Raw, ".br": f.Brotli, ".gz": f.Gzip} {
			if content != nil {
				write(dir, f.Name+suffix, content)
			}
		}
	}
	return nil
}

// empty removes dir if an earlier build made it.
func empty(dir string) {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) || err == nil && len(entries) == 0 {
		return
	}
	must.Do(err)
	_, err = os.Stat(filepath.Join(dir, marker))
	must.Be(err == nil, "%s is not empty, and no earlier build made it: choose another folder", dir)
	must.Do(os.RemoveAll(dir))
}

func write(dir, name string, content []byte) {
	p := filepath.Join(dir, filepath.FromSlash(name))
	must.Do(os.MkdirAll(filepath.Dir(p), 0o755))
	must.Do(os.WriteFile(p, content, 0o644))
}

// headersFile is the file from which Netlify and Cloudflare Pages read the headers of a site. Other hosts send it like any
// file, which does no harm.
const headersFile = "_headers"

// buildHeaders writes the headers of our own server for each file. Where two rules match an address, these hosts join the
// values of a header, so a header is either in the rule for all files or in the rules for some. Cloudflare accepts a hundred
// rules, so a folder whose files agree has only one.
func buildHeaders(files []pack.File) pack.File {
	files = slices.Clone(files)
	slices.SortFunc(files, pack.ByName)
	same, own := shared(files)
	var b strings.Builder
	rule := func(path string, headers [][2]string) {
		fmt.Fprintf(&b, "%s\n", path)
		for _, h := range headers {
			fmt.Fprintf(&b, "  %s: %s\n", h[0], h[1])
		}
	}
	rule("/*", same)
	folders := map[string][]pack.File{}
	for _, f := range files {
		folder := f.Name[:max(0, strings.IndexByte(f.Name, '/'))] // the one at the top, "" outside of any
		folders[folder] = append(folders[folder], f)
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		if common, differ := shared(folders[folder]); folder != "" && len(differ) == 0 {
			rule("/"+folder+"/*", only(common, own))
			continue
		}
		for _, f := range folders[folder] {
			rule("/"+strings.TrimSuffix(f.Name, "index.html"), only(f.Headers(), own))
		}
	}
	return pack.Text(headersFile, b.String())
}

// only returns the headers with these names.
func only(headers [][2]string, names map[string]bool) [][2]string {
	return slices.DeleteFunc(slices.Clone(headers), func(h [2]string) bool { return !names[h[0]] })
}

// shared returns the headers that all files share, and the names of those that differ.
func shared(files []pack.File) (same [][2]string, differ map[string]bool) {
	differ = map[string]bool{}
	first := files[0].Headers()
	for _, f := range files {
		for i, h := range f.Headers() {
			if h != first[i] {
				differ[h[0]] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(first), func(h [2]string) bool { return differ[h[0]] }), differ
}

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
