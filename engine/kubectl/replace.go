package kubectl

import (
	"errors"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/sim"
)

// replace puts a manifest in the place of each object: what it does not say goes.
func (k *Kubectl) replace(c *command, manifests []scenario.Manifest) error {
	if c.On("force") {
		return k.replaceByForce(c, manifests)
	}
	return forEach(c, manifests, func(m scenario.Manifest) (string, error) {
		key := m.Object.Key()
		if c.last = m.Object; c.Dry == line.DryClient {
			return c.said(key, "replaced"), nil
		}
		stored, err := k.client.Get(key)
		if err != nil && key.Kind == api.KindService { // the only kind that a replacement creates
			c.keepApplied(m.Object, m)
			return c.saidUnless(c.sourced("replacing", k.add(c, m.Object, "replaced")), key, "replaced")
		}
		if err != nil {
			return "", c.sourced("replacing", err)
		}
		o, err := rebuild(m.Tree(), stored)
		if err != nil {
			return "", err
		}
		given := m.Object.Meta()
		o.Meta().OwnerReferences, o.Meta().Finalizers = given.OwnerReferences, given.Finalizers
		c.keepApplied(o, m)
		_, err = k.put(c, o, "replaced")
		return c.saidUnless(c.sourced("replacing", err), key, "replaced")
	})
}

// forced is a kubectl replace --force: it deletes objects, and creates them again when all are gone (replace.go:forceReplace).
//
// Simplified: a manifest is checked before anything is deleted.
type forced struct {
	*command
	later
	manifests []scenario.Manifest
	gone      int   // how many of the objects are gone
	until     int64 // when it gives up waiting for the next one
}

// forcedFor is how long it waits for each object, in ms.
const forcedFor = 300_000

func (k *Kubectl) replaceByForce(c *command, manifests []scenario.Manifest) error {
	if c.Dry != line.NoDryRun {
		return errors.New("--dry-run can not be used when --force is set")
	}
	for i := range manifests {
		c.Targets = append(c.Targets, manifests[i].Object.Key())
	}
	c.Flags, c.Grace = api.With(c.Flags, "ignore-not-found", "true"), -1
	if err := k.delete(c); err != nil {
		return err
	} else if len(manifests) == 0 {
		return errors.New("no objects passed to replace")
	}
	f := &forced{command: c, later: later{k, c.kernel.Cause()}, manifests: manifests, until: c.kernel.Now() + forcedFor}
	return f.look()
}

// Handle looks again.
func (f *forced) Handle(sim.Event) {
	f.kernel.SetCause(f.cause)
	printed := len(f.answer.Lines)
	f.fail(f.look())
	f.say(f.answer, printed, f.Targets[0])
}

// look creates the objects if all of them are gone, and else comes back after a second.
func (f *forced) look() error {
	now := f.kernel.Now()
	for ; f.gone < len(f.Targets); f.gone++ {
		if f.kubectl.store.Get(f.Targets[f.gone]) != nil {
			if f.answer.Open = now < f.until; !f.answer.Open {
				return read.ErrDeadline
			}
			f.kernel.Schedule(sim.Event{At: now + deletionPolls, To: f})
			return nil
		}
		f.until = now + forcedFor
	}
	f.answer.Open = false
	return f.kubectl.create(f.command, f.manifests)
}
