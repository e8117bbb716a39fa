package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/scenario"
)

// A load is read in order of time, and what is wrong with it is said.
func TestScenarioLoad(t *testing.T) {
	text := func(load string) string {
		return "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  load:\n" + load + "---\n" + webManifest
	}
	s, diagnostics := scenario.Parse(text("  - {of: deployment/web, at: 60s, cpu: 2500m}\n  - {at: 0s, cpu: 400m}\n  - {of: statefulset/shop/db, cpu: 2}\n  - {at: 2m, cpu: 0}\n"))
	web := api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}
	db := api.Key{Kind: api.KindStatefulSet, Namespace: "shop", Name: "db"}
	if s == nil || len(s.Load) != 4 || s.Load[3] != (scenario.Load{At: 120_000, Of: db}) || s.Load[0] != (scenario.Load{Of: web, CPU: 400}) || s.Load[1] != (scenario.Load{Of: db, CPU: 2000}) ||
		s.Load[2] != (scenario.Load{At: 60_000, Of: web, CPU: 2500}) {
		t.Fatalf("got %+v %v", s, diagnostics)
	}
	for load, want := range map[string]string{
		"  - {cpu: 1}\n":                             "spec.load[0].of: Required value",
		"  - {of: deployment/web}\n":                 "spec.load[0].cpu: Required value",
		"  - 3\n":                                    "spec.load[0]: Invalid value: 3: must be an object with the fields at, cpu, of",
		"  - {of: daemonset/web, cpu: 1}\n":          "spec.load[0].of: Invalid value: \"daemonset/web\": must be deployment/NAME",
		"  - {of: deployment/web, cpu: -1}\n":        "spec.load[0].cpu: Invalid value: -1: must be a quantity of cpu: 2, 500m",
		"  - {of: deployment/web, cpu: 1, at: no}\n": "spec.load[0].at: Invalid value:",
	} {
		s, diagnostics := scenario.Parse(text(load))
		if s != nil || len(diagnostics) != 1 || !strings.Contains(diagnostics[0].Message, want) {
			t.Errorf("%s: got %v, want %s", load, diagnostics, want)
		}
	}
}

const (
	scaler = "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  maxReplicas: 9\n" +
		"  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n"
	metric = "  - {type: Resource, resource: {name: %s, target: {type: Utilization, averageUtilization: 50}}}\n"
)

// An autoscaler whose metrics are not all known is simulated, with a warning that says what it does.
func TestUnmeasured(t *testing.T) {
	const load = spec + "  load: [{of: deployment/web, cpu: 1000m}]\n---\n"
	const bounded = `HorizontalPodAutoscaler "web" finds no metrics, and only keeps to minReplicas and maxReplicas; `
	const upwards = `HorizontalPodAutoscaler "web" does not scale down: what memory pods use is not simulated, and without one of its metrics it only scales up`
	const loadless = bounded + "a Scenario with `load: [{of: deployment/default/web, cpu: 500m}]` has some"
	const memoryOnly = bounded + "what memory pods use is not simulated"
	cpu, memory := fmt.Sprintf(metric, "cpu"), fmt.Sprintf(metric, "memory")
	for _, c := range []struct{ load, metrics, says string }{
		{load, cpu, ""}, {load, memory + cpu, upwards}, {load, cpu + memory, upwards}, {load, memory, memoryOnly},
		{"", "", loadless}, {"", cpu, loadless}, {"", memory, memoryOnly}, {"", memory + cpu, loadless},
	} {
		text := c.load + webManifest + scaler
		if c.metrics != "" {
			text += "  metrics:\n" + c.metrics
		}
		s, diagnostics := scenario.Parse(text)
		if s == nil || len(diagnostics) > 0 != (c.says != "") || c.says != "" && (!diagnostics[0].Warning || diagnostics[0].Message != c.says) {
			t.Errorf("%s%s: got %v, want %s", c.load, c.metrics, diagnostics, c.says)
		}
	}
}

// An autoscaler of another version is refused; one of another metric, or of another project, is left out.
func TestAutoscalerInAManifest(t *testing.T) {
	_, diagnostics := scenario.Read("apiVersion: autoscaling/v3\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n").Manifests()
	want := `no matches for kind "HorizontalPodAutoscaler" in version "autoscaling/v3" (did you mean autoscaling/v2 HorizontalPodAutoscaler?)`
	if len(diagnostics) != 1 || diagnostics[0].Message != want {
		t.Errorf("got %v", diagnostics)
	}
	for text, want := range map[string]string{
		"---\napiVersion: apps.kruise.io/v1beta1\nkind: StatefulSet\nmetadata: {name: db}\n": `StatefulSet "db" is left out: its kind is not simulated`,
		scaler + "  metrics:\n" + fmt.Sprintf(metric, "gpu"):                                 `HorizontalPodAutoscaler "web" is left out: spec.metrics[0].resource.name: rollplay simulates cpu and memory only`,
	} {
		s, diagnostics := scenario.Parse(webManifest + text)
		if s == nil || len(s.Objects) != 1 || len(diagnostics) != 1 || !diagnostics[0].Warning || diagnostics[0].Message != want {
			t.Errorf("got %v, want %s", diagnostics, want)
		}
	}
}
