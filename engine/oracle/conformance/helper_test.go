package main

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"

	"github.com/rollplay/rollplay/engine/sim"
)

// newTestJudge returns a judge without a world and without the real controllers.
func newTestJudge() *judge {
	k := &sim.Kernel{}
	return &judge{kernel: k, server: &server{}, store: sim.NewStore(k)}
}

func readDeployment(t *testing.T, text string) *appsv1.Deployment {
	t.Helper()
	d := &appsv1.Deployment{}
	if err := yaml.Unmarshal([]byte(text), d); err != nil {
		t.Fatal(err)
	}
	return d
}
