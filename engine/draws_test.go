package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
)

// twoOf has two Deployments and a StatefulSet whose containers take random times, on one node: which node a pod gets depends on others.
func twoOf(draws string) string {
	text := "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {" + draws + "images: [{match: \"*\", pull: 0s, start: 1s..9s, ready: 0s..9s, stop: 1s..20s}], nodes: {count: 1}}\n"
	for _, name := range []string{"web", "other"} {
		text += deploymentOf(name)
	}
	return text + strings.NewReplacer("Deployment", "StatefulSet", "replicas", "serviceName: db, replicas").Replace(deploymentOf("db"))
}

func deploymentOf(name string) string {
	return fmt.Sprintf("---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s}\nspec: {replicas: 4, selector: {matchLabels: {app: %[1]s}}, template: {metadata: {labels: {app: %[1]s}}, "+
		"spec: {containers: [{name: c, image: \"app:1\", readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}}]}}}\n", name)
}

// lifesOf returns how long the pods of a workload took from their creation until they had started and were Ready, and how long they took to stop, in the
// order of their creation. Pods of one ReplicaSet have names that begin alike.
func lifesOf(t *testing.T, scenario, prefix string, commands ...engine.Command) (list []string) {
	t.Helper()
	r, diagnostics := engine.Start(engine.Recording{Scenario: scenario, Commands: commands})
	if r == nil {
		t.Fatal(diagnostics)
	}
	p := r.Finish().Past()
	created, started, ready, stops, names := map[string]int64{}, map[string]int64{}, map[string]int64{}, map[string]int64{}, map[string]string{}
	var uids []string
	for i := range p.Records() {
		if p.Records()[i].Kind != engine.Write || p.Records()[i].Object.Kind != api.KindPod || !strings.HasPrefix(p.Records()[i].Object.Name, prefix) {
			continue
		}
		c := p.Change(i)
		uid, at := c.Object().Meta().UID, p.At(i)
		pod, _ := c.New.(*api.Pod)
		switch {
		case c.Old == nil:
			uids, created[uid], names[uid] = append(uids, uid), at, pod.Name
		case pod == nil:
			stops[uid] = at - stops[uid]
		case pod.Terminating() && stops[uid] == 0:
			stops[uid] = at
		case started[uid] == 0 && len(pod.Status.ContainerStatuses) > 0 && pod.Status.ContainerStatuses[0].State.Kind == api.Running:
			started[uid] = at - created[uid]
		case pod.IsReady() && ready[uid] == 0:
			ready[uid] = at - created[uid]
		}
	}
	for _, uid := range uids {
		list = append(list, fmt.Sprintf("%s (%s) started after %d, ready after %d, gone after %d", names[uid], uid, started[uid], ready[uid], stops[uid]))
	}
	return list
}

// TestKeyedDraws is a part of SIM-5: what happens to other pods does not matter to the draws of a pod, nor do other settings of the rollout; so pods of two
// runs correspond by workload, revision and ordinal. In the order of the seed, they do not.
func TestKeyedDraws(t *testing.T) {
	update := []engine.Command{{At: 60_000, Run: "kubectl set image deployment/web c=app:2"}, {At: 60_000, Run: "kubectl set image statefulset/db c=app:2"}}
	for name, before := range map[string]engine.Command{
		"another workload grows": {At: 50_000, Run: "kubectl scale deployment/other --replicas=9"},
		"another one restarts":   {At: 59_998, Run: "kubectl rollout restart deployment/other"},
		"a pod of another one":   {At: 59_000, Run: "kubectl delete pod -l app=other"},
	} {
		for _, of := range []string{"web", "db"} {
			commands := append([]engine.Command{before}, update...)
			if got, want := lifesOf(t, twoOf("draws: keyed, "), of, commands...), lifesOf(t, twoOf("draws: keyed, "), of, update...); !slices.Equal(got, want) || len(want) != 8 {
				t.Errorf("%s: %s\n got %s\nwant %s", name, of, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
			}
		}
		if slices.Equal(lifesOf(t, twoOf(""), "web", append([]engine.Command{before}, update...)...), lifesOf(t, twoOf(""), "web", update...)) {
			t.Errorf("%s: it does not matter in the order of the seed either", name)
		}
	}
}

// TestKeyedDrawsOfSettings: another maxSurge creates pods at other times, and each of them starts as fast as without. When it is Ready also
// depends on the relists of its node, which do not shift with it.
func TestKeyedDrawsOfSettings(t *testing.T) {
	update := engine.Command{At: 60_000, Run: "kubectl set image deployment/web c=app:2"}
	surge := engine.Command{At: 50_000, Run: `kubectl patch deployment web -p '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":4}}}}'`}
	starts := func(list []string) (out []string) {
		for _, s := range list {
			s, _, _ = strings.Cut(s, ", ready")
			out = append(out, s)
		}
		return out
	}
	text := twoOf("draws: keyed, ")
	if got, want := starts(lifesOf(t, text, "web", surge, update)), starts(lifesOf(t, text, "web", update)); !slices.Equal(got, want) {
		t.Errorf("\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	if got, want := lifesOf(t, twoOf("draws: ordered, "), "web", update), lifesOf(t, twoOf(""), "web", update); !slices.Equal(got, want) {
		t.Errorf("ordered is not the default:\n got %s\nwant %s", got, want)
	}
}
