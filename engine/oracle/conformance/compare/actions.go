package compare

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
	"github.com/rollplay/rollplay/engine/sim"
)

// disruptionEvents is the sender of the disruption controller's events.
const disruptionEvents = "controllermanager"

// ourActions returns what the engine's controller did in the reconcile that has just ended.
func (j *judge) ourActions(actor string) (actions []upstream.Action) {
	for _, r := range j.kernel.Trace.Records[j.records:] {
		if r.Actor != actor && (actor != upstream.DisruptionLoop || r.Actor != disruptionEvents) {
			continue
		}
		switch r.Kind {
		case sim.Notice:
			actions = append(actions, upstream.Action{What: "event", About: r.Object, Text: upstream.EventText(r.Type, r.Reason, r.What)})
		case sim.Write:
			actions = append(actions, j.ourWrite(&j.store.Log[r.Change]))
		}
	}
	return actions
}

func (j *judge) ourWrite(c *sim.Change) upstream.Action {
	a := upstream.Action{About: c.Object().Key()}
	switch {
	case c.Old == nil:
		a.What, a.Object = "create", j.form(c.New)
	case c.New == nil || c.New.Meta().Terminating() && !c.Old.Meta().Terminating():
		a.What, a.Object = "delete", j.form(c.Old)
	default:
		a.What, a.Object = "update", j.form(c.New)
	}
	return a
}

// compareActions compares what two reconciles did: the same things, in the same order, with the same objects stored. The
// order is not compared where upstream creates and deletes pods in parallel, or goes through a map.
func (j *judge) compareActions(where string, key api.Key, ours, theirs []upstream.Action) {
	switch key.Kind {
	case api.KindReplicaSet:
		j.acceptTies(key, ours, theirs)
		if j.hidden(key, ours, theirs) {
			return
		}
	case api.KindDaemonSet:
		j.acceptNodes(key, ours, theirs)
	}
	if j.unordered(key) {
		slices.SortStableFunc(ours, byLabel)
		slices.SortStableFunc(theirs, byLabel)
	}
	for i := range max(len(ours), len(theirs)) {
		if i >= len(ours) || i >= len(theirs) || label(&ours[i]) != label(&theirs[i]) {
			j.differ(where, "actions", listFrom(ours, i), listFrom(theirs, i))
			return
		}
	}
	for i := range ours {
		if ours[i].What == "create" || ours[i].What == "update" {
			j.compareObjects(where, &ours[i], &theirs[i])
		}
	}
}

// unordered says whether upstream leaves the order of a reconcile's actions open: it creates and deletes the pods of a
// ReplicaSet or a DaemonSet in parallel, those of a StatefulSet if its policy is Parallel, and claims in the order of a map.
func (j *judge) unordered(key api.Key) bool {
	switch key.Kind {
	case api.KindReplicaSet, api.KindDaemonSet:
		return true
	case api.KindStatefulSet:
		s, ok := j.store.Informer(key.Kind).Cache.Get(key).(*api.StatefulSet)
		return ok && (s.Spec.PodManagementPolicy == api.Parallel || len(s.Spec.VolumeClaimTemplates) > 1)
	}
	return false
}

// label is the part of two actions that must be equal. Names of new pods are random on both sides.
func label(a *upstream.Action) string {
	text := a.String()
	if a.What == "create" && a.About.Kind == api.KindPod {
		text += onNode(a.Object)
	}
	if a.What == "create" && a.About.Kind == api.KindPod || a.What == "event" || a.What == "error" {
		text = podNames(text)
	}
	text = daemonSetValue.ReplaceAllString(text, "for daemon set: ")
	if list, ok := strings.CutPrefix(text, "error: ["); ok { // several errors of a batch, in random order
		errs := strings.Split(strings.TrimSuffix(list, "]"), ", ")
		slices.Sort(errs)
		text = "errors: " + strings.Join(errs, ", ")
	}
	return text
}

// onNode tells the new pods of a DaemonSet apart.
func onNode(o convert.Object) string {
	if pod, ok := o.(*corev1.Pod); ok && upstream.TargetNode(&pod.Spec) != "" {
		return " for " + upstream.TargetNode(&pod.Spec)
	}
	return ""
}

func byLabel(a, b upstream.Action) int { return strings.Compare(label(&a), label(&b)) }

// daemonSetValue is the object in a text about a DaemonSet's status. Upstream prints the whole Go value, the engine the name.
var daemonSetValue = regexp.MustCompile(`for daemon set (&v1\.DaemonSet\{.*\}|DaemonSet/[^:]*): `)

var podName = regexp.MustCompile(`(Created pod: |pods "|Pod/[a-z0-9-]+/)([a-z0-9.-]*-)[a-z0-9]{5}\b`)

// podNames hides the random part of pods' names in texts about their creation.
func podNames(text string) string { return podName.ReplaceAllString(text, "$1$2*") }

// listFrom lists actions from the first different one on.
func listFrom(actions []upstream.Action, i int) string {
	switch {
	case len(actions) == 0:
		return "nothing"
	case i == 0:
		return list(actions)
	}
	return fmt.Sprintf("(%d equal) %s", i, list(actions[min(i, len(actions)):]))
}

func list(actions []upstream.Action) string {
	texts := make([]string, len(actions))
	for i := range actions {
		texts[i] = actions[i].String()
	}
	return strings.Join(texts, "; ")
}
