package nodelife

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// The time between two nodes of a zone that are tainted with NoExecute, in ms; never is 0 (G-41, G-45).
const (
	never         sim.Time = 0
	normalPace    sim.Time = 10_000  // 0.1 nodes a second
	secondaryPace sim.Time = 100_000 // 0.01, in a large zone that is partly lost
)

// A zone is partly lost if more than partialNodes and at least partialPercent of its nodes are; it is large with more than
// largeZone nodes (G-45).
const (
	partialNodes   = 2
	partialPercent = 55
	largeZone      = 50
)

// zoneState says how much of a zone is lost.
type zoneState uint8

const (
	initial zoneState = iota // not counted yet
	normal
	partialDisruption
	fullDisruption
)

// zone is a failure zone, whose nodes may well be lost together, with its queue of nodes to taint with NoExecute.
type zone struct {
	index       int
	key         string
	state       zoneState
	nodes, lost int // in the current check

	queue   []string // nodes to taint, the next one first
	pace    sim.Time
	freeAt  sim.Time // from when on the next node may be tainted
	planned sim.Time // when it is; 0: never
}

// zoneOf returns the zone of a node (component-helpers/node/topology/helpers.go:GetZoneKey).
func (m *monitor) zoneOf(n *api.Node) *zone {
	key := n.Labels["topology.kubernetes.io/region"] + ":" + n.Labels["topology.kubernetes.io/zone"]
	for _, z := range m.zones {
		if z.key == key {
			return z
		}
	}
	z := &zone{index: len(m.zones), key: key, pace: normalPace}
	m.zones = append(m.zones, z)
	return z
}

// newState returns the state of a zone in the current check (ComputeZoneState):
//
//	lost   2 of 3: normal, for 2 nodes are not more than 2     pace  10 s
//	       3 of 6: normal, 50 %                                      10 s
//	       3 of 5: partial, 60 %                                     never, a small zone
//	      11 of 20: partial, exactly 55 %                            never
//	      29 of 51: partial, 56.9 %                                  100 s, a large zone
//	       2 of 2: full                                              10 s, if another zone lives
func (z *zone) newState() zoneState {
	switch {
	case z.lost == z.nodes:
		return fullDisruption
	case z.lost > partialNodes && 100*z.lost >= partialPercent*z.nodes:
		return partialDisruption
	}
	return normal
}

// paceOf returns how fast the nodes of a zone are tainted while at least one node of the cluster is Ready (setLimiterInZone).
func (z *zone) paceOf(s zoneState) sim.Time {
	switch {
	case s != partialDisruption:
		return normalPace
	case z.nodes > largeZone:
		return secondaryPace
	}
	return never
}

// handleDisruption sets the state of the zones. If all of them are lost, the control plane itself is the likely cause, and no
// node is tainted any more (G-45).
func (m *monitor) handleDisruption(nodes []*api.Node) {
	var zones []*zone // that have nodes
	allAre, allWere := true, true
	for _, z := range m.zones {
		if z.nodes == 0 {
			z.state = initial
			continue
		}
		zones = append(zones, z)
		allAre = allAre && z.newState() == fullDisruption
		allWere = allWere && z.state == fullDisruption
	}
	switch {
	case len(zones) == 0 || allAre && allWere:
	case allAre:
		m.enterDisruption(nodes, zones)
	case allWere:
		m.leaveDisruption(nodes, zones)
	default:
		for _, z := range zones {
			m.setState(z, nodes)
		}
	}
}

func (m *monitor) enterDisruption(nodes []*api.Node, zones []*zone) {
	all, lost := counted(zones)
	m.client.Decide(nodes[0].Key(), "no node is Ready: the controller stops tainting nodes and evicting pods", why.Sum("G-45", upstreamGo+"handleDisruption",
		"nodes - notReady", 0, all, lost).Noting("how many nodes are Ready; with 0 the control plane itself is the likely cause"))
	for _, n := range nodes {
		m.removeTaints(n)
	}
	for _, z := range zones {
		z.state = fullDisruption
		m.setPace(z, never)
	}
}

