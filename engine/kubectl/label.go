package kubectl

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api/validate"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// pairs are the key=value and key- words of a command.
type pairs struct {
	keys   []string // of what is set, sorted
	values map[string]string
	remove []string // in the order of the words
}

// readPairs reads the words of annotate and label. Those of label are strict.
func readPairs(words []string, strict bool) (pairs, error) {
	p := pairs{values: map[string]string{}}
	for _, w := range words {
		key, value, set := strings.Cut(w, "=")
		switch {
		case !set:
			p.remove = append(p.remove, strings.TrimSuffix(w, "-"))
			continue
		case strict && strings.Contains(value, "="):
			return p, fmt.Errorf("invalid label spec: %s", w)
		case strict && validate.LabelValue(value) != "":
			return p, fmt.Errorf("invalid label value: %q: %s", w, strings.ReplaceAll(validate.LabelValue(value), "; ", ";"))
		}
		p.values[key] = value
	}
	p.keys = slices.Sorted(maps.Keys(p.values))
	return p, nil
}

// both returns the keys that the command both sets and removes.
func (p *pairs) both() (keys []string) {
	for _, key := range p.remove {
		if _, set := p.values[key]; set {
			keys = append(keys, key)
		}
	}
	return keys
}

// change returns a map with the pairs set and removed, and how many were. The map is a new one.
func (p *pairs) change(m map[string]string) (out map[string]string, set, removed int) {
	out = map[string]string{}
	maps.Copy(out, m)
	for _, key := range p.keys {
		if have, ok := out[key]; !ok || have != p.values[key] {
			set++
		}
		out[key] = p.values[key]
	}
	for _, key := range p.remove {
		if _, ok := out[key]; ok {
			removed++
		}
		delete(out, key)
	}
	return out, set, removed
}

// annotate sets (key=value) and removes (key-) annotations (K-35).
func (k *Kubectl) annotate(c *command) error {
	p, err := readPairs(c.Rest, false)
	if err != nil {
		return err
	}
	if len(c.Rest) == 0 {
		return errors.New("at least one annotation update is required")
	}
	if keys := p.both(); keys != nil {
		return fmt.Errorf("can not both modify and remove the following annotation(s) in the same command: %s",
			strings.Join(keys, ", "))
	}
	return k.each(c, func(key api.Key) (string, error) {
		o, err := k.client.Get(key)
		if err != nil {
			return "", err
		}
		o = o.Copy()
		m := o.Meta()
		if taken := takenAnnotations(&p, m.Annotations); taken != nil && c.Flags["overwrite"] != "true" {
			return "", fmt.Errorf("--overwrite is false but found the following declared annotation(s): %s", strings.Join(taken, "; "))
		}
		m.Annotations, _, _ = p.change(m.Annotations)
		if _, err := k.put(c, o, "annotated"); err != nil {
			return "", err
		}
		return c.said(key, "annotated"), nil
	})
}

// takenAnnotations lists what has another value already. The change cause may always be overwritten.
func takenAnnotations(p *pairs, have map[string]string) (taken []string) {
	for _, key := range p.keys {
		if value, ok := have[key]; ok && value != p.values[key] && key != api.ChangeCauseAnnotation {
			taken = append(taken, fmt.Sprintf("'%s' already has a value (%s)", key, value))
		}
	}
	return taken
}

// label sets (key=value) and removes (key-) labels.
func (k *Kubectl) label(c *command) error {
	p, err := readPairs(c.Rest, true)
	if err != nil {
		return err
	}
	switch {
	case p.both() != nil:
		return errors.New("can not both modify and remove a label in the same command")
	case len(c.Rest) == 0:
		return errors.New("at least one label update is required")
	}
	return k.each(c, func(key api.Key) (string, error) {
		o, err := k.client.Get(key)
		if err != nil {
			return "", err
		}
		return k.labelOne(c, o.Copy(), &p)
	})
}

func (k *Kubectl) labelOne(c *command, o api.Object, p *pairs) (string, error) {
	m := o.Meta()
	var lines []string
	for _, key := range p.remove {
		if _, ok := m.Labels[key]; !ok && c.Dry != line.DryClient {
			lines = append(lines, fmt.Sprintf("label %q not found.", key))
		}
	}
	if err := takenLabels(p, m.Labels); err != nil && c.Flags["overwrite"] != "true" {
		var failed failures
		for _, l := range lines {
			failed = append(failed, aside{text: l})
		}
		return "", append(failed, err)
	}
	labels, set, removed := p.change(m.Labels)
	what := "not labeled"
	switch {
	case set > 0 && removed > 0:
		what = "modified"
	case set > 0:
		what = "labeled"
	case removed > 0:
		what = "unlabeled"
	}
	m.Labels = labels
	if set+removed > 0 {
		if _, err := k.put(c, o, what); err != nil {
			return "", err
		}
	}
	return strings.Join(append(lines, c.said(o.Key(), what)), "\n"), nil
}

// takenLabels says which labels have another value already, nil if none has.
func takenLabels(p *pairs, have map[string]string) error {
	var taken []string
	for _, key := range p.keys {
		if value, ok := have[key]; ok && value != p.values[key] {
			taken = append(taken, fmt.Sprintf("'%s' already has a value (%s), and --overwrite is false", key, value))
		}
	}
	switch len(taken) {
	case 0:
		return nil
	case 1:
		return errors.New(taken[0])
	}
	return errors.New("[" + strings.Join(taken, ", ") + "]")
}
