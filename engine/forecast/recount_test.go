package forecast_test

import (
	"flag"
	"math"
	"slices"
	"sort"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/daemon"
	"github.com/rollplay/rollplay/engine/controllers/statefulset"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/scenarios"
)

var scenarioCount = flag.Int("scenarios", 200, "random scenarios whose scorecards are counted again; 1000 for a thorough run")

// TestLessonsAreCountedAgain counts every figure of every lesson again, from the objects in the trace.
func TestLessonsAreCountedAgain(t *testing.T) {
	cards := 0
	for _, name := range scenarios.Names() {
		if r, _ := engine.Start(engine.Recording{Scenario: scenarios.Text(name)}); r != nil {
			cards += compare(t, name, r.Finish())
		}
	}
	if t.Logf("%d scorecards", cards); cards < 100 {
		t.Errorf("only %d scorecards", cards)
	}
}

// TestRandomScenariosAreCountedAgain does the same for random scenarios with commands at random moments.
func TestRandomScenariosAreCountedAgain(t *testing.T) {
	cards, results, measured := 0, map[forecast.Result]int{}, map[string]bool{}
	seeds := []uint64{229, 361} // what happens to the requests of pods whose ReplicaSet changes hands is rare
	for seed := range uint64(*scenarioCount) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		rec := randomRecording(seed)
		r, diagnostics := engine.Start(rec)
		if r == nil {
			t.Fatalf("seed %d: %v\n%s", seed, diagnostics, rec.Scenario)
		}
		cards += compare(t, rec.Scenario, r.Finish())
		f := forecast.New(r.Past())
		for _, w := range r.Workloads() {
			overall, _ := f.Overall(w)
			for _, x := range append([]forecast.Rollout{{Figures: overall}}, f.Rollouts(w)...) { // drains are in no rollout
				results[x.Result]++
				for _, m := range forecast.Known(false) {
					measured[m.Name] = measured[m.Name] || m.Of(&x) != 0
				}
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d:\n%s%v", seed, rec.Scenario, rec.Commands)
		}
	}
	t.Logf("%d scorecards: %v", cards, results)
	for _, m := range forecast.Known(false) {
		if !measured[m.Name] {
			t.Errorf("%s is 0 in every scorecard", m.Name)
		}
	}
	for _, result := range []forecast.Result{forecast.Complete, forecast.Superseded, forecast.Unfinished, forecast.Deleted} {
		if results[result] == 0 {
			t.Errorf("no rollout is %s", result)
		}
	}
}

