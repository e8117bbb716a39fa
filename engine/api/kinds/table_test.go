package kinds_test

import (
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/kubectl/describe"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// empty is a cluster without objects.
type empty struct{}

func (empty) Get(api.Key) api.Object    { return nil }
func (empty) All(api.Kind) []api.Object { return nil }

// TestTable: the names of kinds are found and unique, and every layer can treat an object of every kind: fields, defaults, validation,
// columns, descriptions.
func TestTable(t *testing.T) {
	seen := map[string]api.Kind{}
	for _, k := range kinds.All() {
		for _, name := range slices.Compact([]string{k.Singular(), k.Plural, k.Short}) {
			if other, taken := seen[name]; name != "" && taken {
				t.Errorf("%s is called %q, and so is %s", k.Name, name, other)
			}
			if seen[name] = k.Name; kinds.Absent(name) {
				t.Errorf("%s is called %q, which is in the list of absent kinds, too", k.Name, name)
			}
		}
		if kinds.Find(k.Name) != k || kinds.Typo(k.APIVersion(), string(k.Name)) {
			t.Errorf("%s is not found", k.Name)
		}
		if !k.Stored() {
			continue
		}
		if key := k.New().Key(); key.Kind != k.Name {
			t.Errorf("New of %s makes a %s", k.Name, key.Kind)
		}
		o, issues := decode.Tree(k.Name, map[string]any{"metadata": map[string]any{"name": "x"}})
		if len(issues) > 0 || o.Meta().Namespace != map[bool]string{false: "default"}[k.Cluster] {
			t.Errorf("%s: %v, in the namespace %q", k.Name, issues, o.Meta().Namespace)
			continue
		}
		for _, e := range validate.Object(o) {
			if e.Field == "metadata.name" || e.Field == "metadata.namespace" {
				t.Errorf("%s: %s", k.Name, e)
			}
		}
		format := print.FormatOf(k.Name)
		if cells := format.Cells(o, 0, true); len(cells) != len(format.Names) {
			t.Errorf("%s has %d cells below %d columns", k.Name, len(cells), len(format.Names))
		}
		if describe.Object(empty{}, 0, o, false, nil) == "" {
			t.Errorf("%s has no description", k.Name)
		}
	}
}

// TestNearest: words that are no kinds, and what may have been meant.
func TestNearest(t *testing.T) {
	for _, c := range []struct {
		version, name, near string
		typo                bool
	}{
		{"apps/v1", "Deploymnet", "apps/v1 Deployment", true},
		{"v1", "Deployment", "apps/v1 Deployment", true},
		{"v1", "ConfigMap", "v1 ConfigMap", false},
		{"v1", "Evnt", "v1 Event", true},
		{"policy/v1", "Eviction", "policy/v1 Eviction", false},
		{"autoscaling/v2", "HorizontalPodAutoscalr", "autoscaling/v2 HorizontalPodAutoscaler", false},
		{"example.com/v1", "Anything", "", false},
		{"", "Job", "batch/v1 Job", false},
	} {
		if near, typo := kinds.Nearest(c.name), kinds.Typo(c.version, c.name); near != c.near || typo != c.typo {
			t.Errorf("%s %s: near %q, a typo: %t; want %q, %t", c.version, c.name, near, typo, c.near, c.typo)
		}
	}
}

// TestVersions: which versions are gone, which older ones servers still have, and which belong to somebody else's kinds.
func TestVersions(t *testing.T) {
	for _, c := range []struct {
		version             string
		kind                api.Kind
		older, gone, custom bool
	}{
		{"apps/v1", "Deployment", false, false, false},
		{"apps/v1beta2", "Deployment", false, true, false},
		{"autoscaling/v1", "HorizontalPodAutoscaler", true, false, false},
		{"autoscaling/v2beta2", "HorizontalPodAutoscaler", false, true, false},
		{"gateway.networking.k8s.io/v1beta1", "HTTPRoute", true, false, false},
		{"gateway.networking.k8s.io/v1", "HTTPRoute", false, false, false},
		{"networking.k8s.io/v1beta1", "Ingress", false, true, false},
		{"apps.kruise.io/v1beta1", "StatefulSet", false, false, true},
		{"serving.knative.dev/v1", "Service", false, false, true},
	} {
		if older, gone, custom := kinds.Older(c.version, c.kind), kinds.Gone(c.version, c.kind), kinds.Custom(c.version); older != c.older || gone != c.gone || custom != c.custom {
			t.Errorf("%s %s: older %t, gone %t, custom %t", c.version, c.kind, older, gone, custom)
		}
	}
}
