package site

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/pages"
	"github.com/rollplay/rollplay/web/site/poster"
)

// Ceilings of downloads, in bytes after brotli -11. They come down with the real sizes.
const (
	WasmCeiling      = 1_800_000
	FirstLoadCeiling = 2_025_000
	EmbedCeiling     = 60_000
	HostCeiling      = 3_000 // the script of a page that embeds a run
	FirstCeiling     = 20_000
)

// load is a set of files that a browser downloads together.
type load struct {
	title   string
	files   []*pack.File
	ceiling int // of the sum
}

// loads returns the downloads that have a ceiling. Without its files a download is left out.
func (s *Site) loads() []load {
	return slices.DeleteFunc([]load{
		{"the first load", s.filter(func(f *pack.File) bool { return f.First }), FirstLoadCeiling},
		{"the embed before the click", s.embedFiles(), EmbedCeiling},
		{"the script of the page before the program", s.filter(func(f *pack.File) bool {
			return strings.HasPrefix(f.Name, "first-") && strings.HasSuffix(f.Name, ".js")
		}), FirstCeiling},
		{pages.HostScript, s.filter(func(f *pack.File) bool { return f.Name == pages.HostScript }), HostCeiling},
	}, func(l load) bool { return len(l.files) == 0 })
}

// filter returns some of the files.
func (s *Site) filter(is func(*pack.File) bool) (some []*pack.File) {
	for i := range s.Files {
		if f := &s.Files[i]; is(f) {
			some = append(some, f)
		}
	}
	return some
}

// embedFiles returns the files that a browser downloads for an embed before a click, with the largest poster.
func (s *Site) embedFiles() []*pack.File {
	all := s.filter(func(f *pack.File) bool {
		return f.Name == pages.EmbedPage || path.Dir(f.Name) == "." && strings.HasPrefix(f.Name, "embed-")
	})
	if posters := s.filter(isPoster); len(posters) > 0 {
		all = append(all, slices.MaxFunc(posters, func(a, b *pack.File) int { return cmp.Compare(a.Transfer(), b.Transfer()) }))
	}
	return all
}

// groups are the other files in the table of sizes.
var groups = []struct {
	title string
	is    func(*pack.File) bool
}{
	{"texts of the scenarios", func(f *pack.File) bool { return strings.HasPrefix(f.Name, "scenarios-") }},
	{"posters", isPoster},
	{"posters for previews", func(f *pack.File) bool { return path.Dir(f.Name) == "posters" && path.Ext(f.Name) == ".png" }},
	{"scenario pages", func(f *pack.File) bool { return strings.HasPrefix(f.Name, "s/") && path.Ext(f.Name) == ".html" }},
	{"gallery", func(f *pack.File) bool { return strings.HasPrefix(f.Name, pages.GalleryFolder) }},
	{"list of rules", func(f *pack.File) bool { return f.Name == pages.FidelityPage }},
	{"service worker", func(f *pack.File) bool { return f.Name == pages.WorkerName }},
}

func isPoster(f *pack.File) bool { return path.Dir(f.Name) == "posters" && path.Ext(f.Name) == ".svg" }

// sum returns the size of some files, as written and as sent, and the size of the largest one.
func sum(files []*pack.File) (raw, sent, largest int) {
	for _, f := range files {
		raw, sent, largest = raw+len(f.Raw), sent+f.Transfer(), max(largest, len(f.Raw))
	}
	return raw, sent, largest
}

// WriteSizes prints a table of the files.
func (s *Site) WriteSizes(w io.Writer) error {
	var b strings.Builder
	for _, l := range s.loads() {
		fmt.Fprintf(&b, "%-38s %12s %12s\n", l.title, "raw", "brotli")
		for _, f := range l.files {
			fmt.Fprintf(&b, "%-38s %12s %12s\n", f.Name, words.Thousands(len(f.Raw)), words.Thousands(f.Transfer()))
		}
		raw, sent, _ := sum(l.files)
		fmt.Fprintf(&b, "%-38s %12s %12s   (ceiling %s)\n\n", "all", words.Thousands(raw), words.Thousands(sent), words.Thousands(l.ceiling))
	}
	fmt.Fprintf(&b, "%-31s %6s %12s %12s %12s\n", "other files", "number", "raw", "brotli", "largest raw")
	for _, g := range groups {
		files := s.filter(g.is)
		raw, sent, largest := sum(files)
		fmt.Fprintf(&b, "%-31s %6d %12s %12s %12s\n", g.title, len(files), words.Thousands(raw), words.Thousands(sent), words.Thousands(largest))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// CheckSizes returns an error if a file is over its ceiling. It is meaningful only for a site built with Small.
func (s *Site) CheckSizes() error {
	var errs []error
	check := func(what, kind string, got, ceiling int) {
		if got > ceiling {
			errs = append(errs, fmt.Errorf("%s has %s bytes%s, the ceiling is %s", what, words.Thousands(got), kind, words.Thousands(ceiling)))
		}
	}
	for _, f := range s.filter(func(f *pack.File) bool { return f.First && f.Type == "application/wasm" }) {
		check(f.Name, " after brotli", f.Transfer(), WasmCeiling)
	}
	for _, l := range s.loads() {
		_, sent, _ := sum(l.files)
		check(l.title, " after brotli", sent, l.ceiling)
	}
	for _, f := range s.filter(isPoster) { // many hosts do not compress them
		check(f.Name, "", len(f.Raw), poster.Ceiling)
	}
	return errors.Join(errs...)
}

// writeFigures puts the sizes of this build into the page for authors. They are known only after all other files are compressed.
func (s *Site) writeFigures(o pack.Options) {
	_, before, _ := sum(s.embedFiles())
	_, program, _ := sum(s.filter(func(f *pack.File) bool { return f.First }))
	_, host, _ := sum(s.filter(func(f *pack.File) bool { return f.Name == pages.HostV1 }))
	sizes := map[string]string{pages.MarkBefore: kilobytes(before), pages.MarkHost: kilobytes(host), pages.MarkProgram: megabytes(program)}
	o.Log = nil // said already
	for i := range s.Files {
		if f := &s.Files[i]; strings.HasPrefix(f.Name, pages.AuthorsFolder) {
			for mark, size := range sizes {
				f.Raw = bytes.ReplaceAll(f.Raw, []byte(mark), []byte(size))
			}
			must.Do(pack.Compress(o, s.Files[i:i+1]))
		}
	}
}

func kilobytes(n int) string { return fmt.Sprintf("%.1f kB", float64(n)/1e3) }
func megabytes(n int) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
