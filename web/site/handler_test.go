package site

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rollplay/rollplay/web/site/pack"
)

// sample is a site of a page and of a script that has all three forms.
func sample() *Site {
	return &Site{Files: []pack.File{
		{Name: "index.html", Type: pack.TypeOf("index.html"), Raw: []byte("<p>page")},
		{Name: "main-ABCDEFGH.js", Type: pack.TypeOf("main-ABCDEFGH.js"), Hashed: true, Raw: []byte("raw"), Brotli: []byte("br"), Gzip: []byte("gz")},
		{Name: "sub/app-ABCDEFGH.wasm", Type: pack.TypeOf("app.wasm"), Hashed: true, Raw: []byte("wasm")},
	}}
}

func TestHandler(t *testing.T) {
	const forever = "public, max-age=31536000, immutable"
	tests := []struct {
		path, accept                string
		code                        int
		ctype, encoding, body, keep string
	}{
		{"/", "gzip, br", 200, "text/html; charset=utf-8", "", "<p>page", "no-cache"},
		{"/index.html", "", 200, "text/html; charset=utf-8", "", "<p>page", "no-cache"},
		{"/main-ABCDEFGH.js", "gzip, deflate, br, zstd", 200, "text/javascript; charset=utf-8", "br", "br", forever},
		{"/main-ABCDEFGH.js", "gzip", 200, "text/javascript; charset=utf-8", "gzip", "gz", forever},
		{"/main-ABCDEFGH.js", "br;q=0, gzip;q=0.5", 200, "text/javascript; charset=utf-8", "gzip", "gz", forever},
		{"/main-ABCDEFGH.js", "identity", 200, "text/javascript; charset=utf-8", "", "raw", forever},
		{"/sub/app-ABCDEFGH.wasm", "br", 200, "application/wasm", "", "wasm", forever},
		{"/missing", "br", 404, "text/plain; charset=utf-8", "", "404 page not found\n", ""},
		{"/../site.go", "", 404, "text/plain; charset=utf-8", "", "404 page not found\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.path+" "+tt.accept, func(t *testing.T) {
			r := httptest.NewRequest("GET", tt.path, nil)
			r.Header.Set("Accept-Encoding", tt.accept)
			w := httptest.NewRecorder()
			sample().Handler().ServeHTTP(w, r)
			got := w.Result()
			body, err := io.ReadAll(got.Body)
			if err != nil {
				t.Fatal(err)
			}
			if got.StatusCode != tt.code || string(body) != tt.body {
				t.Errorf("got %d %q, want %d %q", got.StatusCode, body, tt.code, tt.body)
			}
			for name, want := range map[string]string{"Content-Type": tt.ctype, "Content-Encoding": tt.encoding, "Cache-Control": tt.keep} {
				if got.Header.Get(name) != want {
					t.Errorf("%s: got %q, want %q", name, got.Header.Get(name), want)
				}
			}
		})
	}
}

// TestHandlerHeaders checks what every answer carries.
func TestHandlerHeaders(t *testing.T) {
	w := httptest.NewRecorder()
	sample().Handler().ServeHTTP(w, httptest.NewRequest("HEAD", "/", nil))
	if w.Body.Len() != 0 {
		t.Errorf("HEAD got a body: %q", w.Body)
	}
	for name, want := range map[string]string{
		"Content-Security-Policy": pack.Policy, "X-Content-Type-Options": "nosniff", "Vary": "Accept-Encoding", "Content-Length": "7",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestHandlerRefusesToWrite(t *testing.T) {
	w := httptest.NewRecorder()
	sample().Handler().ServeHTTP(w, httptest.NewRequest("POST", "/", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("got %d, want 405", w.Code)
	}
}

// TestHandlerKeepsTheQuery: a redirect to a folder leads to the same search.
func TestHandlerKeepsTheQuery(t *testing.T) {
	s := &Site{Files: []pack.File{{Name: "scenarios/index.html", Type: pack.TypeOf("index.html"), Raw: []byte("x")}}}
	for path, want := range map[string]string{"/scenarios": "./scenarios/", "/scenarios?q=a%0d%0ab&field=c": "./scenarios/?q=a%0d%0ab&field=c"} {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if got := w.Header().Get("Location"); w.Code != http.StatusMovedPermanently || got != want {
			t.Errorf("%s: got %d to %q, want %q", path, w.Code, got, want)
		}
	}
}
