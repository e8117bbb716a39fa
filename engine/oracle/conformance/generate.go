package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// imagesMax is how many images a scenario has: app:1, app:2 and so on.
const imagesMax = 5

// generator draws scenarios. Equal seeds draw equal scenarios.
type generator struct{ *rand.Rand }

// generate returns the k-th scenario of a seed.
func generate(kind string, seed uint64, k int) *scenario {
	g := generator{rand.New(rand.NewPCG(seed, uint64(k)))}
	if kind != "deployment" {
		return g.ofSets(kind)
	}
	s := &scenario{seed: uint64(1 + g.IntN(1000)), duration: 240, nodes: 1 + g.IntN(4), quota: -1}
	if g.chance(10) {
		s.duration = 1500
	}
	if g.chance(8) {
		s.nodePods = 1 + g.IntN(12)
	}
	if g.chance(12) {
		s.quota = g.IntN(25)
	}
	for i := range imagesMax {
		if g.chance(65) {
			s.images = append(s.images, g.image(fmt.Sprintf("app:%d", i+1)))
		}
	}
	s.images = append(s.images, imageBehaviour{match: "*", pull: "100ms..900ms", start: "50ms..1500ms", stop: "200ms..2s"})
	m := g.manifest()
	s.objects = []workload{&m}
	s.commands = g.commands(func() command { return g.command(&m) })
	return s
}

func (g generator) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g generator, list ...T) T { return list[g.IntN(len(list))] }

// image draws a behaviour; most images are well.
func (g generator) image(match string) imageBehaviour {
	b := imageBehaviour{match: match}
	b.pull = pick(g, "", "0s", "300ms..2s", "5s", "fails")
	if b.pull == "fails" && g.chance(50) {
		b.pull = "1s"
	}
	b.start = pick(g, "", "0s", "10ms", "100ms..3s", "2s..9s")
	b.ready = pick(g, "", "", "0s", "1s..8s", "12s", "30s..70s", "never")
	b.stop = pick(g, "", "0s", "100ms", "1s..4s", "12s", "40s")
	b.crash = pick(g, "", "", "", "", "500ms", "3s..20s", "30s..90s")
	return b
}

// manifest draws a Deployment.
func (g generator) manifest() manifest {
	m := manifest{image: 1 + g.IntN(imagesMax), probe: g.chance(60)}
	m.replicas = g.replicas()
	m.surge, m.unavailable = g.bounds()
	m.recreate = g.chance(15)
	m.paused = g.chance(4)
	m.minReady = pick(g, "", "", "", "1", "2", "5", "15", "40")
	m.deadline = pick(g, "", "", "41", "45", "60", "2147483647")
	if m.minReady == "" || m.minReady == "1" {
		m.deadline = pick(g, "", "", "2", "3", "5", "10", "20", "60", "2147483647")
	}
	m.history = pick(g, "", "", "0", "1", "2", "3", "2147483647")
	m.grace = pick(g, "", "", "0", "1", "5", "30")
	if g.chance(20) {
		m.annotation = pick(g, "a", "b", "c")
	}
	return m
}

func (g generator) replicas() string {
	switch g.IntN(10) {
	case 0:
		return ""
	case 1:
		return "0"
	case 2, 3:
		return strconv.Itoa(g.IntN(31))
	}
	return strconv.Itoa(1 + g.IntN(10))
}

// bounds draws maxSurge and maxUnavailable; both 0 is no valid pair.
func (g generator) bounds() (surge, unavailable string) {
	one := func() string {
		switch g.IntN(4) {
		case 0:
			return ""
		case 1:
			return strconv.Itoa(g.IntN(4))
		case 2:
			return strconv.Itoa(g.IntN(40))
		}
		return pick(g, "0%", "1%", "10%", "25%", "30%", "34%", "50%", "67%", "99%", "100%", "150%")
	}
	surge, unavailable = one(), one()
	if unavailable == "100%" || unavailable == "150%" {
		unavailable = "100%"
	}
	if (surge == "0" || surge == "0%") && (unavailable == "0" || unavailable == "0%") {
		unavailable = "1"
	}
	return surge, unavailable
}
