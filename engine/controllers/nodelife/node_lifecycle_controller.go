package nodelife

import (
	"maps"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// Operations of a monitor.
const (
	opLook  uint8 = iota // check all nodes
	opTaint              // taint the next node of a zone's queue; Arg is the zone
)

// monitor is the node lifecycle controller.
type monitor struct {
	parts
	leases *apiserver.Leases

	known    map[string]sim.Time // the nodes of the last check, with the time before which no lease of theirs expires
	zones    []*zone             // in the order of their appearance
	nextLook sim.Time            // 0: none is scheduled
}

func newMonitor(server *apiserver.Server) {
	m := &monitor{parts: newParts(server, Actor), leases: server.Leases, known: map[string]sim.Time{}}
	server.Store.Watch(m, api.KindNode)
	server.Leases.Watch(m)
}

// OnChange receives changes of nodes. The nodes of the start count as registered long ago.
func (m *monitor) OnChange(c *sim.Change) {
	n, _ := c.New.(*api.Node)
	atStart := c.Type == sim.Added && c.At == 0
	if atStart {
		m.known[n.Name] = 0
		m.zoneOf(n)
	}
	if n != nil {
		m.taintNoSchedule(n)
	}
	if !atStart {
		m.plan(next(m.kernel.Now(), monitorPeriod))
	}
}

// OnLease is called when a kubelet stops or returns.
func (m *monitor) OnLease(node string) {
	if _, known := m.known[node]; known {
		m.planExpiry(node)
	}
}

// plan schedules the next check, unless one is due earlier.
func (m *monitor) plan(at sim.Time) {
	if m.nextLook == 0 || at < m.nextLook {
		m.nextLook = at
		m.kernel.Schedule(sim.Event{At: at, To: m, Op: opLook})
	}
}

// planExpiry schedules the first check after the lease of a dead node expires. Renewed at 13 s, it expires at 63 s, and the
// check of 65 s notices; renewed at 10 s, it expires at 60 s, and the check of 60 s is too early by the strict comparison.
func (m *monitor) planExpiry(node string) {
	renewed, lives := m.renewed(node)
	if at := next(renewed+monitorGrace, monitorPeriod); !lives && at > m.kernel.Now() {
		m.plan(at)
	}
}

// renewed returns when the lease of a node was last renewed, or counts as renewed.
func (m *monitor) renewed(node string) (at sim.Time, lives bool) {
	at, lives = m.leases.Renewed(node)
	return max(at, m.known[node]), lives
}

// Handle checks the nodes or taints one. It ignores a check that was moved to an earlier time.
func (m *monitor) Handle(e sim.Event) {
	switch {
	case e.Op == opTaint:
		m.taintNext(m.zones[e.Arg], e.At)
	case e.At == m.nextLook:
		m.nextLook = 0
		m.look()
	}
}

// look is monitorNodeHealth: it finds nodes that are new, removed, lost or back.
func (m *monitor) look() {
	nodes := api.Pick(m.nodes.All(), func(*api.Node) bool { return true })
	m.classify(nodes)
	for _, z := range m.zones {
		z.nodes, z.lost = 0, 0
	}
	for _, n := range nodes {
		m.check(n)
	}
	m.handleDisruption(nodes)
	for _, n := range nodes {
		m.planExpiry(n.Name)
	}
}

// classify finds the nodes that were added and removed since the last check.
func (m *monitor) classify(nodes []*api.Node) {
	for _, n := range nodes {
		m.zoneOf(n)
		if _, known := m.known[n.Name]; !known {
			m.known[n.Name] = 0
			m.nodeEvent(n.Name, "RegisteredNode", "Registered Node "+n.Name+" in Controller")
			m.removeTaints(n)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.known)) {
		if m.nodes.Get(nodeKey(name)) == nil {
			m.nodeEvent(name, "RemovingNode", "Removing Node "+name+" from Controller")
			delete(m.known, name)
		}
	}
}

func (m *monitor) nodeEvent(node, reason, text string) {
	m.client.Event(nodeKey(node), "Normal", reason, "Node "+node+" event: "+text)
}

// check updates the health of a node, and its taints and pods accordingly.
func (m *monitor) check(n *api.Node) {
	breath.Often()
	before := readiness(n)
	after := m.tryUpdateHealth(n, before)
	z := m.zoneOf(n)
	if _, excluded := n.Labels["node.kubernetes.io/exclude-disruption"]; !excluded {
		z.nodes++
		if after != "True" {
			z.lost++
		}
	}
	switch taint, _ := noExecuteFor(after); {
	case after == "":
		return
	case after == "True":
		m.removeTaints(n)
		return
	case findTaint(n.Spec.Taints, &taint) < 0:
		m.enqueue(z, n.Name)
	}
	if before == "True" {
		m.client.Event(n.Key(), "Normal", "NodeNotReady", "Node "+n.Name+" status is now: NodeNotReady")
		m.markPodsNotReady(n.Name)
	}
}

// readiness returns the status of the Ready condition, "" if there is none.
func readiness(n *api.Node) string {
	if c := api.FindCondition(n.Status.Conditions, "Ready"); c != nil {
		return c.Status
	}
	return ""
}

// tryUpdateHealth makes the conditions of a node Unknown if its lease has expired (G-41), and returns the status of Ready.
func (m *monitor) tryUpdateHealth(n *api.Node, before string) (after string) {
	renewed, _ := m.renewed(n.Name)
	now := m.kernel.Now()
	if now <= renewed+monitorGrace || before == "Unknown" {
		return before
	}
	o, err := m.client.Get(n.Key())
	if err != nil {
		return before // removed in this ms
	}
	lost := api.Copy(o.(*api.Node))
	for _, kind := range [...]string{"Ready", "MemoryPressure", "DiskPressure", "PIDPressure"} {
		lost.Status.Conditions = api.SetPodCondition(lost.Status.Conditions, api.Condition{Type: kind, Status: "Unknown",
			Reason: "NodeStatusUnknown", Message: "Kubelet stopped posting node status."}, m.client.Timestamp())
	}
	m.client.Must(m.client.UpdateStatus(lost, "its kubelet is silent: Ready is Unknown", why.Sum("G-41", upstreamGo+"tryUpdateNodeHealth",
		"now - renewed - grace", now-renewed-monitorGrace, now, renewed, monitorGrace).
		Noting("how long ago its lease expired, in ms")))
	return "Unknown"
}

var whyNotReady = why.Note("G-42", "pkg/controller/util/node/controller_utils.go:MarkPodsNotReady",
	"the state of pods on a lost node is unknown; their container statuses stay as last reported")

// markPodsNotReady makes the Ready condition of all pods of a node False (G-42).
func (m *monitor) markPodsNotReady(node string) {
	for _, pod := range m.podsOn(node) {
		c := m.stored(pod)
		if c == nil {
			continue
		}
		ready := api.FindCondition(c.Status.Conditions, "Ready")
		if ready == nil || ready.Status == "False" {
			continue
		}
		ready.Status, ready.LastTransitionTime = "False", m.client.Timestamp()
		m.client.Must(m.client.UpdateStatus(c, "not ready: its node is lost", whyNotReady))
		m.client.Event(pod.Key(), "Warning", "NodeNotReady", "Node is not ready")
	}
}
