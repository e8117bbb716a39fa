package kubelet_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/sim"
)

// readiness returns the condition Ready of a pod, and that of its containers.
func (w *world) readiness(name string) string {
	set := w.Server.Store.Get(key(name)).(*api.Pod).Status.Conditions
	ready, containers := api.FindCondition(set, "Ready"), api.FindCondition(set, "ContainersReady")
	return fmt.Sprintf("%s %s %q, containers %s", ready.Status, ready.Reason, ready.Message, containers.Status)
}

// set writes a condition as the owner of a readiness gate does.
func (w *world) set(name, condition, status string) {
	p := *w.Server.Store.Get(key(name)).(*api.Pod)
	var others []api.Condition
	for _, c := range p.Status.Conditions {
		if c.Type != condition {
			others = append(others, c)
		}
	}
	p.Status.Conditions = append(others, api.Condition{Type: condition, Status: status})
	client := w.Server.Client("test")
	client.Must(client.UpdateStatus(&p, "set", nil))
}

// TestGates: a pod is Ready when its containers are, and others have set the condition of each gate (G-27).
func TestGates(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{}))
	w.create("web", `{'readinessGates': [{'conditionType': 'a.b/c'}, {'conditionType': 'd'}], 'containers': [{'name': 'c', 'image': 'nginx:1'}]}`)
	for _, step := range []struct {
		at             sim.Time
		gate, set      string
		want, wantNext string
	}{
		{5000, "a.b/c", "True",
			`False ReadinessGatesNotReady "corresponding condition of pod readiness gate \"a.b/c\" does not exist., corresponding condition of pod readiness gate \"d\" does not exist.", containers True`,
			`False ReadinessGatesNotReady "corresponding condition of pod readiness gate \"d\" does not exist.", containers True`},
		{6000, "d", "Unknown", "",
			`False ReadinessGatesNotReady "the status of pod readiness gate \"d\" is not \"True\", but Unknown", containers True`},
		{7000, "d", "True", "", `True  "", containers True`},
		{8000, "a.b/c", "False", "",
			`False ReadinessGatesNotReady "the status of pod readiness gate \"a.b/c\" is not \"True\", but False", containers True`},
	} {
		w.runTo(step.at)
		if got := w.readiness("web"); step.want != "" && got != step.want {
			t.Errorf("at %d: %s, want %s", step.at, got, step.want)
		}
		w.set("web", step.gate, step.set)
		w.runTo(step.at + sim.WatchLatency)
		if got := w.readiness("web"); got != step.wantNext {
			t.Errorf("after %s = %s: %s, want %s", step.gate, step.set, got, step.wantNext)
		}
	}
}

// TestGatesOpen: the model sets the gates after the time that the image says, and those of AWS's load balancers after a health check.
func TestGatesOpen(t *testing.T) {
	for _, tt := range []struct {
		gate  string
		after *kubelet.Range
		want  sim.Time // 0: never
	}{
		{"a.b/c", nil, 0},
		{"a.b/c", exact(5000), 5000},
		{"target-health.elbv2.k8s.aws/web", nil, 15_000},
		{"target-health.elbv2.k8s.aws/web", exact(3000), 3000},
	} {
		w := newWorld(t, instant(kubelet.Behaviour{Gate: tt.after}))
		w.create("web", `{'readinessGates': [{'conditionType': '`+tt.gate+`'}], 'containers': [{'name': 'c', 'image': 'nginx:1'}]}`)
		w.runTo(60_000)
		got := sim.Time(0)
		for _, r := range w.Kernel.Trace.Records {
			if r.Actor == kubelet.GateActor {
				got = r.At - seen
			}
		}
		if want := tt.want; got != want {
			t.Errorf("gate %s after %v: set at %d, want %d", tt.gate, tt.after, got, want)
		}
		if ready := w.readiness("web")[:4] == "True"; ready != (tt.want > 0) {
			t.Errorf("gate %s: %s", tt.gate, w.readiness("web"))
		}
	}
}

// TestGateOfAnEarlierPod: the gates of a pod are set when its own time has come, not when that of an earlier pod of its name has; and never those of one
// that is removed at that time.
func TestGateOfAnEarlierPod(t *testing.T) {
	for _, tt := range []struct {
		removed sim.Time
		again   bool
		want    []sim.Time
	}{{3000, true, []sim.Time{8000 + seen}}, {4999, false, nil}, {5000, false, []sim.Time{5000}}} {
		const spec = `{'readinessGates': [{'conditionType': 'd'}], 'containers': [{'name': 'c', 'image': 'a:1'}]}`
		w := newWorld(t, instant(kubelet.Behaviour{Gate: exact(5000)}))
		w.create("web", spec)
		w.at(tt.removed)
		w.Must(w.User.Delete(key("web"), apiserver.WithoutGrace, "deleted", nil))
		if tt.again {
			w.create("web", spec)
		}
		w.runTo(60_000)
		var got []sim.Time
		for _, r := range w.Kernel.Trace.Records {
			if r.Actor == kubelet.GateActor {
				got = append(got, r.At-seen)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("removed at %d: gates are set at %v, want %v", tt.removed, got, tt.want)
		}
	}
}

// TestGateOfADeletedPod: a gate that is set while a sync restarts a container of a deleted pod counts in the status with which it stops (G-27).
func TestGateOfADeletedPod(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{NeverReady: true, Stop: exact(5000)}))
	w.create("web", `{'readinessGates': [{'conditionType': 'd'}], 'containers': [{'name': 'c', 'image': 'a:1', 'livenessProbe':
		{'exec': {'command': ['true']}, 'periodSeconds': 3, 'failureThreshold': 1}}]}`)
	w.at(4000)
	w.Delete(key("web"))
	w.at(5000)
	w.set("web", "d", "True")
	w.at(9000)
	if got, want := w.readiness("web"), `True  "", containers True`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
