package browser_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// kubernetesPage is the folder of a site like kubernetes.io with what web/docs/kubernetes.io adds to it. With a Hugo that is new enough its theme
// is Docsy, otherwise a page without one.
func kubernetesPage(t *testing.T) (out string, docsy bool) {
	t.Helper()
	if _, err := exec.LookPath("hugo"); err != nil {
		t.Fatal("hugo is missing: apt-get install hugo, or a newer one for Docsy")
	}
	site := filepath.Join(t.TempDir(), "docsy")
	if docsy = newHugo(t); docsy {
		copyTree(t, docs(t, "sites", "docsy"), site, "")
		site = installed(t, site)
	} else {
		copyTree(t, docs(t, "sites", "docsy"), site, "")
		copyTree(t, filepath.Join(site, "plain"), filepath.Join(site, "layouts"), "")
	}
	for _, lang := range []string{"en", "zh-cn", "de"} {
		for _, page := range []string{"figure.md", "embed.md"} {
			line, err := os.ReadFile(docs(t, "kubernetes.io", "content", strings.Replace(lang, "de", "en", 1), page))
			if err == nil {
				err = os.MkdirAll(filepath.Join(site, "content", lang), 0o755)
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(site, "content", lang, page), append([]byte("---\ntitle: Deployments\n---\n\n"), line...), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	tool(t, ".", docs(t, "kubernetes.io", "prepare.sh"), site)
	args := []string{"--quiet", "--destination", "out"}
	if docsy {
		sass, _ := filepath.Glob(filepath.Join(site, "..", "node_modules", "sass-embedded-*", "dart-sass"))
		t.Setenv("PATH", strings.Join(append(sass, os.Getenv("PATH")), string(os.PathListSeparator))) // Docsy's styles need Dart Sass
		args = append(args, "--config", "hugo.yaml,docsy.yaml", "--themesDir", "../node_modules/@docsy")
	} else {
		args = append(args, "--config", "hugo.yaml")
	}
	tool(t, site, "hugo", args...)
	return filepath.Join(site, "out"), docsy
}

// withHeaders serves a site with the headers of its file _headers, as its host does.
func withHeaders(t *testing.T, out string) http.Handler {
	t.Helper()
	list, err := os.ReadFile(filepath.Join(out, "_headers"))
	if err != nil {
		t.Fatal(err)
	}
	files := http.FileServer(http.Dir(out))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		applies := false
		for line := range strings.Lines(string(list)) {
			if path, ok := strings.CutSuffix(strings.TrimSpace(line), "*"); ok && strings.HasPrefix(line, "/") {
				applies = strings.HasPrefix(r.URL.Path, path)
			} else if name, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && applies {
				w.Header().Set(name, value)
			}
		}
		files.ServeHTTP(w, r)
	})
}

// newHugo says whether the installed Hugo builds Docsy.
func newHugo(t *testing.T) bool {
	t.Helper()
	said, err := exec.Command("hugo", "version").Output()
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`v0\.(\d+)\S*\+extended`).FindSubmatch(said)
	if version == nil {
		return false
	}
	minor, _ := strconv.Atoi(string(version[1]))
	return minor >= 160
}

// TestKubernetesPage: the pull request to kubernetes.io works on a site like it: the picture without scripts, the player that all of it comes from
// the site, both languages, and English texts for a language that has none.
func TestKubernetesPage(t *testing.T) {
	if !*allSites || built.site == nil {
		t.Skip("make docs-test builds it")
	}
	out, docsy := kubernetesPage(t)
	t.Logf("with Docsy: %v", docsy)
	w := newWeb(t, nil)
	w.policy, w.files = "default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self' 'unsafe-inline'; img-src 'self' data:", withHeaders(t, out)
	picture := `document.querySelector("figure img")`
	for lang, alt := range map[string]string{"": "Line chart", "zh-cn/": "折线图", "de/": "Line chart"} {
		for _, page := range []string{"figure/", "embed/"} {
			p := w.open("about:blank")
			call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
			p.do("open the page", chromedp.Navigate(docsURL+"/"+lang+page))
			if !eval[bool](p, picture+`.checkVisibility() && `+picture+`.alt.includes(`+quote(alt)+`)`) {
				t.Errorf("%s%s has no picture without scripts, or no text for it: %s", lang, page, eval[string](p, `document.querySelector("figure")?.outerHTML ?? "no figure"`))
			}
		}
		p := w.read("/" + lang + "embed/")
		eval[bool](p, `(document.querySelector("rollplay-embed").show(), true)`)
		p.wait("the player", `heard.some((m) => m.type === "ready")`)
		if *shots != "" {
			p.screenshot(filepath.Join(*shots, "kubernetes.io-"+strings.TrimSuffix(lang, "/")+".png"))
		}
		f := p.frame(0)
		f.log.setOrigin(docsURL) // all of it comes from this site
		eval[bool](f, `(document.getElementById("start").click(), true)`)
		f.wait("the motion", there(`[data-play="pause"]`)+" && "+playerCover+" > 1")
		if said := eval[string](f, `document.querySelector('[data-play="pause"]').title`); (said == "暂停") != (lang == "zh-cn/") {
			t.Errorf("%s: the player says %q", lang, said)
		}
		for _, c := range p.log.take() { // Docsy itself asks another site for jQuery
			if !docsy || !strings.Contains(strings.ToLower(c), "jquery") {
				t.Error(c)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(out, "rollplay", "app.wasm")); err == nil {
		t.Error("the program is there")
	}
}
