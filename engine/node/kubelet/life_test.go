package kubelet_test

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestLife is the life of pods from their creation to their end, as kubectl get pods -w and the events show it.
func TestLife(t *testing.T) {
	tests := []struct {
		name       string
		behaviours []kubelet.Behaviour
		spec       string
		want       string
	}{
		{
			name:       "a pod with a readiness probe (G-1, G-4, T-6)",
			behaviours: []kubelet.Behaviour{{Match: "nginx:*", Pull: exact(1200), Ready: exact(2000)}},
			spec:       `{'containers': [{'name': 'c', 'image': 'nginx:1', 'readinessProbe': {'httpGet': {'port': 80}, 'periodSeconds': 5}}]}`,
			want: `
0 [0/1 Pending] created
1 [0/1 Pending] bound to node-1
1 Scheduled: Successfully assigned default/web to node-1
2 [0/1 ContainerCreating] seen by its node
2 Pulling: Pulling image "nginx:1"
1202 Pulled: Successfully pulled image "nginx:1" in 1.2s (1.2s including waiting). Image size: 97596538 bytes.
1502 Created: Container created
1502 Started: Container started
1502 [0/1 Running] container started
1502 Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 503
8000 [1/1 Running] container ready
30000 [1/1 Terminating] deleted
30001 Killing: Stopping container c
31001 [0/1 Terminating] its containers have stopped
32000 [gone] removed: its containers have stopped
`,
		},
		{
			name: "without a probe a pod is Ready in the write that says Running",
			spec: `{'containers': [{'name': 'c', 'image': 'nginx:1'}]}`,
			want: `
0 [0/1 Pending] created
1 [0/1 Pending] bound to node-1
1 Scheduled: Successfully assigned default/web to node-1
2 [0/1 ContainerCreating] seen by its node
2 Pulling: Pulling image "nginx:1"
1553 Pulled: Successfully pulled image "nginx:1" in 1.551s (1.551s including waiting). Image size: 97596538 bytes.
1853 Created: Container created
1853 Started: Container started
1853 [1/1 Running] container started
30000 [1/1 Terminating] deleted
30001 Killing: Stopping container c
31001 [0/1 Terminating] its containers have stopped
32000 [gone] removed: its containers have stopped
`,
		},
		{
			name:       "containers start one after the other, init containers first",
			behaviours: []kubelet.Behaviour{{Match: "*", Pull: exact(1000)}},
			spec: `{'initContainers': [{'name': 'i', 'image': 'init:1'}, {'name': 's', 'image': 'side:1', 'restartPolicy': 'Always'}],
				'containers': [{'name': 'a', 'image': 'app:1'}, {'name': 'b', 'image': 'app:1'}]}`,
			want: `
0 [0/2 Pending] created
1 [0/2 Pending] bound to node-1
1 Scheduled: Successfully assigned default/web to node-1
2 [0/2 Pending] seen by its node
2 Pulling: Pulling image "init:1"
1002 Pulled: Successfully pulled image "init:1" in 1s (1s including waiting). Image size: 81473454 bytes.
1302 Created: Container created
1302 Started: Container started
1302 [0/2 Pending] container started
3000 [0/2 Pending] init container completed
3000 Pulling: Pulling image "side:1"
4000 Pulled: Successfully pulled image "side:1" in 1s (1s including waiting). Image size: 124960487 bytes.
4300 Created: Container created
4300 Started: Container started
4300 [0/2 Pending] container started
4300 Pulling: Pulling image "app:1"
5300 Pulled: Successfully pulled image "app:1" in 1s (1s including waiting). Image size: 120515177 bytes.
5600 Created: Container created
5600 Started: Container started
5600 Pulled: Container image "app:1" already present on machine and can be accessed by the pod
5900 Created: Container created
5900 Started: Container started
5900 [2/2 Running] container started
30000 [2/2 Terminating] deleted
30001 Killing: Stopping container s
30001 Killing: Stopping container a
30001 Killing: Stopping container b
32001 [0/2 Terminating] its containers have stopped
33000 [gone] removed: its containers have stopped
`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, tt.behaviours...)
			w.create("web", tt.spec)
			w.runTo(29_999)
			w.runTo(30_000)
			w.Delete(key("web"))
			w.runTo(100_000)
			if got := "\n" + w.trace(); got != tt.want {
				t.Errorf("got:%s\nwant:%s", got, tt.want)
			}
		})
	}
}

