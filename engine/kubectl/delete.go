package kubectl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// delete deletes objects (K-36).
func (k *Kubectl) delete(c *command) error {
	opts := apiserver.DeleteOptions{Propagation: cmp.Or(apiserver.Propagation(c.Flags["cascade"]), apiserver.Background)}
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
