package kubectl

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/apiserver"
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

// propagations are the values of --cascade. kubectl always sends one.
var propagations = map[string]apiserver.Propagation{"": apiserver.Background, "background": apiserver.Background,
	"foreground": apiserver.Foreground, "orphan": apiserver.Orphan}

// delete deletes objects (K-36).
func (k *Kubectl) delete(c *command) error {
	opts := apiserver.DeleteOptions{Propagation: propagations[c.Flags["cascade"]]}
	if c.Grace >= 0 {
		opts.GracePeriodSeconds = &c.Grace
	}
	chosen := k.objects(c)
	if _, given := c.Flags["namespace"]; given && slices.ContainsFunc(chosen, func(key api.Key) bool { return kinds.Of(key.Kind).Cluster }) {
		c.Warnings = append(c.Warnings, "Warning: deleting cluster-scoped resources, not scoped to the provided namespace")
	}
	if len(chosen) == 0 {
		c.print("No resources found")
		return nil
	}
	given, ok := c.Flags["ignore-not-found"]
	ignoresNotFound := given == "true" || !ok && (c.On("all") || c.Selector != nil) // those that are selected may be gone
	return forEach(c, chosen, func(key api.Key) (string, error) {
		err := k.deleteOne(c, key, opts)
		if ignoresNotFound && api.IsReason(err, api.ReasonNotFound) {
			return "", nil
		}
		if c.Flags["filename"] != "" {
			err = c.sourced("deleting", err)
		}
		return c.deleted(key), err
	})
}

func (k *Kubectl) deleteOne(c *command, key api.Key, opts apiserver.DeleteOptions) error {
	if key.Kind == line.KindNamespace {
		for _, kind := range kinds.Stored() {
			for _, o := range (stored{k.store}).All(kind) {
				if o.Meta().Namespace == key.Name {
					return fmt.Errorf("rollplay deletes only empty namespaces: delete %s -n %s first", line.ResourceName(o.Key()), key.Name)
				}
			}
		}
	}
	switch c.Dry {
	case line.DryClient:
		return nil
	case line.DryServer:
		_, err := k.client.Get(key)
		return err
	}
	return k.client.Delete(key, opts, "deleted by hand", nil)
}

func (c *command) deleted(key api.Key) string {
	if c.Flags["output"] == "name" {
		return line.ResourceName(key)
	}
	kind, name, _ := strings.Cut(line.ResourceName(key), "/")
	what := "deleted"
	if c.Grace == 0 {
		what = "force deleted"
	}
	if key.Namespace != "" {
		what += " from " + key.Namespace + " namespace"
	}
	return fmt.Sprintf("%s %q %s%s", kind, name, what, c.Dry.Suffix())
}
