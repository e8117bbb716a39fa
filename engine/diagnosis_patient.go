package engine

import (
	"slices"
	"sort"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/deployment"
	"github.com/rollplay/rollplay/engine/kubectl"
	"github.com/rollplay/rollplay/engine/sim"
)

// patient is a workload at a moment, with what a diagnosis asks about.
type patient struct {
	r      *Run
	key    api.Key
	record int
	t      int64

	d       *api.Deployment   // nil if there is none
	sets    []*api.ReplicaSet // its own, oldest first
	current *api.ReplicaSet   // of the present template; nil if there is none
	focus   *api.ReplicaSet   // whose pods decide: the current one, or else the youngest that has any
	pods    []podOf           // theirs, by name; those that are finished are left out
	quotas  []*api.ResourceQuota

	total, updated, available, going int  // pods; those that terminate are only in the last
	complete                         bool // D-62, in the status and in truth

	symptoms []*symptom
}

// podOf is a pod with its ReplicaSet and what it is doing.
type podOf struct {
	*api.Pod
	set   *api.ReplicaSet
	state PodState
}

// examine looks at a workload after a record, at a moment from there on.
func (r *Run) examine(workload string, record int, t int64) *patient {
	p := &patient{r: r, key: parseKey(workload), record: record, t: t}
	v := r.stateAfter(record)
	p.d, _ = v.get(p.key).(*api.Deployment)
	if p.d == nil {
		return p
	}
	for _, o := range v.all(api.KindReplicaSet) {
		if rs := o.(*api.ReplicaSet); rs.Namespace == p.key.Namespace && rs.IsControlledBy(p.d.UID) {
			p.sets = append(p.sets, rs)
		}
	}
	slices.SortStableFunc(p.sets, deployment.ByCreation)
	for _, rs := range p.sets {
		if p.current == nil && rs.Spec.Template.EqualIgnoreHash(&p.d.Spec.Template) {
			p.current = rs
		}
		if *rs.Spec.Replicas > 0 {
			p.focus = rs
		}
	}
	if p.current != nil {
		p.focus = p.current
	}
	for _, o := range v.all(api.KindPod) {
		p.takePod(o.(*api.Pod))
	}
	for _, o := range v.all(api.KindResourceQuota) {
		if q := o.(*api.ResourceQuota); q.Namespace == p.key.Namespace {
			p.quotas = append(p.quotas, q)
		}
	}
	p.complete = p.isComplete()
	return p
}

// takePod takes up a pod if it is one of the workload's.
func (p *patient) takePod(pod *api.Pod) {
	ref := pod.ControllerOf()
	if ref == nil || pod.Namespace != p.key.Namespace || pod.Finished() {
		return
	}
	for _, rs := range p.sets {
		if rs.UID != ref.UID {
			continue
		}
		state := podState(pod, rs.Spec.MinReadySeconds, p.t)
		p.pods = append(p.pods, podOf{pod, rs, state})
		if state == PodTerminating {
			p.going++
			return
		}
		p.total++
		if rs == p.current {
			p.updated++
		}
		if state == PodAvailable {
			p.available++
		}
	}
}

func (p *patient) isComplete() bool {
	s, desired := &p.d.Status, int(*p.d.Spec.Replicas)
	return p.current != nil && s.ObservedGeneration >= p.d.Generation &&
		int(s.UpdatedReplicas) == desired && int(s.Replicas) == desired && int(s.AvailableReplicas) == desired &&
		p.total == desired && p.updated == desired && p.available == desired
}

// podsIn returns the pods of the focused ReplicaSet that are in one of some states.
func (p *patient) podsIn(states ...PodState) (list []podOf) {
	for _, pod := range p.pods {
		if pod.set == p.focus && slices.Contains(states, pod.state) {
			list = append(list, pod)
		}
	}
	return list
}

// rolling says whether pods of several templates are asked for.
func (p *patient) rolling() bool {
	for _, rs := range p.sets {
		if rs != p.current && *rs.Spec.Replicas > 0 {
			return true
		}
	}
	return false
}

// sizes adds up the sizes of the ReplicaSets.
func (p *patient) sizes() (sum int) {
	for _, rs := range p.sets {
		sum += int(*rs.Spec.Replicas)
	}
	return sum
}

// life calls a function for each version of a pod so far, with the one before it; nil before the first.
func (p *patient) life(pod *api.Pod, each func(before, now *api.Pod, at int64)) {
	log := p.r.world.server.Store.Log
	for _, record := range p.r.writes(pod.Key()) {
		if int(record) > p.record {
			return
		}
		c := &log[p.r.records()[record].Change]
		if now, _ := c.New.(*api.Pod); now != nil && now.UID == pod.UID {
			before, _ := c.Old.(*api.Pod)
			each(before, now, c.At)
		}
	}
}

// segment returns what a condition says, nil if it never said anything.
func (p *patient) segment(conditionType string) *Segment {
	for _, strip := range p.r.Conditions(p.key.String()) {
		if strip.Type != conditionType {
			continue
		}
		if i := sort.Search(len(strip.Segments), func(k int) bool { return strip.Segments[k].Record > p.record }); i > 0 {
			return &strip.Segments[i-1]
		}
	}
	return nil
}

// frameAfter returns the index of the frame that holds after a record, -1 if there is none yet.
func frameAfter(frames []Frame, record int) int {
	return sort.Search(len(frames), func(k int) bool { return frames[k].Record > record }) - 1
}

// ago writes how long ago a moment was, as kubectl would.
func (p *patient) ago(at int64) string { return kubectl.Age(max(0, p.t-at)) }

// left writes how long it is until a moment, rounded up.
func (p *patient) left(at int64) string { return kubectl.Age(max(0, at-p.t+999) / 1000 * 1000) }

// revisionName returns "revision 2", or the name of a ReplicaSet that has no revision yet.
func revisionName(rs *api.ReplicaSet) string {
	if text := rs.Annotations[api.RevisionAnnotation]; text != "" {
		return "revision " + text
	}
	return "ReplicaSet " + rs.Name
}

// podsOfRevision returns "3 pods of revision 2".
func podsOfRevision(n int, rs *api.ReplicaSet) string {
	return plural(n, "pod") + " of " + revisionName(rs)
}

// inputs are the records of commands, as far as the trace has been read.
type inputs struct {
	records int
	list    []int32
}

// lastInput returns the last command at or before a record, -1 if there is none.
func (r *Run) lastInput(record int) int {
	in := &r.inputs
	for records := r.records(); in.records < len(records); in.records++ {
		if records[in.records].Kind == sim.Input {
			in.list = append(in.list, int32(in.records))
		}
	}
	if n := sort.Search(len(in.list), func(k int) bool { return int(in.list[k]) > record }); n > 0 {
		return int(in.list[n-1])
	}
	return none
}
