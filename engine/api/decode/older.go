package decode

import (
	"encoding/json"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// upgrade makes an object of an older version (kinds.Older) one of the stored version, if it has the fields of its own version. Simplified:
// kubectl apply then remembers the stored form as the last one applied.
func upgrade(kind api.Kind, v map[string]any) []Issue {
	version := api.Fields(v).Text("apiVersion")
	if !kinds.Older(version, kind) {
		return nil
	}
	_, own, _ := strings.Cut(version, "/")
	if _, issues := check(own+"."+string(kind), v); len(issues) > 0 {
		return issues
	}
	v["apiVersion"] = kinds.Of(kind).APIVersion()
	if spec := api.Fields(v).Object("spec"); spec != nil && kind == api.KindHorizontalPodAutoscaler {
		cpuTarget(spec)
	}
	return nil
}

// cpuTarget makes the one target that autoscaling/v1 has a metric. Simplified: metrics and behavior in annotations are not read.
func cpuTarget(spec map[string]any) {
	target, ok := spec["targetCPUUtilizationPercentage"].(json.Number)
	delete(spec, "targetCPUUtilizationPercentage")
	if ok {
		spec["metrics"] = []any{map[string]any{"type": "Resource", "resource": map[string]any{
			"name": "cpu", "target": map[string]any{"type": "Utilization", "averageUtilization": target}}}}
	}
}
