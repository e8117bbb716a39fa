package deployment

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestScale is D-70: how ReplicaSets share a changed size. Sizes are oldest first; the Deployment wants 8 now.
func TestScale(t *testing.T) {
	tests := []struct {
		name   string
		sets   []size
		new    bool // the last one has the present template
		note   string
		want   string
		events int
	}{
		{"the only active one takes it all", []size{{0, 0}, {5, 5}}, true, "5", "0 8", 1},
		{"the only active one, though it is old", []size{{5, 5}, {0, 0}}, true, "5", "8 0", 1},
		{"it has the size: not touched, its note neither (D-27)", []size{{8, 8}}, true, "5", "8", 0},
		{"none is active: the new one", []size{{0, 0}, {0, 0}}, true, "5", "0 8", 1},
		{"none is active and none is new: the youngest", []size{{0, 0}, {0, 0}}, false, "5", "0 8", 1},
		{"there is none", nil, false, "", "", 0},
		{"the new one is saturated: the old ones go", []size{{3, 3}, {2, 2}, {8, 8}}, true, "8", "0 0 8", 2},
		{"saturated but for its note: in proportion", []size{{2, 2}, {8, 8}}, true, "5", "2 8", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newTestWorld(t, 8, api.Str("25%"), api.Str("25%"))
			var sets []*api.ReplicaSet
			for i, s := range tt.sets {
				w.addReplicaSet("image-"+string(rune('a'+i)), s)
				w.change(i, func(rs *api.ReplicaSet) {
					rs.SetAnnotation(api.DesiredReplicasAnnotation, tt.note)
					rs.SetAnnotation(api.MaxReplicasAnnotation, "10")
				})
				sets = append(sets, w.setAt(len(w.names())-1))
			}
			var newRS *api.ReplicaSet
			if tt.new {
				newRS, sets = sets[len(sets)-1], sets[:len(sets)-1]
			}
			w.Must(w.c.scale(w.d, newRS, sets))
			if got := w.sizes(); got != tt.want {
				t.Errorf("sizes are %q, want %q", got, tt.want)
			}
			if got := w.events(); len(got) != tt.events {
				t.Errorf("events are %q, want %d", got, tt.events)
			}
		})
	}
}

// TestProportion is D-71 and D-72: the share of one ReplicaSet, by the total for which it was last scaled.
func TestProportion(t *testing.T) {
	tests := []struct {
		name       string
		replicas   int32 // surge 25 %
		size       int32
		note       string // max-replicas
		status     int32  // status.replicas of the Deployment
		add, added int32
		want       int32
	}{
		{"10 of 19, now 25", 20, 10, "19", 0, 8, 0, 3},
		{"7 of 19, now 25", 20, 7, "19", 0, 8, 3, 2},
		{"9 of 19, now 5", 4, 9, "19", 0, -13, 0, -7},
		{"9 of 19, but only 6 are left to take", 4, 9, "19", 0, -13, -7, -6},
		{"no more than is left to give", 30, 10, "13", 0, 9, 8, 1},
		{"all is given", 30, 10, "13", 0, 9, 9, 0},
		{"an empty one", 30, 0, "13", 0, 9, 0, 0},
		{"to nothing", 0, 8, "13", 0, -13, 0, -8},
		{"half is rounded away from zero: 5 * 5 / 10", 4, 5, "10", 0, -9, 0, -2},
		{"no note: the Deployment's status", 20, 10, "", 19, 8, 0, 3},
		{"no number: the Deployment's status", 20, 10, "x", 19, 8, 0, 3},
		{"the note is 0: the Deployment's status", 20, 10, "0", 19, 8, 0, 3},
		{"neither", 20, 10, "0", 0, 8, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newTestWorld(t, tt.replicas, api.Str("25%"), api.Str("25%"))
			w.d.Status.Replicas = tt.status
			rs := &api.ReplicaSet{Spec: api.ReplicaSetSpec{Replicas: &tt.size}}
			if tt.note != "" {
				rs.SetAnnotation(api.MaxReplicasAnnotation, tt.note)
			}
			if got, _ := proportion(w.d, rs, tt.add, tt.added); got != tt.want {
				t.Errorf("its share is %d, want %d", got, tt.want)
			}
		})
	}
}

