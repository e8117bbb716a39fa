package kubectl

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/rollplay/rollplay/engine/kubectl/patch"
)

// ports draws a Service with up to five ports, of which some have the same number.
func (d manifests) ports() map[string]any {
	list := []any{}
	for range d.IntN(6) {
		port := d.some(50, map[string]func() any{"name": d.text, "protocol": func() any { return pick(d.Rand, "TCP", "UDP") }, "targetPort": d.number})
		port["port"] = pick(d.Rand, 53.0, 80.0, 443.0)
		list = append(list, port)
	}
	return map[string]any{"spec": map[string]any{"ports": list}}
}

// encoded is an object as kubectl and the server have it.
func encoded(t *testing.T, tree any) []byte {
	text, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRepeatedPorts compares what becomes of ports with the same number, of which upstream makes one: in an apply, and in a patch of the list.
func TestRepeatedPorts(t *testing.T) {
	meta, err := strategicpatch.NewPatchMetaFromStruct(corev1.Service{})
	if err != nil {
		t.Fatal(err)
	}
	d := manifests{Rand: rand.New(rand.NewPCG(7, 53))}
	portsOf := func(text []byte) []corev1.ServicePort {
		var service corev1.Service
		if err := json.Unmarshal(text, &service); err != nil {
			t.Fatal(err)
		}
		return service.Spec.Ports
	}
	compare := func(what string, real []byte, ours map[string]any, from ...any) {
		if mine := encoded(t, ours); !slices.Equal(portsOf(mine), portsOf(real)) {
			t.Errorf("%s: ours %s\nreal %s", what, mine, real)
			for _, tree := range from {
				t.Logf("%s", encoded(t, tree))
			}
		}
	}
	refused := 0
	for range 5000 {
		last, now, live := d.ports(), d.ports(), d.ports()
		if d.maybe(50) {
			last = copied(live)
		}
		if d.maybe(30) {
			now = copied(last)
			list := now["spec"].(map[string]any)["ports"].([]any)
			if len(list) > 0 && d.maybe(70) {
				list[d.IntN(len(list))].(map[string]any)["name"] = "changed"
			}
		}
		ours, wrong := patch.Apply(copied(last), copied(now), copied(live))
		p, err := strategicpatch.CreateThreeWayMergePatch(encoded(t, last), encoded(t, now), encoded(t, live), meta, true)
		var real []byte
		if err == nil {
			real, err = strategicpatch.StrategicMergePatchUsingLookupPatchMeta(encoded(t, live), p, meta)
		}
		switch {
		case (err == nil) != (wrong == nil):
			t.Errorf("ours %v, real %v\n%s\n%s\n%s\n%s", wrong, err, encoded(t, last), encoded(t, now), encoded(t, live), p)
		case err != nil:
			refused++
		default:
			compare("apply", real, ours, last, now, live, json.RawMessage(p))
		}

		given := d.ports()
		if list := given["spec"].(map[string]any)["ports"].([]any); len(list) > 0 && d.maybe(30) {
			list[0] = map[string]any{"port": 53.0, "$patch": "delete"}
		}
		if real, err = strategicpatch.StrategicMergePatchUsingLookupPatchMeta(encoded(t, live), encoded(t, given), meta); err != nil {
			t.Fatal(err)
		}
		if ours, err = patch.ApplyMerge(copied(live), encoded(t, given), false); err != nil {
			t.Fatal(err)
		}
		compare("patch", real, ours, live, given)
	}
	if refused < 100 {
		t.Errorf("only %d applies are refused for the order of their ports", refused)
	}
}
