package kubelet_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/node/scheduler"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestKeyedDraws: with keyed draws a pod starts as fast whatever else starts, and another pod not as fast.
func TestKeyedDraws(t *testing.T) {
	starts := func(pods ...string) (took []sim.Time) {
		w := &world{Cluster: cluster.New(t)}
		w.Server.Keyed = true
		w.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: "node-1"}})
		scheduler.New(w.Server)
		w.kubelet = kubelet.New(w.Server, 1, []kubelet.Behaviour{{Match: "*", Pull: exact(0), Start: &kubelet.Range{Min: 1, Max: 90_000}}})
		for _, name := range pods {
			w.create(name, plain)
			w.at(100_000 * sim.Time(1+len(took)))
			all := w.times("Started")
			took = append(took, all[len(all)-1]-100_000*sim.Time(len(took)))
		}
		return took
	}
	alone, both := starts("web"), starts("other", "web")
	if both[1] < alone[0]-2*seen || both[1] > alone[0]+2*seen {
		t.Errorf("web starts after %d ms alone, and after %d ms behind another pod", alone[0], both[1])
	}
	if both[0] == both[1] {
		t.Errorf("both pods start after %d ms", both[0])
	}
}

// TestDeletedWhileDown: a machine that comes back finds a pod that it has never seen, and that was deleted meanwhile. It removes it.
func TestDeletedWhileDown(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{}))
	w.at(1000)
	w.Must(w.kubelet.Kill("node-1"))
	w.create("web", plain)
	w.at(2000)
	w.Delete(key("web"))
	w.at(3000)
	w.Must(w.kubelet.Restore("node-1"))
	w.runTo(10_000)
	if w.Pod("web") != nil || w.times("Started") != nil {
		t.Errorf("the pod is still there:\n%s", w.trace())
	}
}

// TestNoSidecar: a restart policy makes only an init container a sidecar.
func TestNoSidecar(t *testing.T) {
	w := newWorld(t, instant(kubelet.Behaviour{NeverReady: true}))
	w.create("web", `{'initContainers': [{'name': 'i', 'image': 'a:1'}], 'containers': [{'name': 'c', 'image': 'a:1', 'restartPolicy': 'Always',
		'livenessProbe': {'tcpSocket': {'port': 80}, 'periodSeconds': 1, 'failureThreshold': 1}}]}`)
	w.runTo(10_000)
	w.contains("Killing: Container c failed liveness probe, will be restarted")
}

// TestPhases: the tickers of two nodes have phases of their own, and so have those of a kubelet that starts again.
func TestPhases(t *testing.T) {
	w := newWorld(t)
	w.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: "node-2"}})
	w.at(1000)
	before, other := w.kubelet.Phase("node-1"), w.kubelet.Phase("node-2")
	w.Must(w.kubelet.Kill("node-1"))
	w.Must(w.kubelet.Restore("node-1"))
	if after := w.kubelet.Phase("node-1"); before == other || before == after {
		t.Errorf("the phases are %d, then %d, and %d of another node", before, after, other)
	}
}

// TestPullsAgainAfterDeath: a machine that dies while it pulls an image does not have it, one that has pulled it has.
func TestPullsAgainAfterDeath(t *testing.T) {
	for _, tt := range []struct {
		kill sim.Time
		want []string
	}{{1000, []string{"Pulling", "Pulling", "Pulled"}}, {3000, []string{"Pulling", "Pulled", "Pulled"}}} {
		w := newWorld(t, kubelet.Behaviour{Match: "*", Pull: exact(2000), Start: exact(0)})
		w.create("web", plain)
		w.at(tt.kill)
		w.Must(w.kubelet.Kill("node-1"))
		w.at(4000)
		w.Must(w.kubelet.Restore("node-1"))
		w.runTo(20_000)
		var got []string
		for _, r := range w.Kernel.Trace.Records {
			if strings.HasPrefix(r.Reason, "Pull") {
				got = append(got, r.Reason)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("down at %d ms: %v, want %v", tt.kill, got, tt.want)
		}
	}
}
