package print

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
)

// TestQOS is the QoS class of pods.
func TestQOS(t *testing.T) {
	for resources, want := range map[string]string{
		`{}`:                                    "BestEffort",
		`{"requests":{"cpu":"1"}}`:              "Burstable",
		`{"limits":{"cpu":"1"}}`:                "Burstable",
		`{"limits":{"cpu":"1","memory":"1Gi"}}`: "Guaranteed",
		`{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"1000m"}}`:            "Guaranteed",
		`{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"500m"}}`:             "Burstable",
		`{"limits":{"example.com/gpu":"1"},"requests":{"ephemeral-storage":"1Gi"}}`:   "BestEffort",
		`{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"ephemeral-storage":"1G"}}`: "Guaranteed",
	} {
		o, issues := decode.JSON(api.KindPod, []byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i","resources":`+
			resources+`}]}}`))
		if len(issues) > 0 {
			t.Fatal(issues)
		}
		if got := QOSClass(o.(*api.Pod).Spec); got != want {
			t.Errorf("%s: %s, want %s", resources, got, want)
		}
	}
}
