package kubectl_test

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/past"
)

const crashing = `
apiVersion: rollplay/v1alpha1
kind: Scenario
metadata: {name: filled}
spec:
  seed: 7
  nodes: {count: 2}
  images:
  - {match: "me/bad", pull: 500ms, start: 500ms, crash: 1s, exitCode: 3}
  - {match: "*", pull: 500ms, start: 500ms, stop: 1s}
---
apiVersion: v1
kind: Pod
metadata: {name: good}
spec: {containers: [{name: main, image: "nginx:1.27"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: own}
spec: {hostNetwork: true, automountServiceAccountToken: false, containers: [{name: main, image: "ghcr.io/a/b:v1@sha256:0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: bad}
spec: {containers: [{name: main, image: "me/bad"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: stuck}
spec: {nodeSelector: {no: where}, containers: [{name: main, image: nginx}]}
`

// TestFilledFields (K-54, K-55): what kubelets and admission fill in is there, and is always the same. The test also runs in WASM.
func TestFilledFields(t *testing.T) {
	run, diagnostics := engine.Start(engine.Recording{Scenario: crashing})
	if len(diagnostics) > 0 {
		t.Fatal(diagnostics)
	}
	run.Finish()
	p := run.Past()
	ask := func(at int64, line string) string {
		reading, ok := p.Read(past.Parse(line), p.Find(at), at)
		if !ok {
			t.Fatalf("%s does not read", line)
		}
		return reading.Text()
	}
	status := func(at int64, pod, path string) string {
		return ask(at, "get pod "+pod+" -o jsonpath='{.status."+path+"}'")
	}
	for _, c := range []struct {
		at              int64
		pod, path, want string
	}{
		{10, "good", "podIP", ""}, // no sandbox yet
		{10, "good", "containerStatuses[0].containerID", ""},
		{900, "good", "startTime", "2026-01-01T00:00:00Z"},
		{2000, "good", "podIP", "10.246.7.132"},
		{2000, "good", "podIPs[0].ip", "10.246.7.132"},
		{2000, "good", "hostIPs[0].ip", "172.20.51.131"},
		{2000, "good", "containerStatuses[0].started", "true"},
		{2000, "good", "containerStatuses[0].imageID",
			"docker.io/library/nginx@sha256:"},
		{2000, "own", "podIP", "172.20.53.22"},
		{2000, "own", "hostIP", "172.20.53.22"},
		{2000, "own", "containerStatuses[0].imageID", "ghcr.io/a/b@sha256:0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"},
		{5000, "stuck", "startTime", ""},
		{5000, "stuck", "hostIP", ""},
		{2000, "good", "conditions[?(@.type==\"Ready\")].lastTransitionTime", "2026-01-01T00:00:01Z"},
	} {
		got := status(c.at, c.pod, c.path)
		if got != c.want && !(strings.HasSuffix(c.want, "sha256:") && strings.HasPrefix(got, c.want) && len(got) == len(c.want)+64) {
			t.Errorf("%d ms: %s of %s is %q, want %q", c.at, c.path, c.pod, got, c.want)
		}
	}
	// Each run of a container has an ID of its own, and the status keeps that of the last one.
	seen, last := map[string]bool{}, ""
	for at := int64(500); at < 60_000; at += 100 {
		id := status(at, "bad", "containerStatuses[0].containerID")
		before := status(at, "bad", "containerStatuses[0].lastState.terminated.containerID")
		waits := status(at, "bad", "containerStatuses[0].state.waiting.reason") != ""
		ended := status(at, "bad", "containerStatuses[0].state.terminated.containerID")
		switch {
		case ended != "" && ended != id, waits && before != id, !waits && id == before && id != "":
			t.Fatalf("%d ms: the container is %s, it has ended as %q, and before as %q", at, id, ended, before)
		case id != last && seen[id]:
			t.Fatalf("%d ms: %s comes back", at, id)
		case !waits && id != last && last != "" && before != last:
			t.Fatalf("%d ms: %s came before %s, the status says %s", at, last, id, before)
		}
		seen[id], last = true, id
	}
	if len(seen) < 4 {
		t.Errorf("only %d runs", len(seen))
	}
	for line, wants := range map[string][]string{
		"get pods -o wide":                             {"10.246.7.132", "172.20.53.22"},
		"get pods --sort-by=.status.startTime":         {"good", "stuck"},
		"get nodes -o wide":                            {"172.20.51.131", "Debian GNU/Linux 13 (trixie)", "containerd://"},
		"wait --for=jsonpath={.status.podIP} pod/good": {"pod/good condition met"},
		"describe pod good": {"node-1/172.20.51.131\n", "Start Time:       Thu, 01 Jan 2026 00:00:00 +0000\n", "IP:               10.246.7.132\n",
			"Container ID:   containerd://", "Image ID:       docker.io/library/nginx@sha256:", "(ro)\n", "TokenExpirationSeconds:  3607\n",
			"Service Account:  default\n", "Priority:         0\n"},
		"describe node node-1": {"InternalIP:  172.20.51.131\n", "Kubelet Version:            v1.37.1\n", "Architecture:               amd64\n"},
		"get node node-1 -o jsonpath='{.status.addresses[0].address} {.status.nodeInfo.operatingSystem} {.status.daemonEndpoints.kubeletEndpoint.Port}'": {
			"172.20.51.131 linux 10250"},
	} {
		got := ask(20_000, line)
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("$ kubectl %s has no %q:\n%s", line, want, got)
			}
		}
	}
	if got := ask(20_000, "get pod own -o yaml"); strings.Contains(got, "kube-api-access") {
		t.Errorf("a pod that mounts no token has one:\n%s", got)
	}
}

// TestPodForNode: a new pod that names its node has what admission adds once a kubelet has seen it. A pod without a node
// has it once it is bound. A dry run and diff do not show it; the real server of the comparison showed that diff did.
func TestPodForNode(t *testing.T) {
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: new}\nspec: {nodeName: node-1, containers: [{name: main, image: nginx}]}\n"
	run := runs.Lines(t, crashing, "kubectl diff -f - <<EOF\n"+pod+"EOF", "kubectl create -f - <<EOF\n"+pod+"EOF")
	run.Finish()
	p := run.Past()
	for i := range run.Len() {
		if r := run.Record(i); strings.HasPrefix(r.Command, "kubectl diff") && (strings.Contains(r.What, "kube-api-access") || !strings.Contains(r.What, "+  nodeName: node-1")) {
			t.Error(r.What)
		}
	}
	reading, _ := p.Read(past.Parse("get pod new -o yaml"), run.Len()-1, run.Now())
	if !strings.Contains(reading.Text(), "kube-api-access") {
		t.Errorf("a pod that runs mounts no token:\n%s", reading.Text())
	}
}

// TestNodeAddresses (K-55): nodes of one group have addresses of their own.
func TestNodeAddresses(t *testing.T) {
	names := map[string]string{}
	for n := range 100 {
		name := "node-" + string(rune('0'+n/10)) + string(rune('0'+n%10))
		ip := api.NodeIP(name)
		if names[ip] != "" || !strings.HasPrefix(ip, "172.") {
			t.Errorf("%s has the address %s, and so has %q", name, ip, names[ip])
		}
		names[ip] = name
	}
}
