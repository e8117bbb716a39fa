package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/judge"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/sim"
)

// brokenLaws lists what no run may show, whatever its input: the laws of the trace, of the store, and of the frames.
func brokenLaws(run *Run) []string {
	var l laws
	if bug := run.Broken(); bug != "" {
		l.wrong("a panic ended the run: %s", bug)
	}
	l.trace(run)
	for i := range run.world.server.Store.Log {
		l.change(&run.world.server.Store.Log[i])
	}
	for _, name := range run.Workloads() {
		l.frames(run, name)
	}
	return l.broken
}

type laws struct {
	broken  []string
	version int64 // the last resourceVersion
	at      int64 // when the last change happened
}

const brokenMax = 20 // enough to see what is wrong

func (l *laws) wrong(format string, args ...any) {
	if len(l.broken) < brokenMax {
		l.broken = append(l.broken, fmt.Sprintf(format, args...))
	}
}

// trace: time never goes back, and what causes a record comes before it.
func (l *laws) trace(run *Run) {
	p := run.Past()
	for i := range run.Len() {
		r := p.Records()[i]
		if i > 0 && r.At < p.At(i-1) {
			l.wrong("record %d is at %d ms, the one before it at %d", i, r.At, p.At(i-1))
		}
		if cause := p.Cause(i); cause < -1 || cause >= i {
			l.wrong("record %d (%s) is caused by record %d", i, r.What, cause)
		}
		if r.Kind == sim.Write && p.Change(i).Record != i {
			l.wrong("record %d is the write of record %d", i, p.Change(i).Record)
		}
		if r.Kind == sim.Input && (r.Command == "" || r.Actor == "" || p.Transcript(i) == nil) {
			l.wrong("record %d is a command without a line, an actor or an answer: %+v", i, r)
		}
		if s := p.Sync(i); s != nil {
			l.sync(p, i, s)
		}
	}
}

// sync: a reconcile is woken by earlier records and ends within its ms.
func (l *laws) sync(p *past.Past, i int, s *past.Sync) {
	if s.Last < i || s.Last >= p.Len() || p.At(s.Last) != p.At(i) || s.Woken < 1 || len(s.Wakes) == 0 {
		l.wrong("the reconcile of record %d: %+v", i, s)
		return
	}
	for _, w := range s.Wakes {
		if w.Record >= i {
			l.wrong("the reconcile of record %d is woken by record %d", i, w.Record)
		}
	}
}

// change: versions rise, and each version of an object may follow the one before.
func (l *laws) change(c *sim.Change) {
	key := c.Object().Key()
	if c.At < l.at {
		l.wrong("%s changes at %d ms, after a change at %d", key, c.At, l.at)
	}
	l.at = c.At
	if c.New == nil {
		return
	}
	m := c.New.Meta()
	if m.ResourceVersion <= l.version {
		l.wrong("%s has resourceVersion %d after %d", key, m.ResourceVersion, l.version)
	}
	l.version = m.ResourceVersion
	if m.CreationTimestamp.Milli() > c.At || m.UID == "" {
		l.wrong("%s with UID %q is created at %d ms and stored at %d", key, m.UID, m.CreationTimestamp.Milli(), c.At)
	}
	if controllers := slices.DeleteFunc(slices.Clone(m.OwnerReferences), func(r api.OwnerReference) bool { return !r.Controller }); len(controllers) > 1 {
		l.wrong("%s has %d controllers: %+v", key, len(controllers), controllers)
	}
	if c.Old != nil {
		l.update(c.Old.Meta(), m, key)
	}
	if pod, ok := c.New.(*api.Pod); ok {
		old, _ := c.Old.(*api.Pod)
		l.pod(old, pod)
	}
	if wrong := negative(c.New); wrong != "" {
		l.wrong("%s: %s", key, wrong)
	}
}

// update: an object keeps its UID, and neither its generation nor its deletion go back.
func (l *laws) update(old, m *api.ObjectMeta, key api.Key) {
	if old.UID != m.UID || old.Generation > m.Generation || old.CreationTimestamp != m.CreationTimestamp {
		l.wrong("%s has UID %s, generation %d after %s, %d", key, m.UID, m.Generation, old.UID, old.Generation)
	}
	if old.Terminating() && !m.Terminating() {
		l.wrong("%s was being deleted, and is no longer", key)
	}
}

