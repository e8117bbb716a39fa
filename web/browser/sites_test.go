package browser_test

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/rollplay/rollplay/engine"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// allSites is set by make docs-test: build the sites of web/docs with their generators. Without it, only the plain page is tested.
var (
	allSites = flag.Bool("sites", false, "build the documentation sites of web/docs")
	shots    = flag.String("shots", "", "folder for pictures of the documentation sites")
)

// fiveReplicas is a run of an author's own, as a link.
func fiveReplicas(t *testing.T) string {
	t.Helper()
	text := strings.Replace(deploymentOf(5), "nginx", "httpd", 1)
	fragment, err := sharing.Encode(sharing.Link{Recording: engine.Recording{Scenario: text}})
	if err != nil {
		t.Fatal(err)
	}
	return "#" + fragment
}

// deploymentOf is a manifest with a number of replicas.
func deploymentOf(replicas int) string {
	return fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: %d\n  selector:\n    matchLabels: {app: web}\n"+
		"  template:\n    metadata:\n      labels: {app: web}\n    spec:\n      containers:\n      - {name: web, image: nginx}\n", replicas)
}

// TestDocumentationSites: what authors copy works in the sites that generators make: a shipped run by name, a run from a link and YAML in a
// fence, in both themes and without JavaScript, and the console has no error.
func TestDocumentationSites(t *testing.T) {
	t.Parallel()
	if built.site == nil {
		t.Skip("no Chromium found")
	}
	for _, g := range generators {
		if g.tool != "" && !*allSites {
			continue
		}
		t.Run(g.name, func(t *testing.T) { testSite(t, g) })
	}
}

func testSite(t *testing.T, g generator) {
	link := fiveReplicas(t)
	w := newWeb(t, nil)
	w.policy, w.files = "", http.FileServer(http.Dir(g.site(t, link)))
	if g.name == "plain" {
		w.policy = docsPolicy // as strict as can be, with Trusted Types
	}
	p := w.read("/")
	checkEmbeds(p)
	checkRuns(p)
	p.shot(g.name + "-light")
	checkDark(p, g)
	p.shot(g.name + "-dark")
	for range 3 { // what depends on the order in which scripts arrive
		p = w.read("/")
		checkEmbeds(p)
	}
	checkFence(w)
	if g.late != "" {
		checkWaits(w, g.late)
	}
	if !g.scripts {
		checkWithoutScripts(w, link)
	}
}

// checkEmbeds scrolls to each embed and waits for its picture, or for its title where a run has none.
func checkEmbeds(p *tab) {
	p.t.Helper()
	p.wait("three embeds", "document.querySelectorAll('rollplay-embed').length === 3 && customElements.get('rollplay-embed')")
	for n := range 3 {
		p.wait("the embed to be ready", fmt.Sprintf(`((e) => { e.scrollIntoView({ behavior: "instant" });
			return heard.some((m) => m.type === "ready" && iframes()[m.frame] === e.shadowRoot.querySelector("iframe")); })(document.querySelectorAll("rollplay-embed")[%d])`, n))
	}
	f := p.frame(0)
	f.wait("the picture", "document.getElementById('poster').complete && document.getElementById('poster').naturalWidth > 0")
	for n, title := range []string{"A first rolling update", "Five replicas"} {
		if got := eval[string](p.frame(n), "document.getElementById('loader-title').textContent"); got != title {
			p.t.Errorf("embed %d has the title %q, want %q", n, got, title)
		}
	}
	if n := eval[int](p, "[...document.querySelectorAll('rollplay-embed img')].filter((e) => e.checkVisibility()).length"); n != 0 {
		p.t.Errorf("%d pictures are still seen beside their embeds", n)
	}
}

// checkRuns plays all three.
func checkRuns(p *tab) {
	p.t.Helper()
	for n, desired := range []int{10, 5, 4} {
		eval[bool](p, fmt.Sprintf("(((e) => { e.scrollIntoView({ behavior: 'instant' }); e.play(); })(document.querySelectorAll('rollplay-embed')[%d]), true)", n))
		p.wait("the run", fmt.Sprintf("heard.some((m) => m.type === 'tick' && m.frame === %d && m.counts.desired === %d && m.t > 0)", n, desired))
	}
}

