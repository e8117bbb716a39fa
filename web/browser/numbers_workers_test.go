package browser_test

import (
	"slices"
	"strings"
	"testing"
)

// noteWorkers notes what workers do: when they begin, are ready and answer, in ms, and how many are ended. While holding is set, they get
// no runs.
const noteWorkers = `(window.noted = [], window.ended = 0, window.holding = false, window.workerReady = new Promise((isReady) => { window.Worker = class extends Worker {
	constructor(...given) {
		noted.push(["began", performance.now()]);
		super(...given);
		this.addEventListener("message", ({ data }) => {
			noted.push([typeof data === "string" ? data : "answer", performance.now()]);
			if (data === "ready") isReady(true);
		});
	}
	postMessage(message) { if (message.i === undefined || !holding) super.postMessage(message); }
	terminate() { ended++; super.terminate(); }
}; }), true)`

// notes counts what workers did.
func (p *tab) notes(what string) int {
	p.t.Helper()
	return eval[int](p, `noted.filter(([name]) => name === "`+what+`").length`)
}

const cells = `[...document.querySelectorAll(".heat [data-cell]")].map((e) => e.ariaLabel + "; " + e.title + "; " + e.className)`

// TestNumbersInWorkers: workers measure almost all cells and seeds, and the page shows what it would have measured itself: where there are no workers,
// where they are refused, and where they die, with a word or without.
func TestNumbersInWorkers(t *testing.T) {
	t.Parallel()
	var want []string
	for _, tt := range []struct{ name, worker string }{
		{"workers", ""},
		{"refused", `window.Worker = class { constructor() { throw new DOMException("refused", "SecurityError"); } }`},
		{"missing", `window.Worker = undefined`},
		{"not there", `window.Worker = class extends Worker { constructor() { super("worker-AAAAAAAA.js"); } }`},
		{"refused in the middle", `window.made = 0, window.Worker = class extends Worker {
			constructor(...given) { if (made++ > 0) throw new DOMException("refused", "SecurityError"); super(...given); }
		}`},
		{"ended without a word", `window.setTimeout = ((wait) => (f, ms, ...rest) => wait(f, ms === 20000 ? 2000 : ms, ...rest))(setTimeout), window.Worker = class extends Worker {
			n = 0;
			constructor(...given) { super(...given); this.addEventListener("message", () => { if (++this.n === 3) super.terminate(); }); }
		}`},
		{"dying", `window.Worker = class extends Worker {
			n = 0;
			constructor(...given) { super(...given); this.addEventListener("message", () => { if (++this.n === 3) this.dispatchEvent(new Event("error", { cancelable: true })); }); }
		}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := open(t, desktop, "light", "")
			p.waitComputed()
			eval[bool](p, "("+noteWorkers+", "+strings.TrimSuffix("true, "+tt.worker, ", ")+", true)")
			if tt.worker == "" {
				p.openWithWorkers()
			} else {
				p.click("numbers")
			}
			p.wait("all cells", measured)
			got := eval[[]string](p, cells)
			got = append(got, p.text("numbers-card"))
			p.click("numbers-seeds")
			p.wait("all seeds", varied)
			got = append(got, p.text("numbers-chance"), eval[string](p, `document.querySelector(".fan").outerHTML`))
			if tt.name == "workers" {
				want = got
				if len(got) != 49+3 || p.notes("answer") < 100 {
					t.Errorf("%d cells, %d answers of %d workers", len(got)-3, p.notes("answer"), p.notes("ready"))
				}
				p.keys("\u001b")
				p.wait("the workers to end", `ended === noted.filter(([name]) => name === "began").length`)
				return
			}
			if !slices.Equal(got, want) {
				t.Errorf("it shows\n%q\nwant\n%q", got, want)
			}
			if tt.name == "not there" {
				p.log.take() // the browser reports the missing file
			}
		})
	}
}

// openWithWorkers opens the dialog, of which the page would measure all in its frames until a busy machine has started a worker.
func (p *tab) openWithWorkers() {
	p.t.Helper()
	eval[bool](p, holdFrames)
	eval[bool](p, "("+element("numbers")+".click(), true)")
	eval[bool](p, "workerReady") // not p.wait, which needs frames
	eval[bool](p, "(heldFrames.splice(0).forEach(requestAnimationFrame), true)")
	p.wait("the dialog to have the focus", element("numbers-close")+" === document.activeElement")
}

// holdFrames keeps the frames that are asked for until a worker is ready.
const holdFrames = `(window.heldFrames = [], ((ask) => {
	window.requestAnimationFrame = (f) => (noted.some(([what]) => what === "ready") ? ask(f) : heldFrames.push(f)); // p.wait's, too
})(requestAnimationFrame.bind(window)), true)`

// TestNumbersStop: the keyboard stops and continues measuring, and what is measured stays.
func TestNumbersStop(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "#s=first-rollout&lang=en")
	p.waitComputed()
	eval[bool](p, "("+noteWorkers+", holding = true)")
	p.openWithWorkers()
	stop := element("numbers-progress-stop")
	eval[bool](p, "("+stop+".focus(), true)")
	p.keys("\r")
	p.wait("a word that it is stopped", element("numbers-progress")+`.textContent.startsWith("Stopped after")`)
	done := eval[int](p, `document.querySelectorAll('.heat [class*="shade-"], .heat .impossible').length`)
	if got := p.text("numbers-progress"); done == 49 || p.notes("began") != eval[int](p, "ended") {
		t.Errorf("%d cells are measured: %s", done, got)
	}
	p.checkLayout()
	eval[bool](p, "(holding = false, "+stop+".focus(), true)")
	p.keys(" ")
	p.wait("all cells", measured)
	if now := eval[int](p, `document.querySelectorAll('.heat [class*="shade-"], .heat .impossible').length`); now != 49 {
		t.Errorf("%d cells are measured", now)
	}
}

// TestNumbersInASandbox: a page without an origin gets no workers, and measures the settings itself.
func TestNumbersInASandbox(t *testing.T) {
	t.Parallel()
	w := newWeb(t, map[string]string{"/": `<iframe src="` + playURL + prefix + `#s=three-replicas" width="1000" height="700" sandbox="allow-scripts" title="a rollout"></iframe>`})
	p := w.read("/")
	p.wait("the frame", `iframes().length === 1`)
	f := p.frame(0)
	f.waitStarted()
	f.wait("the run", "rollplay.state().done")
	f.press(element("numbers"))
	f.wait("all cells", measured)
	if n := f.count(".heat .current"); n != 1 {
		t.Errorf("%d cells are the present one", n)
	}
	f.forgive("autofocusing")
}
