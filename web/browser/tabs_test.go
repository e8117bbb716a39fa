package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestTwentyTabs: a person has more tabs open than drafts are kept. Each keeps its own draft, answers, and stays below the memory of a tab.
func TestTwentyTabs(t *testing.T) {
	t.Parallel()
	const tabs = 22
	p := startAlone(t)
	p.visit(built.base + "authors/") // of the same origin
	var all []*tab
	for i := range tabs {
		ctx, cancel := chromedp.NewContext(p.ctx)
		t.Cleanup(cancel)
		q := &tab{t, ctx, &watch{}}
		if err := q.log.attach(ctx); err != nil {
			t.Fatal(err)
		}
		q.before(withoutWorker)
		q.before(instances)
		q.before(noteDrawn)
		q.look(desktop, "light")
		q.front()
		q.visit(built.base + "#s=rounding")
		q.waitStarted()
		name := fmt.Sprintf("tab%d", i)
		eval[bool](q, `rollplay.setText(`+quote(strings.ReplaceAll(strings.ReplaceAll(api, "api", name), name+"Version", "apiVersion"))+`).then(() => new Promise((done) => setTimeout(done))).then(() => (`+element("apply")+`.click(), true))`)
		q.wait("its run", `rollplay.state().workload === `+quote("Deployment/default/"+name)+` && rollplay.state().done && !rollplay.state().dirty`)
		q.wait("its draft", storedKeys+`.some((key) => key.startsWith("rollplay/draft/") && localStorage.getItem(key).includes(`+quote(name)+`))`)
		eval[bool](q, fmt.Sprintf(`new Promise((done) => { // its frames take the lock, which a tab behind others does not draw
			const look = async () => (await navigator.locks.query()).held.filter(({ name }) => name.startsWith("rollplay/draft/")).length >= %d ? done(true) : setTimeout(look, 20);
			look();
		})`, i+1))
		all = append(all, q)
	}
	first := all[0]
	first.front()
	if n := eval[int](first, `(async () => new Set((await navigator.locks.query()).held.map((l) => l.name)).size)()`); n != tabs {
		t.Errorf("%d tabs have %d drafts open", tabs, n)
	}
	first.toEnd()
	first.fill("scale-input", "7")
	first.clickCommand("scale", "--replicas=7")
	first.wait("the command", `rollplay.state().commands === 1 && rollplay.state().done`)
	drafts := eval[string](first, storedKeys+`.filter((key) => key.startsWith("rollplay/draft/")).map((key) => localStorage.getItem(key)).join("\n")`)
	for i, q := range all {
		q.front()
		if !strings.Contains(drafts, fmt.Sprintf("tab%d", i)) {
			t.Errorf("the draft of tab %d has gone", i)
		}
		if s := q.state(); s.Workload != fmt.Sprintf("Deployment/default/tab%d", i) {
			t.Errorf("tab %d shows %s", i, s.Workload)
		}
		if v := eval[vitals](q, readVitals); v.JS+v.Wasm > 512 || v.Wasm == 0 {
			t.Errorf("tab %d takes %.0f MB of JavaScript and %.0f MB of wasm", i, v.JS, v.Wasm)
		}
		q.log.report(t)
	}
}
