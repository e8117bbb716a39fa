package apiserver

import (
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// quotaActor writes the status of ResourceQuotas.
const quotaActor = "resourcequota-controller"

var (
	whyCharged = why.Rule("G-50", "staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go:CheckRequest")
	whyRecount = why.Rule("G-50", "pkg/controller/resourcequota/resource_quota_controller.go:syncResourceQuota")
)

// quotas keeps the usage of each namespace and the status of its ResourceQuotas. It is both the admission plugin, which
// charges a pod before it is created, and the controller, which releases the usage after the watch shows the removal of the
// pod. A terminating pod is charged until it is removed: with pods: 4, a rollout of 4 replicas with maxSurge 0 has to wait for
// the end of each old pod, because 3 running + 1 terminating = 4.
//
// Simplified: a pod on a lost node is charged beyond its grace period, too; count/pods leaves out finished pods as pods
// does, since no simulated pod finishes; the scope CrossNamespacePodAffinity has no pods, and a pod keeps those in which it was created.
type quotas struct {
	client  *Client
	kernel  *sim.Kernel
	store   *sim.Store
	used    map[string][]*count // by namespace
	charged map[api.Key]int     // how often a pod of this name is in the sum
	syncing bool                // an event that updates the statuses is in the heap
	resyncs sim.Time            // when the last scheduled resync is, or was, due
}

// count is the usage of the pods of a namespace that are in the same scopes.
type count struct {
	scopes map[string]string // see ResourceQuota.InScope
	usage
}

// usage is the amount of each resource that a quota can limit for pods.
type usage map[string]api.Quantity

// startQuotas starts counting with the first ResourceQuota.
func (s *Server) startQuotas() {
	if s.quotas != nil {
		return
	}
	q := &quotas{client: s.Client(quotaActor), kernel: s.Kernel, store: s.Store, used: map[string][]*count{}, charged: map[api.Key]int{}}
	for o := range s.Store.Table(api.KindPod).All() {
		if pod := o.(*api.Pod); !pod.Finished() {
			q.charge(pod)
		}
	}
	s.Store.Watch(q, api.KindPod, api.KindResourceQuota)
	s.quotas = q
}

// admitPod rejects a pod for which a ResourceQuota has no room (G-50), and charges the others.
func (s *Server) admitPod(pod *api.Pod) error {
	q := s.quotas
	if q == nil {
		return nil
	}
	list, takes := q.of(pod), UsageOf(pod.Spec)
	if err := refuse(pod, list, takes); err != nil {
		return err
	}
	if s.Store.Get(pod.Key()) != nil {
		q.resync() // its name exists, so it is charged but never created
	} else {
		q.charge(pod)
	}
	for _, quota := range list {
		status := api.ResourceQuotaStatus{Hard: quota.Status.Hard, Used: maps.Clone(quota.Status.Used)}
		for resource, amount := range takes {
			if have, limited := status.Used[resource]; limited {
				status.Used[resource] = have.Add(amount) // without what is free by now: only the controller subtracts
			}
		}
		q.write(quota, status, "charged for a pod", whyCharged)
	}
	return nil
}

// refuse returns why quotas have no room for a pod.
func refuse(pod *api.Pod, list []*api.ResourceQuota, takes usage) error {
	for _, quota := range list {
		if missing := unspecified(pod.Spec, quota.Status.Hard); missing != "" {
			return kinds.Forbidden(pod.Key(), "failed quota: "+quota.Name+": must specify "+missing)
		}
	}
	for _, quota := range list {
		if err := exceeded(pod, quota, takes); err != nil {
			return err
		}
	}
	return nil
}

// of returns the quotas that count a pod in the order of their creation.
func (q *quotas) of(pod *api.Pod) []*api.ResourceQuota {
	all, scopes := q.store.Table(api.KindResourceQuota).All(), ScopesOf(pod.Spec)
	return api.Pick(all, func(q *api.ResourceQuota) bool { return q.Namespace == pod.Namespace && q.InScope(scopes) })
}

// OnChange releases the usage of removed and finished pods, and follows changes of the quotas.
func (q *quotas) OnChange(c *sim.Change) {
	pod, ok := c.Object().(*api.Pod)
	switch {
	case !ok: // a quota
		if c.Type == sim.Modified && !api.SpecEqual(c.New, c.Old) {
			q.wake()
		}
	case c.Type == sim.Deleted && !pod.Finished(), c.Type == sim.Modified && pod.Finished() && !c.Old.(*api.Pod).Finished():
		if q.release(pod) {
			q.wake()
		}
	}
}

// resyncPeriod is how often the real controller counts without any change, in ms (--resource-quota-sync-period).
const resyncPeriod = 300_000

// resync updates the statuses at the end of the period, for a charge that no change releases: that of a pod which was rejected
// after its admission.
func (q *quotas) resync() {
	now := q.kernel.Now()
	if at := now - now%resyncPeriod + resyncPeriod; q.resyncs != at {
		q.resyncs = at
		q.kernel.Schedule(sim.Event{At: at, To: q})
	}
}

// wake updates the statuses, once for all changes of the same ms.
func (q *quotas) wake() {
	if !q.syncing {
		q.syncing = true
		q.kernel.Schedule(sim.Event{At: q.kernel.Now(), To: q})
	}
}

// Handle updates the statuses.
func (q *quotas) Handle(sim.Event) {
	q.syncing = false
	for _, o := range slices.Collect(q.store.Table(api.KindResourceQuota).All()) {
		quota := o.(*api.ResourceQuota)
		q.write(quota, q.statusOf(quota), "usage counted", whyRecount)
	}
}

func (q *quotas) write(quota *api.ResourceQuota, status api.ResourceQuotaStatus, what string, why *sim.Explain) {
	c := *quota
	c.Status = status
	q.client.Must(q.client.UpdateStatus(&c, what, why))
}

// statusOf returns the status that a quota should have.
func (q *quotas) statusOf(quota *api.ResourceQuota) api.ResourceQuotaStatus {
	used := make(map[string]api.Quantity, len(quota.Spec.Hard))
	for resource := range quota.Spec.Hard {
		used[resource] = api.Quantity{}
		for _, c := range q.used[quota.Namespace] {
			if quota.InScope(c.scopes) {
				used[resource] = used[resource].Add(c.usage[resource])
			}
		}
	}
	return api.ResourceQuotaStatus{Hard: quota.Spec.Hard, Used: used}
}

// charge adds the usage of a pod.
func (q *quotas) charge(pod *api.Pod) {
	q.charged[pod.Key()]++
	sum := q.countOf(pod)
	for resource, amount := range UsageOf(pod.Spec) {
		sum[resource] = sum[resource].Add(amount)
	}
}

// release subtracts the usage of a pod; it returns false if the pod was not charged.
func (q *quotas) release(pod *api.Pod) bool {
	key := pod.Key()
	if q.charged[key] == 0 {
		return false
	}
	if q.charged[key]--; q.charged[key] == 0 {
		delete(q.charged, key)
	}
	sum := q.countOf(pod)
	for resource, amount := range UsageOf(pod.Spec) {
		sum[resource] = sum[resource].Sub(amount)
	}
	return true
}

// countOf returns the count that a pod is in.
func (q *quotas) countOf(pod *api.Pod) usage {
	scopes := ScopesOf(pod.Spec)
	for _, c := range q.used[pod.Namespace] {
		if maps.Equal(c.scopes, scopes) {
			return c.usage
		}
	}
	c := &count{scopes, usage{}}
	q.used[pod.Namespace] = append(q.used[pod.Namespace], c)
	return c.usage
}

// ScopesOf returns the scopes that a pod is in (quota/v1/evaluator/core/pods.go:podMatchesScopeFunc).
func ScopesOf(spec *api.PodSpec) map[string]string {
	tree, takes := spec.Tree(), UsageOf(spec)
	scopes := map[string]string{"BestEffort": "", "NotTerminating": ""}
	for _, resource := range []string{"cpu", "memory", "limits.cpu", "limits.memory"} {
		if _, takesSome := takes[resource]; takesSome {
			scopes = map[string]string{"NotBestEffort": "", "NotTerminating": ""}
		}
	}
	if _, ends := tree["activeDeadlineSeconds"]; ends {
		delete(scopes, "NotTerminating")
		scopes["Terminating"] = ""
	}
	if name := tree.Text("priorityClassName"); name != "" {
		scopes["PriorityClass"] = name
	}
	return scopes
}

// UsageOf returns the usage of a pod (quota/v1/evaluator/core/pods.go:PodUsageFunc).
func UsageOf(spec *api.PodSpec) map[string]api.Quantity {
	one := api.NewQuantity(1)
	u := map[string]api.Quantity{"pods": one, "count/pods": one}
	for _, resource := range []string{"cpu", "memory", "ephemeral-storage"} {
		if requests := spec.Requests(resource); !requests.IsZero() {
			u[resource], u["requests."+resource] = requests, requests
		}
		if limits := spec.Limits(resource); !limits.IsZero() {
			u["limits."+resource] = limits
		}
	}
	return u
}

// exceeded rejects a pod if a quota has no room for it. The text names only exceeded resources, sorted.
func exceeded(pod *api.Pod, quota *api.ResourceQuota, takes usage) error {
	var requested, used, limited []string
	for _, resource := range slices.Sorted(maps.Keys(takes)) {
		hard, ok := quota.Status.Hard[resource]
		amount, have := takes[resource], quota.Status.Used[resource]
		if !ok || have.Add(amount).Cmp(hard) <= 0 {
			continue
		}
		requested = append(requested, resource+"="+amount.String())
		used = append(used, resource+"="+have.String())
		limited = append(limited, resource+"="+hard.String())
	}
	if requested == nil {
		return nil
	}
	return kinds.Forbidden(pod.Key(), "exceeded quota: "+quota.Name+", requested: "+strings.Join(requested, ",")+
		", used: "+strings.Join(used, ",")+", limited: "+strings.Join(limited, ","))
}

// unspecified lists the limited resources for which a container has no request or limit: "cpu for: a,b; memory for: a"
// (quota/v1/evaluator/core/pods.go:Constraints).
func unspecified(spec *api.PodSpec, hard map[string]api.Quantity) string {
	breath.Take()
	var list []string
	for _, resource := range []string{"cpu", "limits.cpu", "limits.memory", "memory", "requests.cpu", "requests.memory"} {
		if _, ok := hard[resource]; !ok {
			continue
		}
		var names []string
		for _, containers := range [][]api.Container{spec.Containers, spec.InitContainers} {
			for i := range containers {
				if !specifies(&containers[i].Resources, resource) {
					names = append(names, containers[i].Name)
				}
			}
		}
		if names != nil {
			slices.Sort(names)
			list = append(list, resource+" for: "+strings.Join(names, ","))
		}
	}
	return strings.Join(list, "; ")
}

// specifies says whether a container has the request or limit that a quota's resource is about.
func specifies(r *api.ResourceRequirements, resource string) bool {
	if name, ok := strings.CutPrefix(resource, "limits."); ok {
		_, ok = r.Limits[name]
		return ok
	}
	_, ok := r.Request(strings.TrimPrefix(resource, "requests."))
	return ok
}
