package browser_test

import (
	"fmt"
	"strings"
	"testing"
)

// freePolicy lets a page of the documentation run what it contains, so that nothing but the host script protects it.
const freePolicy = "img-src " + playURL + "; script-src 'unsafe-inline' " + playURL

// TestEmbedTakesOnlyItsOptions: a stranger may write a code block with any data-* attribute into a page. Only the documented
// options with valid values have an effect, and none gives the frame more than it has by default.
func TestEmbedTakesOnlyItsOptions(t *testing.T) {
	t.Parallel()
	block := func(attributes string) string {
		return `<pre class="language-rollplay" ` + attributes + `>kind: x</pre>`
	}
	w := newWeb(t, map[string]string{"/": script +
		block(`data-scenario="first-rollout" data-tabindex="0" data-autofocus="" data-onfocus="window.ran = true" data-onclick="window.ran = true"
			data-id="x" data-class="x" data-style="position:fixed" data-contenteditable="" data-slot="x" data-sandbox="allow-scripts allow-popups Allow-Top-Navigation"`) +
		block(`data-scenario="x&amp;y" data-theme="pink" data-panels="why;" data-height="1e9" data-speed="-1" data-lang="a b" data-poster="../x" data-src="# x"`) +
		block(`data-scenario="first-rollout" data-theme="dark" data-panels="why,pods" data-height="640" data-speed="0.5" data-lang="zh"
			data-poster="recreate" data-title="&lt;b&gt;" data-autoplay="" data-src="#s=recreate" data-sandbox=""`)})
	w.policy = freePolicy
	p := w.read("/")
	p.wait("three embeds", "document.querySelectorAll('rollplay-embed').length === 3")
	for n, want := range []string{
		"sandbox scenario style", "style", "autoplay height lang panels poster sandbox scenario speed src style theme title",
	} {
		embed := fmt.Sprintf("document.querySelectorAll('rollplay-embed')[%d]", n)
		eval[bool](p, "("+embed+".click(), "+embed+".scrollIntoView(), true)")
		if got := eval[string](p, embed+".getAttributeNames().sort().join(' ')"); got != want {
			t.Errorf("embed %d has the attributes %s, want %s", n, got, want)
		}
		p.wait("the frame", embed+".frame")
		sandbox := []string{"allow-scripts", "allow-scripts allow-same-origin", ""}[n]
		if got := eval[string](p, embed+".frame.getAttribute('sandbox')"); got != sandbox {
			t.Errorf("frame %d has the sandbox %q, want %q", n, got, sandbox)
		}
	}
	if got := eval[string](p, "document.querySelector('rollplay-embed').style.cssText"); got != "display: block;" {
		t.Errorf("the block chose the style %s", got)
	}
	if eval[bool](p, "'ran' in window") {
		t.Error("a script of the code block ran in the page")
	}
}

// TestEmbedKnowsItsSite: a picture of the name "currentScript" takes the place of document.currentScript. The frames stay ours.
func TestEmbedKnowsItsSite(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": `<img name="currentScript" src="` + playURL + prefix + `favicon.svg" alt="">` +
		script + rollplayEmbed(`scenario="first-rollout"`)})
	w.policy = freePolicy
	p := w.read("/")
	p.wait("the frame", "document.querySelector('iframe')")
	if !eval[bool](p, "document.currentScript instanceof HTMLImageElement") {
		t.Error("the picture did not take the place of the script, so this tests nothing")
	}
	if got := eval[string](p, "document.querySelector('iframe').src"); !strings.HasPrefix(got, playURL+prefix+"embed/?") {
		t.Errorf("the frame shows %s", got)
	}
	p.heard("m.type === 'ready'")
}
