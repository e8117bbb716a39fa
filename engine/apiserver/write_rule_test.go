package apiserver_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// ruleWorld is a server with the Deployment web and the ReplicaSet web.
type ruleWorld struct{ *cluster.Cluster }

func newRuleWorld(t *testing.T) *ruleWorld {
	w := &ruleWorld{cluster.New(t)}
	meta, selector := cluster.Meta("web"), cluster.Selects("web")
	for _, o := range []api.Object{
		&api.Deployment{ObjectMeta: meta, Spec: api.DeploymentSpec{Selector: selector}},
		&api.ReplicaSet{ObjectMeta: meta, Spec: api.ReplicaSetSpec{Selector: selector}},
	} {
		decode.Default(o)
		w.Create(o)
	}
	return w
}

func (w *ruleWorld) deployment() *api.Deployment {
	return w.Server.Store.Get(cluster.Key(api.KindDeployment, "web")).(*api.Deployment)
}

func (w *ruleWorld) replicaSet() *api.ReplicaSet {
	return w.Server.Store.Get(cluster.Key(api.KindReplicaSet, "web")).(*api.ReplicaSet)
}

// TestWrites is A-1: a write that changes something takes the next resourceVersion and reaches watchers once; any other write
// does not reach them.
func TestWrites(t *testing.T) {
	w := newRuleWorld(t)
	var seen []sim.ChangeType
	w.Server.Store.Informer(api.KindDeployment).AddHandler(cluster.Watcher(func(c *sim.Change) { seen = append(seen, c.Type) }))
	was, records := w.deployment(), len(w.Kernel.Trace.Records)
	for what, write := range map[string]func(api.Object, string, *sim.Explain) (api.Object, error){"Update": w.User.Update, "UpdateStatus": w.User.UpdateStatus} {
		if got, err := write(api.Copy(w.deployment()), "nothing", nil); err != nil || got.Meta().ResourceVersion != was.ResourceVersion {
			t.Errorf("%s of nothing: %v, %v", what, got.Meta(), err)
		}
	}
	if w.deployment() != was || len(w.Kernel.Trace.Records) != records {
		t.Error("a write of nothing must leave no trace")
	}
	d := api.Copy(w.deployment())
	d.Spec.Replicas = api.Ptr[int32](7)
	w.Update(d)
	if got := w.deployment().ResourceVersion; got != w.replicaSet().ResourceVersion+1 {
		t.Errorf("resourceVersion is %d, want the next one of all", got)
	}
	w.Delete(d.Key())
	w.Finish()
	if len(seen) != 2 || seen[0] != sim.Modified || seen[1] != sim.Deleted {
		t.Errorf("seen: %v, want one change and the deletion", seen)
	}
}

// TestConflict is A-2, with the texts of both kinds; a deletion ignores the version.
func TestConflict(t *testing.T) {
	w := newRuleWorld(t)
	for _, old := range []api.Object{w.deployment(), w.replicaSet()} {
		changed := api.Copy(old)
		changed.Meta().SetAnnotation("a", "b")
		w.Update(changed)
		want := "Operation cannot be fulfilled on " + kinds.Of(old.Key().Kind).Resource() +
			` "web": the object has been modified; please apply your changes to the latest version and try again`
		stale := api.Copy(old)
		stale.Meta().SetAnnotation("c", "d")
		for what, write := range map[string]func(api.Object, string, *sim.Explain) (api.Object, error){"Update": w.User.Update, "UpdateStatus": w.User.UpdateStatus} {
			if _, err := write(stale, "late", nil); err == nil || err.Error() != want || !api.IsReason(err, api.ReasonConflict) {
				t.Errorf("%s: %v, want %s", what, err, want)
			}
		}
		if err := w.User.Delete(old.Key(), apiserver.DeleteOptions{}, "deleted", nil); err != nil {
			t.Errorf("a deletion does not conflict: %v", err)
		}
	}
}

