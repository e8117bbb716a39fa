package patch

import (
	"cmp"
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
			if len(list) > 0 {
				patch[k] = list
			}
			if len(v) > 0 && (len(list) > 0 || !sameKeys(stored, v, key)) {
				patch[orderPrefix+k] = v
			}
			return err
		}
	}
	if identity(now, "") != identity(live, "") {
		patch[k] = now
	}
	return nil
}

func sameKeys(a, b []any, key string) bool {
	return slices.EqualFunc(a, b, func(x, y any) bool { return identity(x, key) == identity(y, key) })
}

func texts(list []any) []string { return api.Fields{"": list}.Texts("") }

// listChanges does the same for a list whose entries have a key.
func listChanges(last, now, live []any, key string, retains bool) (list []any, err error) {
	before, given, stored := places(last, key), places(now, key), places(live, key)
	if !retains && (len(before) < len(last) || len(given) < len(now) || len(stored) < len(live)) {
		return repeatedChanges(last, now, live, key)
	}
	for _, entry := range now {
		m, ok := entry.(map[string]any)
		if !ok || m[key] == nil {
			return nil, noKey(entry, key)
		}
		id := identity(entry, key)
		have, ok := entryAt(live, stored, id)
		if !ok {
			list = append(list, entry)
			continue
		}
		was, _ := entryAt(last, before, id)
		inner, err := changes(was, m, have, retains)
		if err != nil {
			return nil, err
		}
		if len(inner) > 0 {
			inner[key] = m[key]
			list = append(list, inner)
		}
	}
	for _, entry := range without(last, given, key) {
		if m, ok := entry.(map[string]any); ok {
			list = append(list, map[string]any{key: m[key], directive: "delete"})
		}
	}
	return list, nil
}

// entryAt returns the entry of a list with an identity, if it has one.
func entryAt(list []any, at map[any]int, id any) (entry map[string]any, ok bool) {
	if i, found := at[id]; found {
		entry, ok = list[i].(map[string]any)
	}
	return entry, ok
}

// repeatedChanges is listChanges where entries have the same key: a port of two protocols. kubectl takes them for one where anything is no longer given, and so it loses
// ports (https://github.com/kubernetes/kubernetes/issues/105610).
func repeatedChanges(last, now, live []any, key string) ([]any, error) {
	list, err := pairedChanges(last, now, key, false)
	fresh, wrong := pairedChanges(live, now, key, true)
	if err = cmp.Or(err, wrong, inOrderOf(now, fresh, key)); err != nil || len(list) == 0 {
		return fresh, err
	}
	for _, entry := range fresh {
		i := slices.IndexFunc(list, func(e any) bool { return identity(e, key) == identity(entry, key) })
		if i < 0 {
			list = append(list, maps.Clone(entry.(map[string]any)))
		} else {
			maps.Copy(list[i].(map[string]any), entry.(map[string]any))
		}
	}
	sortByPlace(list, places(now, key), key)
	return list, inOrderOf(now, list, key)
}

// inOrderOf refuses a patch of a list whose entries have another order than the list itself, as kubectl and the server do
// (validatePatchWithSetOrderList): those of a key are together there, and may not be in the manifest.
func inOrderOf(now, list []any, key string) error {
	order := make([]any, len(now))
	rest := slices.DeleteFunc(slices.Clone(list), func(e any) bool { return e.(map[string]any)[directive] != nil })
	for i, entry := range now {
		order[i] = map[string]any{key: entry.(map[string]any)[key]}
		if len(rest) > 0 && identity(rest[0], key) == identity(entry, key) {
			rest = rest[1:]
		}
	}
	if len(rest) == 0 || len(now) == 0 {
		return nil
	}
	return &api.StatusError{Message: fmt.Sprintf("The order in patch list:\n%v\n doesn't match $setElementOrder list:\n%v\n", list, order)}
}

// pairedChanges compares the entries of two lists that have the same key in pairs, from the last to the first. It returns what comes, or else
// what goes.
func pairedChanges(before, now []any, key string, comes bool) (list []any, err error) {
	if len(before) == 0 && comes {
		return now, nil
	}
	was, is := byIdentity(before, key), byIdentity(now, key)
	for _, entry := range slices.Concat(now, before) {
		id := identity(entry, key)
		had, given := was[id], is[id]
		was[id], is[id] = nil, nil
		for n := len(given) - 1; n >= 0; n-- {
			m, ok := given[n].(map[string]any)
			if !ok || m[key] == nil {
				return nil, noKey(given[n], key)
			}
			if len(had) == 0 {
				if comes {
					list = append(list, m)
				}
				continue
			}
			old, _ := had[len(had)-1].(map[string]any)
			had = had[:len(had)-1]
			inner, err := map[string]any(nil), error(nil)
			if comes {
				inner, err = changes(nil, m, old, false)
			} else {
				inner, err = changes(old, m, m, false)
			}
			if err != nil {
				return nil, err
			}
			if len(inner) > 0 {
				inner[key] = m[key]
				list = append(list, inner)
			}
		}
		for _, old := range had {
			if m, ok := old.(map[string]any); ok && !comes {
				list = append(list, map[string]any{key: m[key], directive: "delete"})
			}
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
