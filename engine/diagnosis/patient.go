package diagnosis

import (
	"cmp"
	"slices"
	"sort"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/words"
)

// patient is a workload at a moment, with its pods, for the checks.
type patient struct {
	past   *past.Past
	key    api.Key
	record int
	t      int64

	o       api.Object      // nil if it does not exist
	d       *api.Deployment // o as a Deployment; nil for a StatefulSet or a DaemonSet
	desired int             // how many pods the spec wants
	sets    []*generation   // the workload's; ReplicaSets oldest first
	current *generation     // of the present template; nil if there is none
	focus   *generation     // of a Deployment, whose pods decide: the current one, or else the newest with any; of others all decide
	pods    []podOf         // of all sets, by name, without finished pods
	quotas  []*api.ResourceQuota

	total, updated, available int  // pods, without terminating ones
	complete                  bool // D-62, by the status and by the pods

	symptoms []*symptom
}

// generation is the pods of one template at that moment.
type generation struct {
	frames.Group
	minReady int32
	size     int // of a ReplicaSet
	ready    int // available pods: by the status of a ReplicaSet, counted for a revision
}

// podOf is a pod with its generation and state.
type podOf struct {
	*api.Pod
	set   *generation
	state past.PodState
}

// examine collects the input of the checks: a workload after a record, at a moment from then on.
func examine(of *past.Past, workload string, record int, t int64) *patient {
	p := &patient{past: of, key: past.ParseKey(workload), record: record, t: t}
	if p.o = of.ObjectAt(p.key, record); p.o == nil || !frames.IsWorkload(p.key.Kind) {
		p.o = nil
		return p
	}
	p.d, _ = p.o.(*api.Deployment)
	p.takeGroups()
	if i := past.FrameAfter(of.Frames(workload), record); i >= 0 {
		p.desired = of.Frames(workload)[i].Desired
	}
	for _, o := range p.past.Objects(api.KindPod, p.record) {
		breath.Often()
		p.takePod(o.(*api.Pod))
	}
	quotas := slices.Values(p.past.Objects(api.KindResourceQuota, p.record))
	p.quotas = api.Pick(quotas, func(q *api.ResourceQuota) bool { return q.Namespace == p.key.Namespace })
	p.complete = p.isComplete()
	return p
}

// takeGroups collects the ReplicaSets of a Deployment, or the revisions of a StatefulSet or a DaemonSet, oldest first, and finds the one of
// the present template.
func (p *patient) takeGroups() {
	kind := api.KindControllerRevision
	if p.d != nil {
		kind = api.KindReplicaSet
	}
	for _, o := range p.past.Objects(kind, p.record) {
		if m := o.Meta(); m.Namespace != p.key.Namespace || !m.IsControlledBy(p.o.Meta().UID) {
			continue
		}
		g := &generation{}
		switch o := o.(type) {
		case *api.ReplicaSet:
			g.Group, g.size, g.ready = frames.OfSet(o), int(*o.Spec.Replicas), int(o.Status.AvailableReplicas)
		case *api.ControllerRevision:
			g.Group = frames.OfRevision(o)
		}
		g.minReady = g.MinReadySeconds(p.o)
		p.sets = append(p.sets, g)
	}
	slices.SortStableFunc(p.sets, func(a, b *generation) int { return frames.ByBirth(&a.Group, &b.Group) })
	var found *frames.Group
	for _, g := range p.sets {
		if g.size > 0 {
			p.focus = g
		}
		if g.Replaces(found, api.TemplateOf(p.o)) {
			p.current, found = g, &g.Group
		}
	}
	p.focus = cmp.Or(p.current, p.focus)
}

// takePod adds a pod if it belongs to the workload.
func (p *patient) takePod(pod *api.Pod) {
	i := slices.IndexFunc(p.sets, func(g *generation) bool { return g.Has(pod, p.o.Meta().UID) })
	if i < 0 || pod.Namespace != p.key.Namespace || pod.Finished() {
		return
	}
	set := p.sets[i]
	state := past.StateOf(pod, set.minReady, p.t)
	p.pods = append(p.pods, podOf{pod, set, state})
	if state == past.PodTerminating {
		return
	}
	p.total++
	if set == p.current {
		p.updated++
	}
	if state == past.PodAvailable {
		p.available++
		if set.Set == nil {
			set.ready++
		}
	}
}

