package engine

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
	s, diagnostics := scenario.Parse(text("  - {of: deployment/web, at: 60s, cpu: 2500m}\n  - {at: 0s, cpu: 400m}\n  - {of: statefulset/shop/db, cpu: 2}\n"))
	web := api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}
	db := api.Key{Kind: api.KindStatefulSet, Namespace: "shop", Name: "db"}
	if s == nil || len(s.Load) != 3 || s.Load[0] != (scenario.Load{Of: web, CPU: 400}) || s.Load[1] != (scenario.Load{Of: db, CPU: 2000}) ||
		s.Load[2] != (scenario.Load{At: 60_000, Of: web, CPU: 2500}) {
		t.Fatalf("got %+v %v", s, diagnostics)
	}
	for load, want := range map[string]string{
		"  - {cpu: 1}\n":                             "spec.load[0].of: Required value",
		"  - {of: deployment/web}\n":                 "spec.load[0].cpu: Required value",
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

// Without a load an autoscaler finds no metrics: it keeps to its bounds, and what it tells every 15 s makes the run no longer.
func TestAutoscalerWithoutLoad(t *testing.T) {
	const scaler = "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  minReplicas: 7\n  maxReplicas: 9\n" +
		"  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n"
	s, diagnostics := scenario.Parse(webManifest + scaler)
	want := `HorizontalPodAutoscaler "web" finds no metrics, and only keeps to minReplicas and maxReplicas; ` +
		"a Scenario with `load: [{of: deployment/default/web, cpu: 500m}]` has some"
	if s == nil || len(diagnostics) != 1 || !diagnostics[0].Warning || diagnostics[0].Message != want {
		t.Errorf("got %v, want %s", diagnostics, want)
	}
	r := mustRun(t, webManifest+scaler).Finish()
	d := r.Past().ObjectAt(api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}, r.Len()-1).(*api.Deployment)
	if *d.Spec.Replicas != 7 || r.Now() > 20_000 {
		t.Errorf("%d replicas, and the run ends at %d ms", *d.Spec.Replicas, r.Now())
	}
}

// What memory pods use is not known. By memory alone an autoscaler keeps to its bounds; beside cpu it scales up, and not down.
func TestAutoscalerByMemory(t *testing.T) {
	const load = "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  duration: 20m\n  load: [{of: deployment/web, cpu: 1000m}, {at: 90s, cpu: 10m}]\n---\n"
	const scaler = "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  minReplicas: 2\n  maxReplicas: 9\n" +
		"  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n  metrics:\n"
	const metric = "  - {type: Resource, resource: {name: %s, target: {type: Utilization, averageUtilization: 50}}}\n"
	cpu, memory := fmt.Sprintf(metric, "cpu"), fmt.Sprintf(metric, "memory")
	text := strings.Replace(webManifest, "        image:", "        resources: {requests: {cpu: 100m, memory: 1Mi}}\n        image:", 1)
	for _, tt := range []struct {
		load, metrics, says string
		replicas            int32
	}{
		{load, cpu, "", 2},
		{load, memory + cpu, "does not scale down: what memory pods use is not simulated", 9},
		{load, cpu + memory, "does not scale down", 9},
		{load, memory, "finds no metrics, and only keeps to minReplicas and maxReplicas; what memory pods use is not simulated", 2},
		{"", memory, "what memory pods use is not simulated", 2},
		{"", memory + cpu, "a Scenario with `load:", 2},
	} {
		_, diagnostics := scenario.Parse(tt.load + text + scaler + tt.metrics)
		if (tt.says == "") != (len(diagnostics) == 0) || tt.says != "" && !strings.Contains(diagnostics[0].Message, tt.says) {
			t.Errorf("%s: got %v, want %s", tt.metrics, diagnostics, tt.says)
		}
		r := mustRun(t, tt.load+text+scaler+tt.metrics).Finish()
		d := r.Past().ObjectAt(api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}, r.Len()-1).(*api.Deployment)
		if *d.Spec.Replicas != tt.replicas {
			t.Errorf("%s%s: %d replicas, want %d", tt.load, tt.metrics, *d.Spec.Replicas, tt.replicas)
		}
	}
}

// An autoscaler of another version is refused; without one, nothing measures anything.
func TestAutoscalerInAManifest(t *testing.T) {
	_, diagnostics := scenario.Read("apiVersion: autoscaling/v3\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n").Manifests()
	want := `no matches for kind "HorizontalPodAutoscaler" in version "autoscaling/v3" (did you mean autoscaling/v2 HorizontalPodAutoscaler?)`
	if len(diagnostics) != 1 || diagnostics[0].Message != want {
		t.Errorf("got %v", diagnostics)
	}
	// A kind of somebody else's may have the same name.
	s, diagnostics := scenario.Parse(webManifest + "---\napiVersion: apps.kruise.io/v1beta1\nkind: StatefulSet\nmetadata: {name: db}\n")
	if want := `StatefulSet "db" is left out: its kind is not simulated`; s == nil || len(diagnostics) != 1 || !diagnostics[0].Warning || diagnostics[0].Message != want {
		t.Errorf("got %v, want %s", diagnostics, want)
	}
	const gpu = "---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  maxReplicas: 5\n" +
		"  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n" +
		"  metrics: [{type: Resource, resource: {name: gpu, target: {type: Utilization, averageUtilization: 50}}}]\n"
	s, diagnostics = scenario.Parse(webManifest + gpu)
	want = `HorizontalPodAutoscaler "web" is left out: spec.metrics[0].resource.name: rollplay simulates cpu and memory only`
	if s == nil || len(s.Objects) != 1 || len(diagnostics) != 1 || !diagnostics[0].Warning || diagnostics[0].Message != want {
		t.Errorf("what cannot be simulated is left out: got %v", diagnostics)
	}
	plain := mustRun(t, webManifest)
	loaded := mustRun(t, "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  load: [{of: deployment/web, cpu: 1}]\n---\n"+webManifest)
	if plain.Len() != loaded.Len() || plain.Now() != loaded.Now() {
		t.Errorf("a load alone makes %d records of %d", loaded.Len(), plain.Len())
	}
}
