package kubelet

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// node is the machine of a kubelet.
type node struct {
	name       string
	dead       bool                // nothing runs on it
	phase      sim.Time            // see Phase
	starts     int                 // of its kubelet
	images     map[string]sim.Time // when each image is on the node, also later than now
	pullsUntil sim.Time            // when its last pull ends
}

var (
	whyRegistered = why.Rule("G-40", "pkg/kubelet/kubelet_node_status.go:registerWithAPIServer")
	whyNodeReady  = why.Rule("G-46", "pkg/kubelet/nodestatus/setters.go:ReadyCondition")
	whyRebooted   = why.Note("G-46", "pkg/kubelet/kuberuntime/kuberuntime_manager.go:computePodActions",
		"the machine was down, so the pod's containers no longer run")
)

// healthy are the conditions of a machine without problems, Ready last.
var healthy = [...]api.Condition{
	{Type: "MemoryPressure", Status: "False", Reason: "KubeletHasSufficientMemory", Message: "kubelet has sufficient memory available"},
	{Type: "DiskPressure", Status: "False", Reason: "KubeletHasNoDiskPressure", Message: "kubelet has no disk pressure"},
	{Type: "PIDPressure", Status: "False", Reason: "KubeletHasSufficientPID", Message: "kubelet has sufficient PID available"},
	{Type: "Ready", Status: "True", Reason: "KubeletReady", Message: "kubelet is posting ready status"},
}

// lost is the exit code of a container that ended while no kubelet was running.
const lost = 255

func (k *Kubelet) node(name string) *node {
	n := k.nodes[name]
	if n == nil {
		n = &node{name: name, images: map[string]sim.Time{}}
		k.nodes[name] = n
	}
	return n
}

// Register stores the Node object of a new machine. The object belongs to the kubelet afterwards.
//
// Simplified: the node is Ready at once. The real kubelet reports that some seconds later, and until then the node has the
// taint node.kubernetes.io/not-ready.
func (k *Kubelet) Register(o *api.Node) error {
	k.reportHealth(&o.Status)
	if _, err := k.client.Create(o, "node registered", whyRegistered); err != nil {
		return err
	}
	k.boot(o.Name)
	k.node(o.Name).images = map[string]sim.Time{}
	return nil
}

// adopt adds the machine of a Node object that a person created.
func (k *Kubelet) adopt(o *api.Node) {
	if api.FindCondition(o.Status.Conditions, "Ready") == nil {
		k.boot(o.Name)
		k.writeNodeStatus(o.Name)
	}
}

// boot starts a machine: its kubelet renews its lease from now on, and handles the pods that are bound to an earlier machine of
// this name.
func (k *Kubelet) boot(name string) {
	n := k.node(name)
	again := n.dead
	n.dead = false
	k.startTickers(n)
	k.leases.Begin(name)
	if again {
		for _, o := range k.podsOf(name) {
			k.catchUp(o)
		}
	}
}

// Kill stops a machine, with everything on it. The API server is not notified.
func (k *Kubelet) Kill(name string) error {
	n := k.node(name)
	if n.dead {
		return fmt.Errorf("node %q is down already; restore node/%s brings it back", name, name)
	}
	n.dead, n.pullsUntil = true, 0
	k.leases.End(name)
	for image, at := range n.images {
		if at > k.kernel.Now() {
			delete(n.images, image) // its pull is cut off
		}
	}
	return nil
}

// Restore starts a dead machine again: its kubelet reports its status and handles its pods (G-46).
//
// Simplified: this takes no time, and there is no event Rebooted with the machine's boot ID.
func (k *Kubelet) Restore(name string) error {
	if !k.node(name).dead {
		return fmt.Errorf("node %q is not down; kill node/%s would let it die", name, name)
	}
	key := api.Key{Kind: api.KindNode, Name: name}
	k.client.Event(key, "Normal", "Starting", "Starting kubelet.")
	if k.writeNodeStatus(name) {
		k.client.Event(key, "Normal", "NodeReady", "Node "+name+" status is now: NodeReady")
	}
	k.boot(name)
	return nil
}

// Remove removes a machine and its Node object, as a cloud provider does.
func (k *Kubelet) Remove(name string) error {
	_ = k.Kill(name) // unless it is down already
	key := api.Key{Kind: api.KindNode, Name: name}
	return k.client.Delete(key, apiserver.DeleteOptions{}, "removed with its machine", whyNodeGone)
}

var whyNodeGone = why.Rule("G-44", "staging/src/k8s.io/cloud-provider/controllers/nodelifecycle/node_lifecycle_controller.go:MonitorNodes")

// podsOf lists the pods that are bound to a node, in the order of their creation.
func (k *Kubelet) podsOf(node string) []*api.Pod {
	all := k.store.Table(api.KindPod).All()
	return api.Pick(all, func(pod *api.Pod) bool { return pod.NodeName == node && !pod.Finished() })
}

// writeNodeStatus reports the health of a node, and returns whether Ready has become True.
func (k *Kubelet) writeNodeStatus(name string) (becameReady bool) {
	o, err := k.client.Get(api.Key{Kind: api.KindNode, Name: name})
	if err != nil {
		return false // the node was removed
	}
	n := api.Copy(o.(*api.Node))
	before := api.FindCondition(n.Status.Conditions, "Ready")
	becameReady = before != nil && before.Status != "True"
	k.reportHealth(&n.Status)
	k.client.Must(k.client.UpdateStatus(n, "node ready", whyNodeReady))
	return becameReady
}

func (k *Kubelet) reportHealth(s *api.NodeStatus) {
	for _, c := range healthy {
		s.Conditions = api.SetPodCondition(s.Conditions, c, k.client.Timestamp())
	}
}

// catchUp handles a pod after a reboot of its machine: it finishes a terminating pod, and starts any other pod again.
func (k *Kubelet) catchUp(o *api.Pod) {
	p := k.pods[o.Key()]
	if p == nil || p.uid != o.UID {
		k.onPod(o)
		return
	}
	p.worker, p.initialized, p.sandbox, p.stopping = worker{sees: p.told}, false, false, 0
	for _, c := range p.containers {
		k.cancel(&c.timers)
		c.markLost(k.kernel.Now())
	}
	switch {
	case p.told.deleted:
		k.finishStop(p)
	case o.Terminating():
		k.onDeletion(p, o.DeletionGracePeriodSeconds)
	default:
		k.client.EventOf(sim.Record{Object: p.key, UID: p.uid, Type: "Normal", Reason: "SandboxChanged",
			What: "Pod sandbox changed, it will be killed and re-created."})
		if k.report(p, k.kernel.Now(), "its containers are gone", whyRebooted); !p.gone {
			k.sync(p)
		}
	}
}

// markLost handles the loss of a container with its machine: it has to start again, without any back-off.
func (c *container) markLost(now sim.Time) {
	if c.runs(now) {
		c.endsAt, c.exitCode, c.lost = now, lost, true
	}
	c.here, c.start, c.kill, c.stopping, c.waits, c.untold = false, false, false, false, false, false
	c.shownRun, c.reason, c.probes = 0, "", nil
	c.crashBackOff, c.pullBackOff = backOffEntry{}, backOffEntry{}
}
