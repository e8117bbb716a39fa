package events

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/sim"
)

// Event is an event as the API server has it: equal ones are counted, similar ones combined.
type Event struct {
	api.ObjectMeta
	First, Last           int64 // when it was sent first and last, in virtual ms
	Count                 int
	Object                api.Key
	ObjectUID, FieldPath  string // which object of that name, and which part of it
	Source                string
	Type, Reason, Message string

	version string
}

func (e *Event) Key() api.Key {
	return api.Key{Kind: api.KindEvent, Namespace: e.Namespace, Name: e.Name}
}

// newEvent makes the event that a record sends, which was meant to be sent first at a virtual ms. Its name ends in that moment, as
// client-go's recorder makes it; the number of the event takes the place of the digits after the milliseconds. Events about nodes are in
// default.
func newEvent(number int, first int64, r *sim.Record) *Event {
	e := &Event{First: first, Object: r.Object, ObjectUID: r.UID, FieldPath: r.Field, Source: r.Actor, Type: r.Type, Reason: r.Reason,
		version: strconv.Itoa(number + 1)}
	e.Namespace = cmp.Or(r.Object.Namespace, api.NamespaceDefault)
	e.Name = r.Object.Name + "." + strconv.FormatInt((api.Epoch*1000+first)*1e6+int64(number), 16)
	e.CreationTimestamp = api.TimeAt(first)
	return e
}

// Sent lists the events of a trace, by namespace and name.
func Sent(trace []*sim.Record) []*Event {
	sent := Correlate(trace)
	slices.SortFunc(sent, func(a, b *Event) int {
		breath.Often()
		return api.ByName(a, b)
	})
	return sent
}

// Later shows the events that a trace has after a record, in the order of time: new ones, and those that are counted on.
func Later(trace []*sim.Record, after int, show func(at int64, e *Event)) {
	c := newCorrelator()
	for i, record := range trace {
		if e := c.take(record); i > after && e != nil {
			show(record.At, api.Shallow(e)) // which counts on
		}
	}
}

// LastTime is when the event was sent last, in whole seconds as the server stores it.
func (e *Event) LastTime() api.Time { return api.TimeAt(e.Last) }

// Interval says when an event was sent, and how often if it was more than once.
func (e *Event) Interval(now int64) string {
	if e.Count > 1 {
		return print.Since(e.LastTime(), now) + " (x" + strconv.Itoa(e.Count) + " over " + print.Since(e.CreationTimestamp, now) + ")"
	}
	return print.Since(e.CreationTimestamp, now)
}

// Cells prints the event in kubectl get events (K-48).
func (e *Event) Cells(now int64) []string {
	about := strings.ToLower(string(e.Object.Kind)) + "/" + e.Object.Name
	return []string{print.Since(e.LastTime(), now), e.Type, e.Reason, about, e.FieldPath, e.Source, strings.TrimSpace(e.Message),
		print.Since(e.CreationTimestamp, now), strconv.Itoa(e.Count), e.Name}
}

// Tree returns the event as the API server prints it.
func (e *Event) Tree() map[string]any {
	about := map[string]any{"apiVersion": kinds.Of(e.Object.Kind).APIVersion(), "kind": string(e.Object.Kind), "name": e.Object.Name}
	for field, text := range map[string]string{"namespace": e.Object.Namespace, "uid": e.ObjectUID, "fieldPath": e.FieldPath} {
		if text != "" {
			about[field] = text
		}
	}
	created := print.TimeText(e.CreationTimestamp)
	return map[string]any{
		"apiVersion": "v1", "kind": "Event", "count": float64(e.Count), "eventTime": nil,
		"firstTimestamp": created, "lastTimestamp": print.TimeText(e.LastTime()),
		"involvedObject": about, "message": e.Message, "reason": e.Reason, "type": e.Type,
		"metadata":           map[string]any{"creationTimestamp": created, "name": e.Name, "namespace": e.Namespace, "resourceVersion": e.version},
		"reportingComponent": e.Source, "reportingInstance": "", "source": map[string]any{"component": e.Source},
	}
}
