package patch

// Apply merges the last applied object, the new one and the stored one.
func Apply(last, now, live map[string]any) (map[string]any, error) {
	return strategicMap(live, applied(last, now))
}

// retainKeys are the fields whose missing parts are dropped even if no earlier manifest had them: switching a
// strategy's type drops the defaulted rollingUpdate (D-13).
var retainKeys = map[string]bool{"strategy": true}

// applied returns the strategic patch that apply sends: the new values, and null for values that are no longer given.
//
//	last {replicas: 3, paused: true}, now {replicas: 5} → {replicas: 5, paused: null}
//	last [{name: a}, {name: b}], now [{name: b, image: x}] → [{name: b, image: x}, {name: a, $patch: delete}]
func applied(last, now map[string]any) map[string]any {
	patch := map[string]any{}
	for k := range last {
		patch[k] = nil
	}
	for k, v := range now {
		switch v := v.(type) {
		case map[string]any:
			was, _ := last[k].(map[string]any)
			patch[k] = applied(was, v)
			if retainKeys[k] {
				var names []any
				for name := range v {
					names = append(names, name)
				}
				patch[k].(map[string]any)[retainKeysMark] = names
			}
		case []any:
			was, _ := last[k].([]any)
			patch[k] = v
			if key := mergeKey(k, v, was); key != "" {
				patch[k], patch[orderPrefix+k] = appliedList(was, v, key), v
			}
		default:
			patch[k] = v
		}
	}
	return patch
}

// appliedList does the same for a list whose entries have a key.
func appliedList(last, now []any, key string) (list []any) {
	before := places(last, key)
	for _, entry := range now {
		var was map[string]any
		if i, ok := before[identity(entry, key)]; ok {
			was, _ = last[i].(map[string]any)
		}
		if m, ok := entry.(map[string]any); ok {
			entry = applied(was, m)
		}
		list = append(list, entry)
	}
	for _, entry := range without(last, places(now, key), key) {
		if m, ok := entry.(map[string]any); ok {
			list = append(list, map[string]any{key: m[key], directive: "delete"})
		}
	}
	return list
}
