// Package history stores the templates of a StatefulSet or a DaemonSet as ControllerRevisions. It answers to
// pkg/controller/history/controller_history.go of the pinned version (v1.37.1).
package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const historyGo = "pkg/controller/history/controller_history.go:"

// HashLabel is the label of a StatefulSet's ControllerRevision that holds the hash of its template (S-6).
const HashLabel = "controller.kubernetes.io/hash"

// maxPrefix is the maximal length of the owner's name in the name of a revision, so that the hash fits into 253 characters.
const maxPrefix = 223

// Name returns the name of a revision (ControllerRevisionName). The hash depends only on the template and the count of collisions, and has
// the form of the real one (A-7, HashControllerRevision).
func Name(owner, hash string) string {
	return owner[:min(len(owner), maxPrefix)] + "-" + hash
}

// New returns a revision of a template without storing it. It has the labels of the template, the hash under hashLabel, and
// the current annotations of the owner (S-6, DS-20, NewControllerRevision).
func New(owner api.Object, hashLabel string, template *api.PodTemplateSpec, revision int64, collisionCount *int32) *api.ControllerRevision {
	hash := template.Hash(collisionCount)
	return &api.ControllerRevision{
		ObjectMeta: api.ObjectMeta{
			Name:            Name(owner.Meta().Name, hash),
			Namespace:       owner.Meta().Namespace,
			Labels:          api.With(template.Labels, hashLabel, hash),
			Annotations:     owner.Meta().Annotations,
			OwnerReferences: []api.OwnerReference{apiserver.ControllerRef(owner)},
		},
		Template: *template,
		Revision: revision,
	}
}

// Sort orders revisions by number, then by creation, then by name (SortControllerRevisions).
func Sort(revisions []*api.ControllerRevision) {
	slices.SortStableFunc(revisions, func(a, b *api.ControllerRevision) int {
		return cmp.Or(cmp.Compare(a.Revision, b.Revision), cmp.Compare(a.CreationTimestamp, b.CreationTimestamp), strings.Compare(a.Name, b.Name))
	})
}

// Max returns the highest number of revisions, 0 without any.
func Max(revisions []*api.ControllerRevision) (most int64) {
	for _, r := range revisions {
		most = max(most, r.Revision)
	}
	return most
}

// List returns the revisions of an owner and the orphans of its namespace, as far as the selector matches them, sorted
// (ListControllerRevisions).
func List(cache *sim.Table, owner *api.ObjectMeta, selector *api.LabelSelector) (list []*api.ControllerRevision) {
	for _, uid := range [...]string{owner.UID, ""} {
		for o := range cache.OwnedBy(uid) {
			if r := o.(*api.ControllerRevision); r.Namespace == owner.Namespace && selector.Matches(r.Labels) {
				list = append(list, r)
			}
		}
	}
	Sort(list)
	return list
}

// Create stores a revision, or finds it. If its name is taken by another template, Create increments the count of collisions and
// tries the next name (S-7 d, CreateControllerRevision).
func Create(client *apiserver.Client, owner api.Object, revision *api.ControllerRevision, collisionCount *int32,
	reason *sim.Explain) (*api.ControllerRevision, error) {
	for {
		r := api.Shallow(revision)
		r.Name = Name(owner.Meta().Name, r.Template.Hash(collisionCount))
		stored, err := CreateOrFind(client, r, reason)
		if !api.IsReason(err, api.ReasonAlreadyExists) {
			return stored, err
		}
		*collisionCount++
		client.Decide(owner.Key(), fmt.Sprintf("the name %s is taken by another template", r.Name), why.Sum("S-7", historyGo+"CreateControllerRevision",
			"collisions + 1", *collisionCount, *collisionCount-1).
			Noting("the count changes the hash, and so the name"))
	}
}

// CreateOrFind stores a revision. If its name is taken by the same template, which the cache does not show yet, it returns that
// revision (S-7 d, DS-20).
func CreateOrFind(client *apiserver.Client, r *api.ControllerRevision, reason *sim.Explain) (*api.ControllerRevision, error) {
	stored, err := client.Create(r, fmt.Sprintf("ControllerRevision created: revision %d", r.Revision), reason)
	if !api.IsReason(err, api.ReasonAlreadyExists) {
		return api.As[*api.ControllerRevision](stored), err
	}
	stored, getErr := client.Get(r.Key())
	if getErr != nil {
		return nil, getErr
	}
	if e := stored.(*api.ControllerRevision); e.Template.Equal(&r.Template) {
		return e, nil
	}
	return nil, err
}

// SetRevision changes the number of a stored revision and returns the stored version (UpdateControllerRevision).
//
// Simplified: after a conflict upstream tries a few times with the version that its cache has by then. Here a sync takes no
// time, so the cache does not change: the sync itself is tried again (H-5).
func SetRevision(client *apiserver.Client, revision *api.ControllerRevision, number int64, why *sim.Explain) (*api.ControllerRevision, error) {
	if revision.Revision == number {
		return revision, nil
	}
	updated := api.Shallow(revision)
	updated.Revision = number
	stored, err := client.Update(updated, fmt.Sprintf("ControllerRevision %d becomes %d", revision.Revision, number), why)
	return api.As[*api.ControllerRevision](stored), err
}
