package describe

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api/decode"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/events"
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

// TestReadFieldPath: an event of the kubelet names its container where that can be told.
func TestReadFieldPath(t *testing.T) {
	pod := &api.Pod{Spec: &api.PodSpec{Containers: []api.Container{{Name: "web", Image: "nginx:1"}}}}
	two := &api.Pod{Spec: &api.PodSpec{Containers: []api.Container{{Name: "web", Image: "nginx:1"}, {Name: "log", Image: "fluent:1"}},
		InitContainers: []api.Container{{Name: "init", Image: "init:1"}}}}
	for _, tt := range []struct {
		pod             *api.Pod
		source, message string
		want            string
	}{
		{pod, "default-scheduler", "Successfully assigned", ""},
		{pod, "kubelet", "Container created", "spec.containers{web}: "},
		{two, "kubelet", "Container created", ""},
		{two, "kubelet", `Pulling image "fluent:1"`, "spec.containers{log}: "},
		{two, "kubelet", `Pulling image "init:1"`, "spec.initContainers{init}: "},
		{two, "kubelet", "Stopping container web", "spec.containers{web}: "},
	} {
		if got := fieldPath(tt.pod, &events.Event{Row: events.Row{Source: tt.source, Message: tt.message}}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.message, got, tt.want)
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
