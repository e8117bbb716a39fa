// Package history keeps the templates that a StatefulSet or a DaemonSet once had, as ControllerRevisions. It follows
// pkg/controller/history of the pinned version (v1.37.1).
package history

import (
	"fmt"
	"maps"
	"sort"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const historyGo = "pkg/controller/history/controller_history.go:"

// HashLabel is the label of a StatefulSet's ControllerRevision that holds the hash of its template (S-6).
const HashLabel = "controller.kubernetes.io/hash"

// maxPrefix is how long an owner's name may be in the name of a revision: with a hash it has at most 253 characters.
const maxPrefix = 223

// Hash returns the hash of a template: it depends on nothing but the template and the count of collisions, and looks like
// the real one.
func Hash(template *api.PodTemplateSpec, collisionCount *int32) string {
	return template.Hash(collisionCount)
}

// Name returns the name of an owner's revision.
func Name(owner, hash string) string {
	return owner[:min(len(owner), maxPrefix)] + "-" + hash
}

// New returns the revision of a template, which is not stored yet. It has the labels of the template and the hash as one
// more, under hashLabel, and the annotations that the owner has now (S-6, DS-20).
func New(owner api.Object, hashLabel string, template *api.PodTemplateSpec, revision int64, collisionCount *int32) *api.ControllerRevision {
	hash := Hash(template, collisionCount)
	labels := make(map[string]string, len(template.Labels)+1)
	maps.Copy(labels, template.Labels)
	labels[hashLabel] = hash
	return &api.ControllerRevision{
		ObjectMeta: api.ObjectMeta{
			Name:            Name(owner.Meta().Name, hash),
			Namespace:       owner.Meta().Namespace,
			Labels:          labels,
			Annotations:     owner.Meta().Annotations,
			OwnerReferences: []api.OwnerReference{apiserver.ControllerRef(owner)},
		},
		Template: *template,
		Revision: revision,
	}
}

// Equal says whether two revisions restore the same template (EqualRevision).
func Equal(a, b *api.ControllerRevision) bool { return a.Template.Equal(&b.Template) }

// FindEqual returns the revisions that are equal to one, in their order.
func FindEqual(revisions []*api.ControllerRevision, like *api.ControllerRevision) (equal []*api.ControllerRevision) {
	for _, r := range revisions {
		if Equal(r, like) {
			equal = append(equal, r)
		}
	}
	return equal
}

// Sort orders revisions by number, then by creation, then by name (SortControllerRevisions).
func Sort(revisions []*api.ControllerRevision) {
	sort.SliceStable(revisions, func(i, j int) bool {
		a, b := revisions[i], revisions[j]
		switch {
		case a.Revision != b.Revision:
			return a.Revision < b.Revision
		case a.CreationTimestamp != b.CreationTimestamp:
			return a.CreationTimestamp < b.CreationTimestamp
		}
		return a.Name < b.Name
	})
}

// Next returns the number of the next revision, 1 if there is none. The revisions are sorted.
func Next(revisions []*api.ControllerRevision) int64 {
	if len(revisions) == 0 {
		return 1
	}
	return revisions[len(revisions)-1].Revision + 1
}

// List returns the revisions in a cache that belong to an owner, and the orphans of its namespace, if the selector matches
// them: oldest first.
func List(cache *sim.Table, owner *api.ObjectMeta, selector *api.LabelSelector) (list []*api.ControllerRevision) {
	for _, uid := range [...]string{owner.UID, ""} {
		for o := range cache.OwnedBy(uid) {
			if r := o.(*api.ControllerRevision); r.Namespace == owner.Namespace && selector.Matches(r.Labels) {
				list = append(list, r)
			}
		}
	}
	return list
}

// Create stores a revision. If another template has its name, it counts a collision and tries the next name; if the same
// template has it, that revision is returned: the cache does not show it yet (S-7 d).
func Create(client *apiserver.Client, owner api.Object, revision *api.ControllerRevision, collisionCount *int32,
	reason *sim.Explain) (*api.ControllerRevision, error) {
	for {
		r := revision.Shallow()
		r.Name = Name(owner.Meta().Name, Hash(&r.Template, collisionCount))
		created, err := client.Create(r, fmt.Sprintf("ControllerRevision created: revision %d", r.Revision), reason)
		if err == nil {
			return created.(*api.ControllerRevision), nil
		}
		if !api.IsReason(err, api.ReasonAlreadyExists) {
			return nil, err
		}
		exists, err := client.Get(r.Key())
		if err != nil {
			return nil, err
		}
		if e := exists.(*api.ControllerRevision); Equal(e, r) {
			return e, nil
		}
		*collisionCount++
		client.Decide(owner.Key(), fmt.Sprintf("the name %s is taken by another template", r.Name), why.Sum("S-7", historyGo+"CreateControllerRevision",
			"collisions + 1", *collisionCount, *collisionCount-1).
			Noting("the count goes into the hash, so that the next name is another one"))
	}
}

// SetRevision gives a stored revision another number. It returns the stored version.
//
// Simplified: upstream tries a few times after a conflict, with what its cache has by then. Here a sync takes no time, so
// that the cache stays as it is: the sync is tried again (H-5).
func SetRevision(client *apiserver.Client, revision *api.ControllerRevision, number int64, why *sim.Explain) (*api.ControllerRevision, error) {
	if revision.Revision == number {
		return revision, nil
	}
	updated := revision.Shallow()
	updated.Revision = number
	stored, err := client.Update(updated, fmt.Sprintf("ControllerRevision %d becomes %d", revision.Revision, number), why)
	if err != nil {
		return nil, err
	}
	return stored.(*api.ControllerRevision), nil
}
