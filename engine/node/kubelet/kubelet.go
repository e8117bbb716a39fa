// Package kubelet runs the pods: it starts their containers, probes them, restarts and stops them, and reports what
// they do (G-1 to G-30a); and it registers the nodes, which may die and come back (G-40, G-46). One Kubelet stands for those
// of all nodes; nothing that it does crosses nodes.
//
// Nothing ticks: what a probe will find is computed when something that decides it happens, and only the moments at
// which a probe changes something are events.
//
// Simplified: pods restart their containers always, as those of a Deployment must; the last status of a pod, with its
// containers terminated, is not written, since the pod is gone in the same moment; a pod's containers start without
// the second or so that making the sandbox takes.
package kubelet

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// Actor is the kubelet's name in records and events.
const Actor = "kubelet"

// Operations of the Kubelet. Each is about one container of the pod that the event names.
const (
	opPulled             uint8 = iota // its image is there
	opPullFailed                      // its image cannot be had
	opPullWaits                       // the back-off of its image shows
	opPullAgain                       // the back-off of its image is over
	opStarted                         // its process runs
	opExited                          // its process ends by itself
	opStopped                         // its process ends because it was told to
	opRestartWaits                    // the back-off of its restart shows
	opRestart                         // the back-off of its restart is over
	opStartupSucceeds                 // its startup probe succeeds
	opStartupUnhealthy                // its startup probe fails
	opStartupKills                    // its startup probe has failed too often
	opLivenessUnhealthy               // its liveness probe begins to fail
	opLivenessKills                   // its liveness probe has failed too often
	opReadinessUnhealthy              // its readiness probe begins to fail
	opReady                           // its readiness probe has succeeded often enough
	opUnready                         // its readiness probe has failed too often
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
	traits     map[string]traits // by image, as far as images occurred
	random     streams
	timers     int64 // how many generations of timers there were
}

// New returns a kubelet. The first behaviour that matches an image is that of its containers.
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
	}
	server.Store.Informer(api.KindPod).AddHandler(k)
	server.Store.Informer(api.KindNode).AddHandler(k)
	return k
}

// OnChange hears of pods, and of nodes that others made.
func (k *Kubelet) OnChange(c *sim.Change) {
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

// onPod takes up a pod of a node that lives, and stops one that shall go.
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
		k.terminate(p, o.DeletionGracePeriodSeconds)
	}
}

// admit takes up a pod that is new here. It returns nil if the pod is gone: news of it may still arrive.
func (k *Kubelet) admit(o *api.Pod) *pod {
	key := o.Key()
	if stored, err := k.client.Get(key); err != nil || stored.Meta().UID != o.UID {
		return nil
	}
	p := k.newPod(o)
	k.pods[key] = p
	if !o.Terminating() {
		k.writeStatus(p, "seen by its node", whySeen)
		p.sandbox = true
		k.syncPod(p)
	}
	return p
}

func (k *Kubelet) forget(key api.Key, uid string) {
	if p := k.pods[key]; p != nil && p.uid == uid {
		delete(k.pods, key)
	}
}

// Handle does what is due for a container, unless things have taken another turn since it was planned.
func (k *Kubelet) Handle(e sim.Event) {
	p := k.pods[e.Key]
	if p == nil || p.node.dead {
		return
	}
	i, generation := int(e.Arg&maxContainers), e.Arg>>containerBits
	if i >= len(p.containers) {
		return // of an earlier pod of this name
	}
	if p.containers[i].generation(e.Op) == generation {
		k.due(p, i, e.Op)
	}
}

func (k *Kubelet) due(p *pod, i int, op uint8) {
	switch op {
	case opPulled, opPullFailed, opPullWaits, opPullAgain:
		k.dueImage(p, i, op)
	case opStarted:
		k.started(p, i)
	case opExited:
		k.exited(p, i, p.containers[i].exitCode)
	case opStopped:
		k.stopped(p, i)
	case opRestartWaits:
		k.showBackOff(p, i)
	case opRestart:
		k.restart(p, i)
	default:
		k.dueProbe(p, i, op)
	}
}

// A timer's Arg holds the container in its low bits and the generation above them.
const (
	containerBits = 12
	maxContainers = 1<<containerBits - 1
)

// after plans an operation for a container. It is void if the container takes another turn before it is due.
func (k *Kubelet) after(p *pod, i int, delay sim.Time, op uint8) {
	generation := p.containers[i].generation(op)
	k.kernel.Schedule(sim.Event{At: k.kernel.Now() + delay, To: k, Op: op, Arg: generation<<containerBits | int64(i), Key: p.key})
}

// generation returns which timers of an operation count.
func (c *container) generation(op uint8) int64 {
	if op >= opReadinessUnhealthy {
		return c.readinessTimers
	}
	return c.timers
}

// turn voids every timer of a container.
func (k *Kubelet) turn(c *container) {
	k.timers++
	c.timers, c.readinessTimers = k.timers, k.timers
}

// turnReadiness voids the timers of a container's readiness.
func (k *Kubelet) turnReadiness(c *container) {
	k.timers++
	c.readinessTimers = k.timers
}

// now returns the present time as objects store it.
func (k *Kubelet) now() api.Time { return k.client.Timestamp() }
