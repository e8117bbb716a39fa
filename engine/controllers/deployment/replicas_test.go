package deployment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestBounds is the worked table of D-20 and D-21.
func TestBounds(t *testing.T) {
	p := api.Str
	tests := []struct {
		replicas                      int32
		maxSurge, maxUnavailable      *api.IntOrString
		wantSurge, wantMaxUnavailable int32
	}{
		{1, p("25%"), p("25%"), 1, 0},
		{2, p("25%"), p("25%"), 1, 0},
		{3, p("25%"), p("25%"), 1, 0},
		{4, p("25%"), p("25%"), 1, 1},
		{5, p("25%"), p("25%"), 2, 1},
		{7, p("25%"), p("25%"), 2, 1},
		{8, p("25%"), p("25%"), 2, 2},
		{10, p("25%"), p("25%"), 3, 2},
		{15, p("25%"), p("25%"), 4, 3},
		{20, p("25%"), p("25%"), 5, 5},
		{25, p("25%"), p("25%"), 7, 6},
		{2, p("0%"), p("1%"), 0, 1},
		{3, p("0%"), p("25%"), 0, 1},
		{10, api.Int(3), api.Int(0), 3, 0},
		{1, p("1%"), p("25%"), 1, 0},
		{3, api.Int(0), api.Int(10), 0, 3},
		{3, api.Int(5), p("100%"), 5, 3},
		{10, p("33%"), p("33%"), 4, 3},
		{0, api.Int(5), api.Int(2), 5, 0},
		{10, p("300%"), api.Int(0), 30, 0},
	}
	for _, tt := range tests {
		d := &api.Deployment{Spec: api.DeploymentSpec{Replicas: &tt.replicas, Strategy: api.DeploymentStrategy{
			Type: api.RollingUpdate, RollingUpdate: &api.RollingUpdateDeployment{MaxSurge: tt.maxSurge, MaxUnavailable: tt.maxUnavailable}}}}
		s, u := Bounds(d)
		if s != tt.wantSurge || u != tt.wantMaxUnavailable {
			t.Errorf("%d replicas, %s/%s: surge %d, unavailable %d; want %d, %d",
				tt.replicas, tt.maxSurge, tt.maxUnavailable, s, u, tt.wantSurge, tt.wantMaxUnavailable)
		}
	}
	recreate := &api.Deployment{Spec: api.DeploymentSpec{Replicas: api.Ptr[int32](5), Strategy: api.DeploymentStrategy{Type: api.Recreate}}}
	if s, u := Bounds(recreate); s != 0 || u != 0 {
		t.Errorf("Recreate: surge %d, unavailable %d; want 0, 0", s, u)
	}
}

// TestScaleProportionally is the worked table of D-73. Sizes are oldest first.
func TestScaleProportionally(t *testing.T) {
	tests := []struct {
		name     string
		replicas int32
		surge    *api.IntOrString
		sizes    []int32
		oldMax   string // the max-replicas annotation of all
		want     []int32
	}{
		{"15 to 20", 20, api.Str("25%"), []int32{10, 7}, "19", []int32{16, 9}},
		{"15 to 4", 4, api.Str("25%"), []int32{9, 9}, "19", []int32{2, 3}},
		{"10 to 15", 15, api.Str("25%"), []int32{8, 5}, "13", []int32{12, 7}},
		{"10 to 15 with a surge of 3", 15, api.Int(3), []int32{8, 5}, "13", []int32{11, 7}},
		{"10 to 5", 5, api.Str("25%"), []int32{8, 5}, "13", []int32{4, 3}},
		{"10 to 5 with a surge of 3", 5, api.Int(3), []int32{8, 5}, "13", []int32{5, 3}},
		{"9 to 11 without surge: nothing is left for the oldest", 11, api.Int(0), []int32{3, 3, 3}, "9", []int32{3, 4, 4}},
		{"10 to 0", 0, api.Str("25%"), []int32{8, 5}, "13", []int32{0, 0}},
		{"to 30", 30, api.Str("25%"), []int32{4, 4, 5}, "13", []int32{11, 12, 15}},
		{"to 3", 3, api.Str("25%"), []int32{3, 7, 9}, "19", []int32{1, 1, 2}},
		{"to 12 without surge", 12, api.Int(0), []int32{5, 5}, "10", []int32{6, 6}},
		{"annotation and status 0: what is left over goes to the newest", 10, api.Str("25%"), []int32{5, 5}, "0", []int32{5, 8}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newTestWorld(t, tt.replicas, tt.surge, api.Str("25%"))
			var rsList []*api.ReplicaSet
			for i, n := range tt.sizes {
				w.addReplicaSet([]string{"image-0", "image-1", "image-new"}[i], size{n, n})
				rs := api.Copy(w.c.replicaSets.Cache.Get(cluster.Key(api.KindReplicaSet, w.sets[i])).(*api.ReplicaSet))
				rs.SetAnnotation(api.MaxReplicasAnnotation, tt.oldMax)
				w.Server.Store.Put(rs, sim.Record{Actor: "test"})
				rsList = append(rsList, rs)
			}
			w.Must(w.c.scaleProportionally(w.d, rsList))
			for i, name := range w.sets {
				rs := w.Server.Store.Get(cluster.Key(api.KindReplicaSet, name)).(*api.ReplicaSet)
				if got := *rs.Spec.Replicas; got != tt.want[i] {
					t.Errorf("ReplicaSet %d: %d -> %d, want %d", i, tt.sizes[i], got, tt.want[i])
				}
				if got := rs.Annotations[api.DesiredReplicasAnnotation]; got != fmt.Sprint(tt.replicas) {
					t.Errorf("ReplicaSet %d: desired-replicas %q, want %d", i, got, tt.replicas)
				}
			}
		})
	}
}

