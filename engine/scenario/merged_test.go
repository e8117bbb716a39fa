package scenario_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/scenario"
)

// TestMergedManifests: what is wrong with an object alone may be right once it is merged with the cluster's, or wrong in another way.
func TestMergedManifests(t *testing.T) {
	object := func(name, replicas string) string {
		return "---\n" + strings.Replace(strings.Replace(webManifest, "name: web\nspec:", "name: "+name+"\nspec:\n  replicas: "+replicas, 1), "\n\n", "\n", 1)
	}
	text := object("a", "1") + object("b", "-2") + "---\nkind: Odd\n" + object("c", "1") + object("d", "-3\n  minReadySeconds: -5") + object("e", "1")
	const two, three, five, kind = "spec.replicas: Invalid value: -2: ", "spec.replicas: Invalid value: -3: ", "spec.minReadySeconds: Invalid value: -5: ", "Object 'apiVersion'"
	replicas := func(n int32) func(scenario.Manifest) (api.Object, error) {
		return func(m scenario.Manifest) (api.Object, error) {
			o := api.Copy(m.Object.(*api.Deployment))
			o.Spec.Replicas, o.Spec.MinReadySeconds = &n, n
			return o, nil
		}
	}
	for _, c := range []struct {
		name  string
		merge func(scenario.Manifest) (api.Object, error)
		names string
		wrong []string
	}{
		{"the cluster cannot say", func(scenario.Manifest) (api.Object, error) { return nil, errors.New("no") }, "a c e", []string{two, kind, three, five}},
		{"nothing is checked", func(scenario.Manifest) (api.Object, error) { return nil, nil }, "a b c d e", []string{kind}},
		{"right when merged", replicas(4), "a b c d e", []string{kind}},
		{"wrong in the same way", func(m scenario.Manifest) (api.Object, error) { return m.Object, nil }, "a c e", []string{two, kind, three, five}},
		{"another wrong value", replicas(-9), "a c e", []string{"spec.replicas: Invalid value: -9: ", kind, "spec.replicas: Invalid value: -9: ", "spec.minReadySeconds: Invalid value: -9: "}},
	} {
		manifests, diagnostics := scenario.Read(text).MergedManifests(c.merge)
		var names []string
		for _, m := range manifests {
			names = append(names, m.Object.Meta().Name)
		}
		same := len(diagnostics) == len(c.wrong)
		for i := range diagnostics {
			same = same && strings.HasPrefix(diagnostics[i].Message, c.wrong[i])
		}
		if got := fmt.Sprint(strings.Join(names, " ")); got != c.names || !same {
			t.Errorf("%s: got %s and %v, want %s and %q", c.name, got, diagnostics, c.names, c.wrong)
		}
	}
}
