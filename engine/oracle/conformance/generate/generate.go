// Package generate draws random scenarios, and simplifies those in which something differs.
//
// Each kind of workload has a file: its manifest, how one is drawn, what people do to it. The other files hold what the
// kinds share.
package generate

import (
	"fmt"
	"math/rand/v2"
)

// Kinds are the subjects of random scenarios. pdb has budgets over pods of several owners; a story brings about a rare situation.
var Kinds = []string{"deployment", "statefulset", "daemonset", "pdb", "story"}

// imagesMax is the number of images in a scenario: app:1, app:2 and so on.
const imagesMax = 5

// Random draws scenarios and their parts. Equal seeds draw equal scenarios.
type Random struct{ *rand.Rand }

// Chance is true in this percentage of cases.
func (g Random) Chance(percent int) bool { return g.IntN(100) < percent }

// Pick draws an element of a list.
func Pick[T any](g Random, list ...T) T { return list[g.IntN(len(list))] }

// New draws the k-th scenario of a seed.
func New(kind string, seed uint64, k int) *Scenario {
	g := Random{rand.New(rand.NewPCG(seed, uint64(k)))}
	switch kind {
	case "deployment":
		return g.aboutDeployment()
	case "story":
		return g.story(k)
	}
	s := &Scenario{seed: uint64(1 + g.IntN(1000)), duration: 200, nodes: 1 + g.IntN(6), nodeList: true, quota: -1}
	if g.Chance(10) {
		s.duration = 900
	}
	if g.Chance(10) {
		s.quota = g.IntN(12)
	}
	s.images = g.images()
	switch kind {
	case "statefulset":
		m := g.statefulSet("db")
		s.objects = []workload{m}
		s.commands = g.commands(func() command { return g.statefulSetCommand(m) })
	case "daemonset":
		m := g.daemonSet("agent")
		s.objects = []workload{m}
		s.commands = g.commands(func() command { return g.daemonSetCommand(m, s.nodes) })
	default:
		g.budgets(s)
	}
	return s
}

func (g Random) aboutDeployment() *Scenario {
	s := &Scenario{seed: uint64(1 + g.IntN(1000)), duration: 240, nodes: 1 + g.IntN(4), quota: -1}
	if g.Chance(10) {
		s.duration = 1500
	}
	if g.Chance(8) {
		s.nodePods = 1 + g.IntN(12)
	}
	if g.Chance(12) {
		s.quota = g.IntN(25)
	}
	s.images = g.images()
	m := g.deployment()
	s.objects = []workload{m}
	s.commands = g.commands(func() command { return g.deploymentCommand(m) })
	return s
}

// images draws how some of the images behave; the rest behave well.
func (g Random) images() (list []imageBehaviour) {
	for i := range imagesMax {
		if g.Chance(65) {
			list = append(list, g.image(fmt.Sprintf("app:%d", i+1)))
		}
	}
	return append(list, imageBehaviour{match: "*", pull: "100ms..900ms", start: "50ms..1500ms", stop: "200ms..2s"})
}

// image draws a behaviour; most images work.
func (g Random) image(match string) imageBehaviour {
	b := imageBehaviour{match: match}
	b.pull = Pick(g, "", "0s", "300ms..2s", "5s", "fails")
	if b.pull == "fails" && g.Chance(50) {
		b.pull = "1s"
	}
	b.start = Pick(g, "", "0s", "10ms", "100ms..3s", "2s..9s")
	b.ready = Pick(g, "", "", "0s", "1s..8s", "12s", "30s..70s", "never")
	b.stop = Pick(g, "", "0s", "100ms", "1s..4s", "12s", "40s")
	b.crash = Pick(g, "", "", "", "", "500ms", "3s..20s", "30s..90s")
	return b
}
