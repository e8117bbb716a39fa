package kubectl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/words"
)

// taints are the changes of a taint command.
type taints struct {
	add    []api.Taint
	remove []api.Taint // without an effect: all taints with the key
}

// taint adds and removes taints of nodes (kubectl/pkg/cmd/taint/taint.go).
func (k *Kubectl) taint(c *command) error {
	resources, specs, err := splitTaints(c.Rest)
	if err != nil {
		return err
	}
	t, err := parseTaints(specs)
	if err != nil {
		return c.Usage(err)
	}
	if err := c.takeTainted(resources, t.both()); err != nil {
		return err
	}
	return k.each(c, func(o api.Object) (string, error) {
		node := api.Copy(o.(*api.Node))
		what, err := t.change(node, c.On("overwrite"))
		if err == nil {
			_, err = k.put(c, node, what)
		}
		if err != nil {
			return "", err
		}
		return c.says(o.Key(), what), nil // whether it is a dry run or not
	})
}

// splitTaints takes the taints out of the words; they come last.
func splitTaints(words []string) (resources, specs []string, err error) {
	for _, w := range words {
		switch {
		case strings.ContainsAny(w, "=:") || strings.HasSuffix(w, "-"):
			specs = append(specs, w)
		case specs != nil:
			return nil, nil, fmt.Errorf("all resources must be specified before taint changes: %s", w)
		default:
			resources = append(resources, w)
		}
	}
	switch {
	case len(resources) == 0:
		return nil, nil, errors.New("one or more resources must be specified as <resource> <name>")
	case len(specs) == 0:
		return nil, nil, errors.New("at least one taint update is required")
	}
	return resources, specs, nil
}

// takeTainted reads which nodes a command is about: `node n1 n2`, or `node` with -l or --all. No taint may both come and go.
func (c *command) takeTainted(words, both []string) error {
	kind, err := line.FindKind(words[0])
	switch {
	case err != nil:
		return line.Whole(err.Error())
	case kind != api.KindNode:
		return fmt.Errorf("invalid resource type %s, only node types are supported", strings.ToLower(words[0]))
	case both != nil:
		return fmt.Errorf("can not both modify and remove the following taint(s) in the same command: %s", strings.Join(both, ", "))
	case c.On("all") || c.Selector != nil:
		c.Kinds = []api.Kind{api.KindNode}
		return nil
	case len(words) < 2:
		return errors.New("at least one resource name must be specified since 'all' parameter is not set")
	}
	for _, name := range words[1:] {
		c.AddTarget(api.KindNode, name)
	}
	return nil
}

// parseTaints reads key=value:Effect and key:Effect, and with a dash behind key:Effect- and key-
// (kubectl/pkg/cmd/taint/utils.go:parseTaints).
func parseTaints(specs []string) (t taints, err error) {
	for _, spec := range specs {
		text, remove := strings.CutSuffix(spec, "-")
		taint, err := parseTaint(text)
		switch {
		case err != nil:
			return t, err
		case remove:
			taint.Value = ""
			t.remove = append(t.remove, taint)
			continue
		case taint.Effect == "":
			return t, fmt.Errorf("invalid taint spec: %s", spec)
		case findTaint(t.add, &taint) >= 0:
			return t, fmt.Errorf("duplicated taints with the same key and effect: {%s %s %s <nil>}", taint.Key, taint.Value, taint.Effect)
		}
		t.add = append(t.add, taint)
	}
	return t, nil
}

func parseTaint(spec string) (t api.Taint, err error) {
	pair, effect, hasEffect := strings.Cut(spec, ":")
	if strings.Contains(effect, ":") {
		return t, fmt.Errorf("invalid taint spec: %s", spec)
	}
	if t.Key, t.Effect = pair, effect; hasEffect {
		t.Key, t.Value, _ = strings.Cut(pair, "=")
	}
	switch wrong := cmp.Or(validate.LabelValue(t.Value), validate.LabelKey(t.Key)); {
	case hasEffect && effect != api.NoSchedule && effect != "PreferNoSchedule" && effect != api.NoExecute:
		err = fmt.Errorf("invalid taint effect: %s, unsupported taint effect", effect)
	case strings.Contains(t.Value, "="):
		err = fmt.Errorf("invalid taint spec: %s", spec)
	case wrong != "":
		err = fmt.Errorf("invalid taint spec: %s, %s", spec, wrong)
	}
	return t, err
}

// both lists the taints that the command both adds and removes.
func (t *taints) both() (list []string) {
	for _, add := range t.add {
		for _, remove := range t.remove {
			if add.Key == remove.Key && (remove.Effect == "" || add.Effect == remove.Effect) {
				list = append(list, remove.Key+"="+remove.Effect)
			}
		}
	}
	return list
}

// change changes the taints of a node: new ones come first. It returns what was done, as kubectl says it.
func (t *taints) change(node *api.Node, overwrite bool) (what string, err error) {
	taken := slices.DeleteFunc(slices.Clone(t.add), func(add api.Taint) bool { return findTaint(node.Spec.Taints, &add) < 0 })
	if len(taken) > 0 && !overwrite {
		return "", fmt.Errorf("node %s already has %s taint(s) with same effect(s) and --overwrite is false", node.Name,
			words.Join(taken, ",", func(t api.Taint) string { return t.Key }))
	}
	list := slices.Clone(t.add)
	for _, old := range node.Spec.Taints {
		if findTaint(list, &old) < 0 {
			list = append(list, old)
		}
	}
	added, removed := len(list) != len(node.Spec.Taints), false
	var missing []error
	for _, r := range t.remove {
		before := len(list)
		list = slices.DeleteFunc(list, func(have api.Taint) bool {
			return have.Key == r.Key && (r.Effect == "" || have.Effect == r.Effect)
		})
		if removed = len(list) != before; !removed {
			missing = append(missing, fmt.Errorf("taint %q not found", strings.TrimSuffix(r.Key+":"+r.Effect, ":")))
		}
	}
	if missing != nil {
		return "", join(missing...)
	}
	node.Spec.Taints = list
	switch {
	case added && removed || overwrite:
		return "modified", nil
	case added:
		return "tainted", nil
	}
	return "untainted", nil
}

// findTaint returns where the taint with the same key and effect is, -1 if there is none.
func findTaint(list []api.Taint, taint *api.Taint) int {
	return slices.IndexFunc(list, func(t api.Taint) bool { return t.Key == taint.Key && t.Effect == taint.Effect })
}
