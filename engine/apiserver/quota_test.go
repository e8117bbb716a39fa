package apiserver_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
)

type quotaWorld struct{ *cluster.Cluster }

func newQuotaWorld(t *testing.T) *quotaWorld { return &quotaWorld{cluster.New(t)} }

// resources reads "pods=4 requests.cpu=2".
func resources(text string) map[string]api.Quantity {
	m := map[string]api.Quantity{}
	for _, word := range strings.Fields(text) {
		resource, amount, _ := strings.Cut(word, "=")
		m[resource] = api.MustQuantity(amount)
	}
	return m
}

func (w *quotaWorld) quota(name, hard string) {
	w.T.Helper()
	q := &api.ResourceQuota{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default"}, Spec: api.ResourceQuotaSpec{Hard: resources(hard)}}
	w.Create(q)
}

// used prints the status of a quota as kubectl get quota does: pods: 4/4.
func (w *quotaWorld) used(name string) string {
	q := w.Server.Store.Get(cluster.Key(api.KindResourceQuota, name)).(*api.ResourceQuota)
	var list []string
	for _, resource := range slices.Sorted(maps.Keys(q.Status.Hard)) {
		used, hard := q.Status.Used[resource], q.Status.Hard[resource]
		list = append(list, fmt.Sprintf("%s: %s/%s", resource, used, hard))
	}
	return strings.Join(list, ", ")
}

// pod creates a pod; each container's resources are JSON with single quotes.
func (w *quotaWorld) pod(name string, containers ...string) error {
	w.T.Helper()
	if containers == nil {
		containers = []string{"{}"}
	}
	for i, c := range containers {
		containers[i] = fmt.Sprintf(`{"name": "c%d", "image": "a:1", "resources": %s}`, i, c)
	}
	spec := cluster.Spec(w.T, `{"containers": [`+strings.Join(containers, ",")+`]}`)
	_, err := w.User.Create(&api.Pod{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default"}, Spec: spec}, "created", nil)
	return err
}

// TestQuotaTexts: the messages of G-50 and R-21.
func TestQuotaTexts(t *testing.T) {
	for _, tt := range []struct {
		hard, pod, want string
	}{
		{"pods=0", "{}", `pods "web" is forbidden: exceeded quota: q, requested: pods=1, used: pods=0, limited: pods=0`},
		{"pods=1 count/pods=0", "{}", `pods "web" is forbidden: exceeded quota: q, requested: count/pods=1, used: count/pods=0, limited: count/pods=0`},
		{"requests.cpu=1 requests.memory=1Gi pods=9", `{'requests': {'cpu': '1500m', 'memory': '2Gi'}}`,
			`pods "web" is forbidden: exceeded quota: q, requested: requests.cpu=1500m,requests.memory=2Gi, ` +
				`used: requests.cpu=0,requests.memory=0, limited: requests.cpu=1,requests.memory=1Gi`},
		{"cpu=1", `{'limits': {'cpu': '2'}}`, `pods "web" is forbidden: exceeded quota: q, requested: cpu=2, used: cpu=0, limited: cpu=1`},
		{"limits.memory=1Gi", `{'limits': {'memory': '1025Mi'}}`,
			`pods "web" is forbidden: exceeded quota: q, requested: limits.memory=1025Mi, used: limits.memory=0, limited: limits.memory=1Gi`},
		{"requests.cpu=1", "{}", `pods "web" is forbidden: failed quota: q: must specify requests.cpu for: c0`},
		{"cpu=1 memory=1Gi limits.cpu=1", `{'requests': {'cpu': '1'}}`, `pods "web" is forbidden: failed quota: q: must specify limits.cpu for: c0; memory for: c0`},
		{"limits.cpu=1", `{'limits': {'cpu': '1'}}`, ""},
		{"requests.cpu=1", `{'limits': {'cpu': '1'}}`, ""}, // requests default to limits
		{"services=0", "{}", ""},
	} {
		w := newQuotaWorld(t)
		w.quota("q", tt.hard)
		err := w.pod("web", tt.pod)
		switch {
		case err == nil && tt.want != "":
			t.Errorf("%s: admitted, want %s", tt.hard, tt.want)
		case err != nil && (err.Error() != tt.want || !api.IsReason(err, api.ReasonForbidden)):
			t.Errorf("%s: got\n%v\nwant\n%s", tt.hard, err, tt.want)
		}
	}
}

// TestQuotaUsed: "used: pods=4" of R-21, and the life of a quota.
func TestQuotaUsed(t *testing.T) {
	w := newQuotaWorld(t)
	w.Must(w.pod("early"))
	w.quota("q", "pods=4")
	if got := w.used("q"); got != "pods: 1/4" {
		t.Errorf("a quota that comes later has used %s", got)
	}
	for _, name := range []string{"a", "b", "c"} {
		w.Must(w.pod(name))
	}
	const want = `pods "d" is forbidden: exceeded quota: q, requested: pods=1, used: pods=4, limited: pods=4`
	if err := w.pod("d"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := w.pod("c"); !api.IsReason(err, api.ReasonForbidden) {
		t.Errorf("a pod that exists, with the quota used up: admission comes before the name: %v", err)
	}
	w.Finish()
	if got := w.used("q"); got != "pods: 4/4" {
		t.Errorf("used %s", got)
	}
	w.raise("5")
	if err := w.pod("c"); !api.IsReason(err, api.ReasonAlreadyExists) {
		t.Errorf("a pod that exists, with room in the quota: %v", err)
	}
	w.Finish() // counts again
	if err := w.pod("d"); err != nil {
		t.Errorf("after the quota was raised: %v", err)
	}
	w.Delete(cluster.Key(api.KindResourceQuota, "q"))
	w.Finish()
	for _, name := range []string{"e", "f"} {
		if err := w.pod(name); err != nil {
			t.Errorf("without a quota: %v", err)
		}
	}
	w.quota("again", "pods=8")
	if got := w.used("again"); got != "pods: 7/8" {
		t.Errorf("a new quota has used %s", got)
	}
}

func (w *quotaWorld) raise(pods string) {
	w.T.Helper()
	q := api.Copy(w.Server.Store.Get(cluster.Key(api.KindResourceQuota, "q")).(*api.ResourceQuota))
	q.Spec.Hard["pods"] = api.MustQuantity(pods)
	w.Update(q)
	w.Finish()
}

// TestQuotaReleases: a terminating pod is charged until it is removed (G-50), and 1 ms longer, until the controller receives
// the removal.
func TestQuotaReleases(t *testing.T) {
	w := newQuotaWorld(t)
	w.quota("q", "pods=2 requests.cpu=1")
	for _, name := range []string{"a", "b"} {
		w.Must(w.pod(name, `{'requests': {'cpu': '300m'}}`, `{'requests': {'cpu': '200m'}}`))
	}
	if got := w.used("q"); got != "pods: 2/2, requests.cpu: 1/1" {
		t.Errorf("used %s", got)
	}
	a := cluster.Key(api.KindPod, "a")
	w.Must(w.User.Bind(a, "node-1", "bound", nil))
	for _, step := range []struct {
		grace      int64
		now, later string
	}{
		{30, "pods: 2/2, requests.cpu: 1/1", "pods: 2/2, requests.cpu: 1/1"},
		{0, "pods: 2/2, requests.cpu: 1/1", "pods: 1/2, requests.cpu: 500m/1"},
	} {
		w.Must(w.User.Delete(a, apiserver.DeleteOptions{GracePeriodSeconds: &step.grace}, "deleted", nil))
		if got := w.used("q"); got != step.now {
			t.Errorf("deleted with %d s: used %s, want %s", step.grace, got, step.now)
		}
		w.Finish()
		if got := w.used("q"); got != step.later {
			t.Errorf("deleted with %d s, later: used %s, want %s", step.grace, got, step.later)
		}
	}
}

// TestQuotaLeak: a pod whose name exists is charged before it is rejected, and only the next count releases that charge: when a
// pod is removed, or every five minutes.
func TestQuotaLeak(t *testing.T) {
	w := newQuotaWorld(t)
	w.quota("q", "pods=3")
	w.Until(1_000)
	for _, want := range []string{"", `pods "a" already exists`, `pods "a" already exists`, "exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=3"} {
		err := w.pod("a")
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if got := w.used("q"); got != "pods: 3/3" {
		t.Error(got)
	}
	w.Finish()
	if got := w.used("q"); got != "pods: 1/3" || w.Kernel.Now() != 300_001 { // the status that it writes takes a ms
		t.Errorf("at %d ms %s", w.Kernel.Now(), got)
	}
}

// TestQuotaFinished: a finished pod is not charged (G-50), neither when it finishes nor when it is removed.
func TestQuotaFinished(t *testing.T) {
	w := newQuotaWorld(t)
	w.quota("q", "pods=2")
	w.Must(w.pod("a"))
	w.Finish()
	key := cluster.Key(api.KindPod, "a")
	done := api.Copy(w.Server.Store.Get(key).(*api.Pod))
	done.Status.Phase = api.PodFailed
	w.UpdateStatus(done)
	w.Finish()
	if got := w.used("q"); got != "pods: 0/2" {
		t.Errorf("finished: used %s", got)
	}
	done = api.Copy(w.Pod("a"))
	done.Status.Phase = api.PodRunning // which was released, and is no more
	w.UpdateStatus(done)
	w.End(key)
	w.Finish()
	if got := w.used("q"); got != "pods: 0/2" {
		t.Errorf("gone: used %s", got)
	}
}

// TestQuotaScopes: a quota counts, demands and refuses only the pods in all of its scopes (G-50), also those that were there before it.
func TestQuotaScopes(t *testing.T) {
	const bound = `{'limits': {'cpu': '1'}, 'requests': {'cpu': '1'}}`
	scoped := func(name, hard string, spec api.ResourceQuotaSpec) *api.ResourceQuota {
		spec.Hard = resources(hard)
		return &api.ResourceQuota{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default"}, Spec: spec}
	}
	w := newQuotaWorld(t)
	w.quota("first", "pods=9")
	w.Must(w.pod("a"))
	w.Must(w.pod("b", bound))
	w.Finish()
	w.Create(scoped("idle", "pods=2", api.ResourceQuotaSpec{Scopes: []string{"BestEffort", "NotTerminating"}}))
	w.Create(scoped("busy", "requests.cpu=2 count/pods=9", api.ResourceQuotaSpec{Scopes: []string{"NotBestEffort"}}))
	w.Create(scoped("high", "pods=0", api.ResourceQuotaSpec{ScopeSelector: &api.ScopeSelector{
		MatchExpressions: []api.ScopeRequirement{{ScopeName: "PriorityClass", Operator: "In", Values: []string{"high"}}}}}))
	w.Create(scoped("brief", "pods=0", api.ResourceQuotaSpec{Scopes: []string{"Terminating"}}))
	w.Must(w.pod("c", bound))
	for _, tt := range []struct{ name, resources, want string }{
		{"d", bound, "exceeded quota: busy, requested: requests.cpu=1, used: requests.cpu=2, limited: requests.cpu=2"},
		{"d", "{}", ""}, {"e", "{}", "exceeded quota: idle, requested: pods=1, used: pods=2, limited: pods=2"},
	} {
		if err := w.pod(tt.name, tt.resources); (err == nil) != (tt.want == "") || err != nil && !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	w.End(cluster.Key(api.KindPod, "a"))
	w.End(cluster.Key(api.KindPod, "b"))
	w.Finish()
	for quota, want := range map[string]string{"first": "pods: 2/9", "idle": "pods: 1/2", "busy": "count/pods: 1/9, requests.cpu: 1/2", "high": "pods: 0/0"} {
		if got := w.used(quota); got != want {
			t.Errorf("%s: %s, want %s", quota, got, want)
		}
	}
}

// TestBind: a binding sets the node and the condition in one write, and only once.
func TestBind(t *testing.T) {
	w := newQuotaWorld(t)
	w.Must(w.pod("a"))
	key := cluster.Key(api.KindPod, "a")
	w.Must(w.User.Bind(key, "node-1", "bound", nil))
	p := w.Server.Store.Get(key).(*api.Pod)
	if c := api.FindCondition(p.Status.Conditions, "PodScheduled"); p.NodeName != "node-1" || c == nil || c.Status != "True" {
		t.Errorf("bound: node %q, condition %+v", p.NodeName, c)
	}
	if err := w.User.Bind(key, "node-2", "bound", nil); err == nil || err.Error() != `pod a is already assigned to node "node-1"` {
		t.Errorf("bound twice: %v", err)
	}
	w.Delete(key)
	if err := w.User.Bind(key, "node-2", "bound", nil); err == nil || err.Error() != "pod a is being deleted, cannot be assigned to a host" {
		t.Errorf("bound while it is deleted: %v", err)
	}
}
