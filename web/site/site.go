// Package site builds the whole site and serves it. It puts together what pack compiles and pages writes, and checks the
// sizes. A Site stays in memory, so a command can write it to a folder, a server can serve it, and a test can inspect it.
package site

import (
	"cmp"
	"slices"

	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/pages"
)

// Site is the whole static site. All its URLs are relative, so it works under any path.
type Site struct {
	Files   []pack.File // sorted by name
	missing *pages.Missing
}

// Build makes the site from the sources below o.Root.
func Build(o pack.Options) (*Site, error) {
	program, err := pack.Build(o)
	if err != nil {
		return nil, err
	}
	files, missing, err := pages.Build(o, program)
	if err != nil {
		return nil, err
	}
	licenses, err := pack.Licenses(o)
	if err != nil {
		return nil, err
	}
	files = append(files, licenses)
	s := &Site{Files: append(files, buildHeaders(files)), missing: missing}
	slices.SortFunc(s.Files, pack.ByName)
	if err := pack.Compress(o, s.Files); err != nil {
		return nil, err
	}
	return s, s.writeFigures(o)
}

// File returns the file with this name, or nil.
func (s *Site) File(name string) *pack.File {
	i, ok := slices.BinarySearchFunc(s.Files, name, func(f pack.File, name string) int { return cmp.Compare(f.Name, name) })
	if !ok {
		return nil
	}
	return &s.Files[i]
}
