package patch

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

func BadRequest(message string) error {
	return &api.StatusError{Reason: api.ReasonBadRequest, Message: message}
}

// DeletePath removes the field at spec.template.spec.containers[0].imag.
func DeletePath(tree any, path string) {
	first, rest, more := strings.Cut(path, ".")
	name, index, indexed := strings.Cut(strings.TrimSuffix(first, "]"), "[")
	m, ok := tree.(map[string]any)
	if !ok {
		return
	}
	if !more && !indexed {
		delete(m, name)
		return
	}
	next := m[name]
	if list, ok := next.([]any); ok && indexed {
		if i, err := strconv.Atoi(index); err == nil && i < len(list) {
			next = list[i]
		}
	}
	DeletePath(next, rest)
}

// ApplyMerge applies a strategic or a JSON merge patch.
func ApplyMerge(live map[string]any, text []byte, plain bool) (map[string]any, error) {
	var patch map[string]any
	if err := json.Unmarshal(text, &patch); err != nil {
		return nil, BadRequest(err.Error())
	}
	meta, _ := patch["metadata"].(map[string]any)
	for _, name := range []string{"ownerReferences", "resourceVersion", "uid"} {
		if _, given := meta[name]; given {
			return nil, fmt.Errorf("rollplay does not model a patch of metadata.%s", name)
		}
	}
	if plain {
		merged, _ := mergePatch(live, patch).(map[string]any)
		return merged, nil
	}
	return strategicMap(live, patch)
}

// mergePatch is RFC 7386: objects are merged, null removes, anything else replaces.
func mergePatch(live, patch any) any {
	p, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	out := map[string]any{}
	m, _ := live.(map[string]any)
	maps.Copy(out, m)
	for k, v := range p {
		if v == nil {
			delete(out, k)
		} else {
			out[k] = mergePatch(out[k], v)
		}
	}
	return out
}
