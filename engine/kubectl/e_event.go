package kubectl

import (
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// event is an event as the API server has it: a row of Correlate with metadata.
type event struct {
	api.ObjectMeta
	EventRow
}

// Key names the event.
func (e *event) Key() api.Key {
	return api.Key{Kind: kindEvent, Namespace: e.Namespace, Name: e.ObjectMeta.Name}
}

// newEvent makes the object of a row. Its name ends in the moment of its first sending, as client-go's recorder makes it;
// the number of the row stands for what that moment has beyond milliseconds. Events about nodes are in default.
func newEvent(number int, row *EventRow) *event {
	e := &event{EventRow: *row}
	e.Namespace = row.Object.Namespace
	if e.Namespace == "" {
		e.Namespace = "default"
	}
	e.ObjectMeta.Name = row.Object.Name + "." + strconv.FormatInt((api.Epoch*1000+row.First)*1e6+int64(number), 16)
	e.CreationTimestamp = api.TimeAt(row.First)
	return e
}

// first and last are when the event was sent, in whole seconds as the server stores them.
func (e *event) first() api.Time { return api.TimeAt(e.First) }

func (e *event) last() api.Time { return api.TimeAt(e.Last) }

// interval says when an event was sent, and how often if it was more than once.
func (e *event) interval(now int64) string {
	if e.Count > 1 {
		return since(e.last(), now) + " (x" + strconv.Itoa(e.Count) + " over " + since(e.first(), now) + ")"
	}
	return since(e.first(), now)
}

// Cells prints the event in kubectl get events (K-48).
func (e *event) Cells(now int64) []string {
	about := strings.ToLower(string(e.Object.Kind)) + "/" + e.Object.Name
	return []string{since(e.last(), now), e.Type, e.Reason, about, "", e.Source, strings.TrimSpace(e.Message),
		since(e.first(), now), strconv.Itoa(e.Count), e.ObjectMeta.Name}
}

// Tree returns the event as the API server prints it.
func (e *event) Tree() map[string]any {
	about := map[string]any{"apiVersion": apiVersion(e.Object.Kind), "kind": string(e.Object.Kind), "name": e.Object.Name}
	if e.Object.Namespace != "" {
		about["namespace"] = e.Object.Namespace
	}
	created := timeText(e.CreationTimestamp)
	return map[string]any{
		"apiVersion": "v1", "kind": "Event", "count": float64(e.Count), "eventTime": nil,
		"firstTimestamp": timeText(e.first()), "lastTimestamp": timeText(e.last()),
		"involvedObject": about, "message": e.Message, "reason": e.Reason, "type": e.Type,
		"metadata":           map[string]any{"creationTimestamp": created, "name": e.ObjectMeta.Name, "namespace": e.Namespace},
		"reportingComponent": e.Source, "reportingInstance": "", "source": map[string]any{"component": e.Source},
	}
}

// timeText prints a moment in RFC 3339.
func timeText(t api.Time) string {
	text, _ := t.MarshalText() // which never fails
	return string(text)
}

// Field returns one of the selectable fields of an event.
func (e *event) Field(name string) string {
	switch name {
	case "involvedObject.kind":
		return string(e.Object.Kind)
	case "involvedObject.name":
		return e.Object.Name
	case "involvedObject.namespace":
		return e.Object.Namespace
	case "reason":
		return e.Reason
	case "type":
		return e.Type
	}
	return e.Source
}