// TestProportionNote: the note shows the sum of the worked example (D-72).
func TestProportionNote(t *testing.T) {
	w := newTestWorld(t, 20, api.Str("25%"), api.Str("25%"))
	rs := &api.ReplicaSet{Spec: api.ReplicaSetSpec{Replicas: api.Ptr[int32](10)}}
	rs.SetAnnotation(api.MaxReplicasAnnotation, "19")
	if _, got := proportion(w.d, rs, 8, 0); got != "share = round(10 × 25 / 19) − 10 = 3, of 8 left to give" {
		t.Error(got)
	}
}

// TestRollback is D-80: each way in which the deprecated annotation is served. The ReplicaSets have revisions 1, 2 and 3;
// the present template is that of 3.
func TestRollback(t *testing.T) {
	const notFound = "Warning DeploymentRollbackRevisionNotFound: Unable to find "
	tests := []struct {
		name, to  string
		revisions int
		image     string // afterwards
		event     string
	}{
		{"to revision 1", "1", 3, "image-1", `Normal DeploymentRollback: Rolled back deployment "web" to revision 1`},
		{"to the last one", "0", 3, "image-2", `Normal DeploymentRollback: Rolled back deployment "web" to revision 2`},
		{"to the present one", "3", 3, "image-3", `Warning DeploymentRollbackTemplateUnchanged: The rollback revision contains the same template as current deployment "web"`},
		{"to one that never was", "7", 3, "image-3", notFound + "the revision to rollback to."},
		{"to the last one, but there is none", "0", 1, "image-1", notFound + "last revision."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newTestWorld(t, 3, api.Str("25%"), api.Str("25%"))
			for i := range tt.revisions {
				w.addReplicaSet("image-"+string(rune('1'+i)), size{1, 1})
				w.change(i, func(rs *api.ReplicaSet) { rs.SetAnnotation(api.ChangeCauseAnnotation, "cause "+string(rune('1'+i))) })
			}
			w.d.Spec.Template = template(t, "image-"+string(rune('0'+tt.revisions)))
			w.d.Annotations = map[string]string{api.RollbackToAnnotation: tt.to, api.LastAppliedAnnotation: "{}",
				api.RevisionAnnotation: string(rune('0' + tt.revisions))}
			w.d.Status.Conditions = []api.Condition{{Type: progressing}} // else its addition would come first
			w.put()
			w.Must(w.c.rollback(api.Shallow(w.d), w.claimed()))
			d := w.stored()
			if _, there := d.Annotations[api.RollbackToAnnotation]; there {
				t.Error("the annotation is still there")
			}
			if got := d.Spec.Template.Spec.Containers[0].Image; got != tt.image {
				t.Errorf("the image is %s, want %s", got, tt.image)
			}
			if got := strings.Join(w.events(), "\n"); got != tt.event {
				t.Errorf("events %q, want %q", got, tt.event)
			}
			if _, kept := d.Annotations[api.LastAppliedAnnotation]; !kept {
				t.Errorf("the reserved annotations must stay: %v", d.Annotations)
			}
			if want := "cause " + tt.image[6:]; strings.HasPrefix(tt.event, "Normal") && d.Annotations[api.ChangeCauseAnnotation] != want {
				t.Errorf("the annotations %v must be those of the ReplicaSet", d.Annotations)
			}
		})
	}
}

// claimed returns the ReplicaSets of the cache, oldest first.
func (w *testWorld) claimed() []*api.ReplicaSet {
	w.T.Helper()
	sets, err := w.c.claimReplicaSets(w.d)
	if err != nil {
		w.T.Fatal(err)
	}
	return sets
}
