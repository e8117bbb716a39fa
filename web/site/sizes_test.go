package site

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/pages"
	"github.com/rollplay/rollplay/web/site/poster"
)

func TestCheckSizes(t *testing.T) {
	file := func(name string, size int, first bool) pack.File {
		return pack.File{Name: name, Type: pack.TypeOf(name), First: first, Brotli: make([]byte, size)}
	}
	rest := FirstLoadCeiling - WasmCeiling
	tests := []struct {
		name  string
		files []pack.File
		want  []string // parts of the error
	}{
		{"just small enough", []pack.File{file("app.wasm", WasmCeiling, true), file("main.js", rest, true)}, nil},
		{"wasm too large", []pack.File{file("app.wasm", WasmCeiling+1, true)}, []string{"app.wasm has " + words.Thousands(WasmCeiling+1) + " bytes", "ceiling is " + words.Thousands(WasmCeiling)}},
		{"all too large", []pack.File{file("app.wasm", WasmCeiling, true), file("main.js", rest+1, true)}, []string{"the first load has " + words.Thousands(FirstLoadCeiling+1) + " bytes"}},
		{"both", []pack.File{file("app.wasm", WasmCeiling+1, true), file("main.js", rest, true)}, []string{"app.wasm has", "the first load has"}},
		{"not of the first load", []pack.File{file("licenses.txt", FirstLoadCeiling+1, false)}, nil},
		{"without compression", []pack.File{{Name: "a.js", First: true, Raw: make([]byte, FirstLoadCeiling+1)}}, []string{"the first load has"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := (&Site{Files: tt.files}).CheckSizes()
			if (err != nil) != (tt.want != nil) {
				t.Fatalf("got %v, want %q", err, tt.want)
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("got %v, want %q in it", err, part)
				}
			}
		})
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := words.Thousands(n); got != want {
			t.Errorf("words.Thousands(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestCheckEmbedSizes(t *testing.T) {
	file := func(name string, size int) pack.File {
		return pack.File{Name: name, Type: pack.TypeOf(name), Brotli: make([]byte, size)}
	}
	page, small, large := file(pages.EmbedPage, 30_000), file("posters/a-light.svg", 100), file("posters/b-dark.svg", 20_000)
	tests := []struct {
		name  string
		files []pack.File
		want  string // part of the error
	}{
		{"just small enough", []pack.File{page, file("embed-ABCDEFGH.css", 4_000), file("embed-ABCDEFGH.js", 6_000), small, large}, ""},
		{"too large with the largest poster", []pack.File{page, file("embed-ABCDEFGH.css", 4_000), file("embed-ABCDEFGH.js", 6_001), small, large}, "the embed before the click has 60,001 bytes"},
		{"other files do not count", []pack.File{page, file("main-ABCDEFGH.js", 200_000), file("posters/a.png", 50_000)}, ""},
		{"host script just small enough", []pack.File{file(pages.HostScript, HostCeiling)}, ""},
		{"host script too large", []pack.File{file(pages.HostScript, HostCeiling+1)}, "embed/host.js has 3,001 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &Site{Files: tt.files}
			err := s.CheckSizes()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestWriteEmbedSizes(t *testing.T) {
	s := &Site{Files: []pack.File{
		{Name: pages.HostScript, Raw: make([]byte, 5000), Brotli: make([]byte, 2000)},
		{Name: pages.EmbedPage, Raw: make([]byte, 1500), Brotli: make([]byte, 1000)},
		{Name: "posters/x-light.svg", Raw: make([]byte, 6000), Brotli: make([]byte, 1234)},
	}}
	var b bytes.Buffer
	if err := s.WriteSizes(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"embed before the click", "2,234   (ceiling 60,000)", "2,000   (ceiling 3,000)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, b.String())
		}
	}
}

func TestCheckPosters(t *testing.T) {
	s := &Site{Files: []pack.File{
		{Name: "posters/a-dark.svg", Raw: make([]byte, poster.Ceiling)},
		{Name: "posters/a-light.svg", Raw: make([]byte, poster.Ceiling+1), Brotli: make([]byte, 100)},
		{Name: "posters/a.png", Raw: make([]byte, poster.Ceiling+1)},
	}}
	if err := s.CheckSizes(); err == nil || err.Error() != "posters/a-light.svg has 15,001 bytes, the ceiling is 15,000" {
		t.Errorf("got %v", err)
	}
}
