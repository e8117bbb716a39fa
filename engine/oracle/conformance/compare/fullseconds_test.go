package compare

import (
	"fmt"
	"strings"
	"testing"
)

// TestFullSeconds makes the controllers reconcile at every full second, where > and >= differ: stored times have no
// milliseconds. With minReadySeconds 5, a pod that became Ready at 7 s is available from 12.000 s on; with a deadline of
// 8 s, a Deployment whose last progress was at 40 s has not timed out at 48.000 s, but at 48.001 s. Random scenarios hardly
// ever meet such a moment with a DaemonSet.
//
// The controller receives an annotation 1 ms after it is written. A Deployment's first sync copies it to a ReplicaSet and
// meets a conflict; 1 ms later the next sync gets further.
func TestFullSeconds(t *testing.T) {
	for _, c := range []struct {
		workload, kind, fields string
		before                 int // ms from the annotation to the full second
	}{
		{"deployment", "Deployment", "minReadySeconds: 5, progressDeadlineSeconds: 8", 2},
		{"statefulset", "StatefulSet", "minReadySeconds: 5, serviceName: web", 1},
		{"daemonset", "DaemonSet", "minReadySeconds: 5", 1},
	} {
		v := Scenario(t, fullSeconds(c.workload, c.kind, c.fields, c.before))
		if v.Difference != nil || v.Syncs < 60 {
			t.Errorf("%s: %d reconciles, %v", c.workload, v.Syncs, v.Difference)
		}
	}
}

// fullSeconds is a rollout to an image that works and to one that never becomes Ready.
func fullSeconds(workload, kind, fields string, before int) string {
	var timeline strings.Builder
	for second := 1; second <= 60; second++ {
		if image := map[int]int{20: 2, 40: 3}[second]; image > 0 {
			fmt.Fprintf(&timeline, "  - {at: %ds, run: kubectl set image %s/web app=app:%d}\n", second, workload, image)
		}
		fmt.Fprintf(&timeline, "  - {at: %dms, run: kubectl annotate %s/web second=%d --overwrite}\n", 1000*second-before, workload, second)
	}
	return fmt.Sprintf(`
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 90s
  nodes: {count: 3}
  images:
  - {match: "app:3", pull: 0s, start: 300ms, ready: never}
  - {match: "*", pull: 0s, start: 300ms, stop: 1s}
  timeline:
%s---
apiVersion: apps/v1
kind: %s
metadata: {name: web}
spec: {%s, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [
  {name: app, image: "app:1", readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}}]}}}
`, timeline.String(), kind, fields)
}
