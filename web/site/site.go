// Package site builds and serves the page: the wasm, the bundles of JavaScript and CSS, and the shell that loads
// them. A Site is held in memory, so that it can be written to a folder, served, or looked at by a test alike.
package site

import (
	"cmp"
	"slices"
)

// Site is the whole static site. Every URL in it is relative, so it works under any path.
type Site struct {
	Files   []File // sorted by name
	missing *missing
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

// File returns the file of that name, nil if there is none.
func (s *Site) File(name string) *File {
	i, ok := slices.BinarySearchFunc(s.Files, name, func(f File, name string) int { return cmp.Compare(f.Name, name) })
	if !ok {
		return nil
	}
	return &s.Files[i]
}
