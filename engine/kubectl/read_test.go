package kubectl

import (
	"sort"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/sim"
)

// objects is a cluster of a few objects.
type objects []api.Object

func (o objects) Get(key api.Key) api.Object {
	for _, e := range o {
		if e.Key() == key {
			return e
		}
	}
	return nil
}

func (o objects) All(kind api.Kind) (all []api.Object) {
	for _, e := range o {
		if e.Key().Kind == kind {
			all = append(all, e)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Meta().Name < all[j].Meta().Name })
	return all
}

// decoded returns an object that the server has completed.
func decoded[T api.Object](t *testing.T, kind api.Kind, text string, complete func(T)) T {
	t.Helper()
	o, issues := decode.JSON(kind, []byte(text))
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	o.Meta().Namespace = "default"
	complete(o.(T))
	return o.(T)
}

// ms is the virtual moment of a time of day in RFC 3339.
func ms(t *testing.T, text string) int64 {
	t.Helper()
	var at api.Time
	if err := at.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return at.Milli()
}

// recordedDeployment is the cluster of a recording: a Deployment that was rolled out three times and is at its fifth
// revision, 99 s after its first event.
func recordedDeployment(t *testing.T) (c objects, now int64) {
	created := ms(t, "2026-11-21T01:12:44Z")
	const template = `"template":{"metadata":{"labels":{"app":"nginx"},"annotations":{"kubectl.kubernetes.io/restartedAt":"2026-11-21T01:14:09Z"}},` +
		`"spec":{"containers":[{"name":"nginx","image":"nginx:1.20","ports":[{"containerPort":80}]}]}}`
	d := decoded(t, api.KindDeployment, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"nginx-deployment","labels":{"app":"nginx"},`+
		`"annotations":{"deployment.kubernetes.io/revision":"5","kubectl.kubernetes.io/last-applied-configuration":"{}"}},`+
		`"spec":{"replicas":12,"selector":{"matchLabels":{"app":"nginx"}},`+template+`}}`, func(d *api.Deployment) {
		d.UID, d.CreationTimestamp = "d", api.TimeAt(created)
		d.Status = api.DeploymentStatus{Replicas: 12, UpdatedReplicas: 12, ReadyReplicas: 12, AvailableReplicas: 12, Conditions: []api.Condition{
			{Type: "Available", Status: "True", Reason: "MinimumReplicasAvailable"},
			{Type: "Progressing", Status: "True", Reason: "NewReplicaSetAvailable"},
		}}
	})
	c = objects{d}
	for i, name := range []string{"6d99cd5949", "c96b7465", "6b55dfc766"} {
		text, size := strings.Replace(template, "1.20", "1."+name[:1], 1), int32(0)
		if i == 2 {
			text, size = template, 12
		}
		c = append(c, decoded(t, api.KindReplicaSet, `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"nginx-deployment-`+name+`"},`+
			`"spec":{"selector":{"matchLabels":{"app":"nginx"}},`+text+`}}`, func(rs *api.ReplicaSet) {
			rs.OwnerReferences = []api.OwnerReference{{Kind: api.KindDeployment, UID: "d", Controller: true}}
			rs.CreationTimestamp, rs.Spec.Replicas, rs.Status.Replicas = api.TimeAt(created+int64(i)*1000), &size, size
		}))
	}
	return c, created + 99_000
}

// TestReadDescribeDeployment is the golden answer of a control plane (K-60).
func TestReadDescribeDeployment(t *testing.T) {
	c, now := recordedDeployment(t)
	scaled := func(first, last int64, count int, message string) *event {
		return newEvent(0, &EventRow{First: now - first, Last: now - last, Count: count, Object: c[0].Key(), Source: "deployment-controller",
			Type: "Normal", Reason: "ScalingReplicaSet", Message: message})
	}
	line, err := parse("kubectl describe deployment nginx-deployment")
	if err != nil {
		t.Fatal(err)
	}
	r := &reading{Reader: &Reader{Cluster: c, Now: now, Record: -1}, command: line, now: now}
	r.sent = []*event{
		scaled(99_000, 99_000, 1, "Scaled up replica set nginx-deployment-6d99cd5949 from 0 to 10"),
		scaled(90_000, 35_000, 16, "(combined from similar events): Scaled down replica set nginx-deployment-c96b7465 from 5 to 3"),
	}
	if err := r.describe(); err != nil {
		t.Fatal(err)
	}
	const want = `Name:                   nginx-deployment
