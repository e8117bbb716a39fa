package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// TestReadPolicy: the limits are read as they are written; another kind is no Policy, and nothing is wrong with it.
func TestReadPolicy(t *testing.T) {
	const policy = "apiVersion: rollplay/v1alpha1\nkind: Policy\nspec:\n"
	for text, want := range map[string]string{
		"": "", "kind: Deployment\n": "", strings.Replace(policy, "v1alpha1", "v2", 1): "", spec: "",
		policy + "  minAvailable: 80%\n  maxPods: 7\n  drainable: true\n  extends: base.yaml\n": "base.yaml map[drainable:true maxPods:7 minAvailable:80%] [] []",
		policy + "  images: [{match: web, ready: 5s, exitCode: 3, crash: 1s}]\n":                " map[] [map[crash:1s exitCode:3 match:web ready:5s]] []",
		policy + "  workloads: [{name: db, optional: true, maxOutage: 5s, labels: {a: b}}]\n":   " map[] [] [{map[maxOutage:5s name:db optional:true] map[a:b]}]",
		policy + "  maxPods: [1]\n":          `document 1, line 4: spec.maxPods: Invalid value: [1]: must be a text or a number`,
		policy + "  maxPod: 1\n":             `document 1, line 4: strict decoding error: unknown field "spec.maxPod" (did you mean "maxPods"?)`,
		policy + "  images: [{ready: 5s}]\n": "document 1, line 4: spec.images[0].match: Required value",
		policy + "  maxPods: 1: 2\n":         "document 1, line 4: error converting YAML to JSON: yaml: line 4: mapping values are not allowed in this context",
	} {
		p, diagnostics := scenario.ReadPolicy(text)
		got := ""
		if len(diagnostics) > 0 {
			got = diagnostics[0].String()
		} else if p != nil {
			got = fmt.Sprint(p.Extends, " ", p.Limits, " ", p.Images, " ", p.Workloads)
		}
		if got != want {
			t.Errorf("%q: got\n%s\nwant\n%s", text, got, want)
		}
	}
}
