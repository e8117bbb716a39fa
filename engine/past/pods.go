package past

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/replicaset"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/sim"
)

// PodState summarizes the state of a pod.
type PodState uint8

// The states of a pod, in the order of a normal life, then failures, then the end. worse relies on this order.
const (
	PodPending     PodState = iota // not scheduled yet
	PodCreating                    // pulling images, starting containers
	PodRunning                     // running, but not ready
	PodReady                       // ready, but not for minReadySeconds yet
	PodAvailable                   // ready for minReadySeconds
	PodImageError                  // an image can't be pulled: ErrImagePull, ImagePullBackOff
	PodCrashLoop                   // a container has ended and waits for its restart
	PodFinished                    // Completed or Failed
	PodTerminating                 // its deletion was requested

	PodStates // how many there are
)

var podStateNames = [PodStates]string{"pending", "creating", "running", "ready", "available", "image-error", "crash-loop", "finished", "terminating"}

// String returns the state as one word: crash-loop.
func (s PodState) String() string { return podStateNames[s] }

// PodTile is a pod as the pod view shows it.
type PodTile struct {
	Key      string // namespace/name
	Set      string // its ReplicaSet or ControllerRevision, as an RSFrame names it
	Owner    string // the ReplicaSet, StatefulSet or DaemonSet that controls it; empty if none does
	Node     string // empty if it is not scheduled
	State    PodState
	Restarts int
}

// Pods returns the pods after a record, by namespace and name, with their states at a moment from then on. Callers must not
// change the list; no later call does.
func (p *Past) Pods(record int, t int64) []PodTile {
	v := p.StateAfter(record)
	pods, before := v.All(api.KindPod), p.tiled
	now := tiled{pods: slices.Clone(pods), tiles: make([]PodTile, len(pods))}
	var owners minReadyCache
	k := 0
	for i, o := range pods {
		for k < len(before.pods) && before.pods[k] != o && api.ByName(before.pods[k], o) < 0 {
			k++ // it is gone
		}
		if k < len(before.pods) && before.pods[k] == o {
			tile := before.tiles[k]
			k++
			if tile.State != PodReady && (tile.State != PodAvailable || owners.of(v, o.(*api.Pod)) == 0) {
				now.tiles[i] = tile
				continue
			}
		}
		now.tiles[i] = podTile(v, o.(*api.Pod), &owners, t)
	}
	p.tiled = now
	return now.tiles
}

// tiled caches the pods of the last call with their tiles: from one moment to the next, most pods do not change.
type tiled struct {
	pods  []api.Object
	tiles []PodTile
}

// Pod returns the pod namespace/name; ok is false if it does not exist.
func (p *Past) Pod(key string, record int, t int64) (tile PodTile, ok bool) {
	v := p.StateAfter(record)
	pod, ok := v.Get(named(api.KindPod, key)).(*api.Pod)
	if ok {
		tile = podTile(v, pod, &minReadyCache{}, t)
	}
	return tile, ok
}

func podTile(v *view, pod *api.Pod, owners *minReadyCache, t int64) PodTile {
	return PodTile{Key: podKey(pod), Set: SetOf(pod), Owner: pod.ControllerKey().Name, Node: pod.NodeName,
		State: StateOf(pod, owners.of(v, pod), t), Restarts: print.PodRestarts(pod)}
}

// SetOf returns the name of the ReplicaSet or ControllerRevision of a pod, "" for a pod without a controller.
func SetOf(pod *api.Pod) string {
	owner := pod.ControllerKey()
	switch owner.Kind {
	case "":
		return ""
	case api.KindReplicaSet:
		return owner.Name
	}
	return revisionName(owner.Kind, owner.Name, pod.Labels[api.ControllerRevisionHashLabel])
}

// revisionName returns the name of the ControllerRevision of a pod. The label of a StatefulSet's pod is that name (S-5), the
// label of a DaemonSet's pod only its hash (DS-9).
func revisionName(kind api.Kind, owner, label string) string {
	if kind == api.KindDaemonSet {
		return owner + "-" + label
	}
	return label
}

