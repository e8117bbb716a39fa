package kubectl

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/limits"
)

// put validates a changed object as the API server does, and stores it, unless it is a dry run.
func (k *Kubectl) put(c *command, o api.Object, what string) (changed bool, err error) {
	stored, err := k.client.Get(o.Key())
	if err != nil {
		return false, err
	}
	sent := c.Dry != line.DryClient
	if sent {
		if err := cmp.Or(k.client.Allocate(o, stored, c.Dry == line.DryServer), k.checkUpdate(o, stored)); err != nil {
			return false, err
		}
	}
	changed = !api.SpecEqual(o, stored) || !api.SameMeta(o.Meta(), stored.Meta())
	if sent && (changed || c.dropped || c.Verb != "apply" && c.Verb != "diff") { // which send no patch that is empty
		c.warnOf(o, stored)
	}
	if c.Dry != line.NoDryRun {
		if c.Dry == line.DryServer {
			k.client.PrepareForUpdate(o, stored)
		}
		c.last = api.WithStatusOf(o, stored)
		return changed, nil
	}
	written, err := k.client.Update(o, what, nil)
	if err != nil {
		return false, err
	}
	c.last = written
	return written != stored, nil
}

// putAndSay stores a changed object, unless it is a dry run, and returns the answer.
func (k *Kubectl) putAndSay(c *command, o api.Object, what string) (string, error) {
	_, err := k.put(c, o, what)
	return c.saidUnless(err, o.Key(), what)
}

// checkUpdate refuses what the API server refuses about a changed object.
//
// Simplified: of the spec of a pod that exists only the images can be changed. The API server also takes more tolerations and a deadline.
func (k *Kubectl) checkUpdate(o, stored api.Object) error {
	if pod, ok := o.(*api.Pod); ok && !api.SpecEqual(o, stored) && !api.SpecEqual(o, withImages(stored.(*api.Pod), pod.Spec.Tree())) {
		return fmt.Errorf("rollplay does not model changes to the spec of a pod that exists, except images; delete %s and create it again",
			line.ResourceName(o.Key()))
	}
	return refusal(o, validate.Update(o, stored))
}

// refusal is the answer to an object that is wrong, or larger than what etcd stores, whose words are passed on without a reason.
func refusal(o api.Object, wrong validate.FieldErrors) error {
	switch {
	case len(wrong) > 0:
		return &api.StatusError{Reason: api.ReasonInvalid, Message: wrong.KubectlMessage(o.Key().Kind, o.Key().Name)}
	case len(api.JSON(o)) > limits.Object:
		return &api.StatusError{Message: "etcdserver: request is too large"}
	}
	return nil
}

// warnOf prints the API server's warnings about an object that it accepts; stored is the previous state, nil for a new object.
func (c *command) warnOf(o, stored api.Object) {
	for _, w := range validate.Warnings(o, stored) {
		c.warn(w.String())
	}
	if k := kinds.Of(o.Key().Kind); k.Acts {
		c.warn("rollplay stores " + k.Plural + " and does not simulate what they do")
	}
}

// warn prints a warning of the API server. kubectl prints equal ones once.
func (c *command) warn(text string) {
	text = "Warning: " + text
	if !slices.ContainsFunc(c.answer.Lines, func(l read.Line) bool { return l.Text == text }) {
		c.complain(text)
	}
}

// noUID is that of an object that only a dry run has made.
const noUID = "00000000-0000-4000-8000-000000000000"

// add creates an object, unless it is a dry run.
func (k *Kubectl) add(c *command, o api.Object, what string) error {
	c.last = o
	if c.Dry == line.DryClient {
		return nil
	}
	if err := cmp.Or(k.client.Allocate(o, nil, c.Dry == line.DryServer), refusal(o, validate.Object(o))); err != nil {
		return err
	}
	c.warnOf(o, nil)
	if c.Dry == line.DryServer {
		if err := k.client.Refuse(o); err != nil {
			return err
		}
		if stored := k.store.Get(o.Key()); stored != nil {
			return kinds.Taken(stored)
		}
		k.client.PrepareForCreate(o, noUID)
		return nil
	}
	created, err := k.client.Create(o, what, nil)
	if c.last = created; err == nil && o.Key().Kind == api.KindResourceQuota { // the controller counts a moment later
		c.last = api.WithStatusOf(created, &api.ResourceQuota{})
	}
	return err
}
