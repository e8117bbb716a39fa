package scenario_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/scenario"
)

// web is a Deployment that is right.
const webManifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: nginx:1.27
`

// parse reads a scenario that must be right.
func parse(t *testing.T, text string) *scenario.Scenario {
	t.Helper()
	s, diagnostics := scenario.Parse(text)
	if s == nil || len(diagnostics) > 0 {
		t.Fatalf("diagnostics: %v", diagnostics)
	}
	return s
}

// "A pasted Deployment alone is a valid scenario", and everything else has its default.
func TestParseScenarioDeploymentAlone(t *testing.T) {
	s := parse(t, webManifest)
	if s.Seed != 1 || s.Duration != 0 || s.Name != "" || s.Lesson.En != "" || len(s.Images)+len(s.Timeline)+len(s.Captions) != 0 {
		t.Errorf("got %+v", s)
	}
	if len(s.Nodes) != 3 || s.Nodes[0].Name != "node-1" || s.Nodes[2].Name != "node-3" || len(s.Nodes[0].Status.Allocatable) != 0 {
		t.Errorf("nodes: got %+v", s.Nodes)
	}
	if len(s.Objects) != 1 {
		t.Fatalf("objects: got %d", len(s.Objects))
	}
	if got := s.Objects[0].Object.Key().String(); got != "Deployment/default/web" {
		t.Errorf("key: got %s", got)
	}
	const applied = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{},"name":"web","namespace":"default"},`
	if got := string(s.Objects[0].JSON); !strings.HasPrefix(got, applied) {
		t.Errorf("JSON: got %s", got)
	}
}

// The scenario file of the design.
func TestParseScenarioFull(t *testing.T) {
	s := parse(t, `
# A broken image: the rollout stops by itself,
#   and nothing rolls it back.

# This is no part of the lesson.
apiVersion: rollplay/v1alpha1
kind: Scenario
metadata: {name: broken-image}
spec:
  title: A broken image
  seed: 18446744073709551615
  duration: 5m
  nodes: {count: 2, cpu: "4", memory: 8Gi, pods: 110}
  images:
  - match: "nginx:1.161"
    pull: fails
  - {match: "crash*", ready: never, crash: 2s}
  - match: "*"
    pull: 1s..3s
    start: 300ms
    ready: 2s .. 1m5s
    stop: 1.5s
    crash: 10s
    exitCode: 137
  timeline:
  - {at: 2m,  run: kubectl rollout undo deployment/web}
  - {at: 10s, run: " kubectl set image deployment/web web=nginx:1.161 "}
  - at: 10s
    apply: |
      kind: x
  captions:
  - {at: 12s, text: "Three new pods try to start. Why three?"}
  - {at: 0, text: First}
---
`+webManifest)
	if s.Name != "broken-image" || s.Title.En != "A broken image" || s.Seed != 1<<64-1 || s.Duration != 300000 {
		t.Errorf("got %+v", s)
	}
	if want := "A broken image: the rollout stops by itself,\n  and nothing rolls it back."; s.Lesson.En != want {
		t.Errorf("lesson: got %q, want %q", s.Lesson.En, want)
	}
	if n := s.Nodes; len(n) != 2 || n[1].Status.Allocatable["memory"].String() != "8Gi" || n[1].Status.Allocatable["pods"].Value() != 110 {
		t.Errorf("nodes: got %+v", s.Nodes)
	}
	i := s.Images
	if len(i) != 3 || !i[0].PullFails || i[0].Pull != nil || !i[1].NeverReady || *i[1].CrashAfter != (kubelet.Range{Min: 2000, Max: 2000}) || i[1].ExitCode != 1 ||
		*i[2].Pull != (kubelet.Range{Min: 1000, Max: 3000}) || *i[2].Ready != (kubelet.Range{Min: 2000, Max: 65000}) || i[2].Stop.Min != 1500 || i[2].ExitCode != 137 {
		t.Errorf("images: got %+v", i)
	}
	want := []scenario.Command{{At: 10000, Run: "kubectl set image deployment/web web=nginx:1.161"}, {At: 10000, Apply: "kind: x\n"},
		{At: 120000, Run: "kubectl rollout undo deployment/web"}}
	if len(s.Timeline) != 3 || s.Timeline[0] != want[0] || s.Timeline[1] != want[1] || s.Timeline[2] != want[2] {
		t.Errorf("timeline: got %+v, want %+v", s.Timeline, want)
	}
	if len(s.Captions) != 2 || s.Captions[0].Text.En != "First" || s.Captions[1].At != 12000 {
		t.Errorf("captions: got %+v", s.Captions)
	}
}

