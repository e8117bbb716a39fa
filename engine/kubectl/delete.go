package kubectl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// warningForce is what kubectl says before it does not wait for a pod.
const warningForce = "Warning: Immediate deletion does not wait for confirmation that the running resource has been " +
	"terminated. The resource may continue to run on the cluster indefinitely."

// delete deletes objects (K-36).
func (k *Kubectl) delete(c *command) error {
	opts, err := c.deleteOptions()
	if err != nil {
		return err
	}
	if c.Flags["filename"] != "" {
		manifests, err := k.manifests(c)
		if err != nil {
			return err
		}
		for i := range manifests {
			c.Targets = append(c.Targets, manifests[i].Object.Key())
		}
	}
	if _, given := c.Flags["namespace"]; given && k.deletesNodes(c) {
		c.Warnings = append(c.Warnings, "Warning: deleting cluster-scoped resources, not scoped to the provided namespace")
	}
	if len(k.objects(c)) == 0 {
		c.print("No resources found")
		return nil
	}
	return forEach(c, k.objects(c), func(key api.Key) (string, error) {
		err := k.deleteOne(c, key, opts)
		if api.IsReason(err, api.ReasonNotFound) && c.ignoresNotFound() {
			return "", nil
		}
		if err != nil && c.Flags["filename"] != "" {
			err = sourced("deleting", err)
		}
		if err != nil {
			return "", err
		}
		return deletedLine(c, key, opts), nil
	})
}

func (k *Kubectl) deletesNodes(c *command) bool {
	for _, key := range k.objects(c) {
		if key.Kind == api.KindNode {
			return true
		}
	}
	return false
}

// ignoresNotFound says whether a missing object is fine. For selected objects it always is.
func (c *command) ignoresNotFound() bool {
	if given, ok := c.Flags["ignore-not-found"]; ok {
		return given == "true"
	}
	return c.All || c.Selector != nil
}

func (k *Kubectl) deleteOne(c *command, key api.Key, opts apiserver.DeleteOptions) error {
	switch c.Dry {
	case line.DryClient:
		return nil
	case line.DryServer:
		_, err := k.client.Get(key)
		return err
	}
	return k.client.Delete(key, opts, "deleted by hand", nil)
}

// deletedLine returns what kubectl says of a deleted object.
func deletedLine(c *command, key api.Key, opts apiserver.DeleteOptions) string {
	if c.Flags["output"] == "name" {
		return line.ResourceName(key)
	}
	kind, name, _ := strings.Cut(line.ResourceName(key), "/")
	what := "deleted"
	if opts.GracePeriodSeconds != nil && *opts.GracePeriodSeconds == 0 {
		what = "force deleted"
	}
	if key.Namespace != "" {
		what += " from " + key.Namespace + " namespace"
	}
	return fmt.Sprintf("%s %q %s%s", kind, name, what, c.Dry.Suffix())
}

// deleteOptions reads how to delete. A negative grace period means the pod's own.
func (c *command) deleteOptions() (opts apiserver.DeleteOptions, err error) {
	if opts.Propagation, err = c.propagation(); err != nil {
		return opts, err
	}
	grace := c.Int("grace-period", -1)
	force := c.Flags["force"] == "true"
	if c.Flags["now"] == "true" {
		if grace != -1 {
			return opts, errors.New("--now and --grace-period cannot be specified together")
		}
		grace = 1
	}
	switch {
	case grace > 0 && force:
		return opts, errors.New("--force and --grace-period greater than 0 cannot be specified together")
	case force:
		grace = 0
		c.Warnings = append(c.Warnings, warningForce)
	case grace == 0:
		grace = 1 // kubectl waits a second unless --force says not to
	}
	if grace >= 0 {
		opts.GracePeriodSeconds = &grace
	}
	return opts, nil
}

// propagation reads --cascade, also in the way that is deprecated.
func (c *command) propagation() (apiserver.Propagation, error) {
	value := c.Flags["cascade"]
	if on, err := strconv.ParseBool(value); err == nil {
		was := value
		if value = "orphan"; on {
			value = "background"
		}
		c.Warnings = append(c.Warnings, fmt.Sprintf("warning: --cascade=%s is deprecated (boolean value) and can be replaced with "+
			"--cascade=%s.", was, value))
	}
	switch value {
	case "", "background":
		return apiserver.Background, nil
	case "foreground":
		return apiserver.Foreground, nil
	case "orphan":
		return apiserver.Orphan, nil
	}
	return 0, fmt.Errorf(`invalid cascade value (%s). Must be "background", "foreground", or "orphan"`, value)
}