Namespace:              default
CreationTimestamp:      Sat, 21 Nov 2026 01:12:44 +0000
Labels:                 app=nginx
Annotations:            deployment.kubernetes.io/revision: 5
Selector:               app=nginx
Replicas:               12 desired | 12 updated | 12 total | 12 available | 0 unavailable
StrategyType:           RollingUpdate
MinReadySeconds:        0
RollingUpdateStrategy:  25% max unavailable, 25% max surge
Pod Template:
  Labels:       app=nginx
  Annotations:  kubectl.kubernetes.io/restartedAt: 2026-11-21T01:14:09Z
  Containers:
   nginx:
    Image:         nginx:1.20
    Port:          80/TCP
    Host Port:     0/TCP
    Environment:   <none>
    Mounts:        <none>
  Volumes:         <none>
  Node-Selectors:  <none>
  Tolerations:     <none>
Conditions:
  Type           Status  Reason
  ----           ------  ------
  Available      True    MinimumReplicasAvailable
  Progressing    True    NewReplicaSetAvailable
OldReplicaSets:  nginx-deployment-6d99cd5949 (0/0 replicas created), nginx-deployment-c96b7465 (0/0 replicas created)
NewReplicaSet:   nginx-deployment-6b55dfc766 (12/12 replicas created)
Events:
  Type    Reason             Age                 From                   Message
  ----    ------             ----                ----                   -------
  Normal  ScalingReplicaSet  99s                 deployment-controller  Scaled up replica set nginx-deployment-6d99cd5949 from 0 to 10
  Normal  ScalingReplicaSet  35s (x16 over 90s)  deployment-controller  (combined from similar events): Scaled down replica set nginx-deployment-c96b7465 from 5 to 3`
	if got := r.answer.Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestReadRolloutStatusTexts is the table of K-2, K-3.
func TestReadRolloutStatusTexts(t *testing.T) {
	const waiting = `Waiting for deployment "web" rollout to finish: `
	for _, tt := range []struct {
		generation int64
		status     api.DeploymentStatus
		reason     string
		revision   int64
		want       string
		done       bool
	}{
		{2, api.DeploymentStatus{ObservedGeneration: 1, UpdatedReplicas: 10}, "", 0, "Waiting for deployment spec update to be observed...", false},
		{1, api.DeploymentStatus{ObservedGeneration: 1, UpdatedReplicas: 3}, "", 0, waiting + "3 out of 10 new replicas have been updated...", false},
		{1, api.DeploymentStatus{ObservedGeneration: 1, UpdatedReplicas: 10, Replicas: 13}, "", 0, waiting + "3 old replicas are pending termination...", false},
		{1, api.DeploymentStatus{ObservedGeneration: 1, UpdatedReplicas: 10, Replicas: 10, AvailableReplicas: 8}, "", 0,
			waiting + "8 of 10 updated replicas are available...", false},
		{1, api.DeploymentStatus{ObservedGeneration: 1, UpdatedReplicas: 10, Replicas: 10, AvailableReplicas: 10}, "", 0,
			`deployment "web" successfully rolled out`, true},
		{1, api.DeploymentStatus{ObservedGeneration: 1, UpdatedReplicas: 10}, "ProgressDeadlineExceeded", 0,
			`error: deployment "web" exceeded its progress deadline`, false},
		{2, api.DeploymentStatus{ObservedGeneration: 1}, "ProgressDeadlineExceeded", 0, "Waiting for deployment spec update to be observed...", false},
		{1, api.DeploymentStatus{ObservedGeneration: 1}, "", 2, "error: desired revision (2) is different from the running revision (3)", false},
		{1, api.DeploymentStatus{ObservedGeneration: 1}, "", 3, waiting + "0 out of 10 new replicas have been updated...", false},
	} {
		d := &api.Deployment{Status: tt.status}
		d.Name, d.Generation, d.Spec.Replicas = "web", tt.generation, api.Ptr(int32(10))
		d.Annotations = map[string]string{api.RevisionAnnotation: "3"}
		if tt.reason != "" {
			d.Status.Conditions = []api.Condition{{Type: "Progressing", Reason: tt.reason}}
		}
		text, done, err := rolloutStatus(d, tt.revision)
		if err != nil {
			text = errorText(err)
		}
		if text != tt.want || done != tt.done {
			t.Errorf("%+v: %q, done %t; want %q, %t", tt.status, text, done, tt.want, tt.done)
		}
	}
}

// TestReadNodeStatus is the STATUS column of nodes (K-47).
func TestReadNodeStatus(t *testing.T) {
	for _, tt := range []struct {
		conditions []api.Condition
		cordoned   bool
		want       string
	}{
		{nil, false, "Unknown"},
		{nil, true, "Unknown,SchedulingDisabled"},
		{[]api.Condition{{Type: "Ready", Status: "True"}}, false, "Ready"},
		{[]api.Condition{{Type: "Ready", Status: "False"}}, false, "NotReady"},
		{[]api.Condition{{Type: "Ready", Status: "Unknown"}}, true, "NotReady,SchedulingDisabled"},
		{[]api.Condition{{Type: "DiskPressure", Status: "False"}}, false, "Unknown"},
	} {
		n := &api.Node{}
		n.Status.Conditions, n.Spec.Unschedulable = tt.conditions, tt.cordoned
		if got := nodeStatus(n); got != tt.want {
			t.Errorf("%v, cordoned %t: %s, want %s", tt.conditions, tt.cordoned, got, tt.want)
		}
	}
	n := &api.Node{}
	n.Labels = map[string]string{"node-role.kubernetes.io/worker": "", "kubernetes.io/role": "a", "x": "y"}
	if got := nodeRoles(n); got != "a,worker" {
		t.Errorf("roles: %s", got)
	}
}

// TestReadRestarts: the RESTARTS column says when the last restart was (K-52).
func TestReadRestarts(t *testing.T) {
	pod := &api.Pod{Spec: &api.PodSpec{}}
	pod.Status.ContainerStatuses = []api.ContainerStatus{
		{RestartCount: 2, LastState: api.ContainerState{Kind: api.Terminated, FinishedAt: api.TimeAt(10_000)}},
		{RestartCount: 1, LastState: api.ContainerState{Kind: api.Terminated, FinishedAt: api.TimeAt(20_000)}},
	}
	if got := restartsText(pod, 25_400); got != "3 (5s ago)" {
		t.Error(got)
	}
	pod.Status.ContainerStatuses = pod.Status.ContainerStatuses[:0]
	if got := restartsText(pod, 25_400); got != "0" {
		t.Error(got)
	}
}

// TestReadQOS is the QoS class of pods.
func TestReadQOS(t *testing.T) {
	for resources, want := range map[string]string{
		`{}`:                                    "BestEffort",
		`{"requests":{"cpu":"1"}}`:              "Burstable",
		`{"limits":{"cpu":"1"}}`:                "Burstable",
		`{"limits":{"cpu":"1","memory":"1Gi"}}`: "Guaranteed",
		`{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"1000m"}}`:            "Guaranteed",
		`{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"500m"}}`:             "Burstable",
		`{"limits":{"example.com/gpu":"1"},"requests":{"ephemeral-storage":"1Gi"}}`:   "BestEffort",
		`{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"ephemeral-storage":"1G"}}`: "Guaranteed",
	} {
		pod := decoded(t, api.KindPod, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i","resources":`+
			resources+`}]}}`, func(*api.Pod) {})
		if got := qosClass(pod.Spec); got != want {
			t.Errorf("%s: %s, want %s", resources, got, want)
		}
	}
}