// TestIsolation is A-3: a write to the spec leaves the status, and the other way round, except for a Deployment's annotations.
func TestIsolation(t *testing.T) {
	w := newRuleWorld(t)
	d := api.Copy(w.deployment())
	d.Status.Replicas, d.Spec.Replicas = 5, api.Ptr[int32](7)
	w.Update(d)
	if got := w.deployment(); got.Status.Replicas != 0 || *got.Spec.Replicas != 7 {
		t.Errorf("Update stored %d and status %d, want 7 and the old 0", *got.Spec.Replicas, got.Status.Replicas)
	}
	d = api.Copy(w.deployment())
	d.Status.Replicas, d.Spec.Replicas = 5, api.Ptr[int32](9)
	d.Labels = map[string]string{"app": "other"}
	d.SetAnnotation(api.RevisionAnnotation, "3")
	w.UpdateStatus(d)
	got := w.deployment()
	if got.Status.Replicas != 5 || *got.Spec.Replicas != 7 || got.Labels["app"] != "web" {
		t.Errorf("UpdateStatus stored status %d, %d replicas, labels %v; want 5, the old 7 and the old labels", got.Status.Replicas, *got.Spec.Replicas, got.Labels)
	}
	if got.Annotations[api.RevisionAnnotation] != "3" {
		t.Errorf("the annotations %v must pass with the status", got.Annotations)
	}
}

// TestGeneration is A-4.
func TestGeneration(t *testing.T) {
	tests := []struct {
		name       string
		deployment bool
		status     bool
		change     func(api.Object)
		want       int64
	}{
		{"a Deployment's spec", true, false, func(o api.Object) { o.(*api.Deployment).Spec.Paused = true }, 2},
		{"a Deployment's annotations", true, false, func(o api.Object) { o.Meta().SetAnnotation("a", "b") }, 2},
		{"a Deployment's labels", true, false, func(o api.Object) { o.Meta().Labels = nil }, 1},
		{"a Deployment's status and annotations", true, true, func(o api.Object) {
			o.(*api.Deployment).Status.Replicas = 1
			o.Meta().SetAnnotation("a", "b")
		}, 1},
		{"a ReplicaSet's spec", false, false, func(o api.Object) { o.(*api.ReplicaSet).Spec.Replicas = api.Ptr[int32](2) }, 2},
		{"a ReplicaSet's annotations", false, false, func(o api.Object) { o.Meta().SetAnnotation("a", "b") }, 1},
		{"a ReplicaSet's status", false, true, func(o api.Object) { o.(*api.ReplicaSet).Status.Replicas = 1 }, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newRuleWorld(t)
			var o api.Object = api.Copy(w.replicaSet())
			if tt.deployment {
				o = api.Copy(w.deployment())
			}
			tt.change(o)
			write := w.User.Update
			if tt.status {
				write = w.User.UpdateStatus
			}
			stored, err := write(o, "changed", nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := stored.Meta().Generation; got != tt.want {
				t.Errorf("generation is %d, want %d", got, tt.want)
			}
		})
	}
}

// TestTimestamps: the server's timestamps are whole seconds.
func TestTimestamps(t *testing.T) {
	w := newRuleWorld(t)
	w.Until(2_700)
	o, err := w.User.Create(&api.ReplicaSet{ObjectMeta: api.ObjectMeta{Name: "late", Namespace: "default"}}, "created", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := o.Meta().CreationTimestamp.Milli(); got != 2000 {
		t.Errorf("created at %d ms, want 2000", got)
	}
}

// TestGeneratedNames is A-6: five characters of an alphabet without vowels and look-alikes; a rejected creation draws a name,
// too, which its error contains.
func TestGeneratedNames(t *testing.T) {
	shape := regexp.MustCompile(`^web-[bcdfghjklmnpqrstvwxz2456789]{5}$`)
	create := func(w *ruleWorld) (string, error) {
		o, err := w.User.Create(&api.Pod{ObjectMeta: api.ObjectMeta{GenerateName: "web-", Namespace: "default"}, Spec: &api.PodSpec{}}, "created", nil)
		if err != nil {
			return "", err
		}
		return o.Meta().Name, nil
	}
	free, full := newRuleWorld(t), newRuleWorld(t)
	quota := &api.ResourceQuota{ObjectMeta: api.ObjectMeta{Name: "q", Namespace: "default"}, Spec: api.ResourceQuotaSpec{Hard: resources("pods=1")}}
	if _, err := full.User.Create(quota, "created", nil); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		name, err := create(free)
		if err != nil || !shape.MatchString(name) {
			t.Fatalf("name %q, %v", name, err)
		}
		got, err := create(full)
		if i == 0 && got != name {
			t.Errorf("the seed must decide the name: %s and %s", got, name)
		}
		if i > 0 && (err == nil || !strings.HasPrefix(err.Error(), `pods "`+name+`" is forbidden: `)) {
			t.Errorf("refusal %d: %v, want one for %s", i, err, name)
		}
	}
}

