// Package kubelet runs the pods (G-1 to G-30a): it starts, probes, restarts and stops their containers, and reports their
// status; it also registers the nodes, which may die and come back (G-40, G-46). One Kubelet plays the kubelets of all nodes;
// nothing in it crosses nodes.
//
// The upstream files, below pkg/kubelet: kubelet.go and sync.go answer to kubelet.go, pod_workers.go and to computePodActions and
// SyncPod of kuberuntime/kuberuntime_manager.go; container.go and stop.go to kuberuntime/kuberuntime_container.go; relist.go to pleg/generic.go; image.go to
// images/image_manager.go; probe.go to prober/worker.go; status.go to kubelet_pods.go and status/generate.go; gates.go to them and to status/status_manager.go; node.go to
// kubelet_node_status.go; backoff.go to client-go's util/flowcontrol/backoff.go. behaviour.go, random.go and environment.go
// are the simulation's own: how apps behave, and what happens to them from outside.
//
// Nothing ticks: the next relist is computed when something has changed, the result of a probe when anything that decides it
// changes, and only the probes that change something are events. A sync that would change nothing is not run.
//
// Simplified: pods always restart their containers, as those of a Deployment must; a pod starts without the second or so that
// creating the sandbox takes. A kubelet's client has no limit (upstream's sends 50 requests a second after a burst of 100, two for each status).
package kubelet

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// Actor is the kubelet's name in records and events.
const Actor = "kubelet"

// Operations of the Kubelet. Each concerns a container of the event's pod.
const (
	opPulled     uint8 = iota // its image is on the node
	opPullFailed              // its image can't be pulled
	opStarted                 // its process runs
	opExited                  // a relist notices that its process has exited
	opSignal                  // it gets SIGTERM: its hook is over, and so is its wait for others
	opStopped                 // its process exits after SIGTERM or SIGKILL
	opSync                    // its pod is synced
	opResync                  // its pod is due to be synced again
	opNews                    // a relist notices what a sync of its pod has changed
	opTrigger                 // a sync that is under way has triggered probes
	opStartup                 // a tick of its startup probe
	opReadiness               // a tick of its readiness probe
	opLiveness                // a tick of its liveness probe
	opGates                   // the conditions of its readiness gates are set
)

// Kubelet runs the pods of all nodes.
type Kubelet struct {
	client *apiserver.Client
	kernel *sim.Kernel
	store  *sim.Store
	leases *apiserver.Leases

	pods       map[api.Key]*pod
	nodes      map[string]*node
	behaviours []Behaviour
	traits     map[string]traits    // by image
	random     map[string]*sim.Rand // the streams of the purposes
	jitter     func(p *pod, most sim.Time) sim.Time
	seed       uint64
	identities *identities // nil unless draws are keyed
	timers     int64       // number of generations of timers so far
}

// New returns a kubelet. The first behaviour that matches an image applies.
func New(server *apiserver.Server, seed uint64, behaviours []Behaviour) *Kubelet {
	k := &Kubelet{
		client:     server.Client(Actor),
		kernel:     server.Kernel,
		store:      server.Store,
		leases:     server.Leases,
		pods:       map[api.Key]*pod{},
		nodes:      map[string]*node{},
		behaviours: behaviours,
		traits:     map[string]traits{},
		random:     map[string]*sim.Rand{},
		seed:       seed,
	}
	k.jitter = k.drawJitter
	if server.Keyed {
		k.identities = &identities{of: map[string]string{}, revisions: map[string]string{}, counts: map[string]int{}}
	}
	server.Store.Watch(k, api.KindPod, api.KindNode)
	return k
}

// OnChange receives pods, and nodes that others created.
func (k *Kubelet) OnChange(c *sim.Change) {
	if k.identities != nil && c.Object().Key().Kind == api.KindPod {
		k.follow(c)
	}
	switch {
	case c.Object().Key().Kind == api.KindNode:
		if c.Type == sim.Added {
			k.adopt(c.New.(*api.Node))
		}
	case c.New == nil:
		k.onRemoval(c.Old.Key(), c.Old.Meta().UID)
	default:
		k.onPod(c.New.(*api.Pod))
	}
}

