package kubectl

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	yamljson "sigs.k8s.io/yaml"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
)

// patch changes fields of objects (K-35).
func (k *Kubectl) patch(c *command) (string, error) {
	text, how := c.flags["patch"], strings.ToLower(c.flags["type"])
	switch {
	case text == "":
		return "", errors.New("must specify --patch or --patch-file containing the contents of the patch")
	case how != "" && how != "strategic" && how != "merge" && how != "json":
		return "", fmt.Errorf("--type must be one of [json merge strategic], not %q", c.flags["type"])
	}
	patch, err := yamljson.YAMLToJSON([]byte(text))
	if err != nil {
		return "", fmt.Errorf("unable to parse %q: %w", text, err)
	}
	return k.each(c, func(key api.Key) (string, error) {
		stored, err := k.client.Get(key)
		if err != nil {
			return "", err
		}
		o, err := c.patched(stored, patch, how)
		if err != nil {
			return "", err
		}
		changed, err := k.put(c, o, "patched")
		if err != nil {
			return "", err
		}
		if !changed {
			return c.said(key, "patched (no change)"), nil
		}
		return c.said(key, "patched"), nil
	})
}

// patched returns an object as a patch makes it.
func (c *command) patched(stored api.Object, patch []byte, how string) (api.Object, error) {
	live, err := api.Tree(stored)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	switch how {
	case "json":
		tree, err = applyOperations(live, patch)
	default:
		tree, err = applyMerge(live, patch, how == "merge")
	}
	if err != nil {
		return nil, err
	}
	if err := c.dropUnknown(stored.Key().Kind, tree); err != nil {
		return nil, err
	}
	finalizers := finalizersOf(tree)
	o, err := rebuild(tree, stored)
	if err != nil {
		return nil, err
	}
	switch is, was := o.Key(), stored.Key(); {
	case is.Name != was.Name:
		return nil, badRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", is.Name, was.Name))
	case is != was:
		return nil, badRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	o.Meta().Finalizers = finalizers
	return o, nil
}

func badRequest(message string) error {
	return &api.StatusError{Reason: api.ReasonBadRequest, Message: message}
}

// dropUnknown takes unknown fields out of a tree with a warning each, as the API server does with a patch. If more is wrong
// than that, they stay.
func (c *command) dropUnknown(kind api.Kind, tree map[string]any) error {
	text, err := json.Marshal(tree)
	if err != nil {
		return err
	}
	_, issues := decode.JSON(kind, text)
	for _, issue := range issues {
		if !issue.Unknown {
			return nil
		}
	}
	for _, issue := range issues {
		c.warnings = append(c.warnings, "Warning: "+issue.Message)
		deletePath(tree, issue.Path)
	}
	return nil
}

// deletePath removes the field at spec.template.spec.containers[0].imag.
func deletePath(tree any, path string) {
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
	deletePath(next, rest)
}

// finalizersOf reads the finalizers of a tree.
func finalizersOf(tree map[string]any) (finalizers []string) {
	meta, _ := tree["metadata"].(map[string]any)
	list, _ := meta["finalizers"].([]any)
	for _, item := range list {
		if name, ok := item.(string); ok {
			finalizers = append(finalizers, name)
		}
	}
	return finalizers
}

// applyMerge applies a strategic or a JSON merge patch.
func applyMerge(live map[string]any, text []byte, plain bool) (map[string]any, error) {
	var patch map[string]any
	if err := json.Unmarshal(text, &patch); err != nil {
		return nil, badRequest("error decoding patch: " + err.Error())
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
	if m, ok := live.(map[string]any); ok {
		for k, v := range m {
			out[k] = v
		}
	}
	for k, v := range p {
		if v == nil {
			delete(out, k)
		} else {
			out[k] = mergePatch(out[k], v)
		}
	}
	return out
}
