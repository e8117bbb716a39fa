package browser_test

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
)

// hiding is a lesson by a stranger: a bidirectional override, an escape sequence and an isolate in every text that may have them.
const hiding = `apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  title: {en: "T\u202etitle\u2066"}
  question: {en: "Q\u202equestion\e[31m"}
  links:
  - {title: {en: "L\u202elink"}, url: "https://example.org/\u202e"}
  - {title: {en: "M\u202elink"}, url: "https://kubernetes.io@example.org/"}
  timeline:
  - {at: 1s, run: "kubectl annotate deployment web kubernetes.io/change-cause='C\u202ecause\e[2J' --overwrite"}
  captions:
  - {at: 0s, text: {en: "K\u202ecaption\u200f"}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {kubernetes.io/change-cause: "A\u202ecause\e[2J"}}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1\u202e\e]0;PWN\a"}]}
`

// readable is every text and name of the page that a person can read or hear, but for the editor and fields.
const readable = `(() => {
	const texts = [];
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) texts.push(walker.currentNode.data);
	for (const e of document.querySelectorAll("*"))
		for (const { name, value } of e.attributes) if (name === "title" || name.startsWith("aria-")) texts.push(value);
	return texts.join("\n");
})()`

// TestHiddenCharactersAreVisible: no tab of the page shows a character that hides or moves others.
func TestHiddenCharactersAreVisible(t *testing.T) {
	t.Parallel()
	fragment, err := link.Encode(link.Link{Recording: engine.Recording{Scenario: "# O\u202e\u2068pening\n" + hiding}})
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, desktop, "light", "#"+fragment)
	p.waitComputed()
	p.toEnd()
	check := func(where string, wants ...string) {
		t.Helper()
		got := eval[string](p, readable)
		if i := strings.IndexAny(got, "\u202e\u2066\u200f\x1b\a"); i >= 0 {
			t.Errorf("%s: hidden characters in %q", where, got[max(0, i-60):min(len(got), i+60)])
		}
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %s", where, want)
			}
		}
	}
	check("the page", `Q\u202equestion\x1b[31m`, `K\u202ecaption\u200f`, `L\u202elink (example.org)`, `M\u202elink (https://kubernetes.io@example.org/)`)
	for tab, want := range map[string]string{
		"pods": "web-", "nodes": "node-1", "tables": `nginx:1\u202e\x1b]0;PWN\x07`, "events": "ScalingReplicaSet", "records": `C\u202ecause\x1b[2J`,
		"queues": "web", "timeline": `C\u202ecause\x1b[2J`,
	} {
		p.openTab(tab)
		check(tab, want)
	}
	p.prompt()
	p.enter("rollout history deployment/web")
	p.waitPrinted("REVISION")
	p.enter("describe deployment web")
	p.waitPrinted("Name:")
	check("the terminal", `C\u202ecause`, `nginx:1\u202e`)
	if links := eval[[]string](p, `[...document.querySelectorAll('[data-act="lesson-link"]')].map((a) => a.rel)`); len(links) != 1 || links[0] != "noopener noreferrer nofollow" {
		t.Errorf("the links are %q", links)
	}
	p.openEditor()
	p.wait("marks in the editor", strings.Replace(inEditor(".cm-specialChar"), "querySelector(\".cm", "querySelectorAll(\".cm", 1)+".length === 2")
	p.share(false)
	if got := eval[string](p, `document.querySelector('[data-act="share-snippet"][data-value="markdown"]').value`); !strings.HasPrefix(got, `[T\\u202etitle\\u2066](`) {
		t.Errorf("the snippet is %.60s", got)
	}
}

// TestOrdinaryTextsStay: the check for hidden characters leaves a shipped lesson alone, in either language.
func TestOrdinaryTextsStay(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "#s=first-rollout&lang=zh")
	p.waitComputed()
	if got := eval[string](p, readable); strings.Contains(got, `\u`) || strings.Contains(got, `\x`) || !strings.Contains(got, "第一次") {
		t.Errorf("the page shows %q", got)
	}
	p.openEditor()
	if p.wait("the text", "rollplay.getText() === "+quote(scenarios.Text("first-rollout"))); eval[bool](p, "!!"+inEditor(".cm-specialChar")) {
		t.Error("the editor marks characters of a shipped lesson")
	}
}
