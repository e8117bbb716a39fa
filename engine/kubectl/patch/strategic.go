package patch

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// The directives of a strategic merge patch.
const (
	directive       = "$patch"
	retainKeysMark  = "$retainKeys"
	orderPrefix     = "$setElementOrder/"
	deletePrefix    = "$deleteFromPrimitiveList/"
	finalizersField = "finalizers"
)

// mergeKeys names, for the lists whose entries are objects with an identity, the field that identifies an entry
// (patchMergeKey upstream). Other lists are replaced as a whole.
var mergeKeys = map[string]string{
	"containers": "name", "initContainers": "name", "ephemeralContainers": "name", "volumes": "name", "env": "name",
	"volumeMounts": "mountPath", "volumeDevices": "devicePath", "ports": "containerPort", "imagePullSecrets": "name",
	"hostAliases": "ip", "topologySpreadConstraints": "topologyKey",
}

// strategicMap merges a strategic merge patch into an object (apimachinery pkg/util/strategicpatch/patch.go:mergeMap). Neither
// is changed.
func strategicMap(live, patch map[string]any) (map[string]any, error) {
	switch v := patch[directive]; v {
	case nil, "merge":
	case "replace":
		return withoutDirectives(patch), nil
	case "delete":
		return map[string]any{}, nil
	default:
		return nil, BadRequest(fmt.Sprintf("unknown patch type: %v in map: %v", v, patch))
	}
	out := map[string]any{}
	retain, retains := patch[retainKeysMark].([]any)
	for k, v := range live {
		if !retains || slices.Contains(retain, any(k)) {
			out[k] = v
		}
	}
	for _, k := range slices.Sorted(maps.Keys(patch)) {
		if retains && patch[k] != nil && !strings.HasPrefix(k, "$") && !slices.Contains(retain, any(k)) {
			return nil, BadRequest("invalid patch format of retainKeys")
		}
		if err := strategicField(out, k, patch[k], patch); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// strategicField merges one field of a patch.
func strategicField(out map[string]any, name string, v any, patch map[string]any) error {
	if field, ok := strings.CutPrefix(name, deletePrefix); ok {
		gone, _ := v.([]any)
		have, _ := out[field].([]any)
		out[field] = slices.DeleteFunc(slices.Clone(have), func(e any) bool { return contains(gone, e) })
		return nil
	}
	if field, ok := strings.CutPrefix(name, orderPrefix); ok {
		if _, given := patch[field]; !given {
			order, _ := v.([]any)
			have, _ := out[field].([]any)
			out[field] = inOrder(have, order, mergeKeys[field])
		}
		return nil
	}
	if name == directive || name == retainKeysMark {
		return nil
	}
	merged, err := strategicValue(name, out[name], v)
	if err == nil && merged == nil {
		delete(out, name)
	} else if err == nil {
		out[name] = merged
	}
	if order, ok := patch[orderPrefix+name].([]any); ok && err == nil {
		list, _ := merged.([]any)
		out[name] = inOrder(list, order, mergeKeys[name])
	}
	return err
}

// strategicValue merges the value of a field; nil removes it.
func strategicValue(name string, live, patch any) (any, error) {
	switch patch := patch.(type) {
	case map[string]any:
		m, _ := live.(map[string]any)
		return strategicMap(m, patch)
	case []any:
		have, _ := live.([]any)
		if name == finalizersField {
			return uniqueValues(append(slices.Clone(have), patch...)), nil
		}
		if key := mergeKeys[name]; key != "" {
			return strategicList(have, patch, key)
		}
		return withoutNulls(patch), nil
	}
	return patch, nil
}

// strategicList merges lists of objects by their key. The entries that are given come in their order; an entry that the cluster
// does not have goes in front of the rest, as upstream's mergeSortedSlice has it.
func strategicList(live, patch []any, key string) ([]any, error) {
	live = slices.Clone(live)
	var given []any
	replace := false
	for _, entry := range patch {
		m, ok := entry.(map[string]any)
		if !ok {
			return nil, BadRequest(fmt.Sprintf("expected a map, but received a %T", entry))
		}
		if m[directive] == "replace" {
			replace = true
			continue
		}
		if m[key] == nil {
			return nil, &api.StatusError{Message: fmt.Sprintf("map: %v does not contain declared merge key: %s", m, key)}
		}
		if m[directive] == "delete" {
			live = slices.DeleteFunc(live, func(e any) bool { return sameKey(e, m, key) })
			continue
		}
		given = append(given, m)
	}
	if replace {
		return withoutNulls(given), nil
	}
	merged := slices.Clone(live)
	for i, entry := range given {
		m := entry.(map[string]any)
		at := slices.IndexFunc(live, func(e any) bool { return sameKey(e, m, key) })
		have := map[string]any{}
		if at >= 0 {
			have = live[at].(map[string]any)
		}
		entry, err := strategicMap(have, m)
		if err != nil {
			return nil, err
		}
		if given[i] = entry; at >= 0 {
			merged[at] = entry
		}
	}
	return interleave(merged, live, given, key), nil
}

// interleave merges the entries that only the cluster has with those of a patch: before an entry that both have comes what
// the cluster has before it, and a new one comes before all the rest.
func interleave(merged, live, given []any, key string) []any {
	var out []any
	next := 0
	takeOthers := func(until int) {
		for ; next < until; next++ {
			if indexOf(given, merged[next], key) < 0 {
				out = append(out, merged[next])
			}
		}
	}
	for _, entry := range given {
		takeOthers(indexOf(live, entry, key))
		out = append(out, entry)
	}
	takeOthers(len(merged))
	return out
}

func indexOf(list []any, entry any, key string) int {
	return slices.IndexFunc(list, func(e any) bool { return sameKey(e, entry, key) })
}

// sameKey says whether two entries of a list have the same key; values without a key are compared as a whole.
func sameKey(a, b any, key string) bool {
	x, ok := a.(map[string]any)
	y, also := b.(map[string]any)
	if !ok || !also || key == "" {
		return reflect.DeepEqual(a, b)
	}
	return reflect.DeepEqual(x[key], y[key])
}

func contains(list []any, v any) bool {
	return slices.ContainsFunc(list, func(e any) bool { return reflect.DeepEqual(e, v) })
}

func uniqueValues(list []any) (out []any) {
	for _, v := range list {
		if !contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// inOrder puts the entries that an order names in that order, the others behind them. Two entries may have the same key:
// port 53 of TCP and of UDP.
func inOrder(list, order []any, key string) (out []any) {
	rest := slices.Clone(list)
	for _, entry := range order {
		if i := indexOf(rest, entry, key); i >= 0 {
			out = append(out, rest[i])
			rest = slices.Delete(rest, i, i+1)
		}
	}
	for _, entry := range list {
		if indexOf(order, entry, key) < 0 {
			out = append(out, entry)
		}
	}
	return out
}

// withoutDirectives copies an object of a patch without directives and nulls.
func withoutDirectives(patch map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range patch {
		if v != nil && !strings.HasPrefix(k, "$") {
			out[k] = withoutMarks(v)
		}
	}
	return out
}

func withoutNulls(list []any) []any {
	out := make([]any, 0, len(list))
	for _, v := range list {
		out = append(out, withoutMarks(v))
	}
	return out
}

// withoutMarks copies a value of a patch without nulls and directives.
func withoutMarks(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return withoutDirectives(v)
	case []any:
		return withoutNulls(v)
	}
	return v
}
