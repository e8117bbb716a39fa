package site

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// wholePage is a selector by which a change anywhere asks the whole page for its style again.
var wholePage = regexp.MustCompile(`(?:^|[\s,}])(?:body|html|:root|\.page|\.stage|\.embed)(?:\[[^\]]*\])?(?::not\()?:has\(`)

// TestNoSelectorAsksTheWholePage: one such selector in the playground's styles took half of all frames on a phone.
func TestNoSelectorAsksTheWholePage(t *testing.T) {
	for _, asks := range []string{"body:has(> #loader) > p { }", "  body:not(:has(.start)) .sheet { }", "a, :root:has(b) { }", ".page:has(i) { }"} {
		if !wholePage.MatchString(asks) {
			t.Errorf("%q is not found", asks)
		}
	}
	for _, folder := range []string{"../src", "../shell"} {
		files, err := filepath.Glob(folder + "/*.css")
		if err != nil || len(files) == 0 {
			t.Fatal(err, files)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			// The pages of pages.css stand still.
			if found := wholePage.Find(text); found != nil && filepath.Base(name) != "pages.css" {
				t.Errorf("%s has %q", name, found)
			}
		}
	}
}
