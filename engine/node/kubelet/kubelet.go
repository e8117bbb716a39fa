// Package kubelet runs the pods (G-1 to G-30a): it starts, probes, restarts and stops their containers, and reports their
// status; it also registers the nodes, which may die and come back (G-40, G-46). One Kubelet plays the kubelets of all nodes;
// nothing in it crosses nodes.
//
// The upstream files, below pkg/kubelet: kubelet.go and pod.go answer to kubelet.go, pod_workers.go and to computePodActions and
// SyncPod of kuberuntime/kuberuntime_manager.go; container.go and stop.go to kuberuntime/kuberuntime_container.go; relist.go to pleg/generic.go; image.go to
// images/image_manager.go; probe.go to prober/worker.go; status.go to kubelet_pods.go and status/generate.go; gates.go to them and to status/status_manager.go; node.go to
// kubelet_node_status.go; backoff.go to client-go's util/flowcontrol/backoff.go. behaviour.go, random.go and environment.go
// are the simulation's own: how apps behave, and what happens to them from outside.
//
// Nothing ticks: the next relist is computed when a container has ended, the result of a probe when anything that decides it
// changes, and only the probes that change something are events.
//
// Simplified: pods always restart their containers, as those of a Deployment must; a pod starts without the second or so that
// creating the sandbox takes.
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
	opPulled             uint8 = iota // its image is on the node
	opPullFailed                      // its image can't be pulled
	opPullWaits                       // the back-off of its image shows
	opPullAgain                       // the back-off of its image is over
	opStarted                         // its process runs
	opExited                          // its process exits
	opSignal                          // it gets SIGTERM: its hook is over, and so is its wait for others
	opStopped                         // its process exits after SIGTERM or SIGKILL
	opRemove                          // its pod, all of whose containers have stopped, is removed
	opRestartWaits                    // the back-off of its restart shows
	opRestart                         // the back-off of its restart is over
	opStartupSucceeds                 // its startup probe succeeds
	opStartupUnhealthy                // its startup probe fails
	opStartupKills                    // its startup probe has failed too often
	opLivenessUnhealthy               // its liveness probe begins to fail
	opLivenessKills                   // its liveness probe has failed too often
	opResync                          // its pod is synced again
	opReadinessUnhealthy              // its readiness probe begins to fail
	opReady                           // its readiness probe has succeeded often enough
	opUnready                         // its readiness probe has failed too often
	opGates                           // the conditions of its readiness gates are set
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
	traits     map[string]traits // by image
	random     streams
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
		random:     newStreams(seed),
		seed:       seed,
	}
	if server.Keyed {
		k.identities = newIdentities()
	}
	server.Store.Informer(api.KindPod).AddHandler(k)
	server.Store.Informer(api.KindNode).AddHandler(k)
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
		k.forget(c.Old.Key(), c.Old.Meta().UID)
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
	if p == nil {
		if p = k.admit(o); p == nil {
			return
		}
	}
	if o.Terminating() {
		k.onDeletion(p, o.DeletionGracePeriodSeconds)
	}
	k.onGates(p)
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
		k.writeStatus(p, "seen by its node", whySeen)
		p.begin(k.kernel.Now())
		k.syncPod(p)
	}
	return p
}

func (k *Kubelet) forget(key api.Key, uid string) {
	if p := k.pods[key]; p != nil && p.uid == uid {
		delete(k.pods, key)
	}
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
	if p.containers[i].generation(e.Op) == generation {
		k.handle(p, i, e.Op)
	}
}

func (k *Kubelet) handle(p *pod, i int, op uint8) {
	switch op {
	case opPulled, opPullFailed, opPullWaits, opPullAgain:
		k.handleImage(p, i, op)
	case opStarted:
		k.started(p, i)
	case opExited:
		k.exited(p, i, p.containers[i].exitCode)
	case opSignal:
		k.signal(p, i)
	case opRemove:
		k.remove(p)
	case opStopped:
		k.stopped(p, i)
	case opRestartWaits:
		k.showBackOff(p, i)
	case opRestart:
		k.backOffRestart(p, i, p.containers[i].endsAt)
	default:
		k.handleProbe(p, i, op)
	}
}

// A timer's Arg holds the container in its low bits and the generation above them.
const (
	containerBits = 12
	maxContainers = 1<<containerBits - 1
)

// after schedules an operation for a container; cancelTimers cancels it.
func (k *Kubelet) after(p *pod, i int, delay sim.Time, op uint8) {
	generation := p.containers[i].generation(op)
	k.kernel.Schedule(sim.Event{At: k.kernel.Now() + delay, To: k, Op: op, Arg: generation<<containerBits | int64(i), Key: p.key})
}

// generation returns the generation of the valid timers of an operation.
func (c *container) generation(op uint8) int64 {
	if op >= opResync {
		return c.readinessTimers
	}
	return c.timers
}

// cancelTimers cancels every timer of a container.
func (k *Kubelet) cancelTimers(c *container) {
	k.timers++
	c.timers, c.readinessTimers = k.timers, k.timers
}

// cancelStop cancels what a stopping container would do otherwise; its readiness is probed to the end.
func (k *Kubelet) cancelStop(c *container) {
	k.timers++
	c.timers = k.timers
}

// cancelReadiness cancels the timers of a container's readiness.
func (k *Kubelet) cancelReadiness(c *container) {
	k.timers++
	c.readinessTimers = k.timers
}

// now returns the current time as objects store it.
func (k *Kubelet) now() api.Time { return k.client.Timestamp() }
