// Package patch changes objects as trees: the merge of kubectl apply, and the three kinds of kubectl patch.
package patch

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// Manifest is one object of `kubectl apply`: as it was decoded, defaulted and validated, and the JSON that it was read from.
type Manifest struct {
	Object api.Object
	JSON   []byte
}

// mergeKeys names, for the lists whose entries are objects with an identity, the field that identifies an entry
// (patchMergeKey upstream). Other lists are replaced as a whole.
var mergeKeys = map[string]string{
	"containers": "name", "initContainers": "name", "ephemeralContainers": "name", "volumes": "name", "env": "name",
	"volumeMounts": "mountPath", "volumeDevices": "devicePath", "ports": "containerPort", "imagePullSecrets": "name",
	"hostAliases": "ip", "topologySpreadConstraints": "topologyKey",
}

// retainKeys are the fields in which what is not given is dropped, although it was not given before either: switching a
// strategy's type drops the defaulted rollingUpdate (D-13).
var retainKeys = map[string]bool{"strategy": true}

// MergeMaps merges objects: keys that were given and are no more are removed, keys that are given are merged.
func MergeMaps(last, now, live map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range live {
		_, was := last[k]
		if _, is := now[k]; is || !was {
			out[k] = v
		}
	}
	for k, v := range now {
		if v == nil {
			delete(out, k)
			continue
		}
		out[k] = mergeField(k, last[k], v, live[k])
	}
	return out
}

// mergeField merges one field of an object.
func mergeField(name string, last, now, live any) any {
	switch now := now.(type) {
	case map[string]any:
		liveMap, ok := live.(map[string]any)
		if !ok {
			return now
		}
		lastMap, _ := last.(map[string]any)
		merged := MergeMaps(lastMap, now, liveMap)
		if retainKeys[name] {
			for k := range merged {
				if _, given := now[k]; !given {
					delete(merged, k)
				}
			}
		}
		return merged
	case []any:
		key, byKey := mergeKeys[name]
		liveList, ok := live.([]any)
		if !byKey || !ok {
			return now
		}
		lastList, _ := last.([]any)
		return mergeLists(key, lastList, now, liveList)
	}
	return now
}

// mergeLists merges lists of objects by their key: the given entries in the given order, then those of the cluster that
// nobody ever gave.
func mergeLists(key string, last, now, live []any) []any {
	out := make([]any, 0, len(now))
	for _, entry := range now {
		have := entryOf(live, key, entry)
		if have == nil {
			out = append(out, entry)
			continue
		}
		lastMap, _ := entryOf(last, key, entry).(map[string]any)
		nowMap, _ := entry.(map[string]any)
		out = append(out, MergeMaps(lastMap, nowMap, have.(map[string]any)))
	}
	for _, entry := range live {
		if entryOf(now, key, entry) == nil && entryOf(last, key, entry) == nil {
			out = append(out, entry)
		}
	}
	return out
}

// entryOf returns the entry of a list that has the same key as another entry, nil if there is none.
func entryOf(list []any, key string, like any) any {
	m, ok := like.(map[string]any)
	if !ok || m[key] == nil {
		return nil
	}
	i := slices.IndexFunc(list, func(e any) bool {
		have, ok := e.(map[string]any)
		return ok && have[key] == m[key]
	})
	if i < 0 {
		return nil
	}
	return list[i]
}
