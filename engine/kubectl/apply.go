package kubectl

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/patch"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Apply creates or changes objects as `kubectl apply -f` does (K-35): fields that only the last manifest had are removed, fields of
// the new manifest are set, and all others stay as they are in the cluster.
func (k *Kubectl) Apply(manifests []scenario.Manifest) *read.Reading {
	c := k.command(line.Parse("apply"))
	c.fail(k.applyAll(c, manifests))
	return k.done(c)
}

func (k *Kubectl) applyAll(c *command, manifests []scenario.Manifest) error {
	var items []any // what -o yaml prints at the end
	err := forEach(c, manifests, func(m scenario.Manifest) (string, error) {
		what, err := k.applyOne(c, m)
		if form := c.Flags["output"]; err == nil && form != "" && form != "name" {
			items = append(items, print.Served(c.last))
			return "", nil
		}
		return c.saidUnless(err, m.Object.Key(), what)
	})
	if err == nil && items != nil {
		err = c.checkOutput()
	}
	if err != nil || items == nil {
		return err
	}
	tree := items[0]
	if len(items) > 1 {
		tree = map[string]any{"apiVersion": "v1", "kind": "List", "items": items, "metadata": map[string]any{}}
	}
	c.print(print.TreeText(tree.(map[string]any), c.Flags["output"]))
	return nil
}

// applyOne applies one object and says what came of it.
func (k *Kubectl) applyOne(c *command, m scenario.Manifest) (what string, err error) {
	key := m.Object.Key()
	stored, err := k.client.Get(key)
	if api.IsReason(err, api.ReasonNotFound) {
		o := api.Copy(m.Object)
		if c.Verb != "diff" {
			c.keepApplied(o, m)
		} else if o, err = c.known(m); err != nil {
			return "", err
		}
		return "created", c.sourced("creating", k.add(c, o, "applied"))
	}
	if err != nil {
		return "", err
	}
	if _, kept := stored.Meta().Annotations[api.LastAppliedAnnotation]; !kept && c.Verb != "diff" { // which keeps no manifest
		c.complain(fmt.Sprintf("Warning: resource %s is missing the %s annotation which is required by "+
			"kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create "+
			"--save-config or kubectl apply. The missing annotation will be patched automatically.",
			line.PluralName(stored.Key()), api.LastAppliedAnnotation))
	}
	merged, err := c.mergeManifest(m, stored)
	if c.Dry == line.DryClient && c.Flags["output"] == "" && api.IsReason(err, api.ReasonBadRequest) { // which only the server sees
		return "configured", nil
	}
	if err != nil {
		return "", err
	}
	c.keepApplied(merged, m)
	changed, err := k.put(c, merged, "applied")
	if stored.Meta().Terminating() && (err == nil || c.Verb == "diff") {
		c.complain(fmt.Sprintf("Warning: Detected changes to resource %s which is currently being deleted.", key.Name))
	}
	// The selector of a budget is replaced as a whole, also by itself (strategicpatch/patch.go:handleMapDiff).
	if budget, ok := m.Object.(*api.PodDisruptionBudget); !changed && (!ok || budget.Spec.Selector == nil) {
		return "unchanged", err
	}
	return "configured", err
}

// Merging returns what merges a manifest with the stored object, as apply or diff does. Of what stays as it is, it returns nothing.
func (k *Kubectl) Merging(given *line.Command) Merge {
	c := k.command(given)
	return func(m scenario.Manifest) (api.Object, error) {
		if c.place(&m) != nil {
			return nil, nil // it is refused later
		}
		stored, err := k.client.Get(m.Object.Key())
		if err != nil && c.Verb == "diff" {
			return c.known(m)
		} else if err != nil {
			return nil, err
		}
		o, err := c.mergeManifest(m, stored)
		if err == nil && api.SpecEqual(o, stored) {
			return nil, nil
		}
		return o, err
	}
}

// known returns an object that diff would create: without unknown fields, of which it warns.
func (c *command) known(m scenario.Manifest) (api.Object, error) {
	kind, tree := m.Object.Key().Kind, asGiven(m)
	c.dropUnknown(kind, tree)
	o, issues := decode.JSON(kind, api.AppendTree(nil, tree, false))
	if len(issues) > 0 {
		return nil, patch.BadRequest(decode.Message(issues))
	}
	return o, nil
}

