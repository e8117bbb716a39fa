package read

import (
	"sort"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/kubectl/events"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestReaders: the verbs that do not write are carried out here.
func TestReaders(t *testing.T) {
	for _, d := range line.Modelled() {
		if reads := readers[d.Name] != nil; reads == d.Writes {
			t.Errorf("%s must either write or read", d.Name)
		}
	}
}

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
	scaled := func(first, last int64, count int, message string) *events.Event {
		return &events.Event{ObjectMeta: api.ObjectMeta{CreationTimestamp: api.TimeAt(now - first)}, Last: now - last, Count: count, Object: c[0].Key(),
			ObjectUID: c[0].Meta().UID, Source: "deployment-controller", Type: "Normal", Reason: "ScalingReplicaSet", Message: message}
	}
	r := newReading(&Reader{Cluster: c, Now: now, Record: -1}, line.Parse("kubectl describe deployment nginx-deployment"))
	r.sent = []*events.Event{
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
			text = line.ErrorText(err)
		}
		if text != tt.want || done != tt.done {
			t.Errorf("%+v: %q, done %t; want %q, %t", tt.status, text, done, tt.want, tt.done)
		}
	}
}

// TestReadEventStreams: kubectl events -w and kubectl get events -w go on with what is sent, also if it only counts on
// and leave out what does not get through.
func TestReadEventStreams(t *testing.T) {
	key := api.Key{Kind: api.KindPod, Namespace: "default", Name: "p"}
	var trace []*sim.Record
	for i := range 40 {
		trace = append(trace, &sim.Record{Kind: sim.Notice, At: int64(i) * 1000, Actor: "kubelet", Object: key, Type: "Warning", Reason: "BackOff", What: "again"})
	}
	r := Reader{Cluster: objects{}, Now: 2500, Trace: trace, Record: 2}
	for _, text := range []string{"events -w", "get events -w"} {
		a, ok := r.Read(line.Parse(text))
		if !ok || !a.Open || a.Failed {
			t.Fatalf("%s: %+v", text, a)
		}
		if n := len(a.Lines); n != 2+22 { // 25 get through, three of them before
			t.Errorf("%s: %d lines, want the head, one row for three, and 22 more", text, n)
		}
	}
	a, _ := r.Read(line.Parse("events -w --no-headers"))
	if got, want := a.Lines[1].Text, "0s (x4 over 3s)   Warning   BackOff   Pod/p   again"; got != want || a.Lines[1].T != 3000 {
		t.Errorf("at %d ms %q, want %q", a.Lines[1].T, got, want)
	}
}
