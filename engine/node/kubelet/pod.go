package kubelet

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// pod is the kubelet's state of a pod.
type pod struct {
	key        api.Key
	uid        string
	node       *node
	containers []*container // the init containers first, in the order of the spec
	inits      int          // how many of them are init containers
	worker

	sandbox     bool     // the pod has a sandbox
	initialized bool     // a container that isn't an init container has started in it: the init containers no longer matter
	shown       podShown // of its status
	syncs       int      // draws of jittered
	told        view     // what the API server has told
	gatesAt     sim.Time // when the conditions of its readiness gates are set; 0 before its containers are ready

	stopping   int   // its containers that are being stopped, because it is
	terminated bool  // they have stopped
	failed     bool  // it is over, and no container ran
	removed    bool  // its object is gone
	gone       bool  // and nothing is left to do
	grace      int64 // seconds, once it is deleted
}

// podShown is what the status of a pod said at its last sync.
type podShown struct {
	phase   string
	sandbox bool
	waits   string // init containers that have not ended
	gates   string // readiness gates that are not open

	generation int64 // of its last change
}

// container is the kubelet's state of a container.
type container struct {
	pod     *pod
	index   int // among its containers
	spec    *api.Container
	traits  traits
	init    bool                // runs to its end before the next container starts
	sidecar bool                // an init container that keeps running
	status  api.ContainerStatus // as reported
	timers  int64               // generation: older timers are cancelled

	pullAsked   sim.Time
	pullBegan   sim.Time // when it was its turn
	pullBackOff backOffEntry
	pullError   string

	reason, message string // why the last try to start it failed
	crashBackOff    backOffEntry

	run       int32    // of its runs, the last one; 0: it has never run
	image     string   // of that
	here      bool     // that was in the pod's sandbox
	early     bool     // a relist began the sync that has started it, or stopped it
	startedAt sim.Time // of that run
	endsAt    sim.Time // when its process exits or has exited, or never
	exitCode  int32    // then
	lost      bool     // it ended with its machine
	endCause  int32    // the record that scheduled the end from outside, or -1
	untold    bool     // no relist has told of that end
	before    ending   // of the run before

	shownRun    int32    // the run that the status is about
	startedTold sim.Time // when a probe last changed whether it counts as started
	probes      []prober // its startup, readiness and liveness probe
	answersFrom sim.Time // when the app answers its probes in the current run, or never
	broken      bool     // the readiness probe fails, whatever the app does, until RestoreReadiness

	start, kill bool // what the sync is to do with it
	triggers    bool // it is to probe whether it is ready, as the status of that sync said
	wasStarted  bool // the status before said that it has started

	stopping   bool     // its process has to stop
	stopsAt    sim.Time // when it does
	grace      int64    // seconds that are left for stopping it
	waits      bool     // a sidecar waits for its turn to stop
	waitsSince sim.Time
}

// ending is how a run of a container ended.
type ending struct {
	at    sim.Time
	state api.ContainerState
}

// newPod returns a pod before any of its containers runs.
func (k *Kubelet) newPod(o *api.Pod) *pod {
	p := &pod{key: o.Key(), uid: o.UID, node: k.node(o.NodeName), inits: len(o.Spec.InitContainers)}
	p.told.spec = o.Spec
	p.told.gates = p.gates(o.Status.Conditions)
	p.sees = p.told
	for i := range p.inits + len(o.Spec.Containers) {
		c := &container{pod: p, index: i, answersFrom: never}
		c.spec = c.wanted()
		c.sidecar = i < p.inits && c.spec.IsSidecar()
		c.init = i < p.inits && !c.sidecar
		c.traits = k.traitsOf(c.spec.Image)
		c.status = api.ContainerStatus{Name: c.spec.Name, Image: c.spec.Image}
		p.containers = append(p.containers, c)
	}
	return p
}

// wanted returns what a container is to be, as the sync of its pod knows it.
func (c *container) wanted() *api.Container {
	if first := c.pod.inits; c.index >= first {
		return &c.pod.sees.spec.Containers[c.index-first]
	}
	return &c.pod.sees.spec.InitContainers[c.index]
}

// changed says whether a container's image is another one than that with which it was started last (container/helpers.go:HashContainer).
func (c *container) changed() bool { return c.wanted().Image != c.spec.Image }

// firstWait returns the reason of a container that waits for its first start.
func (p *pod) firstWait() string {
	if p.inits > 0 {
		return "PodInitializing"
	}
	return "ContainerCreating"
}

// ran says whether a container has run in the pod's sandbox.
func (c *container) ran() bool { return c.run > 0 && c.here }

// runs says whether a container's process runs at a moment.
func (c *container) runs(at sim.Time) bool { return c.ran() && c.endsAt > at }

// ended says whether it ran and had exited by then.
func (c *container) ended(at sim.Time) bool { return c.run > 0 && c.endsAt <= at }

// ending returns how the last run ended.
func (c *container) ending() ending {
	state := api.ContainerState{Kind: api.Terminated, Reason: "Error", ExitCode: c.exitCode, StartedAt: api.TimeAt(c.startedAt), FinishedAt: api.TimeAt(c.endsAt)}
	switch {
	case c.lost:
		state.Reason = "Unknown"
	case c.exitCode == 0:
		state.Reason = "Completed"
	}
	return ending{c.endsAt, state}
}
