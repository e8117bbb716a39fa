package nodelife

import (
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const evictionGo = "pkg/controller/tainteviction/taint_eviction.go:"

var (
	whyIntolerant = why.Note("G-43", evictionGo+"processPodOnNode", "it does not tolerate a NoExecute taint of its node")
	whyNoTime     = why.Note("G-43", evictionGo+"getMinTolerationTime", "its tolerationSeconds are 0")
)

// evictor is the taint eviction controller: it deletes the pods that do not tolerate the NoExecute taints of their node,
// at once or after their tolerationSeconds (G-43). It ignores PodDisruptionBudgets (P-14).
type evictor struct {
	parts

	tainted map[string][]api.Taint // the NoExecute taints of each node that has had any
	timers  map[api.Key]*timer     // of pods to be deleted
	started int64                  // number of timers so far
}

// timer is the scheduled deletion of a pod.
type timer struct {
	number int64
	since  sim.Time
	why    *sim.Explain
}

func newEvictor(server *apiserver.Server) {
	e := &evictor{parts: newParts(server, EvictionActor), tainted: map[string][]api.Taint{}, timers: map[api.Key]*timer{}}
	server.Store.Watch(e, api.KindNode, api.KindPod)
}

// OnChange receives nodes and pods.
func (e *evictor) OnChange(c *sim.Change) {
	switch o := c.Object().(type) {
	case *api.Node:
		e.onNode(o, c)
	case *api.Pod:
		e.onPod(o, c)
	}
}

// onNode handles changed NoExecute taints of a node (handleNodeUpdate).
func (e *evictor) onNode(n *api.Node, c *sim.Change) {
	if c.New == nil {
		delete(e.tainted, n.Name)
		return
	}
	taints := noExecute(n.Spec.Taints)
	if slices.Equal(taints, e.tainted[n.Name]) {
		return
	}
	e.tainted[n.Name] = taints
	for _, pod := range e.podsOn(n.Name) {
		e.process(pod, taints)
	}
}

// onPod handles a pod that was bound to a node, has other tolerations, or was removed (handlePodUpdate).
func (e *evictor) onPod(pod *api.Pod, c *sim.Change) {
	if c.New == nil {
		e.cancel(pod.Key())
		return
	}
	if old, ok := c.Old.(*api.Pod); ok && old.NodeName == pod.NodeName && old.Spec.Equal(pod.Spec) {
		return
	}
	if taints := e.tainted[pod.NodeName]; pod.NodeName != "" && len(taints) > 0 {
		e.process(pod, taints)
	}
}

// process decides when to delete a pod on a node with these NoExecute taints: now, later or, without any, never (processPodOnNode). A
// running timer is never shortened: a pod that tolerates k for 60 s and l for 5 s goes at 70 s if k is added at 10 s and l at 20 s,
// although it would go at 15 s if both were added at 10 s.
func (e *evictor) process(pod *api.Pod, taints []api.Taint) {
	key, now := pod.Key(), e.kernel.Now()
	seconds, tolerated := tolerationTime(pod.Tolerations(), taints)
	switch {
	case !tolerated:
		e.cancel(key)
		e.evict(key, whyIntolerant)
	case seconds == forever:
		e.cancel(key)
	case seconds == 0:
		e.evict(key, whyNoTime)
	case e.timers[key] != nil && e.timers[key].since < now:
		// The first timer keeps running, even if it is the longer one.
	default:
		e.cancel(key)
		e.delay(key, seconds)
	}
}

// delay schedules the deletion of a pod.
func (e *evictor) delay(key api.Key, seconds int64) {
	now := e.kernel.Now()
	e.started++
	at := now + 1000*seconds
	t := &timer{number: e.started, since: now, why: why.Sum("G-43", evictionGo+"getMinTolerationTime",
		"since + 1000 * tolerationSeconds", at, now, seconds).
		Noting("the smallest tolerationSeconds of the tolerations that match the taints of its node")}
	e.timers[key] = t
	e.client.Decide(key, "will be deleted in "+strconv.FormatInt(seconds, 10)+" s, unless the taint is removed", t.why)
	e.kernel.Schedule(sim.Event{At: at, To: e, Arg: t.number, Key: key})
}

// forever is the time of a toleration without tolerationSeconds.
const forever = -1

// tolerationTime returns for how many seconds a pod tolerates all taints: the shortest of the first toleration that matches each
// of them (GetMatchingTolerations, getMinTolerationTime). With tolerations k 60 s, l forever, l 5 s: {k, l} is 60 s, since
// the first match for l has no limit; {k, m} is not tolerated; -5 counts as 0.
func tolerationTime(tolerations []api.Toleration, taints []api.Taint) (seconds int64, tolerated bool) {
	seconds = forever
	for i := range taints {
		at := slices.IndexFunc(tolerations, func(t api.Toleration) bool { return t.Tolerates(&taints[i]) })
		if at < 0 {
			return 0, false
		}
		if s := tolerations[at].TolerationSeconds; s != nil && (seconds == forever || *s < seconds) {
			seconds = max(*s, 0)
		}
	}
	return seconds, true
}

// Handle deletes a pod whose timer has run out and was not cancelled.
func (e *evictor) Handle(ev sim.Event) {
	if t := e.timers[ev.Key]; t != nil && t.number == ev.Arg {
		delete(e.timers, ev.Key)
		e.evict(ev.Key, t.why)
	}
}

// cancel stops the timer of a pod, if it has one.
func (e *evictor) cancel(key api.Key) {
	if e.timers[key] != nil {
		delete(e.timers, key)
		e.client.Event(key, "Normal", "TaintManagerEviction", "Cancelling deletion of Pod "+key.Namespace+"/"+key.Name)
	}
}

// evict sets the condition DisruptionTarget and deletes a pod (deletePodHandler, addConditionAndDeletePod).
func (e *evictor) evict(key api.Key, why *sim.Explain) {
	e.client.Event(key, "Normal", "TaintManagerEviction", "Marking for deletion Pod "+key.Namespace+"/"+key.Name)
	o, err := e.client.Get(key)
	if err != nil {
		return // removed in this ms
	}
	c := o.(*api.Pod).CopyForStatus()
	c.Status.Conditions = api.SetPodCondition(c.Status.Conditions, api.Condition{Type: api.DisruptionTarget, Status: "True",
		Reason: "DeletionByTaintManager", Message: "Taint manager: deleting due to NoExecute taint"}, e.client.Timestamp())
	e.client.Must(e.client.UpdateStatus(c, "evicted by a taint", why))
	e.client.Must(nil, e.client.Delete(key, apiserver.DeleteOptions{}, "deleted because of a taint", why))
}
