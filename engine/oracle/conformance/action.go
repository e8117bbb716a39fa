package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/rollplay/rollplay/engine/api"
)

// action is one thing that a reconcile did: a write that changed something, a Kubernetes event, or the error that ended
// it.
type action struct {
	what   string // "create", "update", "delete", "event" or "error"
	about  api.Key
	text   string // of an event: type, reason and message; of an error: its text
	object object // what was stored by a creation or an update; of a deletion what was there before
}

func (a *action) String() string {
	switch a.what {
	case "event":
		return fmt.Sprintf("event on %s: %s", a.about, a.text)
	case "error":
		return "error: " + a.text
	}
	return a.what + " " + a.about.String()
}

// keyFor names a real object as the engine does.
func keyFor(o runtime.Object) api.Key {
	switch o := o.(type) {
	case *appsv1.Deployment:
		return api.Key{Kind: api.KindDeployment, Namespace: o.Namespace, Name: o.Name}
	case *appsv1.ReplicaSet:
		return api.Key{Kind: api.KindReplicaSet, Namespace: o.Namespace, Name: o.Name}
	case *appsv1.StatefulSet:
		return api.Key{Kind: api.KindStatefulSet, Namespace: o.Namespace, Name: o.Name}
	case *appsv1.DaemonSet:
		return api.Key{Kind: api.KindDaemonSet, Namespace: o.Namespace, Name: o.Name}
	case *appsv1.ControllerRevision:
		return api.Key{Kind: api.KindControllerRevision, Namespace: o.Namespace, Name: o.Name}
	case *corev1.Pod:
		return api.Key{Kind: api.KindPod, Namespace: o.Namespace, Name: o.Name}
	case *corev1.PersistentVolumeClaim:
		return api.Key{Kind: api.KindPersistentVolumeClaim, Namespace: o.Namespace, Name: o.Name}
	case *policyv1.PodDisruptionBudget:
		return api.Key{Kind: api.KindPodDisruptionBudget, Namespace: o.Namespace, Name: o.Name}
	}
	panic(fmt.Sprintf("conformance: no controller should write a %T", o))
}

// recorder takes the place of a controller's event recorder.
type recorder struct{ server *server }

// Event notes an event.
func (r recorder) Event(about runtime.Object, eventType, reason, message string) {
	r.server.lock.Lock() // the ReplicaSet controller sends them from several goroutines
	defer r.server.lock.Unlock()
	r.server.note(action{what: "event", about: keyFor(about), text: eventText(eventType, reason, message)})
}

// Eventf notes an event.
func (r recorder) Eventf(about runtime.Object, eventType, reason, format string, args ...any) {
	r.Event(about, eventType, reason, fmt.Sprintf(format, args...))
}

// AnnotatedEventf notes an event without its annotations.
func (r recorder) AnnotatedEventf(about runtime.Object, _ map[string]string, eventType, reason, format string, args ...any) {
	r.Eventf(about, eventType, reason, format, args...)
}

func eventText(eventType, reason, message string) string {
	return eventType + " " + reason + ": " + message
}
