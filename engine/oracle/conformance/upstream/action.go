package upstream

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
)

// Action is one thing that a reconcile did: a write that changed something, a Kubernetes event, or the error that ended
// it.
type Action struct {
	What   string // "create", "update", "delete", "event" or "error"
	About  api.Key
	Text   string         // of an event: type, reason and message; of an error: its text
	Object convert.Object // what a creation or an update stored; what a deletion found
}

func (a *Action) String() string {
	switch a.What {
	case "event":
		return fmt.Sprintf("event on %s: %s", a.About, a.Text)
	case "error":
		return "error: " + a.Text
	}
	return a.What + " " + a.About.String()
}

// recorder replaces a controller's event recorder.
type recorder struct{ server *Server }

// Event notes an event.
func (r recorder) Event(about runtime.Object, eventType, reason, message string) {
	r.server.lock.Lock() // the ReplicaSet controller sends them from several goroutines
	defer r.server.lock.Unlock()
	r.server.note(Action{What: "event", About: convert.KeyOf(about), Text: EventText(eventType, reason, message)})
}

// Eventf notes an event.
func (r recorder) Eventf(about runtime.Object, eventType, reason, format string, args ...any) {
	r.Event(about, eventType, reason, fmt.Sprintf(format, args...))
}

// AnnotatedEventf notes an event without its annotations.
func (r recorder) AnnotatedEventf(about runtime.Object, _ map[string]string, eventType, reason, format string, args ...any) {
	r.Eventf(about, eventType, reason, format, args...)
}

// EventText prints an event as actions hold it.
func EventText(eventType, reason, message string) string {
	return eventType + " " + reason + ": " + message
}