// onPod runs a pod of a live node, and stops a terminating one.
func (k *Kubelet) onPod(o *api.Pod) {
	if o.NodeName == "" || o.Finished() || k.node(o.NodeName).dead {
		return
	}
	p := k.pods[o.Key()]
	if p == nil || p.uid != o.UID {
		if p = k.admit(o); p == nil {
			return
		}
	}
	if o.Terminating() {
		k.onDeletion(p, o.DeletionGracePeriodSeconds)
	}
	if !o.Spec.Equal(p.told.spec) && !p.told.deleted { // it has other images
		p.told.spec, p.told.generation = o.Spec, o.Generation
		k.ask(p)
	}
	k.onGates(p, o.Status.Conditions)
}

// admit begins to run a new pod. It returns nil if the pod was removed: the cache lags behind the store.
func (k *Kubelet) admit(o *api.Pod) *pod {
	key := o.Key()
	if stored, err := k.client.Get(key); err != nil || stored.Meta().UID != o.UID {
		return nil
	}
	p := k.newPod(o)
	k.pods[key] = p
	if !o.Terminating() {
		k.sync(p)
	}
	return p
}

func (k *Kubelet) forget(p *pod) {
	p.gone = true
	delete(k.pods, p.key)
}

// Handle handles a timer of a container, unless the timer was cancelled.
func (k *Kubelet) Handle(e sim.Event) {
	p := k.pods[e.Key]
	if p == nil || p.node.dead {
		return
	}
	if e.Op == opGates {
		k.openGates(p)
		return
	}
	i, generation := int(e.Arg&maxContainers), e.Arg>>containerBits
	if i >= len(p.containers) {
		return // of an earlier pod of this name
	}
	c := p.containers[i]
	if timers := c.timersOf(e.Op); timers == nil || *timers != generation {
		return
	}
	switch e.Op {
	case opPulled:
		k.pulled(c)
	case opPullFailed:
		k.pullFailed(c)
	case opStarted:
		k.started(c)
	case opExited:
		k.exited(c)
	case opSignal:
		k.signal(c)
	case opStopped:
		k.stopped(c)
	case opSync:
		k.sync(p)
	case opResync:
		k.ask(p)
	case opNews:
		k.hear(p)
	case opTrigger:
		k.trigger(p)
	default:
		k.tick(p)
	}
}

// A timer's Arg holds the container in its low bits and the generation above them.
const (
	containerBits = 12
	maxContainers = 1<<containerBits - 1
)

// rank is the order of what happens in the ms of a relist: the syncs that wait for it, then what it tells, then the look at the queue of pods that
// are due again, and only then all else, such as a deletion. The probes take longer.
func rank(op uint8) int8 {
	switch op {
	case opSync:
		return -3
	case opExited, opNews:
		return -2
	case opResync:
		return -1
	case opTrigger:
		return 1
	case opStartup, opReadiness, opLiveness:
		return 2
	}
	return 0
}

// after schedules an operation for a container; cancel cancels it.
func (k *Kubelet) after(c *container, delay sim.Time, op uint8) {
	generation := *c.timersOf(op)
	k.kernel.Schedule(sim.Event{At: k.kernel.Now() + delay, To: k, Op: op, Arg: generation<<containerBits | int64(c.index), Key: c.pod.key,
		Rank: rank(op)})
}

// at schedules an operation for a time, unless that is never.
func (k *Kubelet) at(c *container, at sim.Time, op uint8) {
	if at < never {
		k.after(c, at-k.kernel.Now(), op)
	}
}

// timersOf returns the generation of the valid timers of an operation, or nil if a pod has no such timers.
func (c *container) timersOf(op uint8) *int64 {
	switch {
	case op == opSync:
		return &c.pod.worker.timers
	case op == opResync:
		return &c.pod.resyncs
	case op == opNews, op == opTrigger:
		return &c.pod.listens
	case op < opStartup:
		return &c.timers
	case c.probes == nil:
		return nil
	}
	return &c.probes[op-opStartup].timers
}

// cancel cancels the timers of a generation.
func (k *Kubelet) cancel(timers *int64) {
	k.timers++
	*timers = k.timers
}