func podKey(pod *api.Pod) string { return pod.Namespace + "/" + pod.Name }

// named returns the key of the object namespace/name of a kind.
func named(kind api.Kind, name string) api.Key { return ParseKey(string(kind) + "/" + name) }

// minReadyCache keeps minReadySeconds of the last owner: in a list by name, the pods of an owner are adjacent.
type minReadyCache struct {
	owner   api.Key
	seconds int32
}

func (c *minReadyCache) of(v *view, pod *api.Pod) int32 {
	owner := pod.ControllerKey()
	if owner.Name == "" {
		return 0
	}
	if c.owner != owner {
		*c = minReadyCache{owner: owner}
		c.seconds = api.MinReadySecondsOf(v.Get(owner))
	}
	return c.seconds
}

// StateOf returns the state of a pod at a moment.
func StateOf(pod *api.Pod, minReadySeconds int32, now int64) PodState {
	switch {
	case pod.Finished():
		return PodFinished
	case pod.Terminating():
		return PodTerminating
	case pod.NodeName == "":
		return PodPending
	case pod.IsAvailable(minReadySeconds, now):
		return PodAvailable
	case pod.IsReady():
		return PodReady
	}
	return unreadyState(pod)
}

// unreadyState returns the worst state of the containers of a pod that is on a node and not ready.
func unreadyState(pod *api.Pod) PodState {
	state := PodRunning
	if len(pod.Status.ContainerStatuses) == 0 {
		state = PodCreating // its kubelet has not seen it yet
	}
	for i := range pod.Status.InitContainerStatuses {
		if c := &pod.Status.InitContainerStatuses[i].State; c.Kind != api.Terminated || c.ExitCode != 0 {
			state = worse(state, ContainerState(c))
		}
	}
	for i := range pod.Status.ContainerStatuses {
		state = worse(state, ContainerState(&pod.Status.ContainerStatuses[i].State))
	}
	return state
}

// worse returns the state that says more about the pod: an error, or else the earlier state.
func worse(a, b PodState) PodState {
	if a >= PodImageError || b >= PodImageError {
		return max(a, b)
	}
	return min(a, b)
}

// ContainerState returns the state of a pod as far as one of its containers decides it.
func ContainerState(s *api.ContainerState) PodState {
	switch {
	case s.Kind == api.Running:
		return PodRunning
	case s.Kind == api.Terminated || s.Reason == "CrashLoopBackOff":
		return PodCrashLoop
	case strings.Contains(s.Reason, "Image"):
		return PodImageError
	}
	return PodCreating
}

// LifeSegment is a part of a pod's life in which its state stayed the same.
type LifeSegment struct {
	From, To int64 // virtual ms
	State    PodState
	Record   int    // the record that began it; for availability, which comes with time, the record that made the pod ready
	Revision string // the pod's label controller-revision-hash; empty for a ReplicaSet's pod
}

// PodLife returns the life of the pod namespace/name, as far as the run is computed.
func (p *Past) PodLife(key string) []LifeSegment {
	changes := p.changesOf(named(api.KindPod, key))
	owned := func(c *sim.Change) bool { return c.Object().Meta().ControllerKey().Name != "" }
	if i := slices.IndexFunc(changes, owned); i >= 0 {
		changes = append(changes, p.changesOf(changes[i].Object().Meta().ControllerKey())...)
		slices.SortFunc(changes, func(a, b *sim.Change) int { return a.Record - b.Record })
	}
	var l life
	for _, c := range changes {
		l.take(c)
	}
	if l.pod != nil {
		l.until(max(p.Now(), l.since))
	}
	return l.segments
}

// changesOf returns the changes of an object, in order.
func (p *Past) changesOf(key api.Key) []*sim.Change {
	writes := p.Writes(key)
	changes := make([]*sim.Change, len(writes))
	for i, record := range writes {
		changes[i] = p.Change(int(record))
	}
	return changes
}

