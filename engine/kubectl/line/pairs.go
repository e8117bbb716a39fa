package line

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api/validate"
)

// Pairs are the key=value and key- words of a command.
type Pairs struct {
	Keys   []string // of the values, sorted
	Values map[string]string
	Remove []string // in the order of the words
}

// ErrListed is kubectl's answer to --list with --output.
var ErrListed = errors.New("--list and --output may not be specified together")

// labels says whether the line is one of label or annotate.
func (c *Command) labels() bool { return c.Verb == "label" || c.Verb == "annotate" }

// readPairs reads the words of annotate and label, and refuses what upstream refuses before it looks for objects
// (label.go:Complete, Validate; annotate.go:ToOptions). Those of label are strict.
func (c *Command) readPairs(resources []string) error {
	strict := c.Verb == "label"
	if err := c.Pairs.read(c.Rest, strict); err != nil {
		return err
	}
	both := c.Pairs.Both()
	switch {
	case c.On("list") && c.Flags["output"] != "":
		return ErrListed
	case strict && len(both) > 0:
		return errors.New("can not both modify and remove a label in the same command")
	case c.On("all") && c.Selector != nil:
		return errors.New("cannot set --all and --selector at the same time")
	case len(resources) == 0 && c.Flags["filename"] == "":
		return errors.New(c.entry.missing)
	case len(c.Rest) == 0 && !c.On("list"):
		return fmt.Errorf("at least one %s update is required", c.entry.pairs)
	case len(both) > 0:
		return fmt.Errorf("can not both modify and remove the following annotation(s) in the same command: %s", strings.Join(both, ", "))
	}
	return nil
}

func (p *Pairs) read(words []string, strict bool) error {
	p.Values = map[string]string{}
	for _, w := range words {
		key, value, set := strings.Cut(w, "=")
		switch {
		case !set:
			p.Remove = append(p.Remove, strings.TrimSuffix(w, "-"))
			continue
		case strict && strings.Contains(value, "="):
			return fmt.Errorf("invalid label spec: %s", w)
		case strict && validate.LabelValue(value) != "":
			return fmt.Errorf("invalid label value: %q: %s", w, strings.ReplaceAll(validate.LabelValue(value), "; ", ";"))
		}
		p.Values[key] = value
	}
	p.Keys = slices.Sorted(maps.Keys(p.Values))
	return nil
}

// Both returns the keys that the command both sets and removes.
func (p *Pairs) Both() []string {
	return slices.DeleteFunc(slices.Clone(p.Remove), func(key string) bool {
		_, set := p.Values[key]
		return !set
	})
}

// Change returns a map with the pairs set and removed, and how many were. The map is a new one.
func (p *Pairs) Change(m map[string]string) (out map[string]string, set, removed int) {
	out = map[string]string{}
	maps.Copy(out, m)
	for _, key := range p.Keys {
		if have, ok := out[key]; !ok || have != p.Values[key] {
			set++
		}
		out[key] = p.Values[key]
	}
	for _, key := range p.Remove {
		if _, ok := out[key]; ok {
			removed++
		}
		delete(out, key)
	}
	return out, set, removed
}
