package browser_test

import (
	"testing"
)

// TestTrustedTypes: the places where a text becomes code or HTML take only what the page itself writes there. All other tests show
// that the page works with that.
func TestTrustedTypes(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": iframe("allow-scripts", "?autoplay", "#s=first-rollout")})
	docs := w.read("/")
	docs.heard("m.type === 'tick' && m.t > 0")
	embed := docs.frame(0)
	p := start(t)
	p.visit(built.base)
	p.waitStarted()
	for where, p := range map[string]*tab{"page": p, "embed": embed} {
		if !eval[bool](p, `!!window.trustedTypes?.defaultPolicy`) {
			t.Errorf("the %s has no policy, so this tests nothing", where)
		}
		for _, try := range []string{
			`e.innerHTML = "<img src=x onerror='window.ran = 1'>"`, `e.innerHTML = "<svg class='x'></svg>"`,
			`e.innerHTML = '<svg class="icon" onload="ran"><path d="M0 0"/></svg>'`, `e.outerHTML = "<b>"`, `e.insertAdjacentHTML("beforeend", "<b>")`,
			`new DOMParser().parseFromString("<b>", "text/html")`, `document.createElement("iframe").srcdoc = "<b>"`,
			`document.createElement("script").src = "https://evil.example/x.js"`, `document.createElement("script").src = "../sw.js"`,
			`document.createElement("script").src = "data:text/javascript,1"`, `document.createElement("script").src = "x/boot-AAAAAAAA.js"`,
			`document.createElement("script").text = "1"`, `document.createElement("div").setAttribute("onclick", "ran = 1")`,
			`trustedTypes.createPolicy("mine", {})`, `trustedTypes.createPolicy("default", {})`, `document.write("<b>")`, `eval("1")`, `new Function("1")`,
		} {
			// In a timer, because the browser lets a test use eval.
			if !eval[bool](p, `new Promise((done) => setTimeout(() => {
				const e = document.createElement("div");
				document.createElement("p").append(e);
				try { `+try+`; done(false); } catch { done(true); }
			}))`) {
				t.Errorf("the %s accepts %s", where, try)
			}
		}
		p.log.take() // the browser reports each refusal
	}
	docs.log.take()
	if !eval[bool](p, `navigator.serviceWorker === undefined || navigator.serviceWorker.register("evil.js").then(() => false, () => true)`) {
		t.Error("the page registers another service worker")
	}
}