// Nodes can be listed, or pasted; pasted ones replace the three that are there otherwise.
func TestParseScenarioNodes(t *testing.T) {
	s := parse(t, spec+"  nodes: [{name: a, labels: {disk: ssd}, cpu: 500m}, {name: b, cpu: 0}]\n---\n"+webManifest)
	if n := s.Nodes; len(n) != 2 || n[0].Name != "a" || n[0].Labels["disk"] != "ssd" || n[0].Status.Allocatable["cpu"].Milli() != 500 || len(n[1].Status.Allocatable) != 0 {
		t.Errorf("listed: got %+v", n)
	}
	if s := parse(t, spec+"  nodes: {count: 0}\n---\n"+webManifest); len(s.Nodes) != 0 {
		t.Errorf("none: got %+v", s.Nodes)
	}
	if s := parse(t, spec+"  timeline: [{at: 1s, apply: 'kind: x'}]\n"); len(s.Nodes) != 3 {
		t.Errorf("objects that come later: got %+v", s.Nodes)
	}
	if s := parse(t, "apiVersion: v1\nkind: Node\nmetadata: {name: m1}\n---\n"+webManifest); len(s.Nodes) != 0 || len(s.Objects) != 2 {
		t.Errorf("pasted: got %+v", s.Nodes)
	}
}

// TestNodeList: a list of nodes may say zones and taints.
func TestNodeList(t *testing.T) {
	with := func(node string) string {
		return spec + "  nodes: [" + node + "]\n---\n" + webManifest
	}
	s, diagnostics := scenario.Parse(with(`{name: a, zone: west, labels: {disk: ssd}, taints: ["gpu=yes:NoSchedule", "down:NoExecute", "k:PreferNoSchedule"]}`))
	if s == nil {
		t.Fatal(diagnostics)
	}
	n := s.Nodes[0]
	want := []api.Taint{{Key: "gpu", Value: "yes", Effect: api.NoSchedule}, {Key: "down", Effect: api.NoExecute}, {Key: "k", Effect: "PreferNoSchedule"}}
	if !slices.Equal(n.Spec.Taints, want) || n.Labels[api.ZoneLabel] != "west" || n.Labels["disk"] != "ssd" {
		t.Errorf("the node is %+v", n)
	}
	for _, taint := range []string{`"gpu"`, `"gpu=yes:Never"`, `":NoSchedule"`, `3`} {
		s, diagnostics := scenario.Parse(with("{name: a, taints: [" + taint + "]}"))
		if s != nil || len(diagnostics) == 0 || !strings.Contains(diagnostics[0].Message, "must be a taint: key=value:NoSchedule") {
			t.Errorf("%s: %v", taint, diagnostics)
		}
	}
}

// TestVersion: a version that is not simulated is refused at its line.
func TestVersion(t *testing.T) {
	for _, version := range []string{"1.33", "1.37"} {
		if s := parse(t, spec+"  version: \""+version+"\"\n---\n"+webManifest); fmt.Sprint("1.", s.Minor) != version {
			t.Errorf("version %s is read as 1.%d", version, s.Minor)
		}
	}
	for _, version := range []string{`"1.32"`, `"1.38"`, "1.4", "latest"} {
		text := "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {version: " + version + "}\n"
		if s, d := scenario.Parse(text); s != nil || len(d) == 0 || d[0].Line != 3 || !strings.Contains(d[0].Message, "1.33 to 1.37") {
			t.Errorf("version %s: %v", version, d)
		}
	}
}

