package past

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/frames"
)

// Lane is the sequence of pods at one place of a workload: at an ordinal of a StatefulSet, or on a node of a DaemonSet.
type Lane struct {
	Name     string // db-0, or node-1; if an update surges, a second lane of the node has the same name
	Segments []LaneSegment
}

// LaneSegment is a stretch of a pod's life.
type LaneSegment struct {
	LifeSegment
	Pod      string // its name
	Set      string // its ControllerRevision, as an RSFrame names it
	Revision int    // revision number at the start; an undo renumbers it; 0 if it was deleted
}

// Lanes returns the lanes of a StatefulSet, from the highest ordinal down, which is the order of an update, or of a
// DaemonSet by node name; at most `most` places. A Deployment has no lanes.
func (p *Past) Lanes(workload string, most int) (lanes []Lane) {
	o := p.source.Counts.Object(workload)
	if o == nil || o.Key().Kind == api.KindDeployment {
		return nil
	}
	owner, frames := o.Key(), p.Frames(workload)
	for _, pod := range firstPlaces(p.indexed().pods[o.Meta().UID], most, owner.Kind == api.KindStatefulSet) {
		var segments []LaneSegment
		for _, s := range p.PodLife(pod.key.Namespace + "/" + pod.key.Name) {
			set := revisionName(owner.Kind, owner.Name, s.Revision)
			segments = append(segments, LaneSegment{LifeSegment: s, Pod: pod.key.Name, Set: set, Revision: revisionAt(frames, s.Record, set)})
		}
		if len(segments) > 0 {
			lanes = intoLane(lanes, pod.place(), segments)
		}
	}
	return lanes
}

// revisionAt returns the number of a revision after a record, or its first number if it appears later.
func revisionAt(frames []frames.Frame, record int, set string) int {
	for i := max(0, FrameAfter(frames, record)); i < len(frames); i++ {
		if rs := frames[i].ReplicaSet(set); rs != nil {
			return rs.Revision
		}
	}
	return 0
}

// firstPlaces returns the pods of the first `most` places in order; pods of one place are in order of creation.
func firstPlaces(pods []placed, most int, fromTheEnd bool) []placed {
	pods = slices.Clone(pods)
	slices.SortStableFunc(pods, func(a, b placed) int {
		if fromTheEnd {
			a, b = b, a
		}
		return comparePlaces(a.place(), b.place())
	})
	places := 0
	for i := range pods {
		if i == 0 || pods[i].place() != pods[i-1].place() {
			if places++; places > most {
				return pods[:i]
			}
		}
	}
	return pods
}

// place returns the node of a daemon pod, or the name of another pod.
func (p *placed) place() string { return cmp.Or(p.node, p.key.Name) }

// intoLane puts a life into the first lane of its place that is free when it begins, or into a new lane.
func intoLane(lanes []Lane, place string, life []LaneSegment) []Lane {
	for i := range lanes {
		if l := &lanes[i]; l.Name == place && l.Segments[len(l.Segments)-1].To <= life[0].From {
			l.Segments = append(l.Segments, life...)
			return lanes
		}
	}
	return append(lanes, Lane{Name: place, Segments: life})
}

// comparePlaces orders names; a number at the end counts as a number.
func comparePlaces(a, b string) int {
	stemA, a2 := OrdinalOf(a)
	stemB, b2 := OrdinalOf(b)
	return cmp.Or(strings.Compare(stemA, stemB), cmp.Compare(a2, b2))
}

// OrdinalOf splits db-12 into db and 12; the ordinal is -1 if the name has none.
func OrdinalOf(name string) (stem string, ordinal int) {
	i := strings.LastIndexByte(name, '-')
	if n, err := strconv.Atoi(name[i+1:]); err == nil && i >= 0 {
		return name[:i], n
	}
	return name, -1
}

// placed is a pod that ever belonged to a workload, with the node that a DaemonSet created it for.
type placed struct {
	key  api.Key
	node string
}

// PartitionStep is the partition of a StatefulSet from a moment on: updates touch only ordinals from the partition up.
type PartitionStep struct {
	T         int64
	Record    int
	Partition int
}

// Partition returns the partition of a StatefulSet over time; nil for other workloads, or if it was always 0.
func (p *Past) Partition(workload string) (steps []PartitionStep) {
	for _, c := range p.changesOf(ParseKey(workload)) {
		set, ok := c.New.(*api.StatefulSet)
		if !ok {
			continue
		}
		partition := set.Partition()
		if n := len(steps); n == 0 || steps[n-1].Partition != partition {
			steps = append(steps, PartitionStep{c.At, c.Record, partition})
		}
	}
	if len(steps) == 1 && steps[0].Partition == 0 {
		return nil
	}
	return steps
}