// life builds a pod's life from its changes and the changes of its owner's minReadySeconds.
type life struct {
	segments []LifeSegment
	pod      *api.Pod // its version from `since` on; nil while it does not exist
	minReady int32
	since    int64
	record   int
}

func (l *life) take(c *sim.Change) {
	switch o := c.Object().(type) {
	case *api.Pod:
		l.turn(c)
		l.pod, _ = c.New.(*api.Pod)
	default:
		seconds := api.MinReadySecondsOf(o)
		if c.New == nil {
			seconds = 0
		}
		if seconds != l.minReady {
			l.turn(c)
			l.minReady = seconds
		}
	}
}

// turn ends the current segment at a change.
func (l *life) turn(c *sim.Change) {
	if l.pod != nil && c.At > l.since {
		l.until(c.At)
	}
	l.since, l.record = c.At, c.Record
}

// until adds the segments up to a moment. A ready pod becomes available without a write, after minReadySeconds:
// ready at 4 s with minReadySeconds 5 gives Ready from 4 to 9 s, and Available from 9 s on.
func (l *life) until(to int64) {
	state := StateOf(l.pod, l.minReady, l.since)
	if at, ok := l.pod.AvailableAt(l.minReady); state == PodReady && ok && at < to {
		l.add(LifeSegment{l.since, at, PodReady, l.record, l.revision()})
		l.add(LifeSegment{at, to, PodAvailable, l.record, l.revision()})
		return
	}
	l.add(LifeSegment{l.since, to, state, l.record, l.revision()})
}

func (l *life) revision() string { return l.pod.Labels[api.ControllerRevisionHashLabel] }

func (l *life) add(s LifeSegment) {
	if n := len(l.segments); n > 0 && l.segments[n-1].State == s.State && l.segments[n-1].To == s.From && l.segments[n-1].Revision == s.Revision {
		l.segments[n-1].To = s.To
		return
	}
	l.segments = append(l.segments, s)
}

// RankedPod is a pod in the order of deletion.
type RankedPod struct {
	Key string // namespace/name
	Why string // why it precedes the next one: not ready; empty for the last
}

// DeletionOrder returns the pods of the ReplicaSet namespace/name in the order in which its controller would delete them at a
// moment after a record.
func (p *Past) DeletionOrder(replicaSet string, record int, t int64) []RankedPod {
	v := p.StateAfter(record)
	rs, _ := v.Get(named(api.KindReplicaSet, replicaSet)).(*api.ReplicaSet)
	if rs == nil {
		return nil
	}
	onNode := replicaset.PodsByNode(rs, slices.Values(v.All(api.KindReplicaSet)), slices.Values(v.All(api.KindPod)))
	ranked := replicaset.DeletionOrder(p.activeByBirth(v, rs), onNode, t)
	out := make([]RankedPod, len(ranked))
	for i := range ranked {
		out[i] = RankedPod{Key: podKey(ranked[i].Pod), Why: ranked[i].Why}
	}
	return out
}

// activeByBirth returns the active pods of a ReplicaSet in order of creation, as its controller lists them.
func (p *Past) activeByBirth(v *view, rs *api.ReplicaSet) []*api.Pod {
	pods := api.Pick(slices.Values(v.All(api.KindPod)), func(pod *api.Pod) bool { return pod.Active() && pod.IsControlledBy(rs.UID) })
	born := map[string]int{} // by UID
	for _, pod := range pods {
		born[pod.UID] = p.born(pod)
	}
	slices.SortFunc(pods, func(a, b *api.Pod) int { return born[a.UID] - born[b.UID] })
	return pods
}

// born returns the record in which a pod was created.
func (p *Past) born(pod *api.Pod) int {
	for _, record := range p.Writes(pod.Key()) {
		c := p.Change(int(record))
		if c.Type == sim.Added && c.New.Meta().UID == pod.UID {
			return int(record)
		}
	}
	return -1
}
