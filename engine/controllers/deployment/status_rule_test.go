package deployment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestCalculateStatus is D-60: sums over the ReplicaSets, and Available at its limit.
func TestCalculateStatus(t *testing.T) {
	w := newTestWorld(t, 10, api.Str("25%"), api.Str("25%"))
	w.d.Generation = 3
	rs := func(spec, replicas, ready, available int32, terminating *int32) *api.ReplicaSet {
		return &api.ReplicaSet{Spec: api.ReplicaSetSpec{Replicas: &spec}, Status: api.ReplicaSetStatus{
			Replicas: replicas, ReadyReplicas: ready, AvailableReplicas: available, TerminatingReplicas: terminating}}
	}
	old, fresh := rs(8, 9, 8, 7, api.Ptr[int32](2)), rs(3, 3, 2, 1, api.Ptr[int32](1))
	got := w.c.calculateStatus(w.d, []*api.ReplicaSet{old, fresh}, fresh)
	text := fmt.Sprint(got.ObservedGeneration, got.Replicas, got.UpdatedReplicas, got.ReadyReplicas, got.AvailableReplicas, got.UnavailableReplicas, *got.TerminatingReplicas)
	if want := "3 12 3 10 8 3 3"; text != want {
		t.Errorf("generation, replicas, updated, ready, available, unavailable, terminating: %s, want %s", text, want)
	}
	if got := w.c.calculateStatus(w.d, []*api.ReplicaSet{rs(1, 3, 3, 3, nil)}, nil); got.UnavailableReplicas != 0 || got.UpdatedReplicas != 0 || *got.TerminatingReplicas != 0 {
		t.Errorf("more available than asked for, no new one, never synced: %+v", got)
	}
	silent := rs(1, 1, 1, 1, nil)
	silent.Status.ObservedGeneration = 1
	if got := w.c.calculateStatus(w.d, []*api.ReplicaSet{old, silent}, nil); got.TerminatingReplicas != nil {
		t.Errorf("synced by someone who does not count them: %d terminating, want none to be known", *got.TerminatingReplicas)
	}
	for _, tt := range []struct {
		replicas, available int32
		want                string
	}{
		{10, 8, "True MinimumReplicasAvailable Deployment has minimum availability."},
		{10, 7, "False MinimumReplicasUnavailable Deployment does not have minimum availability."},
		{1, 1, "True MinimumReplicasAvailable Deployment has minimum availability."},
		{1, 0, "False MinimumReplicasUnavailable Deployment does not have minimum availability."},
		{0, 0, "True MinimumReplicasAvailable Deployment has minimum availability."},
	} {
		w := newTestWorld(t, tt.replicas, api.Str("25%"), api.Str("25%"))
		s := w.c.calculateStatus(w.d, []*api.ReplicaSet{rs(tt.replicas, tt.replicas, tt.available, tt.available, nil)}, nil)
		c := api.FindCondition(s.Conditions, available)
		if got := c.Status + " " + c.Reason + " " + c.Message; got != tt.want {
			t.Errorf("%d of %d: %s, want %s", tt.available, tt.replicas, got, tt.want)
		}
	}
}

// newLaterWorld is a Deployment of four at a later moment.
func newLaterWorld(t *testing.T, now sim.Time) *testWorld {
	w := newTestWorld(t, 4, api.Str("25%"), api.Str("25%"))
	w.Cluster = cluster.New(t)
	w.Until(now)
	w.c = New(w.Server)
	w.d = api.Copy(w.d)
	return w
}

