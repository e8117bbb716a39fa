package site

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/pages"
)

// writeFigures puts the sizes of this build into the page for authors. They are known only after all other files are compressed.
func (s *Site) writeFigures(o pack.Options) error {
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
			if err := pack.Compress(o, s.Files[i:i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

func kilobytes(n int) string { return fmt.Sprintf("%.1f kB", float64(n)/1e3) }
func megabytes(n int) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
