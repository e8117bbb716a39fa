package kubelet

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// pod is what the kubelet knows of a pod on a node.
type pod struct {
	key        api.Key
	uid        string
	spec       *api.PodSpec
	node       *node
	containers []container // the init containers first, in the order of the spec
	inits      int         // how many of them are init containers

	starting    int  // which container is being pulled or started, one at a time; -1: none
	sandbox     bool // the pod's sandbox is made
	initialized bool // some container that is no init container was started: the init containers do not count any more

	terminating bool
	toldAt      sim.Time // when the containers were told to stop
	grace       int64    // seconds, from then on
	sidecars    bool     // the sidecars have been told as well
}

// activity is what the kubelet does with a container.
type activity uint8

const (
	due      activity = iota // to be started when its turn comes
	starting                 // being pulled or started
	backOff                  // waits before it is tried again
	running                  // its process runs
	stopping                 // its process was told to stop
	ended                    // its process has ended for good
)

// container is what the kubelet knows of a container.
type container struct {
	spec     *api.Container
	traits   traits
	init     bool // runs to its end before the next container starts
	sidecar  bool // an init container that goes on running
	activity activity
	status   api.ContainerStatus // what is reported of it

	timers, readinessTimers int64 // generations: older timers are void

	pullBegan    sim.Time
	pullBackOff  delay
	pullError    string
	crashBackOff delay

	startedAt   sim.Time // of the present run
	answersFrom sim.Time // when the app of the present run answers its probes, never if it does not
	broken      bool     // the readiness probe fails whatever the app does, until it is restored
	exitCode    int32    // of the end that is planned
	stopsAt     sim.Time // when the process ends that was told to stop
}

// newPod returns a pod none of whose containers runs.
func (k *Kubelet) newPod(o *api.Pod) *pod {
	p := &pod{key: o.Key(), uid: o.UID, spec: o.Spec, node: k.node(o.NodeName), inits: len(o.Spec.InitContainers), starting: -1}
	p.containers = make([]container, p.inits+len(o.Spec.Containers))
	waits := "ContainerCreating"
	if p.inits > 0 {
		waits = "PodInitializing"
	}
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

// next returns the container whose turn it is to be started; ok is false if there is nothing to start, or an init
// container must end first (kuberuntime_manager.go:computePodActions).
func (p *pod) next() (i int, ok bool) {
	for i := range p.containers {
		c := &p.containers[i]
		switch {
		case c.init && (c.activity == ended || p.initialized):
			continue
		case c.activity == due:
			return i, true
		case c.init, c.sidecar && !c.status.Started && !p.initialized:
			return 0, false
		}
	}
	return 0, false
}

// syncPod starts the next container, if it is anyone's turn: the init containers one after another, then the others
// in order, each pulled, created and started before the next (kuberuntime_manager.go:SyncPod).
func (k *Kubelet) syncPod(p *pod) {
	if p.starting >= 0 || p.terminating {
		return
	}
	if i, ok := p.next(); ok {
		p.starting = i
		p.containers[i].activity = starting
		k.ensureImage(p, i)
	}
}
