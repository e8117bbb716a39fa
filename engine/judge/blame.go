package judge

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/past"
)

// Actors, as the records name them.
const (
	byKubectl    = "kubectl"
	byDeployment = "deployment-controller"
	byReplicaSet = "replicaset-controller"
	byGarbage    = "garbage-collector"

	byStatefulSet = "statefulset-controller"
	byDaemonSet   = "daemonset-controller"
	byNode        = "node-controller"
	byTaint       = "taint-eviction-controller"
)

// spreading is how long, in ms, a change of spec.replicas takes to reach all controllers and pods.
const spreading = 100

// loss is the reason why a bound stopped holding, with the responsible actor.
type loss struct {
	kind     VerdictKind
	by, rule string
	reason   string // the end of a sentence
	growing  bool
	at       int64
}

// onTop explains more pods than the upper bound, which does not count terminating pods.
func (w *watch) onTop() *loss {
	const uncounted = "the bound does not count pods that terminate"
	switch w.workload.Kind {
	case api.KindStatefulSet:
		return &loss{kind: Exceeded, by: byStatefulSet, rule: "S-15", reason: uncounted}
	case api.KindDaemonSet:
		return &loss{kind: Exceeded, by: byDaemonSet, rule: "DS-8", reason: uncounted}
	}
	return &loss{kind: Exceeded, by: byReplicaSet, rule: "R-25",
		reason: "they come on top of the surge, because the replacement of a pod does not wait until it is gone (R-25); " +
			"podReplacementPolicy for Deployments (KEP-3973) would change that, but is off by default"}
}

// changeOf returns the change that caused a frame, nil if only time passed.
func (w *watch) changeOf(f *frames.Frame) *past.Change {
	if rec := w.past.Records()[f.Record]; rec.Kind == past.Write && rec.At == f.T {
		return w.past.Change(f.Record)
	}
	return nil
}

// ofWorkload says whether a change wrote a workload.
func ofWorkload(c *past.Change) bool { return c != nil && frames.IsWorkload(c.Object().Key().Kind) }

// growth explains why fewer pods are available than a lower bound that has just risen.
func (w *watch) growth(is *frames.Frame) *loss {
	l := &loss{kind: Exceeded, growing: true, by: w.past.Records()[is.Record].Actor, rule: "D-21",
		reason: "its pods have to start first"}
	switch c := w.changeOf(is); {
	case ofWorkload(c):
		l.reason = howChanged(c) + ", and its pods have to start first"
	case c != nil && c.Object().Key().Kind == api.KindNode:
		l.rule, l.reason = "DS-6", "node "+c.Object().Key().Name+" should run it now, and its pod has to start first"
	}
	return l
}

// howChanged describes the write that changed the bounds of a workload.
func howChanged(c *past.Change) string {
	the := "the " + string(c.Object().Key().Kind)
	switch {
	case c.Old == nil:
		return the + " was created"
	case c.New == nil:
		return the + " was deleted"
	}
	if was, is := past.RowOf(c.Old).Replicas, past.RowOf(c.New).Replicas; was != is {
		return fmt.Sprintf("%s was scaled from %d to %d", the, was, is)
	}
	was, _ := c.Old.(*api.DaemonSet)
	if is, ok := c.New.(*api.DaemonSet); ok && api.Equal(&was.Spec.UpdateStrategy, &is.Spec.UpdateStrategy) {
		return the + " is for other nodes now"
	}
	return "the strategy of " + the + " was changed"
}

// notAsked is the reason if a pod was adopted.
const notAsked = "a pod was added that it did not ask for"