// TestNodeGroups: the first nodes of a group have names that no other node has. A machine takes a minute, and goes after ten.
func TestNodeGroups(t *testing.T) {
	s := parse(t, spec+"  nodes: [{name: pool-2}]\n  nodeGroups: [{name: pool, min: 3, max: 5000}]\n---\n"+webManifest)
	var names []string
	for _, n := range s.Nodes {
		names = append(names, n.Name)
	}
	if g := s.Groups[0]; strings.Join(names, " ") != "pool-2 pool-1 pool-3 pool-4" || g.Boot != 60_000 || g.Idle != 600_000 || g.Min != 3 || g.Max != 5000 {
		t.Errorf("nodes %v of %+v", names, g)
	}
	if s := parse(t, spec+"  nodes: []\n  nodeGroups: [{name: pool, min: 2, max: 2, boot: 5s, idle: 7s}]\n---\n"+webManifest); len(s.Nodes) != 2 || s.Groups[0].Boot != 5000 || s.Groups[0].Idle != 7000 {
		t.Errorf("%d nodes of %+v", len(s.Nodes), s.Groups[0])
	}
}

// TestNamespace: the namespace that all objects share is kubectl's current one.
func TestNamespace(t *testing.T) {
	in := func(namespaces ...string) string {
		text := "apiVersion: v1\nkind: Node\nmetadata: {name: m1}\n"
		for i, ns := range namespaces {
			text += "---\n" + strings.Replace(webManifest, "name: web\n", fmt.Sprintf("name: web%d\n  namespace: %s\n", i, ns), 1)
		}
		return text
	}
	for want, text := range map[string]string{"shop": in("shop", "shop"), "default": in("shop", "shop", "pay")} {
		if s := parse(t, text); s.Namespace != want {
			t.Errorf("the namespace is %q, want %q", s.Namespace, want)
		}
	}
	s := parse(t, in())
	if s.Namespace != "default" || s.Object(s.Objects[0].Object.Key()) == nil || s.Object(api.Key{Kind: api.KindNode, Name: "m2"}) != nil {
		t.Errorf("namespace %q, objects %v", s.Namespace, s.Objects)
	}
}

// TestCommandLine: a command looks as somebody would type it; one for the environment looks like a comment.
func TestCommandLine(t *testing.T) {
	for want, c := range map[string]scenario.Command{
		"kubectl get po":         {Run: " get po "},
		"kubectl get rs":         {Run: "kubectl get rs"},
		"kubectl apply -f -":     {Apply: "kind: x"},
		"# crash pod/web-x":      {Do: " # crash pod/web-x"},
		"kubectl kubectlget pod": {Run: "kubectlget pod"},
	} {
		if got := c.Line(); got != want {
			t.Errorf("%+v is shown as %q, want %q", c, got, want)
		}
	}
}

// "kind: List is flattened", DeploymentList too.
func TestParseManifestsList(t *testing.T) {
	item := "- " + strings.ReplaceAll(strings.TrimSpace(webManifest), "\n", "\n  ") + "\n"
	second := strings.Replace(item, "name: web", "name: w2", 1)
	for _, head := range []string{"apiVersion: v1\nkind: List\nitems:\n", "apiVersion: apps/v1\nkind: DeploymentList\nmetadata: {}\nitems:\n"} {
		manifests, diagnostics := scenario.Read(head + item + second).Manifests()
		if len(diagnostics) > 0 || len(manifests) != 2 || manifests[1].Object.Meta().Name != "w2" {
			t.Errorf("%q: got %v and %v", head, manifests, diagnostics)
		}
	}
}

