package kubectl

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
)

// changes are the values that a line has changed, by object and path.
type changes map[string]string

// deleted stands for the fields of an object that is gone.
const deleted = "deleted"

// changesOf returns what an answer says to have changed.
func changesOf(a *realkubectl.Answer) (changes, error) {
	out := changes{}
	for _, w := range a.Writes {
		one, err := changesOf(&realkubectl.Answer{Changed: map[string]json.RawMessage{w.Key: w.After}, Before: map[string]json.RawMessage{w.Key: w.Before}})
		if err != nil {
			return nil, err
		}
		if one[w.Key] == deleted {
			maps.DeleteFunc(out, func(path, _ string) bool { return strings.HasPrefix(path, w.Key+" ") })
		}
		maps.Copy(out, one)
	}
	for key, text := range a.Changed {
		var after, before map[string]any
		if err := json.Unmarshal(text, &after); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		if old := a.Before[key]; old != nil {
			if err := json.Unmarshal(old, &before); err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
		}
		if after == nil {
			out[key] = deleted
			continue
		}
		a, b := map[string]string{}, map[string]string{}
		flatten(a, key, after)
		flatten(b, key, before)
		for path, v := range a {
			if b[path] != v {
				out[path] = v
			}
		}
		for path := range b {
			if _, ok := a[path]; !ok {
				out[path] = "removed"
			}
		}
	}
	return out, nil
}

// serverFields differ from one server to another.
var serverFields = []string{"uid", "resourceVersion", "managedFields"}

// flatten writes the values of a tree. 0, false and "" are values, too.
func flatten(out map[string]string, path string, tree any) {
	switch v := tree.(type) {
	case map[string]any:
		for k, e := range v {
			if !slices.Contains(serverFields, k) {
				flatten(out, path+" "+k, e)
			}
		}
	case []any:
		for i, e := range v {
			flatten(out, path+" "+strconv.Itoa(i), e)
		}
	case nil:
	default:
		if out[path] = fmt.Sprint(v); v == "" {
			out[path] = `""`
		}
	}
}

// compareItems notes what differs from the objects of a cluster; events are records here and no objects.
func compareItems(a *realkubectl.Answer, c *Cluster, items []json.RawMessage) error {
	a.Changed, a.Before = map[string]json.RawMessage{}, map[string]json.RawMessage{}
	before := map[string]json.RawMessage{}
	for i, o := range c.objects {
		if o.kind() != "Event" {
			before[o.key()] = c.items[i]
		}
	}
	for _, item := range items {
		var o object
		if err := json.Unmarshal(item, &o.tree); err != nil {
			return err
		}
		if o.kind() == "Event" {
			continue
		}
		if old := before[o.key()]; string(old) != string(item) {
			a.Changed[o.key()] = item
			if old != nil {
				a.Before[o.key()] = old
			}
		}
		delete(before, o.key())
	}
	for key := range before {
		a.Changed[key] = json.RawMessage("null")
	}
	return nil
}

// firstDifference names the first path at which two sets of changes differ, and both values.
func firstDifference(real, ours changes) (path, theirs, mine string) {
	all := maps.Clone(real)
	maps.Copy(all, ours)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if real[path] != ours[path] {
			return strings.TrimPrefix(path, "/"), real[path], ours[path]
		}
	}
	return "", "", ""
}
