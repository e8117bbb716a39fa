package recorded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// kubelet is the recordings' model of scheduler and kubelet. A pod is bound when it is created, to the node with the
// fewest pods; from then on it does what the behaviour of its image says, looked at once a second.
type kubelet struct {
	store   *sim.Store
	images  map[string]Behaviour
	nodes   []*node // by name
	pods    []*life // in the order of creation
	byName  map[string]*life
	created map[string]int // pods so far: by image, by ReplicaSet, and "" for all
	seen    int            // how much of the store's log has been looked at
}

// node is a node of the model.
type node struct {
	name   string
	closed bool // cordoned
}

// life is what is to become of a pod. Moments are seconds; never is one that does not come.
type life struct {
	name    string
	owner   string // the ReplicaSet
	number  int    // among the pods of the ReplicaSet, from 1
	does    Behaviour
	index   int   // among the pods of the image
	bound   int64 // when it got its node
	ready   int64 // when it becomes Ready
	crash   int64 // when its container dies
	removed int64 // when it is gone, if it terminates
}

const never = int64(1) << 62

func newKubelet(store *sim.Store, sc *Scenario) *kubelet {
	k := &kubelet{store: store, images: map[string]Behaviour{}, byName: map[string]*life{}, created: map[string]int{}}
	for image, does := range sc.Images {
		k.images[image] = does
	}
	for i := range max(sc.Nodes, 1) {
		k.nodes = append(k.nodes, &node{name: fmt.Sprintf("node-%02d", i+1)})
	}
	return k
}

// all returns the stored pods in the order of their creation.
func (k *kubelet) all() (pods []*api.Pod) {
	for _, l := range k.pods {
		if p := k.pod(l); p != nil && k.byName[l.name] == l {
			pods = append(pods, p)
		}
	}
	return pods
}

// pod returns the stored pod of a life.
func (k *kubelet) pod(l *life) *api.Pod {
	p, _ := k.store.Get(podKey(l.name)).(*api.Pod)
	return p
}

// catchUp acts on what has happened to pods since it last looked: new ones get a node and a UID in the order of
// creation, those of a DaemonSet in that of their nodes; deleted ones get their time to stop.
func (k *kubelet) catchUp(t int64) {
	var daemons []*api.Pod
	for ; k.seen < len(k.store.Log); k.seen++ {
		c := k.store.Log[k.seen]
		p, ok := c.Object().(*api.Pod)
		if !ok {
			continue
		}
		switch {
		case c.Type == sim.Added && p.TargetNode != "":
			daemons = append(daemons, p)
		case c.Type == sim.Added:
			k.adopt(p, t)
		case c.Type == sim.Deleted:
			delete(k.byName, p.Name)
		case p.Terminating() && !c.Old.Meta().Terminating():
			k.stop(p, t)
		}
	}
	slices.SortStableFunc(daemons, func(a, b *api.Pod) int { return strings.Compare(a.TargetNode, b.TargetNode) })
	for _, p := range daemons {
		k.adopt(p, t)
	}
}

// adopt takes over a new pod.
func (k *kubelet) adopt(p *api.Pod, t int64) {
	image := p.Spec.Containers[0].Image
	owner := p.ControllerOf().Name
	l := &life{name: p.Name, owner: owner, number: k.created[owner] + 1, does: k.images[image], index: k.created[image],
		removed: never, ready: never, crash: never}
	k.created[image]++
	k.created[owner]++
	k.created[""]++
	k.pods = append(k.pods, l)
	k.byName[p.Name] = l
	bound := *p
	bound.UID = fmt.Sprintf("pod-%08d", k.created[""])
	k.bind(&bound, l, t)
	k.put(&bound)
}

// bind gives a pod its node, if there is one.
func (k *kubelet) bind(p *api.Pod, l *life, t int64) {
	n := k.choose()
	if p.TargetNode != "" {
		n = k.node(p.TargetNode)
	}
	if n == nil {
		return
	}
	p.NodeName = n.name
	l.bound = t
	if !l.does.Never {
		after := int64(2)
		if list := l.does.Ready; len(list) > 0 {
			after = list[l.index%len(list)]
		}
		l.ready = t + max(l.does.start(), after, 1)
	}
}

// start returns the seconds from binding to Running.
func (b *Behaviour) start() int64 {
	if b.Start == nil {
		return 1
	}
	return *b.Start
}

// choose returns the node with the fewest pods that are not finished, nil if none is open.
func (k *kubelet) choose() (best *node) {
	count := map[string]int{}
	for o := range k.store.Table(api.KindPod).All() {
		if p := o.(*api.Pod); !p.Finished() {
			count[p.NodeName]++
		}
	}
	for _, n := range k.nodes {
		if n.closed {
			continue
		}
		if best == nil || count[n.name] < count[best.name] {
			best = n
		}
	}
	return best
}

// node returns a node by its name, nil if there is none.
func (k *kubelet) node(name string) *node {
	for _, n := range k.nodes {
		if n.name == name {
			return n
		}
	}
	return nil
}

// stop begins the end of a pod.
func (k *kubelet) stop(p *api.Pod, t int64) {
	l := k.byName[p.Name]
	if l == nil {
		return
	}
	if l.does.Stop == 0 {
		k.remove(l)
		return
	}
	l.removed = t + l.does.Stop
}

func (k *kubelet) remove(l *life) {
	k.store.Remove(podKey(l.name), sim.Record{Actor: "kubelet"})
}

func (k *kubelet) put(p *api.Pod) { k.store.Put(p, sim.Record{Actor: "kubelet"}) }

// tick does everything that is due, in the order of the pods' creation.
func (k *kubelet) tick(t int64) {
	k.pods = slices.DeleteFunc(k.pods, func(l *life) bool { return k.byName[l.name] != l })
	for _, l := range k.pods {
		p := k.pod(l)
		switch {
		case p.Terminating():
			if l.removed <= t {
				k.remove(l)
			}
		case p.NodeName == "":
			bound := *p
			if k.bind(&bound, l, t); bound.NodeName != "" {
				k.put(&bound)
			}
		case !p.Finished():
			k.live(p, l, t)
		}
	}
}

// live brings the status of a bound pod up to date.
func (k *kubelet) live(p *api.Pod, l *life, t int64) {
	c := p.CopyForStatus()
	if l.does.Fail > 0 && l.bound+l.does.Fail <= t {
		c.Status.Phase = api.PodFailed
		setReady(c, false, t)
		k.put(c)
		return
	}
	if l.bound+l.does.start() <= t {
		c.Status.Phase = api.PodRunning
	}
	switch {
	case l.crash <= t:
		l.crash, l.ready = never, never
		if l.does.Recover > 0 {
			l.ready = t + l.does.Recover
		}
		setReady(c, false, t)
		restarts(c)
	case l.ready <= t:
		l.ready, l.crash = never, never
		if l.does.Crash > 0 {
			l.crash = t + l.does.Crash
		}
		setReady(c, true, t)
	}
	if !c.StatusEqual(p) {
		k.put(c)
	}
}

// setReady sets the condition Ready of a copy of a pod.
func setReady(p *api.Pod, ready bool, t int64) {
	status := "False"
	if ready {
		status = "True"
	}
	p.Status.Conditions = api.SetPodCondition(p.Status.Conditions, api.Condition{Type: "Ready", Status: status}, seconds(t))
}

// restarts counts a restart of the container of a copy of a pod.
func restarts(p *api.Pod) {
	if p.Status.ContainerStatuses == nil {
		p.Status.ContainerStatuses = []api.ContainerStatus{{Name: containerName}}
	}
	p.Status.ContainerStatuses[0].RestartCount++
}
