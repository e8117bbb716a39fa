package patch

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// Apply merges the last applied object, the new one and the stored one: with the strategic patch that kubectl sends
// (apimachinery pkg/util/strategicpatch/patch.go:CreateThreeWayMergePatch).
func Apply(last, now, live map[string]any) (map[string]any, error) {
	patch, err := changes(last, now, live, false)
	if err != nil {
		return nil, err
	}
	return strategicMap(live, patch)
}

// retainKeys are the fields, or lists of objects, of whose parts only the given ones stay: switching the type of a strategy drops the
// defaulted rollingUpdate (D-13).
var retainKeys = map[string]bool{"strategy": true, "volumes": true}

// changes returns the patch of an object: what is not stored like that, and null for what is no longer given.
//
//	last {replicas: 3, paused: true}, now {replicas: 5} → {replicas: 5, paused: null}
//	last [{name: a}, {name: b}], now [{name: b, image: x}] → [{name: b, image: x}, {name: a, $patch: delete}]
func changes(last, now, live map[string]any, retains bool) (map[string]any, error) {
	patch := map[string]any{}
	for k := range last {
		if _, given := now[k]; !given {
			patch[k] = nil
		}
	}
	for k, v := range now {
		stored, ok := live[k]
		if !ok {
			patch[k] = v
		} else if err := fieldChanges(patch, k, last[k], v, stored); err != nil {
			return nil, err
		}
	}
	if !retains {
		return patch, nil
	}
	if names := given(now); len(names) > 0 && (len(patch) > 0 || len(without(given(live), places(names, ""), "")) > 0) {
		patch[retainKeysMark] = names
	}
	return patch, nil
}

// given lists the fields that are not null.
func given(tree map[string]any) (names []any) {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		if tree[name] != nil {
			names = append(names, name)
		}
	}
	return names
}

// fieldChanges adds what a field needs to a patch.
func fieldChanges(patch map[string]any, k string, last, now, live any) error {
	switch v := now.(type) {
	case map[string]any:
		if stored, ok := live.(map[string]any); ok {
			was, _ := last.(map[string]any)
			inner, err := changes(was, v, stored, retainKeys[k])
			if len(inner) > 0 {
				patch[k] = inner
			}
			return err
		}
	case []any:
		stored, _ := live.([]any)
		was, _ := last.([]any)
		if k == finalizersField {
			gone := without(was, places(v, ""), "")
			patch[k], patch[deletePrefix+k] = without(v, places(stored, ""), ""), gone
			if len(gone) > 0 || !slices.Equal(slices.Sorted(slices.Values(texts(stored))), texts(v)) { // upstream sorts what is stored
				patch[orderPrefix+k] = v
			}
			return nil
		}
		if key := mergeKey(k, v, was); key != "" {
			list, err := listChanges(was, v, stored, key, retainKeys[k])
			if patch[orderPrefix+k] = v; len(list) > 0 {
				patch[k] = list
			}
			return err
		}
	}
	if identity(now, "") != identity(live, "") {
		patch[k] = now
	}
	return nil
}

func texts(list []any) []string { return api.Fields{"": list}.Texts("") }

// listChanges does the same for a list whose entries have a key. Entries with the same key are compared in their order.
//
// Simplified: a Service keeps a port of two protocols. kubectl apply makes one of both where such a port is new or changes
// (https://github.com/kubernetes/kubernetes/issues/105610).
func listChanges(last, now, live []any, key string, retains bool) (list []any, err error) {
	before, stored := byIdentity(last, key), byIdentity(live, key)
	for _, entry := range now {
		m, ok := entry.(map[string]any)
		if !ok || m[key] == nil {
			return nil, noKey(entry, key)
		}
		id := identity(entry, key)
		was, _ := take(before, id).(map[string]any)
		have, ok := take(stored, id).(map[string]any)
		if !ok {
			list = append(list, entry)
			continue
		}
		inner, err := changes(was, m, have, retains)
		if err != nil {
			return nil, err
		}
		if len(inner) > 0 {
			inner[key] = m[key]
			list = append(list, inner)
		}
	}
	for _, entry := range without(last, places(now, key), key) {
		if m, ok := entry.(map[string]any); ok {
			list = append(list, map[string]any{key: m[key], directive: "delete"})
		}
	}
	return list, nil
}

func noKey(entry any, key string) error {
	return &api.StatusError{Message: fmt.Sprintf("map: %v does not contain declared merge key: %s", entry, key)}
}

// byIdentity returns the entries of a list by what they share if they have the same key.
func byIdentity(list []any, key string) map[any][]any {
	entries := map[any][]any{}
	for _, entry := range list {
		id := identity(entry, key)
		entries[id] = append(entries[id], entry)
	}
	return entries
}

// take takes the first entry with an identity, nil if there is none left.
func take(entries map[any][]any, id any) (entry any) {
	if same := entries[id]; len(same) > 0 {
		entry, entries[id] = same[0], same[1:]
	}
	return entry
}
