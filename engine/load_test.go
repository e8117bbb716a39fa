package engine

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
)

// measured is a Deployment with an autoscaler, to which its metrics are added.
var measured = texts.Deployment("replicas: 1", "image: web, resources: {requests: {cpu: 100m, memory: 1Mi}}") +
	"---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  minReplicas: 2\n  maxReplicas: 9\n" +
	"  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n"

// Without a load an autoscaler finds no metrics: it keeps to its bounds, and what it tells every 15 s makes the run no longer.
func TestAutoscalerWithoutLoad(t *testing.T) {
	r := mustRun(t, measured).Finish()
	d := r.Past().ObjectAt(api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}, r.Len()-1).(*api.Deployment)
	if *d.Spec.Replicas != 2 || r.Now() > 20_000 {
		t.Errorf("%d replicas, and the run ends at %d ms", *d.Spec.Replicas, r.Now())
	}
}

// What memory pods use is not known. By memory alone an autoscaler keeps to its bounds; beside cpu it scales up, and not down.
func TestAutoscalerByMemory(t *testing.T) {
	const load = "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  duration: 20m\n  load: [{of: deployment/web, cpu: 1000m}, {at: 90s, cpu: 10m}]\n"
	const metric = "  - {type: Resource, resource: {name: %s, target: {type: Utilization, averageUtilization: 50}}}\n"
	cpu, memory := fmt.Sprintf(metric, "cpu"), fmt.Sprintf(metric, "memory")
	for _, tt := range []struct {
		load, metrics string
		replicas      int32
	}{{load, cpu, 2}, {load, memory + cpu, 9}, {load, cpu + memory, 9}, {load, memory, 2}, {"", memory, 2}, {"", memory + cpu, 2}} {
		r := mustRun(t, tt.load+measured+"  metrics:\n"+tt.metrics).Finish()
		d := r.Past().ObjectAt(api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}, r.Len()-1).(*api.Deployment)
		if *d.Spec.Replicas != tt.replicas {
			t.Errorf("%s%s: %d replicas, want %d", tt.load, tt.metrics, *d.Spec.Replicas, tt.replicas)
		}
	}
}

// Without an autoscaler, nothing measures a load.
func TestLoadAlone(t *testing.T) {
	web := texts.Deployment("replicas: 1", "image: web")
	plain, loaded := mustRun(t, web), mustRun(t, "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  load: [{of: deployment/web, cpu: 1}]\n"+web)
	if plain.Len() != loaded.Len() || plain.Now() != loaded.Now() {
		t.Errorf("a load alone makes %d records of %d", loaded.Len(), plain.Len())
	}
}
