package kubectl

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/patch"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// scalable is an object of a kind for which line.Scales holds.
type scalable interface {
	api.Object
	Replicas() int32
	SetReplicas(n int32)
}

// scale changes spec.replicas (K-34).
func (k *Kubectl) scale(c *command) error {
	n := c.Int("replicas", -1)
	var refused error // what is refused ends the command, and is all that it says
	err := forEach(c, k.objects(c), func(key api.Key) (string, error) {
		if refused != nil {
			return "", nil
		}
		o, err := k.find(c, key)
		if scaled, ok := o.(scalable); ok && err == nil && c.Dry != line.DryClient {
			err = k.scaleOne(c, api.Copy(scaled), int32(n))
		}
		if err != nil {
			if o != nil || len(c.given) > 0 {
				refused = err
			}
			return "", err
		}
		if c.draft == nil {
			c.draft = print.Served(o)
		}
		if group := kinds.Of(key.Kind).Group; group == "" || group == "apps" { // what kubectl has looked up, with the number
			api.Fields(c.draft).Make("spec")["replicas"] = float64(n)
		}
		return c.said(key, "scaled"), nil
	})
	return cmp.Or(refused, err)
}

func (k *Kubectl) scaleOne(c *command, scaled scalable, n int32) error {
	want, have := c.Flags["current-replicas"], scaled.Replicas()
	if want != "" && want != "-1" && want != strconv.Itoa(int(have)) {
		return fmt.Errorf("Expected replicas to be %s, was %d", want, have)
	}
	scaled.SetReplicas(n)
	if _, err := k.put(c, scaled, fmt.Sprintf("scaled to %d", n)); err != nil || !c.On("record") {
		return err
	}
	recorded := api.Copy(c.last) // a second write
	c.record(recorded)
	_, err := k.put(c, recorded, "annotated")
	return err
}

// patchScale patches the subresource scale of an object, which is an object of its own.
func (k *Kubectl) patchScale(c *command, key api.Key, stored api.Object, scaleNow map[string]any, text []byte, how string) (string, error) {
	tree, err := patchedTree(scaleNow, text, how)
	if err != nil {
		return "", err
	}
	warn := func(at string, fields api.Fields, known ...string) {
		for _, field := range print.SortedKeys(fields) {
			if !slices.Contains(known, field) {
				c.warn(`unknown field "` + at + field + `"`)
			}
		}
	}
	warn("", tree, "apiVersion", "kind", "metadata", "spec", "status")
	warn("spec.", api.Fields(tree).Object("spec"), "replicas")
	var scale struct{ Spec struct{ Replicas int32 } }
	if err := json.Unmarshal(api.JSON(tree), &scale); err != nil {
		return "", patch.BadRequest(err.Error())
	}
	meta := api.Fields(tree).Object("metadata")
	if err := renamed(api.Key{Kind: key.Kind, Namespace: meta.Text("namespace"), Name: meta.Text("name")}, key); err != nil {
		return "", err
	}
	o := api.Copy(stored).(scalable)
	o.SetReplicas(scale.Spec.Replicas)
	if errs := validate.Update(o, stored); len(errs) > 0 {
		return "", &api.StatusError{Reason: api.ReasonInvalid, Message: errs.KubectlMessage("Scale", key.Name)}
	}
	changed, err := k.put(c, o, "patched")
	if err != nil {
		return "", err
	}
	c.draft = scaleOf(c.last)
	return c.says(key, patchedWord[changed]), nil
}

// scaleOf returns the subresource scale of an object.
func scaleOf(o api.Object) map[string]any {
	live, scale := api.Fields(print.Served(o)), api.Fields{"apiVersion": "autoscaling/v1", "kind": "Scale"}
	for _, field := range []string{"name", "namespace", "uid", "resourceVersion", "creationTimestamp"} {
		scale.Make("metadata")[field] = live.Object("metadata")[field]
	}
	spec := live.Object("spec")
	if scale.Make("spec"); spec.Number("replicas") != 0 {
		scale.Make("spec")["replicas"] = spec["replicas"]
	}
	selector := &api.LabelSelector{MatchLabels: spec.TextMap("selector")}
	if w, ok := o.(api.Workload); ok {
		selector = w.Selector()
	}
	scale["status"] = map[string]any{"replicas": float64(live.Object("status").Number("replicas")), "selector": print.SelectorText(selector)}
	return scale
}
