package recorded

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/controllers/disruption"
	"github.com/rollplay/rollplay/engine/controllers/replicaset"
	"github.com/rollplay/rollplay/engine/sim"
)

// Modes of a recording: which syncs a tick has.
const (
	modeFixpoint = "fixpoint" // passes over all controllers until one writes nothing
	modeOnce     = "once"     // one pass
	modeQueue    = "queue"    // the real queues decide
)

// passesMax is a number of passes that no tick needs.
const passesMax = 1000

// cluster runs a scenario as the recordings were made: our server and controllers, the models of everything else.
type cluster struct {
	scenario    *Scenario
	mode        string
	kernel      *sim.Kernel
	server      *apiserver.Server
	user        *apiserver.Client
	deployments *deployment.Controller
	replicaSets *replicaset.Controller
	set         syncer // the controller of a StatefulSet or a DaemonSet; nil: of a Deployment
	queues      queues
	kubelet     *kubelet
	templates   templates
	budgets     *disruption.Controller
	drains      []drain

	choices   choices  // of this tick, as recorded
	opErrors  []string // of this tick
	evictions []string // of this tick: the refusal, or nothing
}

func newCluster(h *Head) *cluster {
	k, s := newServer(0)
	c := &cluster{scenario: &h.Scenario, mode: h.Mode, kernel: k, server: s, user: s.Client("kubectl"), templates: templates{},
		kubelet: newKubelet(s.Store, &h.Scenario)}
	s.Kernel = &c.queues.budgets.kernel
	c.budgets = disruption.New(s)
	s.Kernel = k
	if kind := api.Kind(h.Scenario.Kind); kind != api.KindDeployment {
		s.Kernel = &c.queues.sets.kernel
		c.set = newSet(kind, s)
		s.Kernel = k
		return c
	}
	// Each controller's queue gets a kernel of its own, so that it can be said whose turn it is (queues.go).
	s.Kernel = &c.queues.deployments.kernel
	c.deployments = deployment.New(s)
	s.Kernel = &c.queues.replicaSets.kernel
	c.replicaSets = replicaset.New(s)
	s.Kernel = k
	return c
}

// tick runs one second: the kubelet, then the operations and drains, then the controllers.
func (c *cluster) tick(t int64) {
	c.opErrors, c.evictions = nil, nil
	advance(c.kernel, t*1000)
	if c.mode == modeQueue {
		c.queues.advance(t * 1000)
	}
	if t == 0 {
		c.create()
	} else {
		c.kubelet.tick(t)
	}
	c.kubelet.catchUp(t)
	for i := range c.scenario.Ops {
		if op := &c.scenario.Ops[i]; op.T == t {
			c.operate(op)
			c.kubelet.catchUp(t)
		}
	}
	c.drain(t)
	c.settle(t)
	switch c.mode {
	case modeOnce:
		c.pass(t)
	case modeQueue:
		c.runQueues(t)
	default:
		for n := 0; c.pass(t) && n < passesMax; n++ {
		}
	}
}

// settle lets the kubelet see what was written, and then the caches.
func (c *cluster) settle(t int64) {
	c.kubelet.catchUp(t)
	deliver(c.server)
	advance(c.kernel, c.kernel.Now()) // the quota's controller
}

// pass syncs every controller once and says whether anything was written.
func (c *cluster) pass(t int64) (wrote bool) {
	before := len(c.server.Store.Log)
	// A sync's error is no news: it shows in the state, and the next pass is the retry.
	if c.set != nil {
		_ = c.set.Sync(c.setKey())
		c.settle(t)
	} else {
		c.syncDeployment(t)
	}
	if c.hasBudget() {
		_ = c.budgets.Sync(budgetKey)
	}
	c.collect()
	c.settle(t)
	return len(c.server.Store.Log) > before
}

func (c *cluster) syncDeployment(t int64) {
	_ = c.deployments.Sync(deploymentKey)
	c.settle(t)
	for _, o := range slices.Collect(c.server.Store.Informer(api.KindReplicaSet).Cache.All()) {
		from := len(c.server.Store.Log)
		_ = c.replicaSets.Sync(o.Key())
		c.follow(from, t)
		c.settle(t)
	}
}

// collect removes what has lost its owner, one level at a time, and says whether there was anything.
func (c *cluster) collect() (found bool) {
	gc := c.server.Client("garbage-collector")
	var lost []api.Key
	for _, kind := range []api.Kind{api.KindReplicaSet, api.KindControllerRevision, api.KindPod} {
		for o := range c.server.Store.Table(kind).All() {
			ref := o.Meta().ControllerOf()
			owner := c.server.Store.Get(api.Key{Kind: ref.Kind, Namespace: namespace, Name: ref.Name})
			if owner == nil && !o.Meta().Terminating() {
				lost = append(lost, o.Key())
			}
		}
	}
	for _, key := range lost {
		if err := gc.Delete(key, apiserver.DeleteOptions{}, "its owner is gone", nil); err != nil {
			panic("recorded: " + err.Error())
		}
	}
	return len(lost) > 0
}