// checkDark makes the page dark, as its readers do: by the setting of their system, or by a button. Some sites mark the theme, which the
// embed then follows.
func checkDark(p *tab, g generator) {
	p.t.Helper()
	if g.toDark != "" {
		p.clickOn("the button for the dark theme", g.toDark)
	} else {
		p.look(desktop, "dark")
	}
	eval[bool](p, `(document.querySelector("rollplay-embed").scrollIntoView({ behavior: "instant" }), true)`)
	f := p.frame(0)
	if g.marks {
		f.wait("the theme of the page", `document.documentElement.dataset.theme === "dark"`)
	} else {
		f.wait("the theme of a page that is light on a dark system", `document.documentElement.dataset.theme === "light" && matchMedia("(prefers-color-scheme: dark)").matches`)
	}
}

// checkFence opens the page on which a generator left the fence as it is, where a site has one.
func checkFence(w *web) {
	w.t.Helper()
	for _, path := range []string{"/plain/", "/directive.html"} {
		if !w.has(path) {
			continue
		}
		p := w.read(path)
		p.wait("the embed", "document.querySelector('rollplay-embed')")
		eval[bool](p, "(document.querySelector('rollplay-embed').show(), true)")
		p.heard("m.type === 'ready'")
		p.send("type: 'play'")
		p.heard("m.type === 'tick' && m.counts.desired === 4 && m.t > 0")
	}
}

// checkWaits: until a framework has compared the page with what it has rendered, nothing is added to it. Here it never comes to that, because
// its script, whose address begins so, is missing.
func checkWaits(w *web, script string) {
	w.t.Helper()
	files := w.files
	defer func() { w.files = files }()
	refused := false
	w.files = http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, script) {
			refused = true
			http.Error(out, "no", http.StatusServiceUnavailable)
			return
		}
		files.ServeHTTP(out, r)
	})
	p := w.read("/")
	p.wait("our script", `customElements.get("rollplay-embed")`)
	eval[bool](p, `new Promise((done) => { let n = 30; const frame = () => (n-- ? requestAnimationFrame(frame) : done(true)); frame(); })`)
	if n := eval[int](p, `document.querySelectorAll("rollplay-embed").length`); n != 2 || !refused {
		w.t.Errorf("before the page is hydrated it has %d embeds, want the two that its author wrote (the framework was refused: %v)", n, refused)
	}
	p.log.take() // the refusal
}

// checkWithoutScripts: readers see the picture, the link and the YAML.
func checkWithoutScripts(w *web, link string) {
	w.t.Helper()
	p := w.open("about:blank")
	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	p.do("open the page", chromedp.Navigate(docsURL+"/"))
	for what, expr := range map[string]string{
		"picture": `document.querySelector("rollplay-embed img").checkVisibility() && document.querySelector("rollplay-embed a").href === ` + quote(playURL+prefix+"#s=first-rollout"),
		"link":    `[...document.querySelectorAll("rollplay-embed a")].some((a) => a.checkVisibility() && a.href === ` + quote(playURL+prefix+link) + `)`,
		"YAML":    `[...document.querySelectorAll("pre")].some((pre) => pre.checkVisibility() && pre.innerText.includes("replicas: 4"))`,
		"nothing": `!customElements.get("rollplay-embed")`,
	} {
		if !eval[bool](p, expr) {
			w.t.Errorf("without JavaScript readers don't see the %s", what)
		}
	}
}

// shot keeps a picture of each embed.
func (p *tab) shot(name string) {
	p.t.Helper()
	if *shots == "" {
		return
	}
	if err := os.MkdirAll(*shots, 0o755); err != nil {
		p.t.Fatal(err)
	}
	for n := range 3 {
		eval[bool](p, fmt.Sprintf("(document.querySelectorAll('rollplay-embed')[%d].scrollIntoView({ behavior: 'instant', block: 'center' }), true)", n))
		p.frame(n).wait("a drawn frame", "new Promise((done) => requestAnimationFrame(done))") // one that has just come into sight draws a little later
		p.screenshot(filepath.Join(*shots, fmt.Sprintf("%s-%d.png", name, n)))
	}
}