// "a Scenario document inside is ignored there".
func TestParseManifestsIgnoresScenario(t *testing.T) {
	manifests, diagnostics := scenario.Read("apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {foo: 1}\n---\n" + webManifest).Manifests()
	if len(manifests) != 1 || len(diagnostics) != 0 {
		t.Errorf("got %v and %v", manifests, diagnostics)
	}
}

// TestOpeningComment: the lesson is the comment in front of everything else.
func TestOpeningComment(t *testing.T) {
	for text, want := range map[string]string{
		"\ufeff\n---\n# A lesson.\n#\n#   More.\n\n# Not this.\n": "A lesson.\n\n  More.",
		"# A lesson.\n---\n# Not this.\n":                         "A lesson.",
		"%YAML 1.1\n---\n# Not this.\n":                           "",
	} {
		if got := parse(t, strings.TrimSuffix(text, "---\n")+"---\n"+webManifest).Lesson.En; got != want {
			t.Errorf("%q: the lesson is %q, want %q", text, got, want)
		}
	}
}

// A stream as a big chart renders it gives its Deployment and a warning for each other object.
func TestParseScenarioChart(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "chart.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	s, diagnostics := scenario.Parse(string(text))
	if s == nil {
		t.Fatalf("diagnostics: %v", diagnostics)
	}
	var kinds []string
	for _, d := range diagnostics {
		kind, rest, _ := strings.Cut(d.Message, " ")
		unmeasured := strings.HasSuffix(rest, "a Scenario with `load: [{of: deployment/shop/storefront, cpu: 500m}]` has some")
		if !d.Warning || unmeasured != (kind == "HorizontalPodAutoscaler") || !unmeasured && !strings.HasSuffix(rest, "is left out: its kind is not simulated") && !strings.HasSuffix(rest, "is stored, not simulated") {
			t.Errorf("got %v", d)
		}
		kinds = append(kinds, kind)
	}
	if got := strings.Join(kinds, " "); got != "ServiceAccount ConfigMap HorizontalPodAutoscaler" {
		t.Errorf("left out: %s", got)
	}
	if first, second := s.Objects[0].Object.Key(), s.Objects[1].Object.Key(); first.Kind != "ServiceAccount" && second.Kind != "ServiceAccount" {
		t.Errorf("the objects begin with %s and %s", first, second)
	}
	simulated := slices.DeleteFunc(slices.Clone(s.Objects), func(m scenario.Manifest) bool { _, stored := m.Object.(*api.Stored); return stored })
	d, budget, service := simulated[1].Object.(*api.Deployment), simulated[0].Object.(*api.PodDisruptionBudget), simulated[3].Object.(*api.Service)
	if !service.Selects("shop", d.Spec.Template.Labels) {
		t.Errorf("the Service selects %v", service.Spec.Selector)
	}
	c := d.Spec.Template.Spec.Containers
	if len(simulated) != 4 || len(s.Objects) != 6 || !budget.Spec.Selector.Matches(d.Spec.Template.Labels) || d.Spec.Template.Labels["app.kubernetes.io/instance"] != "blue" || len(c) != 2 || c[0].Lifecycle.PreStop.SleepSeconds != 10 ||
		c[0].ImagePullPolicy != "IfNotPresent" || c[1].ImagePullPolicy != "Always" || c[0].Resources.Limits["memory"].String() != "512Mi" {
		t.Errorf("got %+v", d.Spec.Template)
	}
}

// The scenarios that ship must be right.
func TestParseShippedScenarios(t *testing.T) {
	files, err := filepath.Glob("../../scenarios/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if s, diagnostics := scenario.Parse(string(text)); s == nil || len(diagnostics) > 0 || s.Lesson.En == "" {
			t.Errorf("%s: %v", name, diagnostics)
		}
	}
}
