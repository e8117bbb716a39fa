package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEmbedReadsFences: testdata/fences has what generators make of the same fence. The host script finds each, reads the same lines, puts the
// embed above everything that belongs to the block, and leaves the block as it is.
func TestEmbedReadsFences(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/fences/*.html")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d fences, %v", len(files), err)
	}
	var page strings.Builder
	page.WriteString(script)
	for _, file := range files {
		fence, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".html")
		page.WriteString(`<section id="` + name + `">` + string(fence) + `</section><template id="as-` + name + `">` + string(fence) + `</template>`)
	}
	w := newWeb(t, map[string]string{"/": page.String()})
	w.policy = "img-src " + playURL + "; script-src " + playURL // fences have styles
	p := w.read("/")
	p.wait("the embeds", "document.querySelectorAll('rollplay-embed').length >= 5")
	const want = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 4\n\n  selector:\n    matchLabels: {app: web}\n" +
		"  template:\n    metadata:\n      labels: {app: web}\n    spec:\n      containers:\n      - name: web\n        image: nginx:1.27"
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".html")
		got := eval[struct {
			Count int
			YAML  string
			First bool
			Same  bool
		}](p, `(() => {
			const section = document.getElementById("`+name+`");
			const embeds = section.querySelectorAll("rollplay-embed");
			const same = section.cloneNode(true);
			same.querySelector("rollplay-embed").remove();
			return { Count: embeds.length, YAML: embeds[0].yaml, First: section.firstElementChild === embeds[0],
				Same: same.innerHTML === document.getElementById("as-`+name+`").innerHTML };
		})()`)
		if strings.TrimRight(got.YAML, "\n") != want {
			t.Errorf("%s: the script read %q, want %q", name, got.YAML, want)
		}
		if got.Count != 1 || !got.First || !got.Same {
			t.Errorf("%s: %d embeds, above the block %v, the block is as it was %v", name, got.Count, got.First, got.Same)
		}
	}
}

// TestEmbedWaitsForHydration: Docusaurus compares its page with what React renders, and says when it has done so. Until then no element is
// added.
func TestEmbedWaitsForHydration(t *testing.T) {
	t.Parallel()
	fence, err := os.ReadFile("testdata/fences/docusaurus.html")
	if err != nil {
		t.Fatal(err)
	}
	w := newWeb(t, map[string]string{"/": `<html data-has-hydrated="false"><body>` + script + string(fence) + rollplayEmbed(`scenario="first-rollout"`)})
	w.policy = "img-src " + playURL + "; script-src " + playURL
	p := w.read("/")
	p.heard("m.type === 'ready'")
	if n := p.count("rollplay-embed"); n != 1 {
		t.Errorf("%d elements before the page is hydrated, want the author's", n)
	}
	if got := eval[string](p, "document.querySelector('rollplay-embed').outerHTML"); got != rollplayEmbed(`scenario="first-rollout"`) {
		t.Errorf("the author's element became %s", got)
	}
	eval[bool](p, "(document.documentElement.dataset.hasHydrated = 'true', true)")
	p.wait("the embed of the fence", "document.querySelectorAll('rollplay-embed').length === 2")
}

// TestEmbedShowsAPicture: the author's picture of an own run stands in the place of the frame, in the page's theme, until somebody
// clicks it; a picture that is not there leaves the frame.
func TestEmbedShowsAPicture(t *testing.T) {
	t.Parallel()
	const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="378"><title>%s</title></svg>`
	fence := func(options string) string {
		return `<pre class="language-rollplay" ` + options + `>` + strings.Replace(api, "replicas: 4", "replicas: 6", 1) + `</pre>`
	}
	w := newWeb(t, map[string]string{
		"/run.svg": fmt.Sprintf(picture, "light"), "/run-dark.svg": fmt.Sprintf(picture, "dark"),
		"/": script + fence(`data-picture="run.svg" data-title="Six pods"`) + fence(`data-picture="none.svg"`),
	})
	w.policy += " 'self'"
	p := w.read("/")
	const embed = "document.querySelectorAll('rollplay-embed')"
	const image = embed + "[0].shadowRoot.querySelector('button img')"
	p.wait("the picture", image+"?.complete && "+image+".naturalWidth === 720 && "+image+".alt === 'Six pods'")
	p.wait("a frame instead of the missing picture", embed+"[1].frame && !"+embed+"[1].shadowRoot.querySelector('img')")
	if eval[bool](p, "!!"+embed+"[0].frame") {
		t.Error("a frame loads before anybody asks for it")
	}
	eval[bool](p, "(document.documentElement.dataset.theme = 'dark', true)")
	p.wait("the dark picture", image+".src.endsWith('/run-dark.svg') && "+image+".complete")
	eval[bool](p, "("+image+".closest('button').click(), true)")
	p.wait("the run", "heard.some((m) => m.type === 'tick' && m.counts.desired === 6 && m.t > 0)")
	if eval[bool](p, "!!"+image) {
		t.Error("the picture stands beside the frame")
	}
	p.forgive("404")
}
