package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// podMenu clicks the tile of a pod and then an entry of its menu.
func (p *tab) podMenu(key, entry string) {
	p.t.Helper()
	if p.count("#panel-pods") == 0 {
		p.openTab("pods")
	}
	tile := fmt.Sprintf("document.querySelector(%s)", quote(fmt.Sprintf(`[data-act="pod-tile"][data-key=%q]`, key)))
	p.wait("the tile of "+key, tile)
	p.clickOn("the tile of "+key, tile)
	p.wait("the menu of "+key, element(entry)+".checkVisibility()")
	p.click(entry)
}

// tables is all that the tab kubectl get shows.
func (p *tab) tables() string {
	p.t.Helper()
	return fmt.Sprint(p.table("table-Deployment"), p.table("table-ReplicaSet"), p.table("table-Pod"))
}

// TestScrubAndBack: the same moment shows the same tables, whichever way leads to it.
func TestScrubAndBack(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	end := p.toEnd().End
	p.seek(12_500)
	want := p.tables()
	for _, detour := range []int64{end, 0, 12_499, 12_501, 3_000} {
		p.seek(detour)
		p.seek(12_500)
		if got := p.tables(); got != want {
			t.Errorf("after a detour by %d ms the tables are\n%s\nand were\n%s", detour, got, want)
		}
	}
}

// TestForkAndUndo: acting in the past makes another future, and undo gives the first recording back.
func TestForkAndUndo(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	before := p.toEnd()
	want := p.tables()
	p.seek(12_000)
	p.fill("scale-input", "4")
	p.clickCommand("scale", "--replicas=4")
	p.waitState("s.commands === 1")
	p.toEnd()
	if got := p.table("table-Deployment")[0][1]; got != "4/4" {
		t.Errorf("the fork ends with %s ready, want 4/4", got)
	}
	p.openTab("timeline")
	if got := p.text("forks"); !strings.Contains(got, "scale") {
		t.Errorf("the other runs do not differ by their command: %q", got)
	}
	p.click("undo")
	p.waitState("s.commands === 0 && s.done")
	back := p.toEnd()
	if back.Records != before.Records || back.End != before.End {
		t.Errorf("undo gives a run of %d records and %d ms, want %d and %d", back.Records, back.End, before.Records, before.End)
	}
	if got := p.tables(); got != want {
		t.Errorf("undo ends with\n%s\nwant\n%s", got, want)
	}
}

// TestChartPointShowsTheSum: a click on the chart where the old ReplicaSet shrinks shows the sum behind it, and what led to
// it back to the command.
func TestChartPointShowsTheSum(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.toEnd()
	p.click("zoom-fit")
	p.wait("the whole run", "rollplay.span().to - rollplay.span().from === rollplay.state().end") // a place on it means another moment before
	p.clickAt(onPlot(12_600))
	p.waitState("s.t > 12000 && s.t < 13500")
	clicked := p.state().Record
	p.click("why-next")
	p.waitState(fmt.Sprintf("s.record > %d", clicked)) // a sum may show before it
	p.wait("a sum", element("why")+`.querySelector(".formula")?.textContent.includes(" = ")`)
	why := p.text("why")
	for _, part := range []string{"deployment-controller", "Woken by"} {
		if !strings.Contains(why, part) {
			t.Errorf("the why panel lacks %q: %s", part, why)
		}
	}
	before := p.state()
	p.click("why-prev")
	p.waitState(fmt.Sprintf("s.record < %d", before.Record))
}

// TestNumbersExplain: a click on a number on the chart opens Why, which begins with a sentence, and leaves the cursor where it is.
func TestNumbersExplain(t *testing.T) {
	t.Parallel()
	p := open(t, windows[0], "light", "#s=first-rollout")
	p.waitComputed()
	p.pause()
	p.seek(12_000)
	for _, number := range []string{`document.querySelector('.legend-item[data-series="available"]')`, element("note-upper")} {
		p.clickOn("a number", number)
		p.wait("Why", `!document.getElementById("pane-why").hidden`)
		p.waitText("why-short", "8, not 10: maxUnavailable 25% allows")
		if s := p.state(); s.T != 12_000 || s.Playing {
			t.Errorf("the cursor is at %d, playing %t", s.T, s.Playing)
		}
		p.click("pane-why")
		p.wait("no Why", `document.getElementById("pane-why").hidden`)
	}
}

// TestStuckAndFixed: a broken image stops the rollout; the page says why and what will happen, and a click fixes it.
func TestStuckAndFixed(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.toStart()
	p.replaceText(`apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 2m
  images:
  - {match: "*:broken", pull: fails}
  - {match: "*", pull: 1s, start: 1s, stop: 1s}
  timeline:
  - {at: 10s, run: kubectl set image deployment/api server=example.com/api:broken}
---
` + api)
	p.click("apply")
	p.waitState("s.done && s.end === 120000")
	p.seek(60_000)
	p.wait("the diagnosis", element("diagnosis")+`.dataset.state === "stuck"`)
	text := p.text("diagnosis")
	for _, part := range []string{"example.com/api:broken", "ImagePullBackOff", "nothing is rolled back"} {
		if !strings.Contains(text, part) {
			t.Errorf("the diagnosis lacks %q: %s", part, text)
		}
	}
	p.click("fix")
	p.waitState("s.commands === 1 && s.done")
	p.toEnd()
	p.wait("the rollout to be complete", element("diagnosis")+`.dataset.state === "complete"`)
	if rows := p.table("table-ReplicaSet"); column(rows, 1) != "0 4" && column(rows, 1) != "4 0" {
		t.Errorf("undone, the ReplicaSets have %v", rows)
	}
}

// TestCrashedPod: the environment breaks a bound, the judge names it, and the pod view shows it.
func TestCrashedPod(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.toEnd()
	p.seek(12_000)
	p.openTab("pods")
	p.wait("the tiles of that moment", `document.querySelectorAll('[data-act="pod-tile"][data-state="available"]').length === 8`)
	key := eval[string](p, `document.querySelector('[data-act="pod-tile"][data-state="available"][data-key$="-mllx9"]').dataset.key`)
	p.podMenu(key, "pod-crash")
	p.waitState("s.commands === 1 && s.done")
	p.seek(12_900) // its node has noticed at its relist, and restarts it
	p.wait("the judge", element("judge")+`.dataset.state === "broken"`)
	if got := p.text("judge"); !strings.Contains(got, strings.TrimPrefix(key, "default/")) {
		t.Errorf("the judge does not name the pod %s: %s", key, got)
	}
	p.openTab("log")
	eval[bool](p, "("+element("violations")+`.querySelector("summary").focus(), true)`)
	p.keys(kb.Enter)
	p.wait("the list of violations", `document.querySelector('[data-act="violation-row"]')`)
}

// TestWorkQueues: the queues show what waits, and the last reconciles lead to their records.
func TestWorkQueues(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "")
	p.waitComputed()
	p.openTab("queues")
	p.seek(10_002)
	if n := p.count(`[data-act="queue-lane"]`); n != 2 {
		t.Errorf("%d lanes, want one for each of two controllers", n)
	}
	p.keys(kb.Tab)
	p.click("queue-sync")
	p.waitState("s.record > 0 && !s.playing")
}
