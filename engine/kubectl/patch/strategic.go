package patch

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
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

// mergeKey returns the field that identifies the entries of some lists, "" if lists of this name are replaced as a whole. The ports of a
// Service have another one than those of a container.
func mergeKey(name string, lists ...[]any) string {
	if name == "ports" {
		for _, entry := range slices.Concat(lists...) {
			if m, _ := entry.(map[string]any); m["port"] != nil && m["containerPort"] == nil {
				return "port"
			}
		}
	}
	return mergeKeys[name]
}

// strategicMap returns an object with a patch merged into it (apimachinery pkg/util/strategicpatch/patch.go:mergeMap).
func strategicMap(live, patch map[string]any) (map[string]any, error) {
	switch v := patch[directive]; v {
	case nil, "merge":
	case "replace":
		return withoutMarks(patch).(map[string]any), nil
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
		out[field] = without(have, places(gone, ""), "")
		return nil
	}
	if field, ok := strings.CutPrefix(name, orderPrefix); ok {
		if _, given := patch[field]; !given {
			order, _ := v.([]any)
			have, _ := out[field].([]any)
			out[field] = inOrder(have, order, have, mergeKey(field, order, have))
		}
		return nil
	}
	if name == directive || name == retainKeysMark {
		return nil
	}
	live, _ := out[name].([]any)
	merged, err := strategicValue(name, out[name], v)
	if err == nil && merged == nil {
		delete(out, name)
	} else if err == nil {
		out[name] = merged
	}
	if order, ok := patch[orderPrefix+name].([]any); ok && err == nil {
		list, _ := merged.([]any)
		given, _ := v.([]any)
		key := mergeKey(name, order, list)
		out[name] = inOrder(list, order, shifted(live, given, key), key)
	}
	return err
}

// strategicValue merges the value of a field; nil removes it.
func strategicValue(name string, live, patch any) (any, error) {
	switch patch := patch.(type) {
	case map[string]any:
		m, ok := live.(map[string]any)
		if !ok && patch[directive] != nil { // upstream drops the whole value
			return nil, nil
		}
		return strategicMap(m, patch)
	case []any:
		if err := limits.AtMost(limits.Parts, len(patch), "entries in a list of a patch"); err != nil {
			return nil, err
		}
		have, _ := live.([]any)
		if name == finalizersField {
			return inOrder(uniqueValues(append(slices.Clone(have), patch...)), patch, have, ""), nil
		}
		if key := mergeKey(name, patch, have); key != "" {
			return strategicList(have, patch, key)
		}
		return withoutMarks(patch), nil
	}
	return patch, nil
}

// strategicList merges lists of objects by their key, one entry after the other: two with the same key become one, unless the cluster has no list
// (mergeSliceWithoutSpecialElements). The entries that are given come in their order; an entry that the cluster does not have goes in front of
// the rest, as upstream's mergeSortedSlice has it.
func strategicList(live, patch []any, key string) (any, error) {
	given, gone, replace := []any{}, []any{}, false
	for _, entry := range patch {
		switch m, ok := entry.(map[string]any); {
		case !ok:
			return nil, BadRequest(fmt.Sprintf("expected a map, but received a %T", entry))
		case m[directive] == "replace":
			replace = true
		case m[key] == nil:
			return nil, noKey(m, key)
		case m[directive] == "delete":
			gone = append(gone, m)
		default:
			given = append(given, m)
		}
	}
	absent := live == nil
	if replace && !absent {
		return withoutMarks(given), nil
	}
	live = without(live, places(gone, key), key)
	if absent { // its entries are no others' parts
		for i, entry := range given {
			merged, err := strategicMap(map[string]any{}, entry.(map[string]any))
			if err != nil {
				return nil, err
			}
			given[i] = merged
		}
		return given, nil
	}
	merged, first := slices.Clone(live), places(live, key)
	for _, entry := range given {
		id := identity(entry, key)
		at, ok := first[id]
		if !ok { // an entry that is new in a list is taken as it is
			first[id] = len(merged)
			merged = append(merged, withoutMarks(entry))
			continue
		}
		one, err := strategicMap(merged[at].(map[string]any), entry.(map[string]any))
		if err != nil {
			return nil, err
		}
		merged[at] = one
	}
	return inOrder(merged, given, live, key), nil
}

