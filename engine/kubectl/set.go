package kubectl

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/words"
)

// setImage changes images in templates (K-33). Without a change it prints nothing.
func (k *Kubectl) setImage(c *command) error {
	for _, pair := range c.Rest {
		if !strings.Contains(pair, "=") {
			return fmt.Errorf("invalid image format: %s", pair)
		}
	}
	var wrong error
	isAll := func(pair string) bool { return strings.HasPrefix(pair, "*=") }
	switch one := slices.IndexFunc(c.Rest, func(pair string) bool { return !isAll(pair) }); {
	case len(c.Rest) == 0:
		wrong = errors.New("at least one image update is required")
	case one >= 0 && slices.ContainsFunc(c.Rest, isAll):
		wrong = errors.New("all containers are already specified by *, but saw more than one container_name=container_image pairs")
	}
	var unknown []error // the images of the other containers are set all the same
	told := map[string]bool{}
	what := "image set: " + strings.Join(c.Rest, ", ")
	var work limits.Meter
	err := k.changeTemplates(c, wrong, "image updated", what, func(_ api.Key, t *api.PodTemplateSpec) error {
		clear(told)
		for _, pair := range c.Rest {
			container, image, _ := strings.Cut(pair, "=")
			if err := work.Count(t.Spec.Size() / 256); err != nil { // each pair writes the spec again
				return err
			}
			changed, err := t.WithImage(container, image)
			if err != nil && !told[container] {
				unknown = append(unknown, errors.New("error: "+err.Error()))
				told[container] = true
			}
			*t = changed
		}
		return nil
	})
	return join(append(unknown, err)...)
}

// updates are kubectl's words for what the server refuses.
var updates = map[string]string{"set image": "image update to pod template:", "set env": "env update to pod template:",
	"set resources": "resources update to pod template"}

// changeTemplates changes the templates of all objects of a command; about those that do not change it says nothing. It refuses what is
// wrong with the command once it has found them.
func (k *Kubectl) changeTemplates(c *command, wrong error, said, what string, change func(api.Key, *api.PodTemplateSpec) error) error {
	found, missing := k.findAll(c)
	if err := cmp.Or(missing, wrong); err != nil {
		return err
	}
	return forEach(c, found, func(stored api.Object) (string, error) {
		o, key := api.Copy(stored), stored.Key()
		t, err := c.templateOf(o)
		if err == nil {
			err = change(key, t)
		}
		if err != nil {
			return "", err
		}
		if pod, ok := o.(*api.Pod); ok {
			pod.Spec = t.Spec
		}
		c.record(o)
		if api.SpecEqual(o, stored) && api.SameMeta(o.Meta(), stored.Meta()) {
			return "", nil // kubectl sends nothing, so the server warns of nothing
		}
		changed, err := k.put(c, o, what)
		if api.IsReason(err, api.ReasonInvalid) {
			err = fmt.Errorf("failed to patch %s %s", updates[c.Verb], validate.Update(o, stored).Message(key.Kind, key.Name))
		}
		if err != nil || !changed {
			return "", err
		}
		return c.said(key, said), nil
	})
}

// templateOf returns the template of an object. A pod is one itself.
func (c *command) templateOf(o api.Object) (*api.PodTemplateSpec, error) {
	switch o := o.(type) {
	case api.Workload:
		return o.Template(), nil
	case *api.Pod:
		return &api.PodTemplateSpec{Spec: o.Spec}, nil
	}
	return nil, c.Unsupported(o.Key())
}

// record keeps the command line with an object if --record is given: first the words, then the flags.
func (c *command) record(o api.Object) {
	if c.On("record") {
		o.Meta().SetAnnotation(api.ChangeCauseAnnotation, c.Recorded())
	}
}

// changeContainers changes the chosen containers of a template, as trees, and says whether there are any.
func (c *command) changeContainers(t *api.PodTemplateSpec, change func(container map[string]any) error) (found bool, err error) {
	tree := api.TreeOf(t)
	spec := api.Fields(tree).Object("spec")
	for _, container := range slices.Concat(spec.Items("containers"), spec.Items("initContainers")) {
		breath.Take() // each may have hundreds of variables
		if !words.Glob(cmp.Or(c.Flags["containers"], "*"), container.Text("name")) {
			continue
		}
		found = true
		if err := change(container); err != nil {
			return true, err
		}
	}
	*t, err = decode.Template(api.AppendTree(nil, tree, false))
	return found, err
}

