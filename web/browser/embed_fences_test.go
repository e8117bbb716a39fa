package browser_test

import (
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
