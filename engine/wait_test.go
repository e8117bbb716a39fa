package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/past"
)

// waitWorld has a Deployment whose first pods are ready after two seconds.
const waitWorld = `
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 2m
  images: [{match: "*:never", pull: fails}, {match: "*", pull: 1s, start: 1s, stop: 3s}]
  timeline:
  - {at: 30s, run: "kubectl set image deployment/web web=nginx:2"}
  - {at: 50s, run: "kubectl create deployment late --image=nginx --replicas=2"}
  - {at: 80s, run: "kubectl delete deployment late"}
%s---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1"}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 1
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "postgres:17"}]}
`

// waitText is what a command prints, a line each with its moment, and whether it is over and has failed.
func waitText(r *past.Reading) string {
	var b strings.Builder
	for _, l := range r.Lines {
		fmt.Fprintf(&b, "%d %s\n", l.T, l.Text)
	}
	fmt.Fprintf(&b, "open %t, failed %t", r.Open, r.Failed)
	return b.String()
}

// TestWaitInATimeline: a wait continues after its command; meeting its condition is a record of that moment.
func TestWaitInATimeline(t *testing.T) {
	for _, tt := range []struct{ wait, want string }{
		{"{at: 0s, run: kubectl wait deployment/web --for=condition=Available}", "3005 deployment.apps/web condition met\nopen false, failed false"},
		{"{at: 1s, run: kubectl wait deployment/web --for=condition=Available --timeout=900ms}",
			"1900 error: timed out waiting for the condition on deployments/web\nopen false, failed true"},
		{"{at: 45s, run: kubectl wait deployment/late --for=create --for=condition=Available}",
			"50500 deployment.apps/late condition met\n52006 deployment.apps/late condition met\nopen false, failed false"},
		{"{at: 100s, run: kubectl wait deployment/late --for=create --timeout=10s}",
			"110000 error: timed out waiting for the condition\nopen false, failed true"},
		{"{at: 110s, run: kubectl wait deployment/web --for=condition=Progressing=False}", "open true, failed false"},
	} {
		run := mustRun(t, fmt.Sprintf(waitWorld, "  - "+tt.wait+"\n"))
		outputs, failed, record := "", false, -1
		for i := range run.Len() {
			switch r := run.Record(i); {
			case r.Kind == Input && strings.HasPrefix(r.Command, "kubectl wait"):
				record = i
				if r.What != "" || r.Failed {
					t.Errorf("%s: the command answers %q at once", tt.wait, r.What)
				}
			case r.Kind == Output:
				for line := range strings.SplitSeq(r.What, "\n") {
					outputs += fmt.Sprintf("%d %s\n", r.T, line)
				}
				if run.Past().Cause(i) != record || !strings.HasPrefix(r.Object, "Deployment/default/") {
					t.Errorf("%s: the output about %s comes from record %d, not %d", tt.wait, r.Object, run.Past().Cause(i), record)
				}
				failed = r.Failed
			}
		}
		if got := waitText(run.Past().Transcript(record)); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.wait, got, tt.want)
		}
		if want, _, _ := strings.Cut(tt.want, "open "); outputs != want || failed != strings.HasSuffix(tt.want, "failed true") {
			t.Errorf("%s\nrecords %s, failed %t\nwant %s", tt.wait, outputs, failed, tt.want)
		}
	}
}

// TestWaitIsTheSameTwice: a wait in a timeline prints what somebody reads who types it at its moment, and changes nothing but
// that it is there. A run that is computed in slices prints the same (SIM-1).
func TestWaitIsTheSameTwice(t *testing.T) {
	scenario := fmt.Sprintf(waitWorld, "")
	plain := mustRun(t, scenario)
	for _, at := range []int64{1001, 5000, 29_800, 30_500, 45_250, 79_999, 95_000} {
		for _, flags := range []string{
			"deployment/web --for=condition=Available",
			"deployment/web --for=condition=Progressing --for=jsonpath='{.status.updatedReplicas}'=3",
			"deployments,statefulsets --all --for=condition=Available --timeout=6s",
			"pod --all --for=condition=Ready --timeout=40s",
			"pod --all --for=delete --timeout=50s",
			"pod -l app=late --for=create --for=condition=Ready",
			"deployment/late --for=create --for=jsonpath='{.status.readyReplicas}'=2 --timeout=20s",
			"deployment/late --for=create --for=delete --timeout=-1s",
			"pod/db-0 deployment/late --for=condition=Ready --timeout=10s",
			"pod/db-0 --for=condition=Ready=false --timeout=0",
			"deployment/late deployment/web --for=create --timeout=7250ms",
		} {
			line := "kubectl wait " + flags
			want, ok := plain.Past().Read(past.Parse(line), plain.Past().Find(at), at)
			if !ok {
				t.Fatalf("%s is not read", line)
			}
			run, _ := Start(Recording{Scenario: scenario, Commands: []Command{{At: at, Run: line}}})
			for !run.Advance(7) {
			}
			record := run.Past().Find(at)
			for run.Record(record).Kind != Input {
				record--
			}
			if got := run.Past().Transcript(record); waitText(got) != waitText(want) {
				t.Errorf("at %d ms: %s\n got %s\nwant %s", at, line, waitText(got), waitText(want))
			}
			if got, want := len(run.world.server.Store.Log), len(plain.world.server.Store.Log); got != want {
				t.Errorf("at %d ms: %s: %d changes, %d without it", at, line, got, want)
			}
		}
	}
}
