package apiserver

import (
	"fmt"
	"slices"
	"time"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/why"
)

const refManager = "pkg/controller/controller_ref_manager.go:"

// Claim says whether a dependent belongs to an owner. An orphan that the selector matches is adopted; a dependent
// that the selector no longer matches is released. Both objects come from a cache. Callers that claim several dependents
// continue after an error and aggregate the errors (ClaimPods, ClaimReplicaSets, ClaimControllerRevisions).
func (c *Client) Claim(owner api.Object, selector *api.LabelSelector, o api.Object) (mine bool, err error) {
	me, m := owner.Meta(), o.Meta()
	ref := m.ControllerOf()
	matches := selector.Matches(m.Labels)
	switch {
	case ref != nil && ref.UID != me.UID:
		return false, nil
	case ref != nil && matches:
		return true, nil
	case ref != nil:
		if me.Terminating() {
			return false, nil
		}
		return false, c.release(owner, o)
	case !matches || me.Terminating() || m.Terminating() || me.Namespace != m.Namespace:
		return false, nil
	}
	return c.adopt(owner, o)
}

// adopt makes an owner the controller of an orphan, unless the store has a different owner than the cache.
func (c *Client) adopt(owner, o api.Object) (bool, error) {
	if err := c.canAdopt(owner); err != nil {
		return false, fmt.Errorf("can't adopt %s %s/%s (%s): %v", o.Key().Kind, o.Meta().Namespace, o.Meta().Name, o.Meta().UID, err)
	}
	return c.patchOwners(o, fmt.Sprintf("adopted by %s", owner.Key().Name), "Adopt"+string(o.Key().Kind), func(m *api.ObjectMeta) {
		if slices.ContainsFunc(m.OwnerReferences, func(r api.OwnerReference) bool { return r.UID == owner.Meta().UID }) {
			return // the cache does not show an earlier adoption yet; a patch merges entries by UID
		}
		m.OwnerReferences = append([]api.OwnerReference{ControllerRef(owner)}, m.OwnerReferences...) // a new entry goes in front
	})
}

// canAdopt returns an error if the owner from the cache was replaced or deleted since.
func (c *Client) canAdopt(owner api.Object) error {
	key, have := owner.Key(), owner.Meta()
	fresh, err := c.Get(key)
	if err != nil {
		return fmt.Errorf("can't recheck DeletionTimestamp: %v", err)
	}
	if m := fresh.Meta(); m.UID != have.UID {
		return fmt.Errorf("can't recheck DeletionTimestamp: original %s %s/%s is gone: got uid %s, wanted %s",
			key.Kind, key.Namespace, key.Name, m.UID, have.UID)
	}
	if fresh.Meta().Terminating() {
		return fmt.Errorf("%s/%s has just been deleted at %s", key.Namespace, key.Name, time.Unix(int64(fresh.Meta().DeletionTimestamp), 0).UTC())
	}
	return nil
}

// validateOwners rejects a second controller: another owner has adopted the object since the cache was read.
func validateOwners(o api.Object) error {
	refs := o.Meta().OwnerReferences
	var first *api.OwnerReference
	for i := range refs {
		switch {
		case !refs[i].Controller:
		case first == nil:
			first = &refs[i]
		default:
			errs := validate.Invalid("metadata.ownerReferences", refs, fmt.Sprintf("Only one reference can have Controller set to true. "+
				`Found "true" in references for %s/%s and %s/%s`, first.Kind, first.Name, refs[i].Kind, refs[i].Name))
			return &api.StatusError{Reason: api.ReasonInvalid, Message: errs.Message(o.Key().Kind, o.Key().Name)}
		}
	}
	return nil
}

// release removes the owner's reference from a dependent.
func (c *Client) release(owner, o api.Object) error {
	_, err := c.patchOwners(o, fmt.Sprintf("released by %s", owner.Key().Name), "Release"+string(o.Key().Kind), func(m *api.ObjectMeta) {
		m.OwnerReferences = slices.DeleteFunc(m.OwnerReferences, func(r api.OwnerReference) bool { return r.UID == owner.Meta().UID })
	})
	return err
}

// patchOwners changes the owner references of the stored version of an object. It returns false without an error if the object
// was removed, or replaced by another one of the same name.
func (c *Client) patchOwners(o api.Object, what, upstream string, change func(*api.ObjectMeta)) (bool, error) {
	stored, err := c.Get(o.Key())
	if err != nil || stored.Meta().UID != o.Meta().UID {
		return false, nil
	}
	patched := api.Copy(stored)
	change(patched.Meta())
	if err := validateOwners(patched); err != nil {
		return false, err
	}
	if _, err := c.put(patched, stored, what, why.Rule("A-13", refManager+upstream)); err != nil {
		return false, err
	}
	return true, nil
}

// ControllerRef returns the reference that makes an owner the controller of a dependent.
func ControllerRef(owner api.Object) api.OwnerReference {
	key := owner.Key()
	return api.OwnerReference{APIVersion: kinds.Of(key.Kind).APIVersion(), Kind: key.Kind, Name: key.Name, UID: owner.Meta().UID,
		Controller: true, BlockOwnerDeletion: true}
}
