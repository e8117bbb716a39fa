package session

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

// TestBreakKeepsThePast: an image that cannot be pulled is written into the scenario, what came before stays, and undo takes both
// back. A text without a scenario gets one.
func TestBreakKeepsThePast(t *testing.T) {
	const manifest = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: nginx-deployment}\nspec:\n  replicas: 3\n  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec: {containers: [{name: nginx, image: \"nginx:1\"}]}\n"
	for name, text := range map[string]string{"lesson": scenarios.Text(FirstScenario), "manifest": manifest} {
		s := New(true)
		s.Document.Set(text)
		s.Apply()
		for s.Compute(Slice) {
		}
		s.Cursor.SeekTo(12_000)
		var before []engine.Record
		for i := 0; i <= s.Cursor.Record; i++ {
			before = append(before, s.Computed.shown.Record(i))
		}
		s.Break(`{match: "nginx:broken", pull: fails}`, "kubectl set image deployment/nginx-deployment nginx=nginx:broken")
		for s.Compute(Slice) {
		}
		if s.Document.Errors() > 0 || s.Document.Dirty() || !strings.Contains(s.Document.Text, "nginx:broken") {
			t.Fatalf("%s: after the break: %v\n%s", name, s.Document.Diagnostics, s.Document.Text)
		}
		for i, r := range before {
			if got := s.Computed.shown.Record(i); got.What != r.What || got.T != r.T || got.Object != r.Object {
				t.Fatalf("%s: record %d was %v, is %v", name, i, r, got)
			}
		}
		s.Cursor.ToEnd()
		frames := s.Computed.shown.Frames(s.Computed.Workload())
		if last := frames[len(frames)-1]; last.Updated == last.Available {
			t.Errorf("%s: nothing is broken: %+v", name, last)
		}
		s.Undo()
		if s.Document.Text != text || s.Computed.rec.Scenario != text {
			t.Errorf("%s: undo leaves the entry in the text", name)
		}
	}
}

// TestSetVersion: another version is written into the text, the commands stay, and the run is that version's.
func TestSetVersion(t *testing.T) {
	s := New(true)
	s.LoadScenario("sts-max-unavailable")
	for s.Compute(Slice) {
	}
	s.Cursor.SeekTo(5_000)
	s.Kubectl("kubectl scale sts/cache --replicas=4")
	if s.Computed.Version() != "1.37" {
		t.Fatalf("the version is %s", s.Computed.Version())
	}
	SetVersion(s, "1.36")
	for s.Compute(Slice) {
	}
	if s.Computed.Version() != "1.36" || len(s.Computed.rec.Commands) != 1 || s.Document.Dirty() || s.Document.Errors() > 0 || s.Document.Preset != "" {
		t.Errorf("version %s, %d commands, dirty %v, %v", s.Computed.Version(), len(s.Computed.rec.Commands), s.Document.Dirty(), s.Document.Diagnostics)
	}
	SetVersion(s, "1.33")
	if n := strings.Count(s.Document.Text, `version: "1.3`); n != 1 || !strings.Contains(s.Document.Text, "  version: \"1.33\"\n") {
		t.Errorf("the text names %d versions:\n%s", n, s.Document.Text)
	}
	s.Undo()
	s.Undo()
	if s.Computed.Version() != "1.37" || s.Document.Text != scenarios.Text("sts-max-unavailable") {
		t.Errorf("undo leaves version %s", s.Computed.Version())
	}
}

// TestRewriteInAnyStyle: the version menu and Break change the run of a scenario that is written in one line, quoted or with comments.
func TestRewriteInAnyStyle(t *testing.T) {
	const manifest = "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 3\n  selector: {matchLabels: {a: b}}\n  template:\n" +
		"    metadata: {labels: {a: b}}\n    spec: {containers: [{name: web, image: \"web:1\"}]}\n"
	for _, setting := range []string{
		"kind: Scenario\nspec: {seed: 3}\n", "kind: Scenario # mine\nspec: # note\n  seed: 3\n", "\"kind\": 'Scenario'\nspec:\n", "kind: Scenario\n",
		"kind: Scenario\r\nspec:\r\n  version: 1.36 # old\r\n",
	} {
		s := New(true)
		s.Document.Set("apiVersion: rollplay/v1alpha1\n" + setting + manifest)
		s.Apply()
		SetVersion(s, "1.34")
		if s.Computed.Version() != "1.34" || s.Document.Errors() > 0 || s.Document.Dirty() {
			t.Errorf("%q: version %s, %v\n%s", setting, s.Computed.Version(), s.Document.Diagnostics, s.Document.Text)
		}
		for s.Compute(Slice) {
		}
		s.Cursor.SeekTo(12_000)
		s.Break(`{match: "web:broken", pull: fails}`, "kubectl set image deployment/web web=web:broken")
		for s.Compute(Slice) {
		}
		s.Cursor.ToEnd()
		frames := s.Run().Frames(s.Workload())
		if last := frames[len(frames)-1]; last.Updated == last.Available || s.Document.Errors() > 0 || !strings.Contains(s.Document.Text, "web:broken") {
			t.Errorf("%q: nothing is broken: %+v\n%s", setting, last, s.Document.Text)
		}
	}
}