// TestReadSelectors is how selectors are written.
func TestReadSelectors(t *testing.T) {
	for want, s := range map[string]*api.LabelSelector{
		"<none>":        nil,
		"app=web":       {MatchLabels: map[string]string{"app": "web"}},
		"app=web,z=1":   {MatchLabels: map[string]string{"z": "1", "app": "web"}},
		"a,app=web,!zz": {MatchLabels: map[string]string{"app": "web"}, MatchExpressions: []api.SelectorRequirement{{Key: "zz", Operator: "DoesNotExist"}, {Key: "a", Operator: "Exists"}}},
		"app in (a,b),tier notin (x)": {MatchExpressions: []api.SelectorRequirement{
			{Key: "tier", Operator: "NotIn", Values: []string{"x"}}, {Key: "app", Operator: "In", Values: []string{"b", "a"}}}},
	} {
		if got := selectorText(s); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestReadSortBy: numbers in texts count by their value, quantities by their amount, and what is not there comes first.
func TestReadSortBy(t *testing.T) {
	for _, tt := range []struct{ less, more any }{
		{"web-9", "web-10"}, {"a", "b"}, {"1Gi", "2Gi"}, {"900m", "1"}, {"1", "a"}, {"a1b", "a1c"}, {"a01", "a001"}, {"web", "web-1"}, {2.0, 10.0},
		{false, true}, {nil, "a"}, {"2026-01-01T00:00:09Z", "2026-01-01T00:00:10Z"},
	} {
		if !valueLess(tt.less, tt.more) || valueLess(tt.more, tt.less) {
			t.Errorf("%v must come before %v", tt.less, tt.more)
		}
	}
	for _, path := range []string{"", "{}", ".a..b", ".items[*]", ".a[?(@.b)]"} {
		if steps, err := pathSteps(path); err == nil {
			t.Errorf("%q is read as %q", path, steps)
		}
	}
}

// TestReadExplainedFields: every field that something is said about is in the API, and nothing is said twice.
func TestReadExplainedFields(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(explainText) {
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		name, _, _ = strings.Cut(name, "=")
		name = strings.TrimSuffix(name, "!")
		structName, field, hasField := strings.Cut(name, ".")
		switch {
		case seen[name] || text == "" || !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, ")."):
			t.Errorf("twice, or no sentence: %s", line)
		case structName == "*":
			structName = "Deployment"
		}
		seen[name] = true
		if _, _, ok := decode.FieldType(structName, field); hasField && !ok || !hasField && !isKind(name) {
			t.Errorf("the API has no %s", name)
		}
	}
}

// TestReadFollowsTheStore: what is read in the cluster as it is now comes by namespace and name, not by creation.
func TestReadFollowsTheStore(t *testing.T) {
	w := newWorld(t)
	client := w.s.Client("test")
	for _, name := range []string{"zz", "aa"} {
		pod := decoded(t, api.KindPod, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"`+name+`"},"spec":{"containers":[{"name":"c","image":"i"}]}}`, func(*api.Pod) {})
		if _, err := client.Create(pod, "created", nil); err != nil {
			t.Fatal(err)
		}
	}
	want := "NAME   READY   STATUS    RESTARTS   AGE\naa     0/1     Pending   0          0s\nzz     0/1     Pending   0          0s"
	if a := w.k.Run("kubectl get pods"); a.Failed || a.Output != want {
		t.Errorf("got %q", a.Output)
	}
	if a := w.k.Run("get pods aa nope"); !a.Failed || !strings.HasSuffix(a.Output, `Error from server (NotFound): pods "nope" not found`) {
		t.Errorf("got %+v", a)
	}
}

// TestReadFieldPath: an event of the kubelet names its container where that can be told.
func TestReadFieldPath(t *testing.T) {
	pod := &api.Pod{Spec: &api.PodSpec{Containers: []api.Container{{Name: "web", Image: "nginx:1"}}}}
	two := &api.Pod{Spec: &api.PodSpec{Containers: []api.Container{{Name: "web", Image: "nginx:1"}, {Name: "log", Image: "fluent:1"}},
		InitContainers: []api.Container{{Name: "init", Image: "init:1"}}}}
	for _, tt := range []struct {
		pod             *api.Pod
		source, message string
		want            string
	}{
		{pod, "default-scheduler", "Successfully assigned", ""},
		{pod, "kubelet", "Container created", "spec.containers{web}: "},
		{two, "kubelet", "Container created", ""},
		{two, "kubelet", `Pulling image "fluent:1"`, "spec.containers{log}: "},
		{two, "kubelet", `Pulling image "init:1"`, "spec.initContainers{init}: "},
		{two, "kubelet", "Stopping container web", "spec.containers{web}: "},
	} {
		if got := fieldPath(tt.pod, &event{EventRow: EventRow{Source: tt.source, Message: tt.message}}); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.message, got, tt.want)
		}
	}
}

// TestReadEventStreams: kubectl events -w and kubectl get events -w go on with what is sent, also if it only counts on
// and leave out what does not get through.
func TestReadEventStreams(t *testing.T) {
	key := api.Key{Kind: api.KindPod, Namespace: "default", Name: "p"}
	var trace []sim.Record
	for i := range 40 {
		trace = append(trace, sim.Record{Kind: sim.Notice, At: int64(i) * 1000, Actor: "kubelet", Object: key, Type: "Warning", Reason: "BackOff", What: "again"})
	}
	r := Reader{Cluster: objects{}, Now: 2500, Trace: trace, Record: 2}
	for _, line := range []string{"events -w", "get events -w"} {
		a, ok := r.Read(line)
		if !ok || !a.Open || a.Failed {
			t.Fatalf("%s: %+v", line, a)
		}
		if n := len(a.Lines); n != 2+22 { // 25 get through, three of them before
			t.Errorf("%s: %d lines, want the head, one row for three, and 22 more", line, n)
		}
	}
	a, _ := r.Read("events -w --no-headers")
	if got, want := a.Lines[1].Text, "0s (x4 over 3s)   Warning   BackOff   Pod/p   again"; got != want || a.Lines[1].T != 3000 {
		t.Errorf("at %d ms %q, want %q", a.Lines[1].T, got, want)
	}
}
