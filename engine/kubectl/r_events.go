package kubectl

import (
	"errors"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// eventObjects lists the events that were sent so far, by namespace and name.
func (r *reading) eventObjects() []*event {
	if r.sent != nil {
		return r.sent
	}
	rows := Correlate(r.Trace[:r.Record+1])
	r.sent = make([]*event, len(rows))
	for i := range rows {
		r.sent[i] = newEvent(i, &rows[i])
	}
	sort.Slice(r.sent, func(i, j int) bool {
		a, b := r.sent[i], r.sent[j]
		if a.Namespace != b.Namespace {
			return a.Namespace < b.Namespace
		}
		return a.ObjectMeta.Name < b.ObjectMeta.Name
	})
	return r.sent
}

// laterEvents shows the events that are sent after the moment of the command, each in its own moment: new ones, and those
// that are counted on.
func (r *reading) laterEvents(show func(*event)) {
	c := newCorrelator()
	for i := range r.Trace {
		record := &r.Trace[i]
		if record.Kind != sim.Notice {
			continue
		}
		if row := c.take(record); i > r.Record && row >= 0 {
			r.now = record.At
			show(newEvent(row, &c.rows[row]))
		}
	}
}

// events is kubectl events: the latest last.
func (r *reading) events() error {
	l, err := r.readEventFlags()
	if err != nil {
		return err
	}
	var chosen []*event
	for _, e := range r.eventObjects() {
		if l.shows(e) {
			chosen = append(chosen, e)
		}
	}
	if r.flags["watch"] == "true" {
		l.printAll(chosen)
		l.follow()
		r.answer.Open = true
		return nil
	}
	if len(chosen) == 0 {
		r.complain(r.noEvents())
		return nil
	}
	sort.SliceStable(chosen, func(i, j int) bool { return chosen[i].last() < chosen[j].last() })
	l.printAll(chosen)
	return nil
}

func (r *reading) noEvents() string {
	if r.allNamespaces {
		return "No events found."
	}
	return "No events found in " + r.namespace + " namespace."
}

// eventList prints events for kubectl events.
type eventList struct {
	*reading
	grid
	about  *api.Key // only those about this object, if it is not nil
	types  []string // only these types, if there are any
	headed bool
}

func (r *reading) readEventFlags() (*eventList, error) {
	l := &eventList{reading: r}
	if text := r.flags["for"]; text != "" {
		kind, name, ok := strings.Cut(text, "/")
		switch {
		case !ok:
			return nil, errors.New("--for must be in resource/name form")
		case strings.Contains(name, "/"):
			return nil, errors.New("arguments in resource/name form may not have more than one slash")
		}
		k, err := findKind(kind)
		if err != nil {
			return nil, err
		}
		l.about = &api.Key{Kind: k, Name: name}
	}
	if text := r.flags["types"]; text != "" {
		l.types = strings.Split(text, ",")
	}
	for _, t := range l.types {
		if !strings.EqualFold(t, "Normal") && !strings.EqualFold(t, "Warning") {
			return nil, errors.New("valid --types are Normal or Warning")
		}
	}
	return l, nil
}

// shows says whether an event is one of those that were asked for.
func (l *eventList) shows(e *event) bool {
	if !l.allNamespaces && e.Namespace != l.namespace {
		return false
	}
	if l.about != nil && (e.Object.Kind != l.about.Kind || e.Object.Name != l.about.Name) {
		return false
	}
	for _, t := range l.types {
		if strings.EqualFold(t, e.Type) {
			return true
		}
	}
	return len(l.types) == 0
}

// printAll prints events in columns.
func (l *eventList) printAll(events []*event) {
	var rows [][]string
	if !l.headed && len(events) > 0 && l.reading.flags["no-headers"] != "true" {
		rows = append(rows, columnNames("LAST SEEN|TYPE|REASON|OBJECT|MESSAGE"))
		if l.allNamespaces {
			rows[0] = append([]string{"NAMESPACE"}, rows[0]...)
		}
		l.headed = true
	}
	for _, e := range events {
		row := []string{e.interval(l.now), e.Type, e.Reason, string(e.Object.Kind) + "/" + e.Object.Name, strings.TrimSpace(e.Message)}
		if l.allNamespaces {
			row = append([]string{e.Namespace}, row...)
		}
		rows = append(rows, row)
	}
	for _, row := range rows {
		l.fit(row)
	}
	for _, row := range rows {
		l.print(l.line(row))
	}
}

// follow prints each event that is sent later.
func (l *eventList) follow() {
	l.laterEvents(func(e *event) {
		if l.shows(e) {
			l.printAll([]*event{e})
		}
	})
}
