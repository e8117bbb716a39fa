package read

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/events"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// eventObjects lists the events that were sent so far, by namespace and name.
func (r *reading) eventObjects() []*events.Event {
	if r.sent == nil {
		r.sent = events.Sent(r.Trace[:r.Record+1])
	}
	return r.sent
}

// laterEvents shows the events that are sent or counted on after the moment of the command, each in its own moment.
func (r *reading) laterEvents(show func(*events.Event)) {
	events.Later(r.Trace, r.Record, func(at int64, e *events.Event) {
		r.now = at
		show(e)
	})
}

// events is kubectl events: the latest last, and those of one second as Go's unstable sort leaves them, which kubectl calls, too.
func (r *reading) events() error {
	l, err := r.readEventFlags()
	if err != nil {
		return err
	}
	chosen := slices.DeleteFunc(r.all(api.KindEvent), func(e api.Object) bool { return !l.shows(e) })
	if r.On("watch") {
		for i := range chosen { // kubectl prints one by one, so that the columns grow
			l.printTable(chosen[i : i+1])
		}
		l.laterEvents(func(e *events.Event) {
			if l.shows(e) {
				l.printTable([]api.Object{e})
			}
		})
		r.answer.Open = true
		return nil
	}
	if len(chosen) == 0 {
		where := " in " + r.Namespace + " namespace"
		if r.On("all-namespaces") {
			where = ""
		}
		r.complain("No events found" + where + ".")
		return nil
	}
	last := func(i int) api.Time { return chosen[i].(*events.Event).LastTime() }
	sort.Slice(chosen, func(i, j int) bool { return last(i) < last(j) })
	l.printTable(chosen)
	return nil
}

// eventList prints events for kubectl events.
type eventList struct {
	*listing
	about *api.Key // only those about this object, if it is not nil
	types []string // only these types, if there are any
}

// eventFormat is how kubectl events prints events.
var eventFormat = print.Format{Names: print.ColumnNames("LAST SEEN|TYPE|REASON|OBJECT|MESSAGE"), Cells: func(o api.Object, now int64, _ bool) []string {
	e := o.(*events.Event)
	return []string{e.Interval(now), e.Type, e.Reason, string(e.Object.Kind) + "/" + e.Object.Name, strings.TrimSpace(e.Message)}
}}

func (r *reading) readEventFlags() (*eventList, error) {
	l := &eventList{listing: r.newListing(&getFlags{}, api.KindEvent, false)}
	l.columns = &eventFormat
	if text := r.Flags["for"]; text != "" {
		kind, name, ok := strings.Cut(text, "/")
		switch {
		case !ok:
			return nil, errors.New("--for must be in resource/name form")
		case strings.Contains(name, "/"):
			return nil, errors.New("arguments in resource/name form may not have more than one slash")
		}
		k, err := line.FindKind(kind)
		if err != nil {
			return nil, line.Whole(err.Error())
		}
		if name != "" { // kubectl takes any name for it
			l.about = &api.Key{Kind: k, Name: name}
		}
	}
	if text := r.Flags["types"]; text != "" {
		l.types = strings.Split(text, ",")
	}
	for _, t := range l.types {
		if !strings.EqualFold(t, "Normal") && !strings.EqualFold(t, "Warning") {
			return nil, errors.New("valid --types are Normal or Warning")
		}
	}
	return l, nil
}

// shows says whether the flags select an event.
func (l *eventList) shows(o api.Object) bool {
	breath.Often()
	e := o.(*events.Event)
	if !l.On("all-namespaces") && e.Namespace != l.Namespace {
		return false
	}
	if l.about != nil && (e.Object.Kind != l.about.Kind || e.Object.Name != l.about.Name) {
		return false
	}
	return len(l.types) == 0 || slices.ContainsFunc(l.types, func(t string) bool { return strings.EqualFold(t, e.Type) })
}