func (p *patient) isComplete() bool {
	w, ok := p.o.(api.Workload)
	if !ok || p.current == nil || w.ObservedGeneration() < w.Meta().Generation {
		return false
	}
	if ds, ok := w.(*api.DaemonSet); ok { // a pod on a lost node counts neither as available nor as desired (DS-6)
		return statesComplete(ds) && p.available >= p.desired && p.updated >= p.desired
	}
	if p.total != p.desired || p.available != p.desired {
		return false
	}
	switch o := w.(type) {
	case *api.Deployment:
		s := &o.Status
		return p.updated == p.desired && int(s.UpdatedReplicas) == p.desired && int(s.Replicas) == p.desired &&
			int(s.AvailableReplicas) == p.desired
	case *api.StatefulSet:
		return p.updated >= p.desired-p.held(o)
	}
	return false
}

// statesComplete says whether a DaemonSet's status is that of a complete rollout, for kubectl too.
func statesComplete(ds *api.DaemonSet) bool {
	s := &ds.Status
	return min(s.UpdatedNumberScheduled, s.NumberAvailable) >= s.DesiredNumberScheduled
}

// held returns how many pods of a StatefulSet the update skips: those below the partition (S-17).
func (p *patient) held(set *api.StatefulSet) int {
	return min(p.desired, set.Partition())
}

// podsIn returns the pods that decide (see focus) and are in one of some states.
func (p *patient) podsIn(states ...past.PodState) []podOf {
	return p.podsWhere(func(pod podOf) bool { return (pod.set == p.focus || p.d == nil) && slices.Contains(states, pod.state) })
}

// podsWhere returns the pods for which something holds.
func (p *patient) podsWhere(holds func(podOf) bool) []podOf {
	return slices.DeleteFunc(slices.Clone(p.pods), func(pod podOf) bool { return !holds(pod) })
}

// rolling says whether a set other than the current one still has a size.
func (p *patient) rolling() bool {
	return slices.ContainsFunc(p.sets, func(rs *generation) bool { return rs != p.current && rs.size > 0 })
}

// sizes adds up the sizes of the ReplicaSets.
func (p *patient) sizes() (sum int) {
	for _, rs := range p.sets {
		sum += rs.size
	}
	return sum
}

// segment returns the segment of a condition at the moment, nil if the condition never existed.
func (p *patient) segment(conditionType string) *past.Segment {
	for _, strip := range p.past.Conditions(p.key.String()) {
		if strip.Type != conditionType {
			continue
		}
		i := sort.Search(len(strip.Segments), func(k int) bool { return strip.Segments[k].Record > p.record })
		return &strip.Segments[i-1] // the first one begins with the workload
	}
	return nil
}

// ago writes how long ago a moment was, as kubectl would.
func (p *patient) ago(at int64) string { return print.Age(max(0, p.t-at)) }

// left writes how long it is until a moment, rounded up.
func (p *patient) left(at int64) string { return print.Age(max(0, at-p.t+999) / 1000 * 1000) }

// revisionName returns "revision 2", or the name of a ReplicaSet that has no revision yet; a generation may not exist yet.
func (g *generation) revisionName() string {
	switch {
	case g == nil:
		return "a new template"
	case g.Number > 0:
		return "revision " + strconv.Itoa(g.Number)
	}
	return "ReplicaSet " + g.Name
}

// podsOfRevision returns "3 pods of revision 2".
func podsOfRevision(n int, g *generation) string {
	return words.Plural(n, "pod") + " of " + g.revisionName()
}

// podsOfAny is podsOfRevision for pods that may be of several revisions.
func podsOfAny(pods []podOf) string {
	if slices.ContainsFunc(pods, func(pod podOf) bool { return pod.set != pods[0].set }) {
		return words.Plural(len(pods), "pod")
	}
	return podsOfRevision(len(pods), pods[0].set)
}
