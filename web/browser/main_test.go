package browser_test

import (
	"flag"
	"fmt"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rollplay/rollplay/web/site"
	"github.com/rollplay/rollplay/web/site/pack"
)

// prefix is the path the site is served under. It is no root, because the site must work anywhere.
const prefix = "/some/where/"

// built is shared by all tests of this process; they only read it.
var built struct {
	site     *site.Site
	handler  http.Handler // serves it
	base     string       // URL of the site, ending with prefix
	browser  string       // the browser's program
	profiles string       // folder for the browsers' profiles
	end      func()       // ends the browser that the tests share, nil if none needed it
}

// again counts what the tests had to do twice. On a quiet machine there is nothing.
var again struct{ clicks, pages atomic.Int64 }

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	built.browser = findBrowser()
	if built.browser == "" {
		fmt.Println("no Chromium found: the browser tests are skipped")
		return m.Run()
	}
	// Some page always waits. A -parallel on the command line wins.
	err := flag.Set("test.parallel", strconv.Itoa(runtime.GOMAXPROCS(0)+1))
	if err != nil {
		return fail(err)
	}
	if built.handler, err = siteHandler(); err != nil {
		return fail(err)
	}
	// The profiles go when all browsers have gone: a dying browser still writes into its own.
	if built.profiles, err = os.MkdirTemp("", "rollplay-browser-"); err != nil {
		return fail(err)
	}
	defer os.RemoveAll(built.profiles)
	server := httptest.NewServer(under(prefix, built.handler))
	defer server.Close()
	built.base = server.URL + prefix
	defer func() {
		if built.end != nil {
			built.end()
		}
		fmt.Printf("browser: %d clicks tried again, %d pages replaced\n", again.clicks.Load(), again.pages.Load()) // for web/test.sh
	}()
	return m.Run()
}

// siteHandler builds the site and serves it. Measurements of another version name its folder in ROLLPLAY_SITE.
func siteHandler() (http.Handler, error) {
	if dir := os.Getenv("ROLLPLAY_SITE"); dir != "" {
		return brotlied(dir), nil
	}
	root, err := pack.Root()
	if err != nil {
		return nil, err
	}
	built.site, err = site.Build(pack.Options{Root: root, Speed: pack.Fast})
	if err != nil {
		return nil, err
	}
	return built.site.Handler(), nil
}

// brotlied serves a built folder as web servers do that know of the compressed forms beside its files.
func brotlied(dir string) http.Handler {
	plain := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := filepath.Join(dir, filepath.Clean(r.URL.Path))
		if strings.HasSuffix(r.URL.Path, "/") {
			name = filepath.Join(name, "index.html")
		}
		compressed, err := os.ReadFile(name + ".br")
		if err != nil {
			plain.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Encoding", "br")
		w.Header().Set("Content-Type", mime.TypeByExtension(filepath.Ext(name)))
		w.Write(compressed)
	})
}

// under serves a site below a path, and nothing elsewhere.
func under(prefix string, h http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(prefix, http.StripPrefix(prefix[:len(prefix)-1], h))
	return mux
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// findBrowser returns the program named by CHROMIUM, or the first of the usual names.
func findBrowser() string {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
