package kubectl

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/words"
)

// annotate sets (key=value) and removes (key-) annotations (K-35).
func (k *Kubectl) annotate(c *command) error {
	return k.each(c, func(o api.Object) (string, error) {
		o = api.Copy(o)
		m := o.Meta()
		if taken := c.taken(m.Annotations, api.ChangeCauseAnnotation, "'%s' already has a value (%s)"); taken != nil {
			return "", fmt.Errorf("--overwrite is false but found the following declared annotation(s): %s", words.Join(taken, "; ", error.Error))
		}
		m.Annotations, _, _ = c.Pairs.Change(m.Annotations)
		if c.On("list") {
			list := m.Annotations
			if d, ok := o.(*api.DaemonSet); ok {
				list = d.ServedAnnotations()
			}
			return c.listed(o, "annotations", list), nil
		}
		return k.putAndSay(c, o, "annotated")
	})
}

// taken lists what has another value already, but for one key, in these words; nothing with --overwrite.
func (c *command) taken(have map[string]string, except, form string) (list api.Errors) {
	for _, key := range c.Pairs.Keys {
		if value, ok := have[key]; ok && value != c.Pairs.Values[key] && key != except && !c.On("overwrite") {
			list = append(list, fmt.Errorf(form, key, value))
		}
	}
	return list
}

// label sets (key=value) and removes (key-) labels.
func (k *Kubectl) label(c *command) error {
	return k.each(c, func(o api.Object) (string, error) {
		o = api.Copy(o)
		m := o.Meta()
		for _, key := range c.Pairs.Remove {
			if _, ok := m.Labels[key]; !ok && c.Dry != line.DryClient && !c.On("list") {
				c.print(fmt.Sprintf("label %q not found.", key))
			}
		}
		if taken := c.taken(m.Labels, "", "'%s' already has a value (%s), and --overwrite is false"); taken != nil {
			return "", taken
		}
		put := func(what string) (string, error) {
			shown := api.Copy(o) // it prints what it has made of the object, not what the server answers
			_, err := k.put(c, o, what)
			c.last = shown
			return c.saidUnless(err, o.Key(), what)
		}
		set, removed := 0, 0
		m.Labels, set, removed = c.Pairs.Change(m.Labels)
		switch {
		case c.On("list"):
			return c.listed(o, "labels", m.Labels), nil
		case set > 0 && removed > 0:
			return put("modified")
		case set > 0:
			return put("labeled")
		case removed > 0:
			return put("unlabeled")
		}
		return c.said(o.Key(), "not labeled"), nil
	})
}

// listed lists the labels or annotations of an object, below its name unless there is only one object.
func (c *command) listed(o api.Object, what string, pairs map[string]string) string {
	list, key := print.LabelPairs(pairs), o.Key()
	if len(c.Targets) == 1 {
		return strings.Join(list, "\n")
	}
	head := fmt.Sprintf("Listing %s for %s.%s/%s:", what, key.Kind, kinds.Of(key.Kind).Group, key.Name)
	return strings.Join(append([]string{head}, list...), "\n ") + "\n" // a value may end a line itself
}