// mergeManifest does the three-way merge of the last applied manifest, the new one, and the stored object.
func (c *command) mergeManifest(m scenario.Manifest, stored api.Object) (api.Object, error) {
	var last map[string]any
	if text := stored.Meta().Annotations[api.LastAppliedAnnotation]; text != "" {
		if err := json.Unmarshal([]byte(text), &last); err != nil {
			return nil, fmt.Errorf("the last-applied-configuration annotation of %s is not JSON: %w", line.ResourceName(stored.Key()), err)
		}
	}
	now, live := m.Tree(), api.Tree(stored)
	delete(now, "status")
	if stored.Key().Kind == api.KindPod { // the manifest may be what get has printed
		live["spec"] = print.Served(stored)["spec"]
	}
	merged, err := patch.Apply(last, now, live)
	if err != nil {
		return nil, err
	}
	if c.Verb == "diff" { // apply asks for strict reading
		c.dropUnknown(stored.Key().Kind, merged)
	}
	return rebuild(merged, stored)
}

// keepApplied keeps a manifest as what was last applied; create and replace do so if it has such an annotation, and diff never.
func (c *command) keepApplied(o api.Object, m scenario.Manifest) {
	if _, kept := m.Object.Meta().Annotations[api.LastAppliedAnnotation]; c.Verb == "apply" || kept && c.Verb != "diff" {
		o.Meta().SetAnnotation(api.LastAppliedAnnotation, string(m.JSON)+"\n")
	}
}

// rebuild reads the changed tree of an object as the API server reads a request, and keeps the stored fields that no tree has.
func rebuild(tree map[string]any, stored api.Object) (api.Object, error) {
	pod, isPod := stored.(*api.Pod)
	if isPod {
		spec := api.Fields(tree).Object("spec")
		pod = withImages(pod, spec)
		for _, c := range api.ContainersOf(spec) {
			if c.Text("image") == "" {
				delete(c, "image") // no image is no field, which the server finds
			}
		}
	}
	same := isPod && (reflect.DeepEqual(tree["spec"], api.Tree(pod)["spec"]) || reflect.DeepEqual(tree["spec"], print.Served(pod)["spec"]))
	if spec, _ := tree["spec"].(map[string]any); same {
		tree["spec"] = pod.Spec // some of the printed fields are kept beside the spec (see api.Pod)
	} else if isPod && pod.Spec.NodeName == "" && spec["nodeName"] == pod.NodeName {
		delete(spec, "nodeName") // it was bound there: the spec may be the same in other words
	}
	breath.Take()
	o, issues := decode.JSON(stored.Key().Kind, api.JSON(tree))
	if len(issues) > 0 {
		return nil, patch.BadRequest(decode.Message(issues))
	}
	m, kept := o.Meta(), stored.Meta() // no manifest changes these fields
	m.UID, m.ResourceVersion, m.Generation = kept.UID, kept.ResourceVersion, kept.Generation
	m.CreationTimestamp, m.DeletionTimestamp = kept.CreationTimestamp, kept.DeletionTimestamp
	m.DeletionGracePeriodSeconds = kept.DeletionGracePeriodSeconds
	m.OwnerReferences, m.Finalizers = kept.OwnerReferences, kept.Finalizers
	switch o := o.(type) {
	case *api.Pod:
		if same {
			o.KeepSpec(pod)
		} else if o.NodeName == "" {
			o.NodeName = pod.NodeName
		}
	case *api.DaemonSet:
		o.TemplateGeneration = stored.(*api.DaemonSet).TemplateGeneration
	}
	return o, nil
}

// withImages returns a pod with the images that the tree of another spec has for its containers.
func withImages(pod *api.Pod, spec api.Fields) *api.Pod {
	t := api.PodTemplateSpec{Spec: pod.Spec}
	for _, c := range api.ContainersOf(spec) {
		t, _ = t.WithImage(c.Text("name"), c.Text("image"))
	}
	own := *pod
	own.Spec = t.Spec
	return &own
}
