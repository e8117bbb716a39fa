package describe

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api/decode"

	"github.com/rollplay/rollplay/engine/api"
)

// TestReadQOS is the QoS class of pods.
func TestReadQOS(t *testing.T) {
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
		if got := qosClass(o.(*api.Pod).Spec); got != want {
			t.Errorf("%s: %s, want %s", resources, got, want)
		}
	}
}

// TestFieldTitles: how the names of fields are printed that nobody gave a title.
func TestFieldTitles(t *testing.T) {
	for name, want := range map[string]string{
		"apiVersion": "API Version", "uid": "UID", "creationTimestamp": "Creation Timestamp", "$patch": "$patch", "app": "App",
		"kubernetes.io/os": "kubernetes.io/os", "dnsPolicy": "Dns Policy",
	} {
		if got := fieldTitle(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
