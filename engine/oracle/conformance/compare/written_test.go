package compare

import "testing"

// TestWritten: another selector of nodes and the label of a node come in one ms, so the DaemonSet is synced twice in the next one. The second sync is
// refused on both sides, because the first one's status has not been seen (H-9), although the order of its other writes is left open.
func TestWritten(t *testing.T) {
	const agent = `{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent}, spec: {selector: {matchLabels: {app: agent}}, ` +
		`template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: app, image: "app:5"}]}}}}`
	v := Scenario(t, `
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 60s
  nodes:
  - {name: node-1, labels: {zone: a}}
  - {name: node-2, labels: {zone: b}}
  - {name: node-3, labels: {zone: a}}
  timeline:
  - {at: 12751ms, run: "kubectl patch daemonset agent -p '{\"spec\":{\"template\":{\"spec\":{\"nodeSelector\":{\"zone\":\"a\"}}}}}'"}
  - {at: 12751ms, run: kubectl label node node-2 zone=c --overwrite}
---
`+agent+"\n")
	if v.Difference != nil || v.Syncs < 20 {
		t.Errorf("%d reconciles, %v", v.Syncs, v.Difference)
	}
}
