package site

import (
	"strings"
	"testing"
)

func TestCheckSizes(t *testing.T) {
	file := func(name string, size int, first bool) File {
		return File{Name: name, Type: typeOf(name), First: first, Brotli: make([]byte, size)}
	}
	rest := FirstLoadCeiling - WasmCeiling
	tests := []struct {
		name  string
		files []File
		want  []string // parts of the error
	}{
		{"just small enough", []File{file("app.wasm", WasmCeiling, true), file("main.js", rest, true)}, nil},
		{"wasm too large", []File{file("app.wasm", WasmCeiling+1, true)}, []string{"app.wasm has 2,300,001 bytes", "ceiling is 2,300,000"}},
		{"all too large", []File{file("app.wasm", WasmCeiling, true), file("main.js", rest+1, true)}, []string{"the first load has 2,600,001 bytes"}},
		{"both", []File{file("app.wasm", WasmCeiling+1, true), file("main.js", rest, true)}, []string{"app.wasm has", "the first load has"}},
		{"not of the first load", []File{file("licenses.txt", FirstLoadCeiling+1, false)}, nil},
		{"without compression", []File{{Name: "a.js", First: true, Raw: make([]byte, FirstLoadCeiling+1)}}, []string{"the first load has"}},
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
		if got := thousands(n); got != want {
			t.Errorf("thousands(%d) = %s, want %s", n, got, want)
		}
	}
}