// surplus explains why there are more pods than the upper bound.
func (w *watch) surplus(is *frames.Frame) *loss {
	rec := w.past.Records()[is.Record]
	l := &loss{kind: Exceeded, by: rec.Actor}
	c := w.changeOf(is)
	set := setOf(c)
	s := w.sizeOf(set, is.T)
	switch {
	case ofWorkload(c):
		l.rule = map[api.Kind]string{api.KindDeployment: "D-20", api.KindStatefulSet: "S-15", api.KindDaemonSet: "DS-3"}[w.workload.Kind]
		l.reason = howChanged(c) + ", and the excess pods have to be deleted first"
		if w.deleted(is) {
			l.rule, l.reason = "A-9", howChanged(c)+", and the garbage collector has to delete its pods first"
		}
	case rec.Object.Kind == api.KindReplicaSet:
		l.rule, l.reason = "A-13", "ReplicaSet "+rec.Object.Name+" brought the pods that it had"
	case rec.Object.Kind == api.KindNode:
		l.rule, l.reason = "DS-6", "node "+rec.Object.Name+" should no longer run it, and its pod has to be deleted first"
	case w.workload.Kind == api.KindStatefulSet:
		l.rule, l.reason = "A-13", notAsked
	case w.workload.Kind == api.KindDaemonSet:
		l.rule, l.reason = "DS-8", "a node has more than one pod, and the excess ones have to be deleted first"
	case s != nil && w.byHand(s):
		return w.scaledByHand(set, s)
	case c != nil && c.Old != nil:
		l.rule, l.reason = "A-13", notAsked
	case !shared(is):
		l.rule, l.reason = "R-3", "ReplicaSet "+set+" was still creating pods for an earlier size"
	case is.T <= w.scaled+spreading:
		l.by, l.rule = byDeployment, "D-70"
		l.reason = "the ReplicaSets share a change of spec.replicas, and one grew before another shrank"
	default: // the sizes are within the bound; pods are created and deleted shortly after sizes change
		l.rule, l.reason = "SIM-9", "the bound holds for the sizes of the ReplicaSets, but one creates pods before another deletes its own"
	}
	return l
}

// shared says whether more than one ReplicaSet has pods, or wants some.
func shared(f *frames.Frame) bool {
	used := 0
	for _, rs := range f.ReplicaSets {
		if rs.Spec > 0 || rs.Replicas > 0 {
			used++
		}
	}
	return used > 1
}

// lossBy explains why fewer pods are available than before. It remembers losses that no controller chose, so that their
// consequences are not blamed on a controller.
func (w *watch) lossBy(is *frames.Frame) *loss {
	rec, c := w.past.Records()[is.Record], w.changeOf(is)
	var l *loss
	switch {
	case c == nil:
		return nil
	case rec.Actor == byGarbage:
		l = w.collected(is)
	case released(c):
		l = &loss{kind: Broken, by: byKubectl, reason: named(c.New.Key()) + " was changed by hand"}
	case rec.Actor == byReplicaSet:
		l = w.deletedBy(c, is)
	case rec.Actor == byStatefulSet || rec.Actor == byDaemonSet:
		l = taken(c, rec)
	case ofWorkload(c) || rec.Actor == byDeployment:
		l = reconsidered(c, rec.Actor)
	default:
		l = &loss{kind: Broken, by: rec.Actor, reason: whatHappened(c, rec)}
	}
	l.at = is.T
	if l.kind == Broken {
		w.lost = l
	}
	return l
}

// released says whether a controller let go of a pod or a ReplicaSet because of its labels, which only people change.
func released(c *past.Change) bool {
	switch c.New.(type) {
	case *api.Pod, *api.ReplicaSet:
		return c.New.Meta().ControllerOf() == nil
	}
	return false
}

// named names an object in a sentence: pod web-x, ReplicaSet web.
func named(k api.Key) string {
	if k.Kind == api.KindPod {
		return "pod " + k.Name
	}
	return string(k.Kind) + " " + k.Name
}

// taken is the loss of an available pod that the controller of a StatefulSet or a DaemonSet deleted.
func taken(c *past.Change, rec *past.Record) *loss {
	l := &loss{kind: Exceeded, by: rec.Actor, reason: named(rec.Object) + " was changed"}
	if pod, ok := c.Object().(*api.Pod); ok {
		l.reason = "its controller deleted pod " + pod.Name
	}
	if rec.Why != nil {
		l.rule = rec.Why.Rule
		l.reason += " (" + l.rule + ")"
	}
	return l
}