// pod: it stays on its node, ends once, and its containers never restart fewer times than before.
func (l *laws) pod(old, pod *api.Pod) {
	if old == nil {
		return
	}
	if old.NodeName != "" && old.NodeName != pod.NodeName {
		l.wrong("%s moves from %s to %s", pod.Key(), old.NodeName, pod.NodeName)
	}
	if old.Finished() && !pod.Finished() {
		l.wrong("%s was %s and is %s", pod.Key(), old.Status.Phase, pod.Status.Phase)
	}
	if restarts(pod) < restarts(old) {
		l.wrong("%s has restarted %d times after %d", pod.Key(), restarts(pod), restarts(old))
	}
	if a, b := old.ControllerOf(), pod.ControllerOf(); a != nil && b != nil && a.UID != b.UID {
		l.wrong("%s belongs to %s and then to %s", pod.Key(), a.Name, b.Name)
	}
}

func restarts(pod *api.Pod) (sum int32) {
	for i := range pod.Status.ContainerStatuses {
		sum += pod.Status.ContainerStatuses[i].RestartCount
	}
	return sum
}

// negative names the counts of a status that are below zero.
func negative(o api.Object) string {
	var counts []int32
	switch o := o.(type) {
	case *api.Deployment:
		s := &o.Status
		counts = []int32{*o.Spec.Replicas, s.Replicas, s.UpdatedReplicas, s.ReadyReplicas, s.AvailableReplicas, s.UnavailableReplicas}
	case *api.ReplicaSet:
		s := &o.Status
		counts = []int32{*o.Spec.Replicas, s.Replicas, s.FullyLabeledReplicas, s.ReadyReplicas, s.AvailableReplicas}
	case *api.StatefulSet:
		s := &o.Status
		counts = []int32{*o.Spec.Replicas, s.Replicas, s.ReadyReplicas, s.CurrentReplicas, s.UpdatedReplicas, s.AvailableReplicas}
	case *api.DaemonSet:
		s := &o.Status
		counts = []int32{s.CurrentNumberScheduled, s.NumberMisscheduled, s.DesiredNumberScheduled, s.NumberReady, s.UpdatedNumberScheduled, s.NumberAvailable, s.NumberUnavailable}
	case *api.PodDisruptionBudget:
		s := &o.Status
		counts = []int32{s.DisruptionsAllowed, s.CurrentHealthy, s.DesiredHealthy, s.ExpectedPods}
	}
	if len(counts) > 0 && slices.Min(counts) < 0 {
		return fmt.Sprintf("a negative count: %v", counts)
	}
	return ""
}

// frames: the counts are possible, and the judge explains each bound that does not hold.
func (l *laws) frames(run *Run, name string) {
	verdicts := judge.New(run.Past()).Verdicts(name)
	for _, v := range verdicts {
		if v.To < v.From || v.Text == "" || v.By == "" || v.Kind == judge.Exceeded && v.Rule == "" {
			l.wrong("%s: an incomplete verdict: %+v", name, v)
		}
	}
	frames := run.Frames(name)
	for i := range frames {
		f := &frames[i]
		if i > 0 && (f.T < frames[i-1].T || f.Record < frames[i-1].Record) {
			l.wrong("%s: frame %d at %d ms follows one at %d ms", name, i, f.T, frames[i-1].T)
		}
		if f.Total < 0 || f.Ready > f.Total || f.Available > f.Ready || f.Updated > f.Total || f.Terminating < 0 || f.Updated < 0 || f.Available < 0 || f.Desired < 0 {
			l.wrong("%s: impossible counts %+v", name, *f)
		}
		if f.Total > f.Upper && !explained(verdicts, f, "upper") {
			l.wrong("%s at %d ms: %d pods of at most %d, and no verdict", name, f.T, f.Total, f.Upper)
		}
		if f.Available < f.Lower && !explained(verdicts, f, "lower") && !leaving(run, name, f) {
			l.wrong("%s at %d ms: %d available of at least %d, and no verdict", name, f.T, f.Available, f.Lower)
		}
	}
}

// explained says whether a verdict about a bound holds at a frame.
func explained(verdicts []judge.Verdict, f *Frame, bound string) bool {
	return slices.ContainsFunc(verdicts, func(v judge.Verdict) bool { return v.Bound == bound && v.From <= f.T && v.To >= f.T })
}

// leaving says whether a workload is being deleted at a frame: it promises nothing then.
func leaving(run *Run, name string, f *Frame) bool {
	o := run.Past().ObjectAt(past.ParseKey(name), f.Record)
	return o == nil || o.Meta().Terminating()
}

// report is what a failed law prints: all that is needed to see it again.
func report(broken []string, rec Recording) string {
	return fmt.Sprintf("%s\n%s\n%+v", strings.Join(broken, "\n"), rec.Scenario, rec.Commands)
}
