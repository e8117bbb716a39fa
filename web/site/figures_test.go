package site

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/pages"
)

// TestFigures: the page for authors has the sizes of the build, as browsers receive them.
func TestFigures(t *testing.T) {
	authors := pages.AuthorsFolder + "index.html"
	s := &Site{Files: []pack.File{
		{Name: "app-A.wasm", First: true, Raw: make([]byte, 9_000_000), Brotli: make([]byte, 2_249_000)},
		pack.Text(authors, strings.Repeat("x", 100)+pages.MarkBefore+" "+pages.MarkHost+" "+pages.MarkProgram),
		{Name: pages.EmbedPage, Raw: make([]byte, 5000), Brotli: make([]byte, 4000)},
		{Name: pages.HostV1, Raw: make([]byte, 5000), Brotli: make([]byte, 2312)},
		{Name: "main-M.js", First: true, Raw: make([]byte, 1000)},
		{Name: "posters/x-light.svg", Raw: make([]byte, 6000), Brotli: make([]byte, 1234)},
	}}
	s.writeFigures(pack.Options{Speed: pack.Fast})
	f := s.File(authors)
	if got := strings.TrimLeft(string(f.Raw), "x"); got != "5.2 kB 2.3 kB 2.2 MB" {
		t.Errorf("the page has the figures %s", got)
	}
	if f.Brotli == nil {
		t.Error("the page is not compressed")
	}
}
