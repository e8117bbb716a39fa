package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/scenario"
)

// FuzzParseScenario checks that no text panics, that a refused one says why, and that every diagnostic lies in the text. Applied
// to a running cluster it is refused with a reason, or it is applied.
func FuzzParseScenario(f *testing.F) {
	for _, pattern := range []string{"../scenarios/*.yaml", "scenario/testdata/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	const spec = "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n"
	web := texts.Deployment("replicas: 1", "image: web")
	f.Add(spec + "  nodes: [{name: a}]\n  images: [{match: '*', pull: 1s..3s}]\n  timeline: [{at: 1m30s, run: x}]\n" + web)
	f.Add(spec + "  draws: keyed\n  nodeGroups: [{name: a, min: 1, max: 3, cpu: 2, boot: 5s, idle: 30s}, {name: b, max: 2, taints: ['x:NoSchedule'], zone: z}]\n" + web)
	f.Add("a: &a [*a]\n--- {b: <<}\n...\n\t")
	f.Fuzz(func(t *testing.T, text string) {
		applyAny(t, text)
		s, diagnostics := scenario.Parse(text)
		failed := false
		for _, d := range diagnostics {
			failed = failed || !d.Warning
			if d.Document < 1 || d.Line < 1 || d.Column < 1 || d.EndColumn <= d.Column || d.Message == "" {
				t.Errorf("no position: %+v", d)
			}
		}
		if (s == nil) != failed {
			t.Errorf("scenario %v with %v", s, diagnostics)
		}
	})
}

// applyAny applies any text to a running cluster.
func applyAny(t *testing.T, text string) {
	if text == "" {
		return // no command at all
	}
	const at = 1000
	run, _ := Start(Recording{Scenario: probed, Commands: []Command{{At: at, Apply: text}}})
	for run.Now() < at && !run.Advance(1) {
	}
	run.Advance(100)
	if r := answerAt(t, run, at); r.What == "" {
		t.Errorf("kubectl apply says nothing: %+v", r)
	}
}