// TestProgress is D-61: which of the three holds first, and how the stored condition changes. The Deployment
// wants four pods, the deadline is 600 s, and the last progress was at 10 s.
func TestProgress(t *testing.T) {
	status := func(replicas, updated, available int32) api.DeploymentStatus {
		return api.DeploymentStatus{Replicas: replicas, UpdatedReplicas: updated, ReadyReplicas: available, AvailableReplicas: available, ObservedGeneration: 1}
	}
	tests := []struct {
		name             string
		was, is          api.DeploymentStatus
		reason, statusOf string // of the stored condition; none if empty
		now              int64
		noDeadline       bool
		want             string
	}{
		{"complete", status(5, 4, 3), status(4, 4, 4), reasonReplicaSetUpdated, "True", 20, false,
			`True NewReplicaSetAvailable ReplicaSet "new" has successfully progressed. since 10`},
		{"complete, though late", status(5, 4, 3), status(4, 4, 4), reasonProgressDeadlineExceeded, "False", 900, false,
			`True NewReplicaSetAvailable ReplicaSet "new" has successfully progressed. since 900`},
		{"progress with the same reason: the time of the update moves", status(5, 1, 4), status(5, 2, 4), reasonReplicaSetUpdated, "True", 20, false,
			`True ReplicaSetUpdated ReplicaSet "new" is progressing. since 10`},
		{"progress after the deadline", status(5, 1, 4), status(5, 2, 4), reasonProgressDeadlineExceeded, "False", 900, false,
			`True ReplicaSetUpdated ReplicaSet "new" is progressing. since 900`},
		{"the first progress of all", status(0, 0, 0), status(4, 4, 0), "", "", 20, false,
			`True ReplicaSetUpdated ReplicaSet "new" is progressing. since 20`},
		{"late", status(5, 2, 4), status(5, 2, 4), reasonReplicaSetUpdated, "True", 611, false,
			`False ProgressDeadlineExceeded ReplicaSet "new" has timed out progressing. since 611`},
		{"neither", status(5, 2, 4), status(5, 2, 4), reasonReplicaSetUpdated, "True", 610, false,
			`True ReplicaSetUpdated  since 10`},
		{"complete before: not judged", status(4, 4, 4), status(4, 4, 3), reasonNewReplicaSetAvailable, "True", 900, false,
			`True NewReplicaSetAvailable  since 10`},
		{"no deadline: no condition", status(5, 1, 4), status(5, 2, 4), reasonReplicaSetUpdated, "True", 20, true, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newLaterWorld(t, 1000*tt.now)
			if tt.noDeadline {
				w.d.Spec.ProgressDeadlineSeconds = api.Ptr[int32](unlimited)
			}
			w.d.Status = tt.was
			if tt.reason != "" {
				w.d.Status.Conditions = []api.Condition{newCondition(api.TimeAt(10_000), progressing, tt.statusOf, tt.reason, "")}
			}
			w.put()
			fresh := &api.ReplicaSet{ObjectMeta: api.ObjectMeta{Name: "new"}, Spec: api.ReplicaSetSpec{Replicas: &tt.is.Replicas},
				Status: api.ReplicaSetStatus{Replicas: tt.is.UpdatedReplicas, ReadyReplicas: tt.is.ReadyReplicas, AvailableReplicas: tt.is.AvailableReplicas}}
			old := &api.ReplicaSet{Spec: api.ReplicaSetSpec{Replicas: new(int32)}, Status: api.ReplicaSetStatus{Replicas: tt.is.Replicas - tt.is.UpdatedReplicas}}
			w.Must(w.c.syncRolloutStatus(api.Shallow(w.d), []*api.ReplicaSet{old, fresh}, fresh))
			got := ""
			if c := api.FindCondition(w.stored().Status.Conditions, progressing); c != nil {
				got = fmt.Sprintf("%s %s %s since %d", c.Status, c.Reason, c.Message, c.LastTransitionTime.Milli()/1000)
				if strings.Contains(c.Message, "progressing.") && c.LastUpdateTime != api.TimeAt(1000*tt.now) {
					t.Errorf("the last update is at %d ms, want now", c.LastUpdateTime.Milli())
				}
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestProgressWithoutNewReplicaSet: without a new ReplicaSet the messages are about the Deployment (D-61).
func TestProgressWithoutNewReplicaSet(t *testing.T) {
	w := newTestWorld(t, 4, api.Str("25%"), api.Str("25%"))
	w.d.Status.Replicas = 4
	s := api.DeploymentStatus{}
	w.c.estimateProgress(w.d, &s, nil)
	if got, want := api.FindCondition(s.Conditions, progressing).Message, `Deployment "web" is progressing.`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestReplicaFailure is D-65: that of the new ReplicaSet, else of the first other one; a new message alone changes
// nothing (D-67); without any it goes.
func TestReplicaFailure(t *testing.T) {
	rs := func(reason, message string) *api.ReplicaSet {
		rs := &api.ReplicaSet{}
		if reason != "" {
			rs.Status.Conditions = []api.Condition{{Type: replicaFailure, Status: "True", Reason: reason, Message: message, LastTransitionTime: api.TimeAt(7000)}}
		}
		return rs
	}
	for _, tt := range []struct {
		name, stored string
		sets         []*api.ReplicaSet // the last one is the new one
		want         string
	}{
		{"the new one's", "", []*api.ReplicaSet{rs("FailedDelete", "old"), rs("FailedCreate", "new")}, "FailedCreate new"},
		{"the first other one's", "", []*api.ReplicaSet{rs("", ""), rs("FailedDelete", "a"), rs("FailedCreate", "b"), rs("", "")}, "FailedDelete a"},
		{"another message", "FailedCreate first", []*api.ReplicaSet{rs("FailedCreate", "second")}, "FailedCreate first"},
		{"another reason", "FailedCreate first", []*api.ReplicaSet{rs("FailedDelete", "second")}, "FailedDelete second"},
		{"none any more", "FailedCreate first", []*api.ReplicaSet{rs("", "")}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newTestWorld(t, 4, api.Str("25%"), api.Str("25%"))
			s := api.DeploymentStatus{}
			if reason, message, ok := strings.Cut(tt.stored, " "); ok {
				s.Conditions = []api.Condition{newCondition(api.TimeAt(0), replicaFailure, "True", reason, message)}
			}
			w.c.copyReplicaFailure(&s, tt.sets, tt.sets[len(tt.sets)-1])
			got := ""
			if c := api.FindCondition(s.Conditions, replicaFailure); c != nil {
				got = c.Reason + " " + c.Message
				if got != tt.stored && (c.LastUpdateTime != api.TimeAt(7000) || tt.stored == "" && c.LastTransitionTime != api.TimeAt(7000)) {
					t.Errorf("its times are %d and %d ms, want those of the ReplicaSet", c.LastUpdateTime.Milli(), c.LastTransitionTime.Milli())
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
