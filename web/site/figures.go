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
	var before, program, host int
	for _, f := range s.embedFiles() {
		before += f.Transfer()
	}
	for i := range s.Files {
		switch f := &s.Files[i]; {
		case f.Name == pages.HostV1:
			host = f.Transfer()
		case f.First:
			program += f.Transfer()
		}
	}
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
