package main

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// disruptionEvents is who sends the events of the disruption controller.
const disruptionEvents = "controllermanager"

// ourActions returns what the engine's controller did in the reconcile that has just ended.
func (j *judge) ourActions(actor string) (actions []action) {
	for _, r := range j.kernel.Trace.Records[j.records:] {
		if r.Actor != actor && (actor != disruptionLoop || r.Actor != disruptionEvents) {
			continue
		}
		switch r.Kind {
		case sim.Notice:
			actions = append(actions, action{what: "event", about: r.Object, text: eventText(r.Type, r.Reason, r.What)})
		case sim.Write:
			actions = append(actions, j.ourWrite(&j.store.Log[r.Change]))
		}
	}
	return actions
}

func (j *judge) ourWrite(c *sim.Change) action {
	a := action{about: c.Object().Key()}
	switch {
	case c.Old == nil:
		a.what, a.object = "create", j.form(c.New)
	case c.New == nil || c.New.Meta().Terminating() && !c.Old.Meta().Terminating():
		a.what, a.object = "delete", j.form(c.Old)
	default:
		a.what, a.object = "update", j.form(c.New)
	}
	return a
}

// compareActions compares what two reconciles did: the same things, in the same order, with the same objects stored. The
// order is not compared where upstream creates and deletes pods in parallel, or goes through a map.
func (j *judge) compareActions(where string, key api.Key, ours, theirs []action) {
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
		if ours[i].what == "create" || ours[i].what == "update" {
			j.compareObjects(where, &ours[i], &theirs[i])
		}
	}
}

// unordered says whether the order of what a reconcile does is left open: a ReplicaSet's and a DaemonSet's pods are created
// and deleted in parallel, those of a StatefulSet if it says so, and its claims are made in the order of a map.
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

// label is what must be equal of two actions. Names of new pods are random on both sides.
func label(a *action) string {
	text := a.String()
	if a.what == "create" && a.about.Kind == api.KindPod {
		text += onNode(a.object)
	}
	if a.what == "create" && a.about.Kind == api.KindPod || a.what == "event" || a.what == "error" {
		text = podNames(text)
	}
	text = daemonSetValue.ReplaceAllString(text, "for daemon set: ")
	if list, ok := strings.CutPrefix(text, "error: ["); ok { // of several errors of a batch; their order is left to chance
		errs := strings.Split(strings.TrimSuffix(list, "]"), ", ")
		slices.Sort(errs)
		text = "errors: " + strings.Join(errs, ", ")
	}
	return text
}

// onNode tells the new pods of a DaemonSet apart.
func onNode(o object) string {
	if pod, ok := o.(*corev1.Pod); ok && targetNode(&pod.Spec) != "" {
		return " for " + targetNode(&pod.Spec)
	}
	return ""
}

func byLabel(a, b action) int { return strings.Compare(label(&a), label(&b)) }

// daemonSetValue is the object in a text about a DaemonSet's status. Upstream prints all of the Go value, the engine its name.
var daemonSetValue = regexp.MustCompile(`for daemon set (&v1\.DaemonSet\{.*\}|DaemonSet/[^:]*): `)

var podName = regexp.MustCompile(`(Created pod: |pods "|Pod/[a-z0-9-]+/)([a-z0-9.-]*-)[a-z0-9]{5}\b`)

// podNames hides the random part of pods' names in texts about their creation.
func podNames(text string) string { return podName.ReplaceAllString(text, "$1$2*") }

// listFrom lists actions from the first one on that differs.
func listFrom(actions []action, i int) string {
	switch {
	case len(actions) == 0:
		return "nothing"
	case i == 0:
		return list(actions)
	}
	return fmt.Sprintf("(%d equal) %s", i, list(actions[min(i, len(actions)):]))
}

func list(actions []action) string {
	texts := make([]string, len(actions))
	for i := range actions {
		texts[i] = actions[i].String()
	}
	return strings.Join(texts, "; ")
}

// compareObjects compares what was stored.
func (j *judge) compareObjects(where string, ours, theirs *action) {
	a, b := withoutChance(ours.object), withoutChance(j.server.translated(theirs.object))
	if equality.Semantic.DeepEqual(a, b) {
		return
	}
	path, x, y := firstDifference("", reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
	j.differ(where, fmt.Sprintf("%s of the stored %s", strings.TrimPrefix(path, "."), ours.about), x, y)
}

// withoutChance returns a copy of an object without what each API server decides for itself.
func withoutChance(o object) object {
	c := o.DeepCopyObject().(object)
	c.SetResourceVersion("")
	c.SetUID("")
	c.SetManagedFields(nil)
	switch c := c.(type) {
	case *corev1.Pod:
		if c.Labels[api.StatefulSetPodNameLabel] == "" {
			c.Name = "" // random
		}
		slices.SortFunc(c.Spec.Volumes, func(a, b corev1.Volume) int { return strings.Compare(a.Name, b.Name) })
		for i := range c.Status.Conditions {
			c.Status.Conditions[i].Message = podNames(c.Status.Conditions[i].Message)
		}
	case *appsv1.ReplicaSet:
		for i := range c.Status.Conditions {
			c.Status.Conditions[i].Message = podNames(c.Status.Conditions[i].Message)
		}
	case *appsv1.Deployment:
		for i := range c.Status.Conditions {
			c.Status.Conditions[i].Message = podNames(c.Status.Conditions[i].Message)
		}
	case *appsv1.ControllerRevision:
		c.Generation = 0
		delete(c.Annotations, appsv1.DeprecatedTemplateGeneration) // the engine keeps it elsewhere
	case *corev1.PersistentVolumeClaim:
		c.TypeMeta, c.Generation, c.Status = metav1.TypeMeta{}, 0, corev1.PersistentVolumeClaimStatus{} // nothing is provisioned
	}
	return c
}

// translated replaces the real hash in the messages of conditions.
func (s *server) translated(o object) object {
	d, ok := o.(*appsv1.Deployment)
	if !ok || len(s.hashes) == 0 {
		return o
	}
	d = d.DeepCopy()
	for i := range d.Status.Conditions {
		d.Status.Conditions[i].Message = s.translate(d.Status.Conditions[i].Message)
	}
	return d
}

// firstDifference returns the path of the first field in which two values of one type differ, and both sides of it.
func firstDifference(path string, a, b reflect.Value) (where, x, y string) {
	switch a.Kind() {
	case reflect.Struct:
		if _, leaf := a.Interface().(metav1.Time); leaf {
			break
		}
		for i := range a.NumField() {
			if !a.Type().Field(i).IsExported() || equality.Semantic.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
				continue
			}
			name := a.Type().Field(i).Name
			if a.Type().Field(i).Anonymous {
				return firstDifference(path, a.Field(i), b.Field(i))
			}
			return firstDifference(path+"."+name, a.Field(i), b.Field(i))
		}
	case reflect.Pointer:
		if !a.IsNil() && !b.IsNil() {
			return firstDifference(path, a.Elem(), b.Elem())
		}
		return path, pointerText(a), pointerText(b)
	case reflect.Slice:
		for i := range min(a.Len(), b.Len()) {
			if !equality.Semantic.DeepEqual(a.Index(i).Interface(), b.Index(i).Interface()) {
				return firstDifference(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i))
			}
		}
	}
	return path, fmt.Sprintf("%v", a.Interface()), fmt.Sprintf("%v", b.Interface())
}

func pointerText(v reflect.Value) string {
	if v.IsNil() {
		return "nil"
	}
	return fmt.Sprintf("%v", v.Elem().Interface())
}