// setResources changes requests and limits in templates. What is not given stays.
func (k *Kubectl) setResources(c *command) error {
	var wrong error
	if c.Flags["limits"] == "" && c.Flags["requests"] == "" {
		wrong = errors.New("you must specify an update to requests or limits (in the form of --requests/--limits)")
	}
	limits, err := parseResources(c.Flags["limits"], "invalid")
	requests, err2 := parseResources(c.Flags["requests"], "invalid")
	given := map[string]map[string]any{"limits": limits, "requests": requests}
	return k.changeTemplates(c, cmp.Or(wrong, err, err2), "resource requirements updated", "resources set", func(_ api.Key, t *api.PodTemplateSpec) error {
		found, err := c.changeContainers(t, func(container map[string]any) error {
			resources := api.Fields(container).Make("resources")
			for _, name := range []string{"limits", "requests"} {
				if len(given[name]) > 0 {
					maps.Copy(resources.Make(name), given[name])
				}
			}
			return nil
		})
		if err == nil && !found {
			err = fmt.Errorf("unable to find container named %s", c.Flags["containers"])
		}
		return err
	})
}

// parseResources reads cpu=1,memory=1Gi. The complaint begins as the caller's upstream does.
func parseResources(text, invalid string) (map[string]any, error) {
	amounts := map[string]any{}
	if text == "" {
		return amounts, nil
	}
	if err := limits.AtMost(limits.Parts, 1+strings.Count(text, ","), "resources"); err != nil {
		return nil, err
	}
	for pair := range strings.SplitSeq(text, ",") {
		resource, amount, ok := strings.Cut(pair, "=")
		if !ok || strings.Contains(amount, "=") {
			return nil, fmt.Errorf("%s argument syntax %s, expected <resource>=<value>", invalid, pair)
		}
		if _, err := api.ParseQuantity(amount); err != nil {
			return nil, err
		}
		amounts[resource] = amount
	}
	return amounts, nil
}

// setEnv sets (NAME=value) and removes (NAME-) environment variables in templates.
func (k *Kubectl) setEnv(c *command) error {
	if c.On("list") {
		return k.listEnv(c)
	}
	if len(c.Rest) == 0 { // kubectl would list the variables of a Secret or a ConfigMap
		_, missing := k.findAll(c)
		return missing
	}
	what := "environment set: " + strings.Join(c.Rest, ", ")
	return k.changeTemplates(c, nil, "env updated", what, func(key api.Key, t *api.PodTemplateSpec) error {
		found, err := c.changeContainers(t, c.changeEnv)
		switch {
		case err != nil:
			return fmt.Errorf("%s/%s %w", kinds.Of(key.Kind).Plural, key.Name, err)
		case !found:
			c.complain(fmt.Sprintf("Warning: %s/%s does not have any containers matching %q",
				key.Kind, key.Name, c.Flags["containers"]))
		}
		return nil
	})
}

// listEnv lists the variables of the chosen containers as set env would make them.
func (k *Kubectl) listEnv(c *command) error {
	found, missing := k.findAll(c)
	if missing != nil {
		return missing
	}
	return forEach(c, found, func(o api.Object) (string, error) {
		key := o.Key()
		t, err := c.templateOf(api.Copy(o))
		if err != nil {
			return "", nil
		}
		var text []string
		_, err = c.changeContainers(t, func(container map[string]any) error {
			text = append(text, fmt.Sprintf("# %s %s, container %s", key.Kind, key.Name, container["name"]))
			if err := c.changeEnv(container); err != nil {
				return err
			}
			for _, e := range api.Fields(container).Items("env") {
				text = append(text, envText(e))
			}
			return nil
		})
		return strings.Join(text, "\n"), err
	})
}

// envText writes a variable, or where its value comes from.
func envText(e api.Fields) string {
	from := e.Object("valueFrom")
	if from == nil {
		return e.Text("name") + "=" + e.Text("value")
	}
	what := "resource field " + from.Object("resourceFieldRef").Text("resource")
	for _, ref := range [][2]string{{"configMapKeyRef", "configmap"}, {"secretKeyRef", "secret"}} {
		if r := from.Object(ref[0]); r != nil {
			what = fmt.Sprintf("%s %s, key %s", ref[1], r.Text("name"), r.Text("key"))
		}
	}
	if r := from.Object("fieldRef"); r != nil {
		what = "field path " + r.Text("fieldPath")
	}
	return "# " + e.Text("name") + " from " + what
}

// changeEnv changes the variables of a container: those that are there keep their place.
func (c *command) changeEnv(container map[string]any) error {
	p, env := &c.Pairs, []any(nil)
	covered := map[string]bool{}
	for _, e := range api.Fields(container).Items("env") {
		name, old, item := e.Text("name"), e.Text("value"), map[string]any(e)
		value, given := p.Values[name]
		switch {
		case slices.Contains(p.Remove, name), covered[name]:
			continue
		case given && old != value && c.Flags["overwrite"] == "false":
			return fmt.Errorf("'%s' already has a value (%s), and --overwrite is false", name, old)
		case given:
			covered[name] = true
			item = map[string]any{"name": name, "value": value}
		}
		env = append(env, item)
	}
	for _, name := range p.Keys {
		if !covered[name] {
			env = append(env, map[string]any{"name": name, "value": p.Values[name]})
		}
	}
	container["env"] = env
	return nil
}