// TestConditions: the conditions of G-3, in the kubelet's order, with their transition times in whole seconds.
func TestConditions(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "*", Pull: exact(1000), Ready: exact(500)})
	w.create("web", `{'initContainers': [{'name': 'i', 'image': 'i:1'}],
		'containers': [{'name': 'a', 'image': 'a:1'}, {'name': 'b', 'image': 'a:1', 'readinessProbe': {'httpGet': {'port': 80}, 'periodSeconds': 1}}]}`)
	show := func() string {
		var b strings.Builder
		for _, c := range w.Pod("web").Status.Conditions {
			b.WriteString(c.Type + "=" + c.Status)
			if c.Reason != "" {
				b.WriteString(" " + c.Reason + ": " + c.Message)
			}
			b.WriteString(" since " + string('0'+rune(c.LastTransitionTime.Milli()/1000)) + "\n")
		}
		return b.String()
	}
	for _, step := range []struct {
		at   sim.Time
		want string
	}{
		{7, `PodReadyToStartContainers=False PodSandboxNotReady: no pod sandbox exists since 0
Initialized=False ContainersNotInitialized: containers with incomplete status: [i] since 0
Ready=False ContainersNotReady: containers with unready status: [a b] since 0
ContainersReady=False ContainersNotReady: containers with unready status: [a b] since 0
PodScheduled=True since 0
`},
		{5000, `PodReadyToStartContainers=True since 1
Initialized=True since 3
Ready=False ContainersNotReady: containers with unready status: [b] since 0
ContainersReady=False ContainersNotReady: containers with unready status: [b] since 0
PodScheduled=True since 0
`},
		{6000, `PodReadyToStartContainers=True since 1
Initialized=True since 3
Ready=True since 6
ContainersReady=True since 6
PodScheduled=True since 0
`},
	} {
		w.runTo(step.at)
		if got := show(); got != step.want {
			t.Errorf("at %d ms:\n%swant:\n%s", step.at, got, step.want)
		}
	}
}

// TestSameImage: each pod pulls an image that was not on its node when it asked. When it is the turn of the second pod, the image is there,
// which a request to the registry confirms (G-1, G-8).
func TestSameImage(t *testing.T) {
	w := newWorld(t, kubelet.Behaviour{Match: "*", Pull: exact(2000)})
	const spec = `{'containers': [{'name': 'c', 'image': 'nginx:1'}]}`
	w.create("a", spec)
	w.runTo(502)
	w.runTo(1000)
	w.create("b", spec)
	w.runTo(10_000)
	w.create("c", spec)
	w.create("d", `{'containers': [{'name': 'c', 'image': 'nginx:1', 'imagePullPolicy': 'Always'}]}`)
	w.runTo(20_000)
	var got []string
	for _, r := range w.Kernel.Trace.Records {
		if r.Reason == "Pulled" {
			text, _, _ := strings.Cut(r.What, ". Image size")
			got = append(got, r.Object.Name+": "+text)
		}
	}
	want := []string{
		`a: Successfully pulled image "nginx:1" in 2s (2s including waiting)`,
		`b: Successfully pulled image "nginx:1" in 200ms (1.2s including waiting)`,
		`c: Container image "nginx:1" already present on machine and can be accessed by the pod`,
		`d: Successfully pulled image "nginx:1" in 200ms (200ms including waiting)`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestGone: the kubelet forgets a pod that is removed by force, whatever the pod is doing.
func TestGone(t *testing.T) {
	for at := sim.Time(1); at < 8000; at += 7 { // at 1 ms its node does not know it yet
		w := newWorld(t, kubelet.Behaviour{Match: "*", Ready: exact(1000)})
		w.create("web", `{'containers': [{'name': 'c', 'image': 'nginx:1', 'readinessProbe': {'httpGet': {'port': 80}, 'periodSeconds': 1}}]}`)
		w.runTo(at)
		now := int64(0)
		w.Must(w.User.Delete(key("web"), apiserver.DeleteOptions{GracePeriodSeconds: &now}, "deleted", nil))
		from := len(w.Server.Store.Log)
		w.runTo(1_000_000)
		if len(w.Server.Store.Log) != from {
			t.Fatalf("removed at %d ms, the pod is written again:\n%s", at, w.trace())
		}
	}
}

// TestDeterminism: the same inputs give the same trace, and another seed another one.
func TestDeterminism(t *testing.T) {
	run := func(seed uint64) string {
		w := newSeededWorld(t, seed, kubelet.Behaviour{Match: "*", Ready: &kubelet.Range{Min: 100, Max: 9000}, CrashAfter: &kubelet.Range{Min: 1000, Max: 90_000}})
		for _, name := range []string{"a", "b", "c", "d"} {
			w.create(name, `{'containers': [{'name': 'c', 'image': '`+name+`:1', 'livenessProbe': {'httpGet': {'port': 80}, 'periodSeconds': 3}}]}`)
		}
		w.runTo(60_000)
		w.Delete(key("b"))
		w.runTo(600_000)
		return w.trace()
	}
	a, b, other := run(7), run(7), run(8)
	if a != b {
		t.Errorf("two runs differ:\n%s\nand\n%s", a, b)
	}
	if a == other {
		t.Error("the seed decides nothing")
	}
}
