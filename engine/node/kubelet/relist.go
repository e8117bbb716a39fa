package kubelet

import "github.com/rollplay/rollplay/engine/sim"

// The kubelet looks at its containers once a second (pleg/generic.go:Relist), and at the queue of pods that are due again
// (kubelet.go:syncLoopIteration). Both tickers, and that of its housekeeping every two seconds, begin when it starts; where in
// their period that is, is a keyed draw for each start of a node (G-14).
const (
	relistPeriod  = 1000
	slowestTicker = 2000
)

// A pod is synced again after a minute, or after ten seconds if its sync failed, and up to half of that later
// (pod_workers.go:completeWork, G-15).
const (
	resyncPeriod = 60_000
	retryPeriod  = 10_000
)

// Phase returns when the tickers of a node's kubelet began, in ms of the period of the slowest one.
func (k *Kubelet) Phase(node string) sim.Time { return k.node(node).phase }

// startTickers draws the phase of a kubelet that starts.
func (k *Kubelet) startTickers(n *node) {
	n.starts++
	n.phase = sim.NewRand(k.seed, "kubelet ticker "+number(n.name, n.starts)).Intn(slowestTicker)
}

// relistAfter returns when a kubelet lists its containers next: with a phase of 863, after 2863 ms that is 3863 ms.
func (n *node) relistAfter(at sim.Time) sim.Time {
	return at + relistPeriod - (at-n.phase+slowestTicker)%relistPeriod
}

// lastRelist returns when it listed them last, up to a moment.
func (n *node) lastRelist(at sim.Time) sim.Time { return n.relistAfter(at) - relistPeriod }

// jittered returns when a pod is synced again that waits for a period from a moment on: up to half of it later, at the next tick.
func (k *Kubelet) jittered(p *pod, from, period sim.Time) sim.Time {
	period = max(period, 0)
	return p.node.relistAfter(from + period + k.jitter(p, period/2))
}

// drawJitter draws how much later than it must a pod is synced.
func (k *Kubelet) drawJitter(p *pod, most sim.Time) sim.Time {
	p.syncs++
	name := p.key.String()
	if k.identities != nil {
		name = k.identities.of[p.uid]
	}
	if most == 0 {
		return 0
	}
	return sim.NewRand(k.seed, "kubelet jitter "+number(name, p.syncs)).Intn(most)
}

// SetChance fixes what is random in a kubelet, so that a judge can compare it with a real one: the phases of the tickers of nodes in ms, and the
// jitter of each sync in percent of the most that it may be.
func (k *Kubelet) SetChance(phase func(node string) sim.Time, percent sim.Time) {
	for name, n := range k.nodes {
		n.phase = phase(name)
	}
	k.jitter = func(_ *pod, most sim.Time) sim.Time { return most * percent / 100 }
}
