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
		block(`data-scenario="x&amp;y" data-theme="pink" data-panels="why;" data-height="1e9" data-speed="-1" data-layout="A" data-lang="a b" data-poster="../x" data-src="# x"`) +
		block(`data-scenario="first-rollout" data-theme="dark" data-panels="why,pods" data-height="640" data-speed="0.5" data-lang="zh"
			data-poster="recreate" data-layout="compact" data-title="&lt;b&gt;" data-autoplay="" data-src="#s=recreate" data-sandbox=""`)})
	w.policy = freePolicy
	p := w.read("/")
	p.wait("three embeds", "document.querySelectorAll('rollplay-embed').length === 3")
	for n, want := range []string{
		"sandbox scenario", "", "autoplay height lang layout panels poster sandbox scenario speed src theme title",
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
	if got := eval[string](p, "document.querySelector('rollplay-embed').style.cssText"); got != "" {
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
	p.wait("the frame", "iframes()[0]")
	if !eval[bool](p, "document.currentScript instanceof HTMLImageElement") {
		t.Error("the picture did not take the place of the script, so this tests nothing")
	}
	if got := eval[string](p, "iframes()[0].src"); !strings.HasPrefix(got, playURL+prefix+"embed/?") {
		t.Errorf("the frame shows %s", got)
	}
	p.heard("m.type === 'ready'")
}

// sanitized are the attributes that DOMPurify's defaults or the sanitizers of GitHub or GitLab let through on a code block or around one;
// data-* and aria-* come on top.
const sanitized = `abbr accept accept-charset accesskey action align alt autocapitalize autocomplete autofocus autoplay axis background bgcolor
	border capture cellpadding cellspacing char charoff charset checked cite class clear color cols colspan compact contenteditable controls
	controlslist coords crossorigin datetime decoding default describedby dir disabled download draggable enctype enterkeyhint exportparts face
	for frame frameborder headers height hidden high href hreflang hspace id inert inputmode integrity is ismap itemprop itemscope itemtype kind
	label labelledby lang list loading longdesc loop low max maxlength media method min minlength multiple muted name nohref nonce noshade
	novalidate nowrap open optimum part pattern placeholder playsinline popover popovertarget popovertargetaction poster preload progress prompt
	pubdate radiogroup readonly rel required rev reversed role rows rowspan rules scope scrolling selected shape size sizes slot span spellcheck
	src srcdoc srclang srcset start step style summary tabindex target title translate type usemap valign value vspace width wrap xmlns
	onclick onfocus onload onerror onmouseover onanimationstart allow allowfullscreen csp credentialless referrerpolicy sandbox sourcepos`

// TestEmbedAgainstSanitizers: whatever a sanitizer leaves of a stranger's attributes, as they are or behind data- or aria-, on the block, on
// the code in it or around it: no code runs, the element has only documented options, and the frame is always the same.
func TestEmbedAgainstSanitizers(t *testing.T) {
	t.Parallel()
	const value = "javascript:window.ran=1"
	var all, alone strings.Builder
	for name := range strings.FieldsSeq(sanitized) {
		for _, prefix := range []string{"data-", "aria-", "data-rollplay-", "data-data-"} {
			fmt.Fprintf(&all, " %s%s=%q", prefix, name, value)
		}
		if name == "class" { // which makes it a block
			continue
		}
		if !strings.HasPrefix(name, "on") && name != "style" { // those no sanitizer lets through, but behind a prefix
			fmt.Fprintf(&all, " %s=%q", name, value)
		}
		fmt.Fprintf(&alone, `<pre class="language-rollplay" data-%s=%q>kind: x</pre>`, name, value)
	}
	attributes := all.String()
	w := newWeb(t, map[string]string{"/": script +
		`<pre class="language-rollplay"` + attributes + `>kind: x</pre>` +
		`<pre><code class="language-rollplay"` + attributes + `>kind: x</code></pre>` +
		`<div class="language-rollplay"` + strings.ReplaceAll(attributes, ` hidden="`, ` x="`) + `><pre>kind: x</pre></div>` +
		`<div id="alone" style="display: none">` + alone.String() + `</div>`})
	w.policy = freePolicy + "; style-src 'unsafe-inline'"
	p := w.read("/")
	p.wait("the embeds", "document.querySelectorAll('rollplay-embed').length > 100")
	eval[bool](p, "(document.querySelectorAll('body > rollplay-embed, body > div:not(#alone) rollplay-embed').forEach((e) => { e.show(); e.click(); e.focus(); }), true)")
	options := "autoplay height lang layout panels poster sandbox scenario speed src theme title"
	for _, names := range eval[[]string](p, "[...document.querySelectorAll('rollplay-embed')].map((e) => e.getAttributeNames().join(' '))") {
		for name := range strings.FieldsSeq(names) {
			if !strings.Contains(" "+options+" ", " "+name+" ") {
				t.Errorf("an embed has the attribute %s", name)
			}
		}
	}
	frames := eval[[]struct{ Names, Sandbox, Src string }](p, `iframes().map((f) => ({
		Names: f.getAttributeNames().sort().join(" "), Sandbox: f.getAttribute("sandbox"), Src: f.getAttribute("src") }))`)
	if len(frames) != 3 {
		t.Fatalf("%d frames, want 3", len(frames))
	}
	for _, f := range frames {
		if f.Names != "sandbox src style title" || strings.Trim(f.Sandbox, "-alowscriptme gn") != "" || !strings.HasPrefix(f.Src, playURL+prefix+"embed/?") {
			t.Errorf("a frame is %+v", f)
		}
	}
	if eval[bool](p, "'ran' in window") {
		t.Error("a script of the code block ran in the page")
	}
	p.log.take() // the browser reports attributes that make no sense, such as an image with a script as its address
}

// TestEmbedAgainstClobbering: elements with names take the place of what document has. The embeds still work, and are ours.
func TestEmbedAgainstClobbering(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for name := range strings.FieldsSeq(`currentScript body head documentElement readyState createElement
		getElementsByTagName defaultView forms images scripts cookie domain URL baseURI implementation firstChild children addEventListener`) {
		fmt.Fprintf(&b, `<img name=%q alt=""><form name=%q></form>`, name, name)
	}
	for name := range strings.FieldsSeq("rollplay rollplayEmbed customElements IntersectionObserver MutationObserver URL Reflect Document frames parent top start loader") {
		fmt.Fprintf(&b, `<a id=%q name=%q href="https://evil.example/"></a>`, name, name)
	}
	w := newWeb(t, map[string]string{"/": b.String() + script + rollplayEmbed(`scenario="first-rollout"`) +
		`<form lang="de"><input name="lang"><input name="dataset"><input name="closest"><pre class="language-rollplay" data-theme="dark">kind: x</pre></form>`})
	w.policy = freePolicy
	p := w.read("/")
	p.wait("both embeds", "document.querySelectorAll('rollplay-embed').length === 2")
	if eval[bool](p, "document.body instanceof HTMLBodyElement || document.createElement instanceof Function") {
		t.Error("nothing was clobbered, so this tests nothing")
	}
	eval[bool](p, "(document.querySelectorAll('rollplay-embed').forEach((e) => e.show()), true)")
	for n, want := range []string{"theme=light", "theme=dark"} {
		got := eval[string](p, fmt.Sprintf("iframes()[%d].src", n))
		if !strings.HasPrefix(got, playURL+prefix+"embed/?") || !strings.Contains(got, want) {
			t.Errorf("frame %d shows %s, want %s in it", n, got, want)
		}
	}
	p.wait("both to answer", "heard.filter((m) => m.type === 'ready').length === 2")
}

// TestHostAgainstAHostileFrame: a frame that speaks for an embed can change the height, within limits, and open the playground: nothing else.
func TestHostAgainstAHostileFrame(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": script + rollplayEmbed(`scenario="first-rollout"`)})
	p := w.read("/")
	p.heard("m.type === 'ready'")
	f := p.frame(0)
	eval[bool](p, `(window.opened = [], window.open = (url) => { opened.push(String(url)); return null; }, true)`)
	eval[bool](f, `(() => {
		const post = (type, fields) => parent.postMessage({ rollplay: 1, type, ...fields }, "*");
		for (const height of [-1, NaN, Infinity, 1e308, "9e9", "1px; background: url(x)", {}, [], null, [[7000]]]) post("resize", { height });
		for (const fragment of ["javascript:alert(1)", "//evil.example", "../../evil", "#a b", "#" + "x".repeat(300000), "", 7, {}, null, "#\n"]) post("open", { fragment });
		for (const type of ["__proto__", "constructor", "toString", "", "ready\nx"]) post(type, { __proto__: { type: "ready" }, fragment: "#x", height: 1 });
		for (const whole of [null, 1, "ready", [1], { rollplay: 2, type: "resize", height: 1 }, { rollplay: 1 }, { rollplay: 1, type: {} }]) parent.postMessage(whole, "*");
		for (let i = 0; i < 20000; i++) post("resize", { height: 300 + (i % 7) });
		post("open", { fragment: "#s=recreate" });
		post("resize", { height: 333 });
		return true;
	})()`)
	p.heard("m.type === 'resize' && m.height === 333")
	if got := eval[string](p, "iframes()[0].style.cssText"); got != "display: block; width: 100%; height: 333px; border: 0px; color-scheme: normal;" {
		t.Errorf("the frame has the style %s", got)
	}
	if got := eval[[]string](p, "opened"); len(got) != 1 || got[0] != playURL+prefix+"#s=recreate" {
		t.Errorf("the host opened %.300q", got)
	}
}

// TestEmbedAgainstAFlood: a host page sends thousands of messages, before the program runs and while it does. The last one counts.
func TestEmbedAgainstAFlood(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": iframe("allow-scripts", "", "#s=first-rollout")})
	p := w.read("/")
	p.heard("m.type === 'ready'")
	f := p.frame(0)
	const flood = `(async (last) => {
		const post = (type, fields) => frames[0].postMessage({ rollplay: 1, type, ...fields }, "*");
		const fragment = "#1.r" + "A".repeat(199000);
		for (let i = 0; i < 40; i++) { post("load", { fragment }); post("toString", { fragment }); }
		for (let i = 0; i < 2000; i++) { post("seek", { t: 1 + (i * 37) % 9000 }); post("theme", { theme: i % 2 ? "dark" : "light" }); post("pause"); }
		post("load", { fragment: "#s=recreate" });
		post("seek", { t: last });
		post("pause");
		return true;
	})`
	eval[bool](p, flood+"(2345)")
	p.send("type: 'play'")
	p.send("type: 'pause'")
	p.heard("m.type === 'tick' && m.t === 2345 && !m.playing && m.counts.desired === 3")
	eval[bool](p, "(heard.length = 0, true)")
	eval[bool](p, flood+"(3456)")
	p.heard("m.type === 'tick' && m.t === 3456 && !m.playing && m.counts.desired === 3")
	if got := eval[string](f, "document.documentElement.dataset.theme"); got != "dark" {
		t.Errorf("the theme is %s", got)
	}
	if n := eval[int](p, "heard.filter((m) => m.type === 'tick').length"); n > 100 {
		t.Errorf("the embed answered with %d ticks", n)
	}
}