// whatHappened describes the effect on a pod of a write that no controller chose.
func whatHappened(c *past.Change, rec *past.Record) string {
	old, ok := c.Old.(*api.Pod)
	if !ok {
		return named(rec.Object) + " was changed by hand"
	}
	pod, _ := c.New.(*api.Pod)
	switch {
	case rec.Actor == byNode && pod != nil && !pod.Terminating():
		return "node " + old.NodeName + " is lost, and pod " + old.Name + " counts as not Ready (G-42)"
	case rec.Actor == byNode || rec.Actor == byTaint:
		return "pod " + old.Name + " was deleted from node " + old.NodeName
	case evicted(pod):
		return "pod " + old.Name + " was evicted from node " + old.NodeName
	case rec.Actor == byKubectl && (pod == nil || pod.Terminating()):
		return "pod " + old.Name + " was deleted by hand"
	case rec.Actor == byKubectl:
		return "pod " + old.Name + " was changed by hand"
	case pod == nil || pod.Terminating():
		return "pod " + old.Name + " was deleted"
	}
	for i := range pod.Status.ContainerStatuses {
		now := &pod.Status.ContainerStatuses[i]
		if now.Ready || !old.Status.ContainerStatuses[i].Ready {
			continue
		}
		switch {
		case now.State.Kind == api.Terminated && now.State.ExitCode == 0:
			return fmt.Sprintf("container %s of pod %s ended", now.Name, pod.Name)
		case now.State.Kind == api.Terminated:
			return fmt.Sprintf("container %s of pod %s crashed (exit code %d)", now.Name, pod.Name, now.State.ExitCode)
		case rec.Actor == kubelet.Actor:
			return fmt.Sprintf("the readiness probe of container %s of pod %s failed", now.Name, pod.Name)
		}
	}
	return "pod " + pod.Name + " is no longer Ready"
}

// evicted says whether a pod was evicted through the API (P-13).
func evicted(pod *api.Pod) bool {
	if pod == nil {
		return false
	}
	c := api.FindCondition(pod.Status.Conditions, "DisruptionTarget")
	return c != nil && c.Reason == "EvictionByEvictionAPI"
}

// reconsidered is a loss without a lost pod: the minReadySeconds of a workload was raised, or the Deployment controller raised that of a
// ReplicaSet.
func reconsidered(c *past.Change, by string) *loss {
	l := &loss{kind: Exceeded, by: by, rule: "R-16", reason: "minReadySeconds was raised, and pods must have been Ready for that long"}
	old, _ := c.Old.(*api.ReplicaSet)
	if rs, ok := c.New.(*api.ReplicaSet); ok && old != nil {
		l.reason = fmt.Sprintf("minReadySeconds was raised from %d to %d, and pods must have been Ready for that long",
			old.Spec.MinReadySeconds, rs.Spec.MinReadySeconds)
	}
	return l
}

// collected is the loss of a pod whose owner is gone; the actor that deleted the owner is responsible.
func (w *watch) collected(is *frames.Frame) *loss {
	rec := w.past.Records()[w.past.Cause(is.Record)]
	l := &loss{kind: Broken, by: rec.Actor, reason: named(rec.Object) + " was deleted"}
	if rec.Actor == byKubectl {
		l.reason += " by hand"
	}
	return l
}

// deleted says whether the workload is gone or being deleted, and so promises nothing.
func (w *watch) deleted(is *frames.Frame) bool {
	d := w.past.ObjectAt(past.ParseKey(is.Workload), is.Record)
	return d == nil || d.Meta().Terminating()
}