// compare counts the rollouts of a run again and returns their number.
func compare(t *testing.T, name string, r *engine.Run) (cards int) {
	t.Helper()
	f := forecast.New(r.Past())
	for _, w := range r.Workloads() {
		got, want := f.Rollouts(w), recount(r, w)
		for i := range want {
			if i < len(got) && got[i] != want[i] {
				t.Errorf("%s: rollout %d:\n got %+v\nwant %+v", name, i, got[i], want[i])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %s has %d rollouts, counted again %d", name, w, len(got), len(want))
		}
		cards += len(want)
		if got, _ := f.Overall(w); got != recountOverall(r, w) {
			t.Errorf("%s: %s overall:\n got %+v\nwant %+v", name, w, got, recountOverall(r, w))
		}
	}
	return cards
}

// moment is a workload after one change, counted from the objects.
type moment struct {
	t      int64
	record int // after which it holds
	object api.Object

	desired, lower, total, updated, available, terminating int
	cpu, memory                                            int64
	nodes                                                  int64
	created                                                bool // the record created one of its pods
	refused                                                bool
	up                                                     bool // the workload has had an available pod
}

func (m *moment) complete() bool {
	partition := 0
	if set, ok := m.object.(*api.StatefulSet); ok {
		partition = set.Partition()
	}
	return m.object != nil && m.total == m.desired && m.available == m.desired && m.updated+partition >= m.desired
}

// recount computes the scorecards of a workload from nothing but the objects in the trace.
func recount(r *engine.Run, workload string) []forecast.Rollout {
	moments := momentsOf(r, workload)
	starts := startsOf(r, workload, moments)
	for i := range starts {
		x := &starts[i]
		first := sort.Search(len(moments), func(k int) bool { return moments[k].record >= x.Record })
		after := moments[first:]
		if i+1 < len(starts) {
			next := starts[i+1].Record
			after = after[:sort.Search(len(after), func(k int) bool { return after[k].record >= next })]
			x.Result, x.End = forecast.Superseded, starts[i+1].Start
		} else {
			x.Result, x.End = forecast.Unfinished, r.Now()
		}
		before := api.Object(nil)
		if first > 0 {
			before = moments[first-1].object
		}
		finish(x, after, before)
	}
	return starts
}

// startsOf finds the writes that begin rollouts.
func startsOf(r *engine.Run, workload string, moments []moment) (list []forecast.Rollout) {
	p := r.Past()
	var rolled *api.PodTemplateSpec
	var uid string
	partition, done := 0, false
	for k := range moments {
		m := &moments[k]
		w, _ := m.object.(api.Workload)
		rec := p.Records()[m.record]
		if w != nil && rec.Kind == engine.Write && rec.Object.String() == workload && p.At(m.record) == m.t {
			if w.Meta().UID != uid {
				rolled, uid, partition = nil, w.Meta().UID, 0
			}
			d, _ := w.(*api.Deployment)
			cause := forecast.Cause("")
			set, _ := w.(*api.StatefulSet)
			switch {
			case d != nil && d.Spec.Paused:
			case rolled == nil:
				cause = forecast.Created
			case !rolled.Equal(w.Template()):
				cause = forecast.Template
			case set != nil && done && set.Partition() < partition && !m.complete() && m.updated < m.desired-set.Partition():
				cause = forecast.Partition
			}
			if d == nil || !d.Spec.Paused {
				rolled = w.Template()
			}
			if set != nil {
				partition = set.Partition()
			}
			if cause != "" {
				done = false
				x := forecast.Rollout{Workload: workload, Record: m.record, Start: m.t, Cause: cause, By: rec.Actor, Deadline: -1}
				if rec.Cause >= 0 {
					x.Command = p.Records()[rec.Cause].Command
				}
				list = append(list, x)
			}
		}
		done = done || len(list) > 0 && m.complete()
	}
	return list
}

// finish fills in a rollout from the moments since its start, the last of which lasts until end.
func finish(x *forecast.Rollout, after []moment, before api.Object) {
	limit := x.End // of everything that is counted
	deadline := func(o api.Object) bool {
		d, ok := o.(*api.Deployment)
		if !ok {
			return false
		}
		c := api.FindCondition(d.Status.Conditions, "Progressing")
		return c != nil && c.Reason == "ProgressDeadlineExceeded"
	}
	ended := len(after) // the first moment that is no longer part of it
	for k := range after {
		m := &after[k]
		gone := k > 0 && (m.object == nil || m.object.Meta().UID != after[0].object.Meta().UID)
		if gone || m.complete() {
			x.Result, x.End, ended = forecast.Complete, m.t, k
			if gone {
				x.Result = forecast.Deleted
			}
			break
		}
		if x.Deadline < 0 && deadline(m.object) && !deadline(before) {
			x.Deadline = m.t
		}
		before = m.object
	}
	if x.Deadline >= 0 && x.Result == forecast.Unfinished {
		x.Result = forecast.DeadlineExceeded
	}
	tail := ended // pods that still terminate when it is complete
	if x.Result == forecast.Complete {
		for tail < len(after) && after[tail].terminating > 0 {
			tail++
		}
	}
	if x.End == x.Start { // it took no time, so it has the numbers of its end
		last := &after[max(0, min(ended, len(after)-1))]
		if last.desired > 0 {
			x.Lowest, x.LowestOf, x.LowestAt = last.available, last.desired, x.Start
		}
		x.PeakPods, x.PeakAt, x.PeakCPU, x.PeakMemory = last.total+last.terminating, x.Start, last.cpu, last.memory
	}
	sumUp(&x.Figures, after, ended, tail, limit)
}

// sumUp counts the moments before tail, the last of which lasts until limit. From ended on, only what they cost counts.
func sumUp(x *forecast.Figures, moments []moment, ended, tail int, limit int64) {
	worst := math.Inf(1)
	for k := range moments[:tail] {
		m, until := &moments[k], limit
		if k+1 < len(moments) {
			until = moments[k+1].t
		}
		ms := until - m.t
		if k < ended && m.created {
			x.Created++
		}
		if k < ended && m.refused {
			x.Refused++
		}
		if ms <= 0 {
			continue
		}
		if m.total+m.terminating > x.PeakPods {
			x.PeakPods, x.PeakAt = m.total+m.terminating, m.t
		}
		x.PeakCPU, x.PeakMemory = max(x.PeakCPU, m.cpu), max(x.PeakMemory, m.memory)
		if extra := m.total + m.terminating - m.desired; extra > 0 {
			x.ExtraPodMs += int64(extra) * ms
		}
		x.NodeMs += m.nodes * ms
		if k >= ended {
			continue
		}
		if m.available < m.desired {
			x.BelowDesired += ms
		}
		if m.available < m.lower {
			x.BelowBound += ms
		}
		if m.available == 0 && m.desired > 0 && m.up {
			x.AtZero += ms
		}
		if share := float64(m.available) / float64(m.desired); m.desired > 0 && share < worst {
			worst, x.Lowest, x.LowestOf, x.LowestAt = share, m.available, m.desired, m.t
		}
	}
}

// recountOverall counts from the moment at which a rollout was first complete.
func recountOverall(r *engine.Run, workload string) (x forecast.Figures) {
	moments := momentsOf(r, workload)
	for _, rollout := range recount(r, workload) {
		if rollout.Result != forecast.Complete {
			continue
		}
		for k := range moments {
			if m := &moments[k]; m.record >= rollout.Record && m.t >= rollout.End && m.complete() {
				rest := slices.Clone(moments[k:])
				rest[0].created, rest[0].refused = false, false // it happened when the rollout was not complete yet
				sumUp(&x, rest, len(rest), len(rest), r.Now())
				return x
			}
		}
	}
	return x
}

// momentsOf counts the pods of a workload after every record and at every moment at which one of them becomes available.
func momentsOf(r *engine.Run, workload string) (list []moment) {
	c := &counting{r: r, workload: workload, objects: map[api.Key]api.Object{}, sets: map[string]*api.ReplicaSet{}}
	records := r.Past().Records()
	for i := range records {
		rec := records[i]
		for _, t := range c.availabilities(rec.At) {
			c.now = t
			list = append(list, c.count(t, i-1))
		}
		m := moment{}
		switch {
		case rec.Kind == engine.Write:
			change := r.Past().Change(i)
			if c.objects[rec.Object] = change.New; change.New == nil {
				delete(c.objects, rec.Object)
			}
			if rs, ok := change.Object().(*api.ReplicaSet); ok {
				c.sets[rs.UID] = rs
			}
			c.now = rec.At
			c.forget()
			m = c.count(rec.At, i)
			pod, ok := change.New.(*api.Pod)
			m.created = ok && change.Old == nil && c.setOf(pod) != nil
		case rec.Kind == engine.Decision && rec.Actor == "kube-apiserver" && rec.Object.Kind == api.KindPod:
			pod, ok := c.objects[rec.Object].(*api.Pod)
			m = c.count(rec.At, i)
			m.refused = ok && c.setOf(pod) != nil
		default:
			continue
		}
		if list = append(list, m); c.known == nil && m.object == nil {
			list = list[:0] // it does not exist yet
		}
	}
	for _, t := range c.availabilities(r.Now() + 1) {
		list = append(list, c.count(t, len(records)-1))
	}
	return list
}

// counting is the objects at a moment.
type counting struct {
	r        *engine.Run
	workload string
	objects  map[api.Key]api.Object
	sets     map[string]*api.ReplicaSet // by UID; the pods of one that is gone still count
	known    api.Object                 // the last version of the workload
	now      int64
	uid      string // of the last count
	up       bool
	last     moment
}

// forget drops the ReplicaSets that are gone and have no pods: whatever they still create is no longer the workload's.
func (c *counting) forget() {
	for uid, rs := range c.sets {
		if o := c.objects[rs.Key()]; o != nil && o.Meta().UID == uid {
			continue
		}
		left := false
		for _, o := range c.objects {
			pod, ok := o.(*api.Pod)
			left = left || ok && !pod.Finished() && pod.IsControlledBy(uid)
		}
		if !left {
			delete(c.sets, uid)
		}
	}
}

// availabilities returns the moments before one, after the last change, at which pods become available.
func (c *counting) availabilities(before int64) (list []int64) {
	for _, o := range c.objects {
		pod, ok := o.(*api.Pod)
		if !ok || c.setOf(pod) == nil {
			continue
		}
		at, ready := pod.AvailableAt(c.minReady(pod))
		if ready && at > c.now && at < before && !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return list
}

func (c *counting) minReady(pod *api.Pod) int32 {
	return api.MinReadySecondsOf(c.setOf(pod))
}

// setOf returns the owner of a pod, if it is the workload or belongs to it.
func (c *counting) setOf(pod *api.Pod) api.Object {
	ref := pod.ControllerOf()
	if ref == nil {
		return nil
	}
	if rs := c.sets[ref.UID]; rs != nil {
		if up := rs.ControllerOf(); up == nil || !c.isWorkload(up.Kind, rs.Namespace, up.Name, up.UID) {
			return nil
		}
		return rs
	}
	if c.isWorkload(ref.Kind, pod.Namespace, ref.Name, ref.UID) {
		return c.known
	}
	return nil
}

func (c *counting) isWorkload(kind api.Kind, namespace, name, uid string) bool {
	key := api.Key{Kind: kind, Namespace: namespace, Name: name}
	if o := c.objects[key]; o != nil && key.String() == c.workload {
		c.known = o
	}
	return key.String() == c.workload && c.known != nil && c.known.Meta().UID == uid
}

// count counts everything.
func (c *counting) count(t int64, record int) (m moment) {
	m.t, m.record = t, record
	for key, o := range c.objects {
		if key.String() == c.workload {
			m.object, c.known = o, o
		}
	}
	m.promise(c)
	for _, o := range c.objects {
		if o.Key().Kind == api.KindNode {
			m.nodes++
		}
		pod, ok := o.(*api.Pod)
		if !ok || pod.Finished() {
			continue
		}
		set := c.setOf(pod)
		if set == nil {
			continue
		}
		cpu, memory := pod.Spec.Requests("cpu"), pod.Spec.Requests("memory")
		m.cpu, m.memory = m.cpu+cpu.Milli(), m.memory+memory.Value()
		if pod.Terminating() {
			m.terminating++
			continue
		}
		m.total++
		if pod.IsAvailable(api.MinReadySecondsOf(set), t) {
			m.available++
		}
		if m.object != nil && c.hasTemplate(pod, set, m.object) {
			m.updated++
		}
	}
	if m.object == nil || m.object.Meta().UID != c.uid {
		c.up, c.uid, c.last.available = false, "", 0
	}
	if m.object != nil {
		c.uid = m.object.Meta().UID
	}
	c.up = c.up || t > c.last.t && c.last.available > 0
	m.up, c.last = c.up, m
	return m
}

// promise computes the desired count and the lower bound from the spec.
func (m *moment) promise(c *counting) {
	switch o := m.object.(type) {
	case *api.Deployment:
		m.desired = int(*o.Spec.Replicas)
		if u := o.Spec.Strategy.RollingUpdate; o.Spec.Strategy.Type == api.RollingUpdate && m.desired > 0 {
			down, up := scaled(u.MaxUnavailable, m.desired, math.Floor), scaled(u.MaxSurge, m.desired, math.Ceil)
			if down == 0 && up == 0 {
				down = 1
			}
			m.lower = m.desired - min(down, m.desired)
		}
	case *api.StatefulSet:
		m.desired = int(*o.Spec.Replicas)
		m.lower = max(0, m.desired-statefulset.Bound(o, c.r.Scenario().Minor))
	case *api.DaemonSet:
		for _, n := range c.objects {
			if node, ok := n.(*api.Node); ok {
				if run, _ := daemon.NodeShouldRunDaemonPod(o, node); run {
					m.desired++
				}
			}
		}
		_, down := daemon.Bounds(o, m.desired)
		if o.Spec.UpdateStrategy.Type == api.OnDelete {
			down = 0
		}
		m.lower = max(0, m.desired-down)
	}
}

func scaled(v *api.IntOrString, of int, round func(float64) float64) int {
	if v.IsString {
		return int(round(float64(v.Scaled(100, false)) * float64(of) / 100))
	}
	return int(v.Scaled(int32(of), false))
}

// hasTemplate says whether a pod has the present template of its workload: by its ReplicaSet, the oldest of those that match,
// or by the newest ControllerRevision that does.
func (c *counting) hasTemplate(pod *api.Pod, set, workload api.Object) bool {
	template := api.TemplateOf(workload)
	if rs, ok := set.(*api.ReplicaSet); ok {
		for _, o := range c.objects {
			other, ok := o.(*api.ReplicaSet)
			if ok && other.UID != rs.UID && other.IsControlledBy(workload.Meta().UID) && other.Spec.Template.EqualIgnoreHash(template) &&
				(other.CreationTimestamp < rs.CreationTimestamp || other.CreationTimestamp == rs.CreationTimestamp && other.Name < rs.Name) {
				return false
			}
		}
		return rs.Spec.Template.EqualIgnoreHash(template)
	}
	var newest *api.ControllerRevision
	for _, o := range c.objects {
		rev, ok := o.(*api.ControllerRevision)
		if ok && rev.IsControlledBy(workload.Meta().UID) && rev.Template.Equal(template) && (newest == nil || rev.Revision > newest.Revision) {
			newest = rev
		}
	}
	if newest == nil {
		return false
	}
	label := newest.Name
	if workload.Key().Kind == api.KindDaemonSet {
		label = newest.Labels[api.ControllerRevisionHashLabel]
	}
	return pod.Labels[api.ControllerRevisionHashLabel] == label
}
