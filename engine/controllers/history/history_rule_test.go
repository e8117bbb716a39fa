package history

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
)

func template(t testing.TB, image string) *api.PodTemplateSpec {
	return api.Ptr(cluster.Template(t, "db", image))
}

var owner = &api.StatefulSet{ObjectMeta: api.ObjectMeta{Name: "db", Namespace: "default", UID: "u", Annotations: map[string]string{"a": "b"}}}

// TestHash is A-7: the hash has the look of the real one and depends on the template and the collisions alone.
func TestHash(t *testing.T) {
	one, two, zero := template(t, "db:1"), template(t, "db:2"), int32(0)
	first := one.Hash(&zero)
	if strings.Trim(first, "456789bcdf") != "" || len(first) > 10 || first != template(t, "db:1").Hash(&zero) {
		t.Errorf("the hash is %q", first)
	}
	if n := int32(1); first == two.Hash(&zero) || first == one.Hash(&n) {
		t.Error("other templates or collisions have the same hash")
	}
}

// TestName is S-6: the name of an owner is cut so that 253 characters are enough.
func TestName(t *testing.T) {
	if got := Name("db", "89cf9fd9b"); got != "db-89cf9fd9b" {
		t.Error(got)
	}
	if got := Name(strings.Repeat("x", 250), "89cf9fd9b"); len(got) != 223+1+9 {
		t.Errorf("%d characters", len(got))
	}
}

// TestSortAndMax is S-7: revisions go by number, creation and name; the next number is one more than the highest.
func TestSortAndMax(t *testing.T) {
	if got := Max(nil); got != 0 {
		t.Errorf("the highest number of none is %d", got)
	}
	revision := func(name string, number int64, created api.Time) *api.ControllerRevision {
		return &api.ControllerRevision{ObjectMeta: api.ObjectMeta{Name: name, CreationTimestamp: created}, Revision: number}
	}
	list := []*api.ControllerRevision{revision("e", 3, 1), revision("d", 2, 2), revision("c", 2, 1), revision("b", 2, 1), revision("a", 7, 0)}
	Sort(list)
	var names string
	for _, r := range list {
		names += r.Name
	}
	if names != "bcdea" || Max(list) != 7 {
		t.Errorf("the order is %s, the highest number %d", names, Max(list))
	}
}

// TestCreate is S-6 and S-7 d: labels, annotations and owner; the same template twice is one revision; another template
// with the name is a collision.
func TestCreate(t *testing.T) {
	client := cluster.New(t).User
	collisions := int32(0)
	create := func(tmpl *api.PodTemplateSpec) *api.ControllerRevision {
		r, err := Create(client, owner, New(owner, HashLabel, tmpl, 1, &collisions), &collisions, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := create(template(t, "db:1"))
	if hash := first.Labels[HashLabel]; first.Name != "db-"+hash || first.Labels["app"] != "db" || first.Annotations["a"] != "b" || !first.IsControlledBy("u") {
		t.Errorf("the revision is %+v", first.ObjectMeta)
	}
	if again := create(template(t, "db:1")); again.UID != first.UID || collisions != 0 {
		t.Errorf("the same template made %s, with %d collisions", again.Name, collisions)
	}
	taken := New(owner, HashLabel, template(t, "db:2"), 1, &collisions)
	taken.Template = *template(t, "db:3") // its name is that of db:2
	if _, err := client.Create(taken, "", nil); err != nil {
		t.Fatal(err)
	}
	second := create(template(t, "db:2"))
	if n := int32(1); collisions != 1 || second.Name != Name("db", template(t, "db:2").Hash(&n)) {
		t.Errorf("after %d collisions the name is %s", collisions, second.Name)
	}
}

// TestListAndSetRevision: own revisions and orphans that the selector matches; a number is written once.
func TestListAndSetRevision(t *testing.T) {
	w := cluster.New(t)
	client := w.User
	add := func(name, label string, owners []api.OwnerReference) *api.ControllerRevision {
		r := &api.ControllerRevision{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default", Labels: map[string]string{"app": label},
			OwnerReferences: owners}, Template: *template(t, "db:1"), Revision: 1}
		if _, err := client.Create(r, "", nil); err != nil {
			t.Fatal(err)
		}
		return r
	}
	mine := add("mine", "db", []api.OwnerReference{apiserver.ControllerRef(owner)})
	add("orphan", "db", nil)
	add("another", "web", nil)
	add("stranger", "db", []api.OwnerReference{{Kind: api.KindDaemonSet, Name: "x", UID: "x", Controller: true}})
	var names []string
	for _, r := range List(w.Server.Store.Table(api.KindControllerRevision), &owner.ObjectMeta, &api.LabelSelector{MatchLabels: map[string]string{"app": "db"}}) {
		names = append(names, r.Name)
	}
	if got := strings.Join(names, " "); got != "mine orphan" {
		t.Errorf("listed are %s", got)
	}
	stored, err := SetRevision(client, mine, 5, nil)
	if err != nil || stored.Revision != 5 {
		t.Fatalf("%+v, %v", stored, err)
	}
	if _, err := SetRevision(client, mine, 6, nil); !api.IsReason(err, api.ReasonConflict) {
		t.Errorf("an old version was written: %v", err)
	}
	if same, err := SetRevision(client, stored, 5, nil); err != nil || same != stored {
		t.Errorf("the same number was written again: %v", err)
	}
}
