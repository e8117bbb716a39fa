package main

import (
	"fmt"
	"strings"
	"testing"
)

// never is the time that a test has.
func never() bool { return false }

// TestParseStream: objects have the lines of their file, whatever is around them.
func TestParseStream(t *testing.T) {
	const web = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
	crd := "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: x}\nspec: {containers: [}\n"
	for _, tt := range []struct{ name, text, want string }{
		{"one", web, "1 Deployment/default/web"},
		{"a marker and a comment", "--- # first\n" + web + "---\n# nothing\n---\n" + web, "1 Deployment/default/web, 7 Deployment/default/web"},
		{"a byte order mark", "\ufeff" + web, "1 Deployment/default/web"},
		{"CRLF", strings.ReplaceAll("---\n"+web+"---\n"+web, "\n", "\r\n"), "1 Deployment/default/web, 5 Deployment/default/web"},
		{"dashes in a block", "a: |\n  ---\n" + web, "1 Deployment/default/web"},
		{"no rollout, not parsed", crd + "---\n" + web, "1 -CustomResourceDefinition, 5 Deployment/default/web"},
		{"what names a workload, and what does not", "kind: ScaledObject\nspec: {scaleTargetRef: {name: web}}\n---\nkind: Rollout\nspec: {workloadRef: {}}\n---\nkind: LimitRange\n---\nkind: Lease\n",
			"1 ScaledObject/default/, 3 Rollout/default/, 6 LimitRange/default/, 8 -Lease"},
		{"two kinds", "kind: ConfigMap\nmetadata: {name: a}\nkind: Deployment\n", "0 !"},
		{"templates of a chart", "---\n# Source: a/templates/x.yaml\n" + web, "1 Deployment/default/web of a/templates/x.yaml"},
		{"a List", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: a\n- kind: Secret\n  apiVersion: v1\n" +
			"- apiVersion: v1\n  kind: Service\n  metadata:\n    name: b\nmetadata: {}\n", "4 Deployment/default/a, 8 -Secret/default/, 10 Service/default/b"},
		{"a List of Lists, indented", "kind: List\nitems:\n  - kind: Deployment\n    metadata: {name: a}\n\n  - kind: Deployment\n    metadata: {name: b}\n",
			"3 Deployment/default/a, 6 Deployment/default/b"},
		{"a List in flow style", "{kind: List, items: [{kind: Service, metadata: {name: a}}]}\n", "1 Service/default/a"},
		{"a Deployment that has items", "kind: Deployment\nitems: [{kind: Service}]\n", "1 Deployment/default/"},
		{"JSON", "{\n  \"kind\": \"Deployment\", \"metadata\": {\"name\": \"a\"}}\n", "1 Deployment/default/a"},
		{"JSON, several", "{\"kind\": \"Secret\"}\n{\"kind\": \"Deployment\"}\n{\"kind\": \"Service\"}", "1 -Secret, 2 Deployment/default/, 3 Service/default/"},
		{"a List in JSON", "{\n \"kind\": \"List\",\n \"items\": [\n  {\n   \"kind\": \"Secret\"},\n  {\"kind\": \"Deployment\", \"metadata\": {\"namespace\": \"b\"}}\n ]\n}",
			"4 -Secret, 6 Deployment/b/"},
	} {
		list, err := parseStream("f.yaml", tt.text, never)
		var got []string
		for _, m := range list {
			place := fmt.Sprintf("%d ", m.Line)
			switch {
			case m.err != nil:
				place = "0 !"
			case m.value == nil:
				place += "-" + m.Kind
			case !m.judged:
				place += "-" + m.key()
			default:
				place += strings.TrimPrefix(m.key(), "/default")
			}
			if m.Source != "" {
				place += " of " + m.Source
			}
			got = append(got, place)
		}
		if all := strings.Join(got, ", "); err != nil || all != tt.want {
			t.Errorf("%s: got %s, want %s (%v)", tt.name, all, tt.want, err)
		}
	}
}

// TestLongLine: the items of a List on one line take as much memory, each, as those of a short one.
func TestLongLine(t *testing.T) {
	text := func(items int) int {
		item := `{"kind":"Secret","metadata":{"name":"a"}},`
		all := `{"kind":"List","items":[` + strings.TrimSuffix(strings.Repeat(item, items), ",") + "]}"
		list, err := parseStream("f.json", all, never)
		bytes := 0
		for _, m := range list {
			bytes += len(m.Text)
		}
		if err != nil || len(list) != items {
			t.Fatalf("%d of %d items, %v", len(list), items, err)
		}
		return bytes
	}
	if few, many := text(50), text(5000); many > 100*few {
		t.Errorf("5,000 items have %d bytes, 50 have %d", many, few)
	}
}
