package kubelet

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// pod is the kubelet's state of a pod.
type pod struct {
	key        api.Key
	uid        string
	spec       *api.PodSpec
	node       *node
	containers []container // the init containers first, in the order of the spec
	inits      int         // how many of them are init containers

	starting    int  // the container that is being pulled or started, one at a time; -1: none
	sandbox     bool // the pod has a sandbox
	initialized bool // a container that isn't an init container has started: the init containers no longer matter

	probesFrom sim.Time // when the workers of its probes began
	syncs      int      // draws of jittered
	gatesAt    sim.Time // when the conditions of its readiness gates are set; 0 before its containers are ready

	deleted     bool  // it is to stop as soon as its containers have started
	terminating bool  // its containers are stopping
	failed      bool  // it is over, and no container ran
	grace       int64 // seconds, since then
}

// begin creates the sandbox and the workers of the probes.
func (p *pod) begin(now sim.Time) { p.sandbox, p.probesFrom = true, now }

// activity is the state of a container's process, or of its start.
type activity uint8

const (
	pending  activity = iota // waits for its turn to start
	starting                 // being pulled or started
	backOff                  // waits for its next try
	running                  // its process runs
	stopping                 // its process has to stop
	ended                    // its process has ended and stays so
)

// container is the kubelet's state of a container.
type container struct {
	spec     *api.Container
	traits   traits
	init     bool // runs to its end before the next container starts
	sidecar  bool // an init container that keeps running
	activity activity
	status   api.ContainerStatus // as reported

	timers, readinessTimers int64 // generations: older timers are cancelled

	pullAsked    sim.Time
	pullBegan    sim.Time // when it was its turn
	pullBackOff  backOffEntry
	pullError    string
	crashBackOff backOffEntry

	startedAt   sim.Time // of the current run
	shownAt     sim.Time // when the status showed it
	endsAt      sim.Time // when its process exits on its own, or never
	readiness   worker   // of its readiness probe
	answersFrom sim.Time // when the app answers its probes in the current run, or never
	broken      bool     // the readiness probe fails, whatever the app does, until RestoreReadiness
	exitCode    int32    // of the scheduled end
	endCause    int32    // the record that scheduled it from outside, or -1
	stopsAt     sim.Time // when a stopping process ends
	grace       int64    // seconds that are left for stopping it
	waits       bool     // a sidecar waits for its turn to stop
	waitsSince  sim.Time
}

// newPod returns a pod before any of its containers runs.
func (k *Kubelet) newPod(o *api.Pod) *pod {
	p := &pod{key: o.Key(), uid: o.UID, spec: o.Spec, node: k.node(o.NodeName), inits: len(o.Spec.InitContainers), starting: -1}
	p.containers = make([]container, p.inits+len(o.Spec.Containers))
	waits := p.firstWait()
	for i := range p.containers {
		c := &p.containers[i]
		if i < p.inits {
			c.spec = &o.Spec.InitContainers[i]
			c.sidecar = c.spec.RestartPolicy == "Always"
			c.init = !c.sidecar
		} else {
			c.spec = &o.Spec.Containers[i-p.inits]
		}
		c.traits = k.traitsOf(c.spec.Image)
		c.status = api.ContainerStatus{Name: c.spec.Name, Image: c.spec.Image, State: api.ContainerState{Kind: api.Waiting, Reason: waits}}
	}
	return p
}

// firstWait returns the reason of a container that waits for its first start.
func (p *pod) firstWait() string {
	if p.inits > 0 {
		return "PodInitializing"
	}
	return "ContainerCreating"
}

// next returns the next container to start; ok is false if there is none, or an init container must end first
// (kuberuntime_manager.go:computePodActions).
func (p *pod) next() (i int, ok bool) {
	for i := range p.containers {
		c := &p.containers[i]
		switch {
		case c.init && (c.activity == ended || p.initialized):
			continue
		case c.activity == pending:
			return i, true
		case c.init, c.sidecar && !c.status.Started && !p.initialized:
			return 0, false
		}
	}
	return 0, false
}

// syncPod starts the next container, if any: the init containers one after another, then the others in order, each pulled,
// created and started before the next (kuberuntime_manager.go:SyncPod).
//
// A deletion does not interrupt it: a pod that is deleted during a pull stops when its container has started.
func (k *Kubelet) syncPod(p *pod) {
	if p.starting >= 0 || p.terminating {
		return
	}
	i, ok := p.next()
	switch {
	case ok:
		p.starting = i
		p.containers[i].activity = starting
		k.ensureImage(p, i)
	case p.deleted:
		k.terminate(p)
	}
}