func (m *monitor) leaveDisruption(nodes []*api.Node, zones []*zone) {
	all, lost := counted(zones)
	m.client.Decide(nodes[0].Key(), "a node is Ready again: lost nodes are tainted again", why.Sum("G-45", upstreamGo+"handleDisruption",
		"nodes - notReady", all-lost, all, lost))
	for _, n := range nodes {
		m.known[n.Name] = m.kernel.Now()
	}
	for _, z := range zones {
		z.state = z.newState()
		m.setPace(z, z.paceOf(z.state))
	}
}

// counted returns how many nodes some zones have, and how many of them are lost.
func counted(zones []*zone) (all, lost int) {
	for _, z := range zones {
		all, lost = all+z.nodes, lost+z.lost
	}
	return all, lost
}

// setState updates the state of a zone, and how fast its nodes are tainted.
func (m *monitor) setState(z *zone, nodes []*api.Node) {
	breath.Often()
	state := z.newState()
	if state == z.state {
		return
	}
	z.state = state
	if state == partialDisruption {
		first := slices.IndexFunc(nodes, func(n *api.Node) bool { return m.zoneOf(n) == z })
		what := "too much of its zone is lost: nodes are tainted more slowly, or not at all"
		m.client.Decide(nodes[first].Key(), what, why.Sum("G-45", upstreamGo+"ReducedQPSFunc",
			"100 * notReady - 55 * nodes", 100*z.lost-partialPercent*z.nodes, z.lost, z.nodes).
			Noting("at least 55 % of the nodes of the zone, and more than two, are not Ready"))
	}
	m.setPace(z, z.paceOf(state))
}

// setPace sets how fast nodes are tainted. If the next node has to wait, its wait begins again, with the new time
// (scheduler/rate_limited_queue.go:SwapLimiter): 8 s before its turn, a change from 10 s to 100 s makes it 100 s.
func (m *monitor) setPace(z *zone, pace sim.Time) {
	if pace == z.pace {
		return
	}
	now := m.kernel.Now()
	if z.pace == never || now < z.freeAt {
		z.freeAt = now + pace
	}
	z.pace = pace
	m.planTaint(z)
}

// enqueue adds a node to the queue of its zone (markNodeForTainting).
func (m *monitor) enqueue(z *zone, node string) {
	if !slices.Contains(z.queue, node) {
		z.queue = append(z.queue, node)
		m.planTaint(z)
	}
}

// dequeue removes a node from the queue of its zone.
func (m *monitor) dequeue(node string) {
	for _, z := range m.zones {
		if at := slices.Index(z.queue, node); at >= 0 {
			z.queue = slices.Delete(z.queue, at, at+1)
		}
	}
}

// planTaint schedules the next node of a zone, on the grid of taintPeriod.
func (m *monitor) planTaint(z *zone) {
	z.planned = 0
	if len(z.queue) > 0 && z.pace != never {
		z.planned = next(max(m.kernel.Now(), z.freeAt-1), taintPeriod)
		m.kernel.Schedule(sim.Event{At: z.planned, To: m, Op: opTaint, Arg: int64(z.index)})
	}
}

// taintNext taints the next node of a zone, unless it is Ready again (doNoExecuteTaintingPass). Of two nodes that are lost at
// 65 s the first is tainted at 65.1 s, the second at 75.1 s.
func (m *monitor) taintNext(z *zone, at sim.Time) {
	if at != z.planned || len(z.queue) == 0 {
		return
	}
	name := z.queue[0]
	z.queue = slices.Delete(z.queue, 0, 1)
	z.freeAt = at + z.pace
	m.planTaint(z)
	n, ok := m.nodes.Get(nodeKey(name)).(*api.Node)
	if !ok || readiness(n) == "True" {
		return
	}
	add, remove := noExecuteFor(readiness(n))
	m.swap(name, []api.Taint{add}, []api.Taint{remove}, why.Sum("G-41", upstreamGo+"doNoExecuteTaintingPass",
		"at + pace", z.freeAt, at, z.pace).Noting("when the next node of the zone may be tainted"))
}
