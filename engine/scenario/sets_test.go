package scenario_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/scenario"
)

const setManifests = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, uid: from-elsewhere, generation: 7}
spec:
  revisionHistoryLimit: -1
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {nodeSelector: {disk: ssd}, containers: [{name: db, image: "postgres:17"}]}
  volumeClaimTemplates:
  - {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
status: {replicas: 3}
---
apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: DaemonSet
  metadata: {name: agent}
  spec:
    selector: {matchLabels: {app: agent}}
    template: {metadata: {labels: {app: agent}}, spec: {nodeSelector: {agent: "yes"}, containers: [{name: agent, image: "agent:1"}]}}
- apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata: {name: db}
  spec: {maxUnavailable: 1, selector: {matchLabels: {app: db}}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data-db-0}
---
apiVersion: apps/v1
kind: ControllerRevision
metadata: {name: db-1}
`

// TestParseSets: StatefulSets, DaemonSets and budgets are read, without what the server owns and with their defaults (S-1,
// DS-1); what only controllers make is left out, and a history without end gets upstream's warning (S-4).
func TestParseSets(t *testing.T) {
	manifests, diagnostics := scenario.Read(setManifests).Manifests()
	var said []string
	for _, d := range diagnostics {
		if !d.Warning {
			t.Errorf("got %v", d)
		}
		said = append(said, d.Message)
	}
	want := "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended\n" +
		"PersistentVolumeClaim \"data-db-0\" is left out: its kind is not simulated\n" +
		"ControllerRevision \"db-1\" is left out: its kind is not simulated"
	if got := strings.Join(said, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if len(manifests) != 3 {
		t.Fatalf("got %d manifests", len(manifests))
	}
	db := manifests[0].Object.(*api.StatefulSet)
	if db.UID != "" || db.Generation != 0 || db.Status.Replicas != 0 || *db.Spec.Replicas != 1 ||
		db.Spec.PodManagementPolicy != api.OrderedReady || db.Spec.VolumeClaimTemplates[0].Name != "data" {
		t.Errorf("got %+v", db)
	}
	agent := manifests[1].Object.(*api.DaemonSet)
	if u := agent.Spec.UpdateStrategy; u.Type != api.RollingUpdate || u.RollingUpdate.MaxUnavailable.Int != 1 || u.RollingUpdate.MaxSurge.Int != 0 {
		t.Errorf("got %+v", u)
	}
	nodes := []*api.Node{{}}
	scenario.FitNodes(nodes, manifests)
	if text, _ := json.Marshal(nodes[0].Labels); string(text) != `{"agent":"yes","disk":"ssd"}` {
		t.Errorf("the nodes of the default cluster have the labels %s", text)
	}
}

// TestFitNodes: the nodes of the default cluster have the labels that pods select, and three zones if pods spread over them. The first
// manifest that wants a label counts.
func TestFitNodes(t *testing.T) {
	pod := func(name, spec string) string {
		return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec: {containers: [{name: a, image: b}], " + spec + "}\n"
	}
	const spread = "topologySpreadConstraints: [{maxSkew: 1, whenUnsatisfiable: DoNotSchedule, topologyKey: example.com/rack}]"
	manifests, _ := scenario.Read(pod("a", "nodeSelector: {disk: ssd}, "+spread) + pod("b", "nodeSelector: {disk: hdd, gpu: a}") + pod("c", "")).Manifests()
	nodes := []*api.Node{{}, {}, {}, {}}
	scenario.FitNodes(nodes, manifests)
	for i, n := range nodes {
		want := fmt.Sprintf(`{"disk":"ssd","example.com/rack":"rack-%d","gpu":"a"}`, []int{1, 2, 3, 1}[i])
		if text, _ := json.Marshal(n.Labels); string(text) != want {
			t.Errorf("node %d has the labels %s, want %s", i+1, text, want)
		}
	}
}

// TestParseSetsSlips: the message for a misspelled kind or a wrong group names the intended one.
func TestParseSetsSlips(t *testing.T) {
	for text, want := range map[string]string{
		"apiVersion: policy/v1beta1\nkind: PodDisruptionBudget": `no matches for kind "PodDisruptionBudget" in version "policy/v1beta1" (did you mean policy/v1 PodDisruptionBudget?)`,
		"apiVersion: v1\nkind: StatefulSet":                     `no matches for kind "StatefulSet" in version "v1" (did you mean apps/v1 StatefulSet?)`,
		"apiVersion: policy/v1\nkind: PodDisruptionBugdet":      `no matches for kind "PodDisruptionBugdet" in version "policy/v1" (did you mean policy/v1 PodDisruptionBudget?)`,
		"apiVersion: apps/v1\nkind: Daemonset":                  `no matches for kind "Daemonset" in version "apps/v1" (did you mean apps/v1 DaemonSet?)`,
	} {
		if _, diagnostics := scenario.Read(text).Manifests(); len(diagnostics) == 0 || diagnostics[0].Message != want {
			t.Errorf("got %v, want %s", diagnostics, want)
		}
	}
}
