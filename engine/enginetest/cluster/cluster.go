// Package cluster is a cluster without actors, for tests of a single actor: a kernel, an API server, and a person who writes
// to it. A test adds the controller it is about, and lets time pass. It imports nothing above apiserver, so that the tests
// inside a controller's package can use it.
package cluster

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// Cluster is an API server with its kernel. Its methods end the test when a write is refused.
type Cluster struct {
	T      testing.TB
	Kernel *sim.Kernel
	Server *apiserver.Server
	User   *apiserver.Client
}

// New returns an empty cluster of seed 1.
func New(t testing.TB) *Cluster { return Seeded(t, 1) }

// Seeded returns an empty cluster of a seed. When the test ends, every explanation of its trace must add up.
func Seeded(t testing.TB, seed uint64) *Cluster {
	server := apiserver.New(&sim.Kernel{}, seed)
	c := &Cluster{T: t, Kernel: server.Kernel, Server: server, User: server.Client("kubectl")}
	t.Cleanup(c.checkSums)
	return c
}

// Until lets time pass up to and including a virtual ms.
func (c *Cluster) Until(ms sim.Time) { c.Kernel.RunTo(ms) }

// Advance lets ms pass.
func (c *Cluster) Advance(ms sim.Time) { c.Kernel.RunTo(c.Kernel.Now() + ms) }

// Finish lets time pass until nothing is left to do.
func (c *Cluster) Finish() {
	for c.Kernel.Step() {
	}
}

// action is something a test does at a moment.
type action func()

func (a action) Handle(sim.Event) { a() }

// At plans something for a moment, after what was planned for it before.
func (c *Cluster) At(ms sim.Time, do func()) {
	c.Kernel.Schedule(sim.Event{At: ms, To: action(do)})
}

// Must ends the test on an error.
func (c *Cluster) Must(err error) {
	c.T.Helper()
	if err != nil {
		c.T.Fatal(err)
	}
}

// Create stores an object as it is, without defaults, and returns it as stored.
func (c *Cluster) Create(o api.Object) api.Object {
	c.T.Helper()
	o, err := c.User.Create(o, "created", nil)
	c.Must(err)
	return o
}

// Update writes an object's spec and metadata.
func (c *Cluster) Update(o api.Object) api.Object {
	c.T.Helper()
	o, err := c.User.Update(o, "changed", nil)
	c.Must(err)
	return o
}

// UpdateStatus writes an object's status.
func (c *Cluster) UpdateStatus(o api.Object) {
	c.T.Helper()
	_, err := c.User.UpdateStatus(o, "status", nil)
	c.Must(err)
}

// Delete deletes an object as kubectl does.
func (c *Cluster) Delete(key api.Key) {
	c.T.Helper()
	c.Must(c.User.Delete(key, apiserver.DeleteOptions{Propagation: apiserver.Background}, "deleted", nil))
}

// End removes a pod at once, as its kubelet does when the containers have stopped.
func (c *Cluster) End(pod api.Key) {
	c.T.Helper()
	c.Must(c.User.Delete(pod, apiserver.WithoutGrace, "gone", nil))
}

// Quota lets the namespace have this many pods, by the ResourceQuota q.
func (c *Cluster) Quota(pods string) {
	c.T.Helper()
	c.Create(&api.ResourceQuota{ObjectMeta: api.ObjectMeta{Name: "q", Namespace: "default"},
		Spec: api.ResourceQuotaSpec{Hard: map[string]api.Quantity{"pods": api.MustQuantity(pods)}}})
}

// Pod returns a stored pod, nil if it does not exist.
func (c *Cluster) Pod(name string) *api.Pod {
	pod, _ := c.Server.Store.Get(Key(api.KindPod, name)).(*api.Pod)
	return pod
}

// Pods lists the stored pods in the order of their creation.
func (c *Cluster) Pods() []*api.Pod {
	return api.Pick(c.Server.Store.Table(api.KindPod).All(), func(*api.Pod) bool { return true })
}

// SetPhase writes the phase of a stored pod, and whether it is Ready from now on.
func (c *Cluster) SetPhase(name, phase string, ready bool) {
	c.T.Helper()
	pod, status := c.Pod(name).CopyForStatus(), "False"
	if ready {
		status = "True"
	}
	pod.Status.Phase = phase
	pod.Status.Conditions = api.SetPodCondition(pod.Status.Conditions, api.Condition{Type: "Ready", Status: status}, c.User.Timestamp())
	c.UpdateStatus(pod)
}

// Node returns a stored node; it must exist.
func (c *Cluster) Node(name string) *api.Node {
	return c.Server.Store.Get(api.Key{Kind: api.KindNode, Name: name}).(*api.Node)
}

// EditNode changes a stored node.
func (c *Cluster) EditNode(name string, edit func(*api.Node)) {
	c.T.Helper()
	n := api.Copy(c.Node(name))
	edit(n)
	c.Update(n)
}

// Records lists the records so far that a test wants to see.
func (c *Cluster) Records(want func(r *sim.Record) bool) (list []*sim.Record) {
	for i := range c.Kernel.Trace.Records {
		if r := c.Kernel.Trace.Records[i]; want(r) {
			list = append(list, r)
		}
	}
	return list
}

// Events lists the Kubernetes events so far with a reason, or all: "Normal Started Container started".
func (c *Cluster) Events(reason string) (list []string) {
	for _, r := range c.Records(func(r *sim.Record) bool { return r.Kind == sim.Notice && (reason == "" || r.Reason == reason) }) {
		list = append(list, r.Type+" "+r.Reason+" "+r.What)
	}
	return list
}

// Key returns the key of an object in the namespace default.
func Key(kind api.Kind, name string) api.Key {
	return api.Key{Kind: kind, Namespace: "default", Name: name}
}

// Meta names an object in the namespace default, with the label app=web.
func Meta(name string) api.ObjectMeta {
	return api.ObjectMeta{Name: name, Namespace: "default", Labels: map[string]string{"app": "web"}}
}

// Selects returns the selector of a label app.
func Selects(app string) *api.LabelSelector {
	return &api.LabelSelector{MatchLabels: map[string]string{"app": app}}
}

// Spec reads a pod spec from JSON, in which single quotes may replace double quotes.
func Spec(t testing.TB, text string) *api.PodSpec {
	t.Helper()
	template, err := decode.Template([]byte(`{"spec":` + strings.ReplaceAll(text, "'", `"`) + `}`))
	if err != nil {
		t.Fatal(err)
	}
	return template.Spec
}

// Template is a pod template labeled app=name with one container of that name; more fields of its spec may follow as JSON.
func Template(t testing.TB, name, image string, fields ...string) api.PodTemplateSpec {
	t.Helper()
	fields = append(fields, `"containers":[{"name":"`+name+`","image":"`+image+`"}]`)
	text := `{"metadata":{"labels":{"app":"` + name + `"}},"spec":{` + strings.Join(fields, ",") + `}}`
	template, err := decode.Template([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return template
}

// Watcher receives every change that reaches a cache.
type Watcher func(*sim.Change)

// OnChange implements sim.Handler.
func (w Watcher) OnChange(c *sim.Change) { w(c) }

// Watch calls a function for every change of a kind from now on, after the caches have it.
func (c *Cluster) Watch(kind api.Kind, see func(*sim.Change)) {
	c.Server.Store.Informer(kind).AddHandler(Watcher(see))
}
