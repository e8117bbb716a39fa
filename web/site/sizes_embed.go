package site

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/pages"
)

// Ceilings for a page that embeds a run, in bytes after brotli -11: the embed with the largest poster before a click, and the
// script for the page.
const (
	EmbedCeiling = 60_000
	HostCeiling  = 3_000
)

// embedFiles returns the files that a browser downloads for an embed before a click, the largest poster last.
func (s *Site) embedFiles() []*pack.File {
	var all []*pack.File
	var poster *pack.File
	for i := range s.Files {
		f := &s.Files[i]
		switch {
		case f.Name == pages.EmbedPage, path.Dir(f.Name) == "." && strings.HasPrefix(f.Name, "embed-"):
			all = append(all, f)
		case strings.HasPrefix(f.Name, "posters/") && path.Ext(f.Name) == ".svg" && (poster == nil || f.Transfer() > poster.Transfer()):
			poster = f
		}
	}
	if poster != nil {
		all = append(all, poster)
	}
	return all
}

// writeEmbedSizes prints the cost of an embed.
func (s *Site) writeEmbedSizes(b *strings.Builder) {
	all := s.embedFiles()
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%-38s %12s %12s\n", "embed before the click", "raw", "brotli")
	var raw, sent int
	for _, f := range all {
		fmt.Fprintf(b, "%-38s %12s %12s\n", f.Name, thousands(len(f.Raw)), thousands(f.Transfer()))
		raw += len(f.Raw)
		sent += f.Transfer()
	}
	fmt.Fprintf(b, "%-38s %12s %12s   (ceiling %s)\n", "all", thousands(raw), thousands(sent), thousands(EmbedCeiling))
	if host := s.File(pages.HostScript); host != nil {
		fmt.Fprintf(b, "%-38s %12s %12s   (ceiling %s)\n", pages.HostScript, thousands(len(host.Raw)), thousands(host.Transfer()), thousands(HostCeiling))
	}
}

// checkEmbedSizes returns an error if an embed is over its ceilings.
func (s *Site) checkEmbedSizes() error {
	var errs []error
	sent := 0
	for _, f := range s.embedFiles() {
		sent += f.Transfer()
	}
	if sent > EmbedCeiling {
		errs = append(errs, tooLarge("the embed before the click", sent, EmbedCeiling))
	}
	if host := s.File(pages.HostScript); host != nil && host.Transfer() > HostCeiling {
		errs = append(errs, tooLarge(pages.HostScript, host.Transfer(), HostCeiling))
	}
	return errors.Join(errs...)
}
