package engine

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/scenario"
)

// deeds are the verbs of the environment: how each is carried out, and the end of its answer.
var deeds = map[string]struct {
	done string
	do   func(*world, *scenario.Deed) error
}{
	"crash":             {"crashed", onObject((*kubelet.Kubelet).Crash)},
	"fail-readiness":    {"fails its readiness probes from now on", onObject((*kubelet.Kubelet).FailReadiness)},
	"restore-readiness": {"answers its readiness probes again", onObject((*kubelet.Kubelet).RestoreReadiness)},
	"kill":              {"is down, with everything that ran on it", onNode((*kubelet.Kubelet).Kill)},
	"restore":           {"is up again", onNode((*kubelet.Kubelet).Restore)},
	"add":               {"added", (*world).addNode},
	"remove":            {"removed", onNode((*kubelet.Kubelet).Remove)},
}

// onObject is a deed that a pod or a node must exist for.
func onObject(do func(*kubelet.Kubelet, api.Key) error) func(*world, *scenario.Deed) error {
	return func(w *world, d *scenario.Deed) error {
		if w.server.Store.Get(d.Key) == nil {
			return fmt.Errorf("%s %q not found", strings.ToLower(string(d.Key.Kind)), d.Key.Name)
		}
		return do(w.kubelet, d.Key)
	}
}

func onNode(do func(*kubelet.Kubelet, string) error) func(*world, *scenario.Deed) error {
	return onObject(func(k *kubelet.Kubelet, node api.Key) error { return do(k, node.Name) })
}

// do carries out a line of the environment; a line with an error changes nothing.
func (w *world) do(line string) *read.Reading {
	d, err := scenario.ParseDeed(line)
	if err == nil {
		err = deeds[d.Verb].do(w, d)
	}
	if err != nil {
		return w.refused("error: " + err.Error())
	}
	answer := &read.Reading{}
	answer.Print(w.kernel.Now(), strings.ToLower(string(d.Key.Kind))+"/"+d.Key.Name+" "+deeds[d.Verb].done)
	return answer
}

// addNode registers a node; the words after its name set its capacity and zone: cpu=4 memory=8Gi pods=110 zone=a.
func (w *world) addNode(d *scenario.Deed) error {
	if w.server.Store.Get(d.Key) != nil {
		return fmt.Errorf("node %q exists already; give the new one another name", d.Key.Name)
	}
	n := &api.Node{ObjectMeta: api.ObjectMeta{Name: d.Key.Name}}
	capacity := map[string]api.Quantity{}
	for _, word := range d.Words {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "cpu", "memory", "pods":
			q, err := api.ParseQuantity(value)
			if err != nil || q.Cmp(api.Quantity{}) < 0 {
				return fmt.Errorf("%s: must be a quantity: %s=4, %s=500m, %s=8Gi", word, name, name, name)
			}
			if !q.IsZero() {
				capacity[name] = q
			}
		case "zone":
			scenario.SetZone(n, value)
		default:
			return fmt.Errorf("add does not take %q; it takes cpu=, memory=, pods= and zone=", word)
		}
	}
	scenario.SetCapacity(n, capacity)
	scenario.LabelNode(n)
	if refused := validate.Object(n); len(refused) > 0 {
		return fmt.Errorf("%s: %s", refused[0].Field, refused[0].Body())
	}
	return w.kubelet.Register(n)
}
