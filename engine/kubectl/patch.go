package kubectl

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	yamljson "sigs.k8s.io/yaml"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/patch"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// patch changes fields of objects (K-35).
func (k *Kubectl) patch(c *command) error {
	text, how := c.Flags["patch"], strings.ToLower(c.Flags["type"])
	patch, err := []byte(strings.TrimSpace(text)), error(nil)
	long := len(patch) > breath.Long && json.Valid(patch) // to read a long list as YAML would take long
	if !long && !strings.HasPrefix(string(patch), "{") {  // that goes to the server as it is
		if patch, err = yamljson.YAMLToJSON([]byte(text)); err != nil {
			return fmt.Errorf("unable to parse %q: %w", text, err)
		}
	}
	return forEach(c, k.objects(c), func(key api.Key) (string, error) {
		scale := c.Flags["subresource"] != ""
		if scale && !line.Scales(kinds.Of(key.Kind)) { // also of an object that is not there
			return "", line.NoScale(key)
		}
		stored, err := k.find(c, key)
		if err != nil {
			return "", err
		}
		live, given := c.draft, c.draft != nil
		switch c.draft = nil; {
		case scale:
			key.Kind, live = "Scale.autoscaling", scaleOf(stored)
		case !given:
			live = print.Served(stored)
		}
		if c.Dry == line.DryClient {
			return c.patchedHere(live, patch, how)
		} else if scale {
			return k.patchScale(c, key, stored, live, patch, how)
		}
		o, err := c.patched(stored, patch, how)
		if err != nil {
			return "", err
		}
		changed, err := k.put(c, o, "patched")
		if err != nil {
			return "", err
		}
		return c.says(key, patchedWord[changed || given]), nil
	})
}

// patchedWord says whether an object has changed, also in a dry run.
var patchedWord = map[bool]string{true: "patched", false: "patched (no change)"}

// patchedHere answers --dry-run=client: kubectl patches what it has received, or the manifest, and nothing checks the result.
func (c *command) patchedHere(live map[string]any, text []byte, how string) (string, error) {
	if err := json.Unmarshal(text, new(any)); err != nil && how == "json" {
		return "", err
	} else if err != nil && how == "merge" {
		return "", errors.New("Invalid JSON Patch")
	} else if err != nil {
		return "", errors.New("invalid JSON document")
	}
	tree, err := applyPatch(live, text, how)
	if refused, ok := err.(*api.StatusError); ok {
		return "", errors.New(refused.Message)
	} else if err != nil {
		return "", err
	}
	fields := api.Fields(tree)
	if fields.Text("kind") == "" {
		return "", fmt.Errorf("Object 'Kind' is missing in '%s'", api.JSON(tree))
	}
	c.draft = tree
	return c.saysOf(treeName(fields), patchedWord[!reflect.DeepEqual(tree, live)]), nil
}

// treeName names an object by what a patch has made of it, of any kind.
func treeName(o api.Fields) string {
	group, _, grouped := strings.Cut(o.Text("apiVersion"), "/")
	if !grouped {
		group = ""
	}
	kind := kinds.Kind{Name: api.Kind(o.Text("kind")), Group: group}
	return strings.ToLower(kind.GroupKind()) + "/" + cmp.Or(o.Object("metadata").Text("name"), "<unknown>")
}

func applyPatch(live map[string]any, text []byte, how string) (map[string]any, error) {
	if !json.Valid(text) {
		return nil, patch.BadRequest("invalid JSON patch")
	} else if how == "json" {
		return patch.ApplyOperations(live, text)
	}
	return patch.ApplyMerge(live, text, how == "merge")
}

// patchedTree patches as the server does, which does not say which step was wrong; here a bracket does.
func patchedTree(live map[string]any, text []byte, how string) (map[string]any, error) {
	tree, err := applyPatch(live, text, how)
	if wrong, ok := err.(*patch.Refused); ok {
		err = &api.StatusError{Reason: api.ReasonInvalid,
			Message: "The request is invalid: the server rejected our request due to an error in our request\n(" + wrong.Words + ")"}
	}
	return tree, err
}

// patched returns an object as a patch makes it.
func (c *command) patched(stored api.Object, text []byte, how string) (api.Object, error) {
	live := api.Tree(stored)
	tree, err := patchedTree(live, text, how)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"apiVersion", "kind"} {
		if is, given := tree[name]; given && is != live[name] && (how == "json" || how == "merge") {
			return nil, errors.New("rollplay does not model a patch of " + name)
		}
	}
	c.dropUnknown(stored.Key().Kind, tree)
	finalizers := api.Fields(tree).Object("metadata").Texts("finalizers")
	o, err := rebuild(tree, stored)
	if err != nil {
		return nil, err
	}
	o.Meta().Finalizers = finalizers
	return o, renamed(o.Key(), stored.Key())
}

func renamed(is, was api.Key) error {
	switch {
	case is.Name == "":
		return patch.BadRequest(fmt.Sprintf("the name of the object (%s based on URL) was undeterminable: name must be provided", was.Name))
	case is.Name != was.Name:
		return patch.BadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", is.Name, was.Name))
	case is != was:
		return patch.BadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	return nil
}

// dropUnknown takes unknown fields out of a tree with a warning each, as the API server does with a patch. If more is wrong
// than that, they stay.
func (c *command) dropUnknown(kind api.Kind, tree map[string]any) {
	_, issues := decode.JSON(kind, api.AppendTree(nil, tree, false))
	if slices.ContainsFunc(issues, func(i decode.Issue) bool { return !i.Unknown }) {
		return
	}
	c.dropped = len(issues) > 0
	for _, issue := range issues {
		c.warn(issue.Message)
		patch.DeletePath(tree, issue.Path)
	}
}
