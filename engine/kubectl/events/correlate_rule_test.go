package events

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// sent is an event that the ReplicaSet controller sent about the ReplicaSet web.
func sent(at int64, reason, message string) *sim.Record {
	return &sim.Record{Kind: sim.Notice, At: at, Actor: "replicaset-controller", Type: "Normal", Reason: reason, What: message,
		Object: api.Key{Kind: api.KindReplicaSet, Namespace: "default", Name: "web"}}
}

func created(at int64, from, to int) (out []*sim.Record) {
	for i := from; i <= to; i++ {
		out = append(out, sent(at, "SuccessfulCreate", fmt.Sprintf("Created pod: web-%02d", i)))
	}
	return out
}

func rowTexts(rows []*Event) (out []string) {
	for _, r := range rows {
		out = append(out, fmt.Sprintf("%d-%d x%d %s", r.First, r.Last, r.Count, r.Message))
	}
	return out
}

// TestCorrelate is A-17. The first case is its worked example.
func TestCorrelate(t *testing.T) {
	nine := rowTexts(Correlate(created(0, 1, 9)))
	tests := []struct {
		name    string
		records []*sim.Record
		want    []string // after the rows of nine pods, if there are any
	}{
		{"ten pods: nine rows and a combined one", created(0, 1, 10),
			[]string{"0-0 x1 (combined from similar events): Created pod: web-10"}},
		{"two more: counted there, with the last name", append(created(0, 1, 10), created(5000, 11, 12)...),
			[]string{"0-5000 x3 (combined from similar events): Created pod: web-12"}},
		{"ten minutes later: still similar", append(created(0, 1, 9), created(600_000, 10, 10)...),
			[]string{"600000-600000 x1 (combined from similar events): Created pod: web-10"}},
		{"after more than ten minutes: new", append(created(0, 1, 9), created(600_001, 10, 10)...),
			[]string{"600001-600001 x1 Created pod: web-10"}},
		{"another reason is not similar", append(created(0, 1, 9), sent(7, "SuccessfulDelete", "Deleted pod: web-01")),
			[]string{"7-7 x1 Deleted pod: web-01"}},
		{"25 at once, then the count continues unseen until five minutes have passed",
			slices.Concat(created(0, 1, 40), created(299_999, 41, 41), created(300_000, 42, 42), created(300_001, 43, 43)),
			[]string{"0-300000 x33 (combined from similar events): Created pod: web-42"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := rowTexts(Correlate(tt.records))
			if want := append(slices.Clone(nine), tt.want...); !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// TestCorrelateEqual: equal events are one row, with their number and their first and last time; the events of
// other senders, objects and types are not equal, and each has 25 of its own.
func TestCorrelateEqual(t *testing.T) {
	var records []*sim.Record
	for i := range int64(3) {
		for _, change := range []func(*sim.Record){
			func(*sim.Record) {},
			func(r *sim.Record) { r.Actor = "kubelet" },
			func(r *sim.Record) { r.Object.Name = "db" },
			func(r *sim.Record) { r.Type = "Warning" },
		} {
			r := sent(1000*i, "BackOff", "again")
			change(r)
			records = append(records, r, &sim.Record{Kind: sim.Decision, At: 1000 * i, What: "no event"})
		}
	}
	rows := Correlate(records)
	if len(rows) != 4 {
		t.Fatalf("%d rows, want 4: %+v", len(rows), rows)
	}
	for _, r := range rows {
		if r.Count != 3 || r.First != 0 || r.Last != 2000 || r.Message != "again" {
			t.Errorf("got %+v", r)
		}
	}
	if rows[1].Source != "kubelet" || rows[2].Object.Name != "db" || rows[3].Type != "Warning" {
		t.Errorf("the order must be that of their first sending: %+v", rows)
	}
	many := Correlate(append(slices.Repeat([]*sim.Record{sent(0, "BackOff", "again")}, 40), func() *sim.Record {
		r := sent(0, "BackOff", "again")
		r.Type = "Warning"
		return r
	}()))
	if len(many) != 2 || many[0].Count != 25 || many[1].Count != 1 {
		t.Errorf("40 at once and one warning: %+v", many)
	}
}

// TestRawEventsStay is A-18: the trace that goes in is not changed.
func TestRawEventsStay(t *testing.T) {
	records := created(0, 1, 12)
	before := slices.Clone(records)
	if Correlate(records); !slices.Equal(records, before) {
		t.Error("the records have changed")
	}
}
