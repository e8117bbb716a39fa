package forecast_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
)

// random draws scenarios: a workload or two, a budget, nodes, images that fail, and commands at random moments.
type random struct{ *rand.Rand }

func (g random) pick(words ...string) string { return words[g.IntN(len(words))] }

// randomRecording returns a scenario with its commands. Commands that need the name of a pod or a node get one of that moment.
func randomRecording(seed uint64) engine.Recording {
	g := random{rand.New(rand.NewPCG(seed, 18))}
	rec := engine.Recording{Scenario: g.scenario()}
	at := int64(2000 + g.IntN(15_000))
	for range 1 + g.IntN(7) {
		line := g.command()
		c := engine.Command{At: at, Run: line}
		if strings.Contains(line, "POD") || strings.Contains(line, "NODE") {
			c.Run = g.fill(line, rec, at)
		}
		if strings.HasPrefix(line, "again") {
			c.Run, c.Apply = "", rec.Scenario
		}
		if deed, ok := strings.CutPrefix(c.Run, "do: "); ok {
			c.Run, c.Do = "", deed
		}
		rec.Commands = append(rec.Commands, c)
		at += [...]int64{int64(g.IntN(8)), int64(g.IntN(3000)), int64(g.IntN(30_000)), int64(g.IntN(60_000))}[g.IntN(4)]
	}
	return rec
}

// fill replaces POD and NODE by names that exist at a moment.
func (g random) fill(line string, rec engine.Recording, at int64) string {
	r, _ := engine.Start(rec)
	if r == nil {
		return line
	}
	r.AdvancePast(at-1, 1<<20)
	for word, kind := range map[string]api.Kind{"POD": api.KindPod, "NODE": api.KindNode} {
		if list := r.Past().Objects(kind, r.Len()-1); len(list) > 0 && strings.Contains(line, word) {
			line = strings.ReplaceAll(line, word, list[g.IntN(len(list))].Key().Name)
		}
	}
	return line
}

func (g random) command() string {
	of := g.pick("deployment/web", "deployment/web", "deployment/web", "statefulset/db", "daemonset/agent")
	name := of[strings.Index(of, "/")+1:]
	switch g.IntN(21) {
	case 0, 1, 2, 3, 4:
		return fmt.Sprintf("kubectl set image %s c=app:%d", of, 1+g.IntN(4))
	case 5, 6:
		return "kubectl rollout restart " + of
	case 7:
		return "kubectl rollout undo " + of
	case 8, 9:
		return fmt.Sprintf("kubectl scale %s --replicas=%d", of, g.IntN(9))
	case 10:
		return "kubectl rollout pause deployment/web"
	case 11:
		return "kubectl rollout resume deployment/web"
	case 12:
		return fmt.Sprintf(`kubectl patch statefulset db -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}}}}'`, g.IntN(4))
	case 13:
		return fmt.Sprintf(`kubectl patch %s -p '{"spec":{"minReadySeconds":%d}}'`, of, g.IntN(9))
	case 14:
		return "kubectl delete pod POD"
	case 15:
		return "do: crash pod/POD"
	case 16:
		return "kubectl drain NODE --ignore-daemonsets --force"
	case 17:
		return "do: " + g.pick("kill", "remove") + " node/NODE"
	case 18:
		return "kubectl delete " + g.pick("pod POD", of, "rs --all", "deployment web --cascade=orphan", "statefulset db --cascade=orphan", "daemonset agent --cascade=orphan")
	case 19:
		return "again" // applies the manifests, which brings back what was deleted
	}
	return "kubectl label pod POD app=other-" + name + " --overwrite"
}

func (g random) scenario() string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: rollplay/v1alpha1\nkind: Scenario\nmetadata: {name: random}\nspec:\n  seed: %d\n  version: \"1.%d\"\n  duration: %ds\n",
		g.Uint32(), 33+g.IntN(5), 60+g.IntN(200))
	if g.IntN(3) > 0 {
		fmt.Fprintf(&b, "  nodes: {count: %d, cpu: %d, pods: %d}\n", 1+g.IntN(4), 1+g.IntN(4), 3+g.IntN(12))
	} else if g.IntN(2) == 0 {
		fmt.Fprintf(&b, "  nodeGroups: [{name: pool, min: %d, max: 4, cpu: %d, pods: %d, boot: %ds, idle: %ds}]\n", g.IntN(3), 1+g.IntN(4), 3+g.IntN(12), g.IntN(40), 5+g.IntN(60))
	}
	if g.IntN(3) == 0 {
		b.WriteString("  draws: keyed\n")
	}
	b.WriteString("  images:\n")
	fmt.Fprintf(&b, "  - {match: \"app:3\", %s}\n", g.pick("pull: fails", "ready: never", "crash: 4s", "start: 9s..20s"))
	fmt.Fprintf(&b, "  - {match: \"*\", pull: 1s..2s, start: %s, ready: %s, stop: %s}\n", g.pick("500ms", "2s..6s"), g.pick("0s", "3s"), g.pick("0s", "1s..9s", "40s"))
	if g.IntN(4) > 0 {
		strategy := fmt.Sprintf("{rollingUpdate: {maxSurge: %s, maxUnavailable: %s}}", g.pick("1", "25%", "50%", "100%", "3"), g.pick("0", "1", "25%", "40%"))
		if g.IntN(6) == 0 {
			strategy = "{type: Recreate}"
		}
		g.workload(&b, "Deployment", "web", "strategy: "+strategy+", replicas: "+fmt.Sprint(g.IntN(9))+
			g.pick("", ", progressDeadlineSeconds: 20", ", paused: true"))
	}
	if g.IntN(2) == 0 {
		g.workload(&b, "StatefulSet", "db", fmt.Sprintf("serviceName: db, replicas: %d, podManagementPolicy: %s, updateStrategy: %s", g.IntN(5),
			g.pick("OrderedReady", "Parallel"), g.pick("{type: OnDelete}", "{rollingUpdate: {partition: 2}}", "{type: RollingUpdate}", "{rollingUpdate: {maxUnavailable: 2}}")))
	}
	if g.IntN(3) == 0 || !strings.Contains(b.String(), "template") {
		g.workload(&b, "DaemonSet", "agent", "updateStrategy: "+g.pick("{type: OnDelete}", "{rollingUpdate: {maxUnavailable: 2}}", "{rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}"))
	}
	if g.IntN(2) == 0 {
		fmt.Fprintf(&b, "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec:\n  minAvailable: %s\n  selector: {matchLabels: {app: web}}\n",
			g.pick("1", "100%", "50%"))
	}
	return b.String()
}

func (g random) workload(b *strings.Builder, kind, name, fields string) {
	resources := g.pick("", ", resources: {requests: {cpu: 300m, memory: 64Mi}}", ", resources: {limits: {cpu: 200m}}")
	min := ""
	if g.IntN(3) == 0 {
		min = fmt.Sprintf(", minReadySeconds: %d", 1+g.IntN(9))
	}
	fmt.Fprintf(b, "---\napiVersion: apps/v1\nkind: %s\nmetadata: {name: %s}\nspec: {%s%s, selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, spec: {containers: [{name: c, image: \"app:%d\"%s%s}]}}}\n",
		kind, name, fields, min, name, name, 1+g.IntN(2), resources, g.pick("", ", readinessProbe: {httpGet: {port: 80}, periodSeconds: 3}"))
}
