package sweep

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// TestSetField: a value is written where it stands, a missing field where it belongs, and nothing else changes.
func TestSetField(t *testing.T) {
	web := api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}
	surge := []string{"strategy", "rollingUpdate", "maxSurge"}
	const head = "# é\nkind: Service\n---\nkind: Deployment\nmetadata:\n  name: web\n"
	for _, tt := range []struct{ name, text, want string }{
		{"plain", "spec:\n  strategy:\n    rollingUpdate:\n      maxSurge: 25%  # why\n", "spec:\n  strategy:\n    rollingUpdate:\n      maxSurge: 3  # why\n"},
		{"quoted", "spec: {strategy: {rollingUpdate: {maxSurge: \"25%\", maxUnavailable: 1}}}\n", "spec: {strategy: {rollingUpdate: {maxSurge: 3, maxUnavailable: 1}}}\n"},
		{"single", "spec: {é: ü, strategy: {rollingUpdate: {maxSurge: '1'}}}\n", "spec: {é: ü, strategy: {rollingUpdate: {maxSurge: 3}}}\n"},
		{"block", "spec:\n  replicas: 3\n", "spec:\n  strategy: {rollingUpdate: {maxSurge: 3}}\n  replicas: 3\n"},
		{"flow", "spec: {replicas: 3}\n", "spec: {strategy: {rollingUpdate: {maxSurge: 3}}, replicas: 3}\n"},
		{"empty", "spec: {}\n", "spec: {strategy: {rollingUpdate: {maxSurge: 3}}}\n"},
		{"nested", "spec:\n  strategy:\n    type: RollingUpdate\n", "spec:\n  strategy:\n    rollingUpdate: {maxSurge: 3}\n    type: RollingUpdate\n"},
		{"alias", "spec:\n  a: &x {b: 1}\n  strategy: *x\n", ""},
		{"null", "spec:\n  strategy:\n", "spec:\n  strategy: {rollingUpdate: {maxSurge: 3}}\n"},
		{"folded", "spec: {strategy: {rollingUpdate: {maxSurge: \"2\\x35%\"}}}\n", "spec: {strategy: {rollingUpdate: {maxSurge: 3}}}\n"},
	} {
		got, err := SetField(head+tt.text, web, surge, "3")
		if (err != nil) != (tt.want == "") || err == nil && got != head+tt.want {
			t.Errorf("%s: %v\n%s\nwant %s", tt.name, err, got, tt.want)
		}
	}
	list := "kind: List\nitems:\n- kind: Deployment\n  metadata: {name: web}\n  spec:\n    replicas: 3\n"
	if got, err := SetField(list, web, []string{"replicas"}, "4"); err != nil || got != strings.Replace(list, "3", "4", 1) {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := SetField("kind: Pod\n", web, surge, "1"); err == nil || !strings.Contains(err.Error(), "is not in the text") {
		t.Error(err)
	}
}

// TestSetSeed: each lesson takes another seed, and stays otherwise as it is.
func TestSetSeed(t *testing.T) {
	for _, name := range scenarios.Names() {
		text := scenarios.Text(name)
		got, err := SetSeed(text, 12345)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		before, _ := scenario.Parse(text)
		s, diagnostics := scenario.Parse(got)
		if s == nil || s.Seed != 12345 || len(s.Objects) != len(before.Objects) || s.Lesson != before.Lesson {
			t.Errorf("%s: %v", name, diagnostics)
		}
	}
	got, err := SetSeed("kind: Pod\n", 7)
	if err != nil || got != "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {seed: 7}\n---\nkind: Pod\n" {
		t.Errorf("%v %s", err, got)
	}
}

