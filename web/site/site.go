// Package site builds the whole site and serves it. It puts together what pack compiles and pages writes, and checks the
// sizes. A Site stays in memory, so a command can write it to a folder, a server can serve it, and a test can inspect it.
package site

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

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
		program = must.Have(pack.Build(o))
	}
	files, missing, err := pages.Build(o, program)
	must.Do(err)
	files = append(files, must.Have(pack.Licenses(o)))
	s = &Site{Files: append(files, buildHeaders(files)), missing: missing}
	slices.SortFunc(s.Files, pack.ByName)
	must.Do(pack.Compress(o, s.Files))
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

// marker is a file that only our own folders have, so an earlier site can be recognized and removed.
const marker = ".rollplay-site"

// WriteTo writes the site into dir, each file beside its compressed forms, which web servers such as nginx (gzip_static,
// brotli_static) and Caddy (precompressed) send as they are. It removes an earlier site from dir first, and refuses a folder
// with other files.
func (s *Site) WriteTo(dir string) (err error) {
	defer must.Caught(&err)
	must.Do(empty(dir))
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
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, marker)); err != nil {
		return fmt.Errorf("%s is not empty, and no earlier build made it: choose another folder", dir)
	}
	return os.RemoveAll(dir)
}

func write(dir, name string, content []byte) {
	p := filepath.Join(dir, filepath.FromSlash(name))
	must.Do(os.MkdirAll(filepath.Dir(p), 0o755))
	must.Do(os.WriteFile(p, content, 0o644))
}
