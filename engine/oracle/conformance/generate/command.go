package generate

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/world"
)

// command is an entry of the timeline. In run and do, {pod 3} stands for the name of a pod that exists at that moment,
// and so on for the other placeholders.
type command struct {
	at    int // ms
	run   string
	do    string // to the environment
	apply workload
	quota *int // a ResourceQuota to apply
}

// placeholders are the kinds whose names a command may leave open.
var placeholders = map[string]api.Kind{"pod": api.KindPod, "rs": api.KindReplicaSet, "node": api.KindNode,
	"revision": api.KindControllerRevision, "claim": api.KindPersistentVolumeClaim, "budget": api.KindPodDisruptionBudget}

// text prints an entry of the timeline, with the name that a placeholder stands for.
func (c *command) text(name string) string {
	manifest := ""
	switch {
	case c.apply != nil:
		manifest = c.apply.text()
	case c.quota != nil:
		manifest = quotaText(*c.quota)
	case c.do != "":
		return fmt.Sprintf("  - {at: %dms, do: %q}\n", c.at, filled(c.do, name))
	default:
		return fmt.Sprintf("  - {at: %dms, run: %q}\n", c.at, filled(c.run, name))
	}
	return fmt.Sprintf("  - at: %dms\n    apply: |\n      %s\n", c.at, strings.ReplaceAll(strings.TrimSpace(manifest), "\n", "\n      "))
}

// filled replaces the placeholder of a line by a name.
func filled(line, name string) string {
	if from, to, ok := placeholder(line); ok {
		line = line[:from] + name + line[to:]
	}
	return line
}

// placeholder finds the placeholder of a line.
func placeholder(run string) (from, to int, ok bool) {
	from, to = strings.IndexByte(run, '{'), strings.IndexByte(run, '}')+1
	return from, to, from >= 0 && to > from
}

// find returns the name that a command's placeholder stands for, "none" if there is no such object.
func (s *Scenario) find(c command, before []string) string {
	line := c.run + c.do
	from, to, ok := placeholder(line)
	if !ok {
		return ""
	}
	var kind string
	var k int
	if _, err := fmt.Sscanf(line[from:to], "{%s %d}", &kind, &k); err != nil {
		panic("conformance: " + line)
	}
	w := world.Start(s.withTimeline(before)).WithoutLimits()
	w.ObeyPhases() // or the names of pods that replace failed ones would be others
	for at, ok := w.Kernel.Next(); ok && at < int64(c.at); at, ok = w.Kernel.Next() {
		w.Kernel.Step()
	}
	table := w.Server.Store.Table(placeholders[kind])
	if table.Len() == 0 {
		return "none"
	}
	k %= table.Len()
	for o := range table.All() {
		if k == 0 {
			return o.Key().Name
		}
		k--
	}
	return "none"
}

// commands draws a timeline: some commands are far apart, others within milliseconds of each other, so that they meet reconciles
// that are under way.
func (g Random) commands(draw func() command) (list []command) {
	at := g.IntN(20_000)
	for range g.IntN(11) {
		switch g.IntN(4) {
		case 0:
			at += g.IntN(12)
		case 1:
			at += g.IntN(3000)
		default:
			at += g.IntN(25_000)
		}
		c := draw()
		c.at = at
		list = append(list, c)
	}
	return list
}

func (g Random) onQuota() command {
	if g.Chance(30) {
		return command{run: "kubectl delete resourcequota q"}
	}
	n := g.IntN(20)
	return command{quota: &n}
}

// onPod draws what may happen to a pod.
func (g Random) onPod(app string) command {
	k := g.IntN(100)
	switch g.IntN(9) {
	case 0, 1, 2:
		return command{run: fmt.Sprintf("kubectl delete pod {pod %d}%s", k, Pick(g, "", " --grace-period=0 --force", " --now"))}
	case 3:
		return command{run: fmt.Sprintf("kubectl label pod {pod %d} app=%s --overwrite", k, Pick(g, "other", app))}
	case 4:
		return command{do: fmt.Sprintf("%s pod/{pod %d}", Pick(g, "fail-readiness", "restore-readiness"), k)}
	case 5:
		return command{do: fmt.Sprintf("crash pod/{pod %d}", k)}
	}
	phase := Pick(g, "Failed", "Failed", "Succeeded")
	return command{run: fmt.Sprintf("kubectl annotate pod {pod %d} %s=%s --overwrite", k, world.PhaseAnnotation, phase)}
}

// onNode draws what may happen to a node.
func (g Random) onNode(nodes int) command {
	node := fmt.Sprintf("node-%d", 1+g.IntN(nodes+1))
	switch g.IntN(12) {
	case 0, 1, 2:
		return command{run: fmt.Sprintf("kubectl label node %s zone=%s --overwrite", node, Pick(g, "a", "b", "c"))}
	case 3, 4, 5:
		return command{run: fmt.Sprintf("kubectl taint node %s key=v:%s", node, Pick(g, "NoSchedule", "NoExecute", "PreferNoSchedule"))}
	case 6, 7:
		return command{run: fmt.Sprintf("kubectl taint node %s key-", node)}
	case 8:
		return command{run: Pick(g, "kubectl cordon ", "kubectl uncordon ") + node}
	case 9:
		return command{run: "kubectl delete node " + node}
	case 10:
		return command{do: Pick(g, "kill", "kill", "restore", "remove", "add") + " node/" + node}
	}
	return command{apply: &nodeManifest{Name: node, Zone: Pick(g, "a", "b")}}
}