// TestDropKind: documents of a kind go, and Lists of nothing else; a List with other objects is not taken apart.
func TestDropKind(t *testing.T) {
	const quota, pod = "kind: ResourceQuota\n", "kind: Pod\n"
	list := func(kinds string) string { return "kind: List\nitems: [" + kinds + "]\n" }
	for text, want := range map[string]string{
		pod: pod, quota: "", pod + "---\n" + quota: pod, quota + "---\n" + pod: "---\n" + pod,
		list("{kind: ResourceQuota}, {kind: ResourceQuota}") + "---\n" + pod: "---\n" + pod,
		list("{kind: Pod}, {kind: Pod}"):                                     list("{kind: Pod}, {kind: Pod}"),
		list("{kind: ResourceQuota}, {kind: Pod}"):                           "a List has a ResourceQuota beside other objects",
	} {
		got, err := dropKind(text, "ResourceQuota")
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.HasPrefix(got, want)) {
			t.Errorf("%s: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

// TestProbed: every container has a probe each second, its own or one that is added.
func TestProbed(t *testing.T) {
	const spec = "kind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: a}, {name: b, readinessProbe: {tcpSocket: {port: 1}, periodSeconds: 9}}]}}}\n"
	p := &Plan{Workload: "Deployment/default/web", key: api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}}
	p.Recording.Scenario = spec
	text, err := p.Probed()
	for _, want := range []string{"duration: 30m", `{readinessProbe: ` + probe + ", name: a}", "initialDelaySeconds: 1, tcpSocket: {port: 1}, periodSeconds: 1}"} {
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%v\n%s\nwant %s", err, text, want)
		}
	}
	own := "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {duration: %s}\n" + texts.Deployment("replicas: 1", "image: web:1")
	for duration, want := range map[string]string{"1799s": "30m", "30m": "30m", "31m": "31m"} {
		p.Recording.Scenario = fmt.Sprintf(own, duration)
		if text, err := p.Probed(); err != nil || !strings.Contains(text, "duration: "+want) {
			t.Errorf("%s: %v\n%s", duration, err, text)
		}
	}
	for scenario, want := range map[string]string{"kind: Pod\n": "has no containers in the text", "kind: Scenario\nspec: 5\n": ""} {
		p.Recording.Scenario = scenario
		if _, err := p.Probed(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", scenario, err, want)
		}
	}
}

// TestSetRepair: minReadySeconds is the workload's, anything else that of each container.
func TestSetRepair(t *testing.T) {
	const text = "kind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: a}, {name: b}]}}}\n"
	web := api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}
	for _, tt := range []struct{ field, value, want string }{
		{"minReadySeconds", "5", "spec: {minReadySeconds: 5, template: "},
		{"lifecycle", "{}", "[{lifecycle: {}, name: a}, {lifecycle: {}, name: b}]"},
	} {
		if got, err := SetRepair(text, web, tt.field, tt.value); err != nil || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %v\n%s\nwant %s", tt.field, err, got, tt.want)
		}
	}
}

// TestSetFieldInLessons: in every lesson, the size of every workload can be changed, and nothing else changes with it.
func TestSetFieldInLessons(t *testing.T) {
	edits := 0
	for _, name := range scenarios.Names() {
		text := scenarios.Text(name)
		before, _ := scenario.Parse(text)
		for i, m := range before.Objects {
			o, ok := m.Object.(api.Scalable)
			if !ok {
				continue
			}
			got, err := SetField(text, o.Key(), []string{"replicas"}, "13")
			after, diagnostics := scenario.Parse(got)
			if err != nil || after == nil || len(after.Objects) != len(before.Objects) {
				t.Errorf("%s: %s: %v %v", name, o.Key(), err, diagnostics)
				continue
			}
			changed := after.Objects[i].Object.(api.Scalable)
			if changed.Replicas() != 13 || !changed.Template().Equal(o.Template()) || strings.Count(got, "\n")-strings.Count(text, "\n") > 1 {
				t.Errorf("%s: %s has %d replicas", name, o.Key(), changed.Replicas())
			}
			for k := range before.Objects {
				if k != i && !api.SpecEqual(before.Objects[k].Object, after.Objects[k].Object) {
					t.Errorf("%s: an edit of %s changes %s", name, o.Key(), before.Objects[k].Object.Key())
				}
			}
			edits++
		}
	}
	if t.Logf("%d edits", edits); edits < 50 {
		t.Errorf("only %d edits", edits)
	}
}
