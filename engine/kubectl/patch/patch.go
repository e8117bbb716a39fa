// Package patch changes objects as trees: by the three kinds of kubectl patch, and by kubectl apply.
package patch

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

func BadRequest(message string) error {
	return &api.StatusError{Reason: api.ReasonBadRequest, Message: message}
}

// DeletePath removes the field at spec.template.spec.containers[0].imag.
func DeletePath(tree any, path string) {
	first, rest, more := strings.Cut(path, ".")
	name, index, indexed := strings.Cut(strings.TrimSuffix(first, "]"), "[")
	m, _ := tree.(map[string]any) // if it is none, there is nothing to remove
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
	if plain && patch == nil { // null
		return nil, BadRequest("Invalid JSON Patch")
	} else if plain {
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

// operationsMax is how many steps the API server takes.
const operationsMax = 10000

// ApplyOperations applies a JSON patch (RFC 6902) with the API server's library. If one step fails, none counts.
func ApplyOperations(live map[string]any, text []byte) (map[string]any, error) {
	steps, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return nil, BadRequest("error decoding patch: " + err.Error())
	}
	if len(steps) > operationsMax {
		return nil, BadRequest(fmt.Sprintf("The allowed maximum operations in a JSON patch is %d, got %d", operationsMax, len(steps)))
	}
	doc := api.AppendTree(nil, live, false)
	jsonpatch.AccumulatedCopySizeLimit = limits.Copies
	for some := range slices.Chunk(steps, stepsAtOnce) {
		breath.Take()
		if doc, err = apply(doc, some); err != nil {
			return nil, err
		}
		if len(doc) > limits.Object { // it would be refused at the end, and later steps would take long
			return nil, &api.StatusError{Message: "etcdserver: request is too large"}
		}
	}
	patched, err := api.ReadJSON(doc, false)
	tree, ok := patched.(map[string]any)
	if err != nil || !ok {
		return nil, &Refused{Words: "an object must stay an object"}
	}
	return tree, nil
}

// stepsAtOnce is how many steps are applied between two pauses of the host: each time the library reads and prints the object.
const stepsAtOnce = 150

// apply applies some steps. The library panics where a step compares or replaces with a null, which the API server survives in these words.
func apply(doc []byte, steps jsonpatch.Patch) (out []byte, err error) {
	defer func() {
		if recover() != nil {
			err = &Refused{Words: "This request caused apiserver to panic. Look in the logs for details."}
		}
	}()
	if out, err = steps.Apply(doc); err != nil {
		return nil, &Refused{Words: kubectlWords(err.Error())}
	}
	return out, nil
}

// kubectlWords returns what kubectl prints for an error of the library (kubectl/pkg/cmd/patch/patch.go:getPatchedJSON).
func kubectlWords(words string) string {
	if _, path, ok := strings.Cut(words, "doc is missing key: "); ok {
		return fmt.Sprintf("Object to be patched is missing field (%s)", path)
	}
	return strings.TrimSuffix(words, ": %!w(<nil>)") // an error that the library wraps although there is none
}

// Refused says in kubectl's words why a step cannot be done.
type Refused struct{ Words string }

func (r *Refused) Error() string { return r.Words }
