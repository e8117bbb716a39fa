package kubectl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
)

// setImage changes images in a Deployment's template (K-33). Without a change it prints nothing.
func (k *Kubectl) setImage(c *command) (string, error) {
	if err := c.only(api.KindDeployment); err != nil {
		return "", err
	}
	if len(c.rest) == 0 {
		return "", errors.New("at least one image update is required")
	}
	for _, key := range c.targets { // this verb finds all its objects before it changes one
		if _, err := k.client.Get(key); err != nil {
			return "", err
		}
	}
	return each(c.targets, func(key api.Key) (string, error) {
		d, err := k.deployment(key)
		if err != nil {
			return "", err
		}
		for _, pair := range c.rest {
			container, image, _ := strings.Cut(pair, "=")
			if image == "" {
				return "", fmt.Errorf("invalid image update %q, expected container=image", pair)
			}
			if d.Spec.Template, _, err = d.Spec.Template.WithImage(container, image); err != nil {
				return "", err
			}
		}
		changed, err := k.store(d, "image set: "+strings.Join(c.rest, ", "))
		if err != nil || !changed {
			return "", err
		}
		return resourceName(key) + " image updated", nil
	})
}

// scale changes spec.replicas (K-34).
func (k *Kubectl) scale(c *command) (string, error) {
	n, err := strconv.ParseInt(c.flags["replicas"], 10, 32)
	if err != nil || n < 0 {
		return "", errors.New("The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0")
	}
	return each(c.targets, func(key api.Key) (string, error) {
		o, err := k.client.Get(key)
		if err != nil {
			return "", err
		}
		o = o.Copy()
		replicas := replicasOf(o)
		if replicas == nil {
			return "", &api.StatusError{Reason: api.ReasonNotFound, Message: "the server could not find the requested resource"}
		}
		if want := c.flags["current-replicas"]; want != "" && want != "-1" && want != strconv.Itoa(int(**replicas)) {
			return "", fmt.Errorf("Expected replicas to be %s, was %d", want, **replicas)
		}
		*replicas = api.Ptr(int32(n))
		if _, err := k.store(o, fmt.Sprintf("scaled to %d", n)); err != nil {
			return "", err
		}
		return resourceName(key) + " scaled", nil
	})
}

// replicasOf returns where an object keeps spec.replicas, nil if it has none.
func replicasOf(o api.Object) **int32 {
	switch o := o.(type) {
	case *api.Deployment:
		return &o.Spec.Replicas
	case *api.ReplicaSet:
		return &o.Spec.Replicas
	}
	return nil
}

// annotate sets (key=value) and removes (key-) annotations (K-35).
func (k *Kubectl) annotate(c *command) (string, error) {
	if len(c.rest) == 0 {
		return "", errors.New("at least one annotation update is required")
	}
	return each(c.targets, func(key api.Key) (string, error) {
		o, err := k.client.Get(key)
		if err != nil {
			return "", err
		}
		o = o.Copy()
		for _, word := range c.rest {
			if err := applyAnnotation(o.Meta(), word, c.flags["overwrite"] == "true"); err != nil {
				return "", err
			}
		}
		if _, err := k.store(o, "annotated"); err != nil {
			return "", err
		}
		return resourceName(key) + " annotated", nil
	})
}

func applyAnnotation(m *api.ObjectMeta, word string, overwrite bool) error {
	name, value, set := strings.Cut(word, "=")
	if !set {
		m.DeleteAnnotation(strings.TrimSuffix(word, "-"))
		return nil
	}
	if have, ok := m.Annotations[name]; ok && have != value && !overwrite {
		return fmt.Errorf("--overwrite is false but found the following declared annotation(s): '%s' already has a value (%s)", name, have)
	}
	m.SetAnnotation(name, value)
	return nil
}

// delete deletes objects (K-36).
func (k *Kubectl) delete(c *command) (string, error) {
	opts, err := deleteOptions(c.flags)
	if err != nil {
		return "", err
	}
	return each(c.targets, func(key api.Key) (string, error) {
		if err := k.client.Delete(key, opts, "deleted by hand", nil); err != nil {
			return "", err
		}
		kind, name, _ := strings.Cut(resourceName(key), "/")
		if key.Namespace == "" {
			return fmt.Sprintf("%s %q deleted", kind, name), nil
		}
		return fmt.Sprintf("%s %q deleted from %s namespace", kind, name, key.Namespace), nil
	})
}

func deleteOptions(flags map[string]string) (opts apiserver.DeleteOptions, err error) {
	if flags["now"] == "true" {
		opts.GracePeriodSeconds = api.Ptr(int64(1))
	}
	if text := flags["grace-period"]; text != "" {
		g, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return opts, fmt.Errorf("invalid argument %q for \"--grace-period\" flag", text)
		}
		if g == 0 && flags["force"] != "true" {
			g = 1 // kubectl waits a second unless --force says not to
		}
		if g >= 0 {
			opts.GracePeriodSeconds = &g
		}
	} else if flags["force"] == "true" {
		opts.GracePeriodSeconds = new(int64)
	}
	switch flags["cascade"] {
	case "", "background", "true":
	case "foreground":
		opts.Propagation = apiserver.Foreground
	case "orphan", "false":
		opts.Propagation = apiserver.Orphan
	default:
		return opts, fmt.Errorf(`invalid cascade value (%s). Must be "background", "foreground", or "orphan"`, flags["cascade"])
	}
	return opts, nil
}
