package browser_test

import "testing"

// TestFieldsInEditor: the editor completes the fields of a Scenario and a Policy with what they mean, and every kind.
func TestFieldsInEditor(t *testing.T) {
	t.Parallel()
	p := open(t, desktop, "light", "#s=first-rollout")
	const list = ".cm-tooltip-autocomplete"
	for _, tt := range []struct{ text, typed, label, info string }{
		{"apiVersion: rollplay/v1alpha1\nkind: Scenario # mine\nspec:\n  goal:\n  - text: a\n", "    with", "without[]string", "does not use"},
		{"apiVersion: rollplay/v1alpha1\nkind: Policy\nspec:\n", "  maxO", "maxOutageduration", "available pod"},
		{"kind: Scenario\nspec:\n", "  draws: k", "keyed", ""},
		{"apiVersion: autoscaling/v2\n", "kind: Horiz", "HorizontalPodAutoscaler", ""},
	} {
		p.replaceText(tt.text)
		p.keys(tt.typed)
		p.wait(tt.label, inEditor(list)+`?.textContent.includes(`+quote(tt.label)+")")
		if tt.info != "" {
			p.wait("its sentence", inEditor(".cm-completionInfo")+`?.textContent.includes(`+quote(tt.info)+")")
		}
	}
}