// interleave merges the entries of a patch with the others that the cluster has (mergeSortedSlice): before an entry that both have comes
// what the cluster has before it, and a new one comes before all the rest. known has the places in the cluster's list.
func interleave(given, others []any, known map[any]int, key string) []any {
	out := make([]any, 0, len(given)+len(others))
	for _, entry := range given {
		if at, ok := known[identity(entry, key)]; ok {
			for ; len(others) > 0 && known[identity(others[0], key)] < at; others = others[1:] {
				out = append(out, others[0])
			}
		}
		out = append(out, entry)
	}
	return append(out, others...)
}

// whole is the identity of a value that is compared as a whole: its JSON.
type whole string

// identity returns a value that two entries of a list share if they have the same key, or are the same and have none.
func identity(entry any, key string) any {
	breath.Often()
	v := entry
	m, keyed := entry.(map[string]any)
	if keyed = keyed && key != ""; keyed {
		v = m[key]
	}
	if _, text := v.(string); text && (keyed || key == "") {
		return v
	}
	return whole(api.JSON(v))
}

// places returns where each identity of a list comes first.
func places(list []any, key string) map[any]int {
	at := make(map[any]int, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		at[identity(list[i], key)] = i
	}
	return at
}

// without returns the entries of a list whose identity is not among others.
func without(list []any, others map[any]int, key string) []any {
	kept := make([]any, 0, len(list))
	for _, entry := range list {
		if _, ok := others[identity(entry, key)]; !ok {
			kept = append(kept, entry)
		}
	}
	return kept
}

func uniqueValues(list []any) (out []any) {
	first := places(list, "")
	for i, v := range list {
		if first[identity(v, "")] == i {
			out = append(out, v)
		}
	}
	return out
}

// inOrder puts the entries that an order names in that order, and the others among them as the cluster has them. Those with the same key
// (port 53 of TCP and of UDP) come one after the other.
func inOrder(list, order, live []any, key string) []any {
	given, known := places(order, key), places(live, key)
	var named []any
	for _, entry := range list {
		if _, ok := given[identity(entry, key)]; ok {
			named = append(named, entry)
		}
	}
	others := without(list, given, key)
	sortByPlace(named, given, key)
	sortByPlace(others, known, key)
	return interleave(named, others, known, key)
}

func sortByPlace(list []any, at map[any]int, key string) {
	slices.SortStableFunc(list, func(a, b any) int { return at[identity(a, key)] - at[identity(b, key)] })
}

// shifted returns the cluster's list as upstream finds it when it asks for its order: entries were deleted in place, and as many new ones
// have taken the places that this left free at the end.
func shifted(live, patch []any, key string) []any {
	var gone, given []any
	for _, entry := range patch {
		if m, _ := entry.(map[string]any); m[directive] == "delete" {
			gone = append(gone, entry)
		} else {
			given = append(given, entry)
		}
	}
	kept := without(live, places(gone, key), key)
	fresh := without(given, places(kept, key), key)
	return append(kept, fresh[:min(len(fresh), len(live)-len(kept))]...)
}

// withoutMarks copies a value of a patch without nulls and directives.
func withoutMarks(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, inner := range v {
			if inner != nil && !strings.HasPrefix(k, "$") {
				out[k] = withoutMarks(inner)
			}
		}
		return out
	case []any:
		out := make([]any, 0, len(v))
		for _, inner := range v {
			out = append(out, withoutMarks(inner))
		}
		return out
	}
	return v
}
