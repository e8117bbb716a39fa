package generate

import (
	"fmt"
	"strconv"

	"github.com/rollplay/rollplay/engine/oracle/conformance/world"
)

// stories are directed scenarios. Each brings about a situation that independent commands hardly ever meet, so that a mistake
// there shows in a few scenarios and not in one of a thousand.
var stories = []func(Random, *Scenario){
	Random.scaledInRollout, Random.pausedInRollout, Random.roundedToZero, Random.costs, Random.quotaRaised,
	Random.relabelled, Random.shareUnavailable, Random.failingDaemons, Random.keptAfterEviction, Random.uncountable,
}

// story draws the k-th story.
func (g Random) story(k int) *Scenario {
	s := &Scenario{seed: uint64(1 + g.IntN(1000)), duration: 200, nodes: 1 + g.IntN(4), nodeList: true, quota: -1}
	s.images = []imageBehaviour{{match: "app:1", pull: "0s", start: "100ms..900ms", stop: "1s"},
		{match: "*", pull: "0s", start: "1s..9s", stop: "500ms..3s"}}
	stories[k%len(stories)](g, s)
	return s
}

// say adds a command between 0.3 s and 3 s after the last one, or after the first seconds.
func (g Random) say(s *Scenario, format string, args ...any) {
	g.add(s, command{run: "kubectl " + fmt.Sprintf(format, args...)})
}

func (g Random) add(s *Scenario, c command) {
	c.at = 12_000 + g.IntN(5000)
	if n := len(s.commands); n > 0 {
		c.at = s.commands[n-1].at + 300 + g.IntN(2700)
	}
	s.commands = append(s.commands, c)
}

// web adds a Deployment that works, with a number of replicas.
func (s *Scenario) web(replicas int) *deploymentManifest {
	m := &deploymentManifest{Image: 1, Replicas: strconv.Itoa(replicas)}
	s.objects = append(s.objects, m)
	return m
}

// scaledInRollout: several ReplicaSets share a change of the size, twice (D-70 to D-72).
func (g Random) scaledInRollout(s *Scenario) {
	m := s.web(3 + g.IntN(10))
	m.Surge, m.Unavailable = g.bounds()
	g.say(s, "set image deployment/web app=app:2")
	if g.Chance(60) {
		g.say(s, "set image deployment/web app=app:3")
	}
	g.say(s, "scale deployment/web --replicas=%d", 2+g.IntN(25))
	g.say(s, "scale deployment/web --replicas=%d", 1+g.IntN(15))
}

// pausedInRollout: a paused Deployment has more old ReplicaSets with pods than its history keeps (D-56).
func (g Random) pausedInRollout(s *Scenario) {
	m := s.web(4 + g.IntN(6))
	m.History = Pick(g, "0", "1")
	for image := 2; image < 5; image++ {
		g.say(s, "set image deployment/web app=app:%d", image)
	}
	g.say(s, "rollout pause deployment/web")
	g.say(s, "annotate deployment/web note=x")
	g.say(s, "rollout resume deployment/web")
}

// roundedToZero: a maxUnavailable that is rounded down to 0, beside a maxSurge of 0 (D-20).
func (g Random) roundedToZero(s *Scenario) {
	m := s.web(1 + g.IntN(4))
	m.Surge, m.Unavailable = Pick(g, "0", "0%"), Pick(g, "1%", "10%", "24%")
	g.say(s, "set image deployment/web app=app:2")
	g.say(s, "rollout restart deployment/web")
}

// costs: pods with deletion costs of their own, some of which are deleted.
func (g Random) costs(s *Scenario) {
	n := 4 + g.IntN(6)
	s.web(n)
	for range 3 {
		g.say(s, "annotate pod {pod %d} controller.kubernetes.io/pod-deletion-cost=%d --overwrite", g.IntN(n), g.IntN(9)-4)
	}
	g.say(s, "scale deployment/web --replicas=%d", 1+g.IntN(n-1))
}

// quotaRaised: pods are refused for a while.
func (g Random) quotaRaised(s *Scenario) {
	s.web(5 + g.IntN(6))
	s.quota = 1 + g.IntN(4)
	for _, n := range []int{6, 30} {
		g.add(s, command{quota: &n})
	}
	g.say(s, "scale deployment/web --replicas=%d", 2+g.IntN(12))
}

// relabelled: a pod is released, and matches again while it has no owner.
func (g Random) relabelled(s *Scenario) {
	n := 2 + g.IntN(4)
	s.web(n)
	pod := g.IntN(n)
	g.say(s, "label pod {pod %d} app=other --overwrite", pod)
	g.say(s, "label pod {pod %d} app=web --overwrite", pod)
	g.say(s, "scale deployment/web --replicas=%d", 1+g.IntN(6))
}

// shareUnavailable: a StatefulSet whose maxUnavailable is a percentage (S-18).
func (g Random) shareUnavailable(s *Scenario) {
	s.objects = []workload{&statefulManifest{Name: "db", Replicas: Pick(g, "3", "5", "7", "11"), Parallel: g.Chance(60), Image: 1,
		Strategy: "bounds", Unavailable: Pick(g, "25%", "34%", "50%", "67%")}}
	g.say(s, "set image statefulset/db app=app:2")
	g.say(s, "set image statefulset/db app=app:1")
}

// failingDaemons: the pods of a node fail again before its back-off is over (DS-8).
func (g Random) failingDaemons(s *Scenario) {
	s.nodes = 1 + g.IntN(2)
	s.images[0].start = "10ms"
	s.objects = []workload{&daemonManifest{Name: "agent", Grace: "0", Image: 1}}
	for range 4 + g.IntN(4) {
		g.say(s, "annotate pod {pod %d} %s=Failed --overwrite", g.IntN(s.nodes), world.PhaseAnnotation)
		if n := len(s.commands); n > 1 {
			s.commands[n-1].at = s.commands[n-2].at + 50 + g.IntN(900)
		}
	}
}

// keptAfterEviction: pods whose eviction was counted and that were never deleted (P-5, P-9).
func (g Random) keptAfterEviction(s *Scenario) {
	n := 3 + g.IntN(4)
	s.web(n)
	s.duration = 400
	s.objects = append(s.objects, &budgetManifest{Name: "pdb-0", App: "web", Max: Pick(g, "1", "2", "50%")})
	for range 1 + g.IntN(3) {
		g.say(s, "annotate pod {pod %d} %s=pdb-0", g.IntN(n), world.EvictedAnnotation)
	}
	g.say(s, "drain node-1 --force")
	g.say(s, "uncordon node-1")
}

// uncountable: a budget that allows something also selects pods whose owner has no replicas, so its sync fails (P-7).
func (g Random) uncountable(s *Scenario) {
	s.web(2 + g.IntN(5))
	s.objects = append(s.objects, &budgetManifest{Name: "pdb-0", App: "*", Max: Pick(g, "1", "2", "50%")})
	g.add(s, command{apply: &daemonManifest{Name: "agent", Image: 1}})
	g.say(s, "drain node-1 --force --ignore-daemonsets")
	g.say(s, "delete daemonset/agent")
}