// setOf returns the name of the ReplicaSet of the pod that a change wrote, "" for any other change.
func setOf(c *past.Change) string {
	if c == nil || c.Object().Key().Kind != api.KindPod || c.Object().Meta().ControllerKey().Kind != api.KindReplicaSet {
		return ""
	}
	return c.Object().Meta().ControllerKey().Name
}

// sizeOf returns the last change of a ReplicaSet's size that had reached its controller at a moment, nil if there is none.
func (w *watch) sizeOf(set string, at int64) *sizing {
	list := w.sized[set]
	for k := len(list) - 1; k >= 0; k-- {
		if w.past.At(list[k].record)+past.WatchLatency <= at {
			return &list[k]
		}
	}
	return nil
}

// byHand says whether kubectl set the size of a ReplicaSet.
func (w *watch) byHand(s *sizing) bool { return w.past.Records()[s.record].Actor == byKubectl }

func (w *watch) scaledByHand(set string, s *sizing) *loss {
	return &loss{kind: Broken, by: byKubectl, reason: "ReplicaSet " + set + " was " + w.past.Records()[s.record].What + " by hand"}
}

// deletedBy is the loss of an available pod that the ReplicaSet controller deleted because of the size of its ReplicaSet.
// Upstream deletes available pods in each of these cases too, so none of them is an error.
func (w *watch) deletedBy(c *past.Change, is *frames.Frame) *loss {
	set := setOf(c)
	l := &loss{kind: Exceeded, by: byReplicaSet, rule: "R-3", reason: "ReplicaSet " + set + " had more pods than its size"}
	s := w.sizeOf(set, is.T)
	if s == nil {
		return l
	}
	rec := w.past.Records()[s.record]
	switch {
	case w.byHand(s):
		return w.scaledByHand(set, s)
	case w.lost != nil && (w.lost.at >= rec.At || w.lost.at >= rec.At-staleness && counted(rec) > s.available):
		*l = *w.lost // the controllers had not seen that loss yet
	case is.T <= w.scaled+spreading && shared(is):
		l.by, l.rule = byDeployment, "D-70"
		l.reason = "the ReplicaSets share a change of spec.replicas in proportion to their sizes, however many pods are available (D-70)"
	case rec.At <= w.rose+past.WatchLatency:
		l.by, l.rule, l.reason = byDeployment, "H-1", "the bound had just risen, and the controllers did not know yet"
	case w.waits(c):
		l.rule = "R-9"
		l.reason = "ReplicaSet " + set + " shrinks and deletes pods that are not Ready first; Ready pods that are not available yet get no preference (R-9)"
	case rec.Why != nil:
		l.rule, l.reason = rec.Why.Rule, fmt.Sprintf("ReplicaSet %s was scaled down (%s)", set, rec.Why.Rule)
	}
	return l
}

// counted returns the number of available pods on which a scaling was based, 0 if it did not count them.
func counted(rec *past.Record) int {
	if rec.Why == nil {
		return 0
	}
	n, _ := rec.Why.Term("available")
	return int(n)
}

// waits says whether the ReplicaSet of a change's pod has minReadySeconds.
func (w *watch) waits(c *past.Change) bool {
	key := api.Key{Kind: api.KindReplicaSet, Namespace: c.Object().Key().Namespace, Name: setOf(c)}
	rs, _ := w.past.ObjectAt(key, c.Record).(*api.ReplicaSet)
	return rs != nil && rs.Spec.MinReadySeconds > 0
}

// ignoredBudgets names the budgets with fewer healthy pods than they want: controllers ignore budgets when they delete their pods.
func (w *watch) ignoredBudgets(record int) (text string) {
	for _, b := range w.past.Budgets(w.workload.String()) {
		if s, ok := b.At(record); ok && s.Current < s.Desired && s.Expected > 0 {
			text += fmt.Sprintf(" PodDisruptionBudget %s wants %d healthy and has %d: it limits only evictions, not rollouts (P-14).",
				b.Name, s.Desired, s.Current)
		}
	}
	return text
}