// TestLongGeneratedNames is A-6: of a long generateName only the first 58 characters are in the name, so it has 63.
func TestLongGeneratedNames(t *testing.T) {
	long := strings.Repeat("long-name-", 6) + "xyz-7f9958d766-"
	for generate, want := range map[string]int{long: 63, long[:58]: 63, long[:57]: 62} {
		pod := &api.Pod{ObjectMeta: api.ObjectMeta{GenerateName: generate, Namespace: "default"}, Spec: &api.PodSpec{}}
		o, err := newRuleWorld(t).User.Create(pod, "created", nil)
		if err != nil {
			t.Fatal(err)
		}
		if name := o.Meta().Name; len(name) != want || !strings.HasPrefix(generate, name[:want-5]) || o.Meta().GenerateName != generate {
			t.Errorf("%s became %s (%d characters), want %d", generate, name, len(name), want)
		}
	}
}

// TestNamesAreFree is A-6: with this many pods of one prefix some draw a taken name, and get another.
func TestNamesAreFree(t *testing.T) {
	w := newRuleWorld(t)
	for i := range 12000 {
		if _, err := w.User.Create(&api.Pod{ObjectMeta: api.ObjectMeta{GenerateName: "web-", Namespace: "default"}, Spec: &api.PodSpec{}}, "created", nil); err != nil {
			t.Fatalf("pod %d: %v", i, err)
		}
	}
}

// TestUIDs is SIM-5: UIDs look random, and the seed determines them.
func TestUIDs(t *testing.T) {
	shape := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	uid := func(seed uint64) string {
		o, err := apiserver.New(&sim.Kernel{}, seed).Client("test").Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: "a"}}, "created", nil)
		if err != nil {
			t.Fatal(err)
		}
		return o.Meta().UID
	}
	if a, b, c := uid(1), uid(1), uid(2); a != b || a == c || !shape.MatchString(a) {
		t.Errorf("UIDs are %s, %s with the same seed, %s with another", a, b, c)
	}
}

// TestUIDsBesideServices: Services, their slices and what is only stored take no random number from the others; and UIDs are random to the end.
func TestUIDsBesideServices(t *testing.T) {
	tails := map[string]bool{}
	for _, before := range []api.Object{nil, &api.Service{ObjectMeta: cluster.Meta("s")}, &api.EndpointSlice{ObjectMeta: cluster.Meta("e")}, &api.Node{ObjectMeta: cluster.Meta("n")}} {
		w := newRuleWorld(t)
		if before != nil {
			w.Create(before)
		}
		for _, name := range []string{"a", "b"} {
			uid := w.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: name}}).Meta().UID
			tails[uid[len(uid)-12:]] = true
		}
	}
	if len(tails) != 3 { // those of a and b, and of b after another node
		t.Errorf("the last parts of the UIDs are %v", tails)
	}
}

// TestEvent is A-16: an event names its object with its UID, its type, its reason, its message and its sender.
func TestEvent(t *testing.T) {
	w := newRuleWorld(t)
	w.Server.Client("replicaset-controller").Event(w.replicaSet().Key(), "Normal", "SuccessfulCreate", "Created pod: web-1")
	r := w.Kernel.Trace.Records[len(w.Kernel.Trace.Records)-1]
	want := sim.Record{Kind: sim.Notice, Actor: "replicaset-controller", Object: w.replicaSet().Key(),
		UID: w.replicaSet().UID, Type: "Normal", Reason: "SuccessfulCreate", What: "Created pod: web-1"}
	if *r != want {
		t.Errorf("got %+v, want %+v", r, want)
	}
}
