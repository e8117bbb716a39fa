package site

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/rollplay/rollplay/web/site/pages"
	"github.com/rollplay/rollplay/web/site/poster"
)

// kinds groups files for the table of sizes by their names.
var kinds = []struct {
	title string
	is    func(name string) bool
}{
	{"texts of the scenarios", func(name string) bool { return strings.HasPrefix(name, "scenarios-") }},
	{"posters", isPoster},
	{"posters for previews", func(name string) bool { return path.Dir(name) == "posters" && path.Ext(name) == ".png" }},
	{"scenario pages", func(name string) bool { return strings.HasPrefix(name, "s/") && path.Ext(name) == ".html" }},
	{"gallery", func(name string) bool { return strings.HasPrefix(name, pages.GalleryFolder) }},
	{"list of rules", func(name string) bool { return name == pages.FidelityPage }},
	{"service worker", func(name string) bool { return name == pages.WorkerName }},
}

func isPoster(name string) bool { return path.Dir(name) == "posters" && path.Ext(name) == ".svg" }

// writePageSizes prints the sizes of the other pages. The first load of the playground contains none of them.
func (s *Site) writePageSizes(b *strings.Builder) {
	fmt.Fprintf(b, "\n%-24s %6s %12s %12s %12s\n", "other files", "number", "raw", "brotli", "largest raw")
	for _, kind := range kinds {
		var n, raw, sent, largest int
		for i := range s.Files {
			if f := &s.Files[i]; kind.is(f.Name) {
				n, raw, sent, largest = n+1, raw+len(f.Raw), sent+f.Transfer(), max(largest, len(f.Raw))
			}
		}
		fmt.Fprintf(b, "%-24s %6d %12s %12s %12s\n", kind.title, n, thousands(raw), thousands(sent), thousands(largest))
	}
}

// checkPosters returns an error if a poster is too large, without compression.
func (s *Site) checkPosters() error {
	var errs []error
	for i := range s.Files {
		if f := &s.Files[i]; isPoster(f.Name) && len(f.Raw) > poster.Ceiling {
			errs = append(errs, fmt.Errorf("%s has %s bytes, the ceiling is %s", f.Name, thousands(len(f.Raw)), thousands(poster.Ceiling)))
		}
	}
	return errors.Join(errs...)
}