// TestConditions is the worked examples of D-62 to D-64 and D-67.
func TestConditions(t *testing.T) {
	d := &api.Deployment{Spec: api.DeploymentSpec{Replicas: api.Ptr[int32](4), ProgressDeadlineSeconds: api.Ptr[int32](600)}}
	st := func(replicas, updated, ready int32) *api.DeploymentStatus {
		return &api.DeploymentStatus{Replicas: replicas, UpdatedReplicas: updated, ReadyReplicas: ready, AvailableReplicas: ready}
	}
	if !progressed(st(5, 1, 4), st(4, 1, 3)) {
		t.Error("D-63: one old pod fewer must be progress")
	}
	if progressed(st(4, 4, 4), st(4, 0, 4)) {
		t.Error("D-63: an undo alone must be no progress")
	}
	if !complete(d, st(4, 4, 4)) || complete(d, st(4, 4, 3)) {
		t.Error("D-62: complete is 4/4/4 and nothing less")
	}
	s := st(4, 4, 4)
	setCondition(s, newCondition(api.TimeAt(10_000), progressing, "True", reasonReplicaSetUpdated, "first"))
	for now, want := range map[int64]bool{610_000: false, 610_100: true} {
		if got := timedOut(d, s, now); got != want {
			t.Errorf("D-64: timed out at %d ms: %t, want %t", now, got, want)
		}
	}
	setCondition(s, newCondition(api.TimeAt(20_000), available, "True", "MinimumReplicasAvailable", ""))
	setCondition(s, newCondition(api.TimeAt(30_000), progressing, "True", reasonReplicaSetUpdated, "second"))
	if c := s.Conditions[0]; c.Message != "first" || c.LastUpdateTime != api.TimeAt(10_000) {
		t.Errorf("D-67: a condition with the same status and reason changed: %+v", c)
	}
	setCondition(s, newCondition(api.TimeAt(40_000), progressing, "True", reasonNewReplicaSetAvailable, "third"))
	if c := s.Conditions[1]; c.Type != progressing || c.LastTransitionTime != api.TimeAt(10_000) || c.LastUpdateTime != api.TimeAt(40_000) {
		t.Errorf("D-67: a changed reason must move to the end and keep the transition time: %+v", s.Conditions)
	}
}

// TestRevisionHistory is the worked example of D-29.
func TestRevisionHistory(t *testing.T) {
	rs := &api.ReplicaSet{}
	for _, n := range []int64{1, 4, 7} {
		setNewReplicaSetAnnotations(&api.Deployment{}, &rs.ObjectMeta, n)
	}
	if got := rs.Annotations[api.RevisionHistoryAnnotation]; got != "1,4" {
		t.Errorf("history is %q, want 1,4", got)
	}
	if got := rs.Annotations[api.RevisionAnnotation]; got != "7" {
		t.Errorf("revision is %q, want 7", got)
	}
}

// TestLongHistory is D-29: at most 2,000 characters; the oldest entries go until there is room for the new one and its comma.
func TestLongHistory(t *testing.T) {
	for _, tt := range []struct{ length, left int }{{1997, 2000}, {1998, 1998}, {1999, 1999}} {
		rs := &api.ReplicaSet{}
		have := "12," + strings.Repeat("3", tt.length-3)
		rs.SetAnnotation(api.RevisionHistoryAnnotation, have)
		appendRevisionHistory(&rs.ObjectMeta, "42")
		got := rs.Annotations[api.RevisionHistoryAnnotation]
		if len(got) != tt.left || !strings.HasSuffix(got, "3,42") {
			t.Errorf("%d characters become %d: …%s", tt.length, len(got), got[len(got)-5:])
		}
	}
}

// TestStrangeRevision: a revision that is not a number stays, whatever else changes; an empty one counts as none (D-41).
func TestStrangeRevision(t *testing.T) {
	for was, want := range map[string]string{"x": "x false", "": "3 true", "5": "5 true", "2": "3 true"} {
		rs := &api.ReplicaSet{}
		rs.SetAnnotation(api.RevisionAnnotation, was)
		d := &api.Deployment{}
		d.SetAnnotation("a", "b")
		changed := setNewReplicaSetAnnotations(d, &rs.ObjectMeta, 3)
		if got := fmt.Sprint(rs.Annotations[api.RevisionAnnotation], " ", changed); got != want {
			t.Errorf("%q becomes %s, want %s", was, got, want)
		}
	}
}

// TestReplicasAnnotations is D-30 and D-31: each of the two is written if it is wrong.
func TestReplicasAnnotations(t *testing.T) {
	w := newTestWorld(t, 10, api.Str("25%"), api.Str("25%"))
	for _, tt := range []struct {
		desired, most string
		want          bool
	}{{"10", "13", false}, {"9", "13", true}, {"10", "12", true}} {
		rs := &api.ReplicaSet{}
		rs.SetAnnotation(api.DesiredReplicasAnnotation, tt.desired)
		rs.SetAnnotation(api.MaxReplicasAnnotation, tt.most)
		if got := setReplicasAnnotations(rs, w.d); got != tt.want || rs.Annotations[api.MaxReplicasAnnotation] != "13" {
			t.Errorf("%s of %s: changed is %t, want %t", tt.desired, tt.most, got, tt.want)
		}
	}
}
