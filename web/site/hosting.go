package site

import (
	"fmt"
	"slices"
	"strings"
)

// headersFile is the file from which Netlify and Cloudflare Pages take the headers of a site. Others send it as it is, which
// does no harm.
const headersFile = "_headers"

// buildHeaders says for each file what our own server says. Where two rules hold for one address these hosts join the values
// of a header, so a header is either in the rule for all files or in the rules of single ones.
func buildHeaders(files []File) File {
	files = slices.Clone(files)
	slices.SortFunc(files, byName)
	same, own := shared(files)
	var b strings.Builder
	b.WriteString("/*\n")
	for _, h := range same {
		fmt.Fprintf(&b, "  %s: %s\n", h[0], h[1])
	}
	for _, f := range files {
		fmt.Fprintf(&b, "/%s\n", strings.TrimSuffix(f.Name, "index.html"))
		for _, h := range f.headers() {
			if own[h[0]] {
				fmt.Fprintf(&b, "  %s: %s\n", h[0], h[1])
			}
		}
	}
	return text(headersFile, b.String())
}

// shared returns the headers that all files have in common, and the names of those that differ.
func shared(files []File) (same [][2]string, own map[string]bool) {
	own = map[string]bool{}
	first := files[0].headers()
	for _, f := range files {
		for i, h := range f.headers() {
			own[h[0]] = own[h[0]] || h != first[i]
		}
	}
	for _, h := range first {
		if !own[h[0]] {
			same = append(same, h)
		}
	}
	return same, own
}
