package check

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
)

// run plays the update with a seed.
func (s *setting) run(seed int, library *scenario.Library) {
	r, _ := engine.StartIn(library, engine.Recording{Scenario: s.long.Text(seed), Commands: s.changes})
	if r == nil {
		return // prepare has started the same text
	}
	f := forecast.New(r.Past())
	r.AdvancePast(s.at, math.MaxInt)
	moves := func() bool { return sweep.Moves(r, s.unfinished(f)...) }
	sweep.Play(r, func() bool { return s.over(r, f) }, moves)
	o := outcome{End: r.Now(), Refused: s.refusedNow(r.Past()), Rollouts: map[string]forecast.Rollout{}, Stuck: map[string]diagnosis.Finding{}}
	if o.Cut = r.Cut(); o.Cut == "" && r.Done() && moves() {
		o.Cut = "It takes longer than " + roughly(r.Now()-s.at) + ", after which the simulation ends."
	}
	for _, key := range s.updated {
		name := key.String()
		if x := s.updateOf(f, name); x != nil && s.judges(key) {
			o.Rollouts[name] = *x
			if x.Result != forecast.Complete {
				o.Stuck[name] = causeOf(r.Past(), name)
			}
		}
	}
	o.noteRoom(r, s.at)
	if seed == 0 {
		r.AdvancePast(s.at+1000, math.MaxInt) // an update of budgets alone is over before their controller has seen it
		o.noteBudgets(r, s.budgets)
	}
	s.ask(r, &o)
	if r.Ended() == engine.Stopped {
		return
	}
	s.runs[seed] = o
}

// roughly writes the time that a run had for an update: a day, unless what is deployed took hours itself.
func roughly(ms int64) string {
	const hour = 60 * 60 * 1000
	if ms > 23*hour {
		return "a day"
	}
	return words.Plural(int(ms/hour), "hour")
}

// causeOf returns the most important cause in the diagnosis of a workload at the end of a run. That the update was refused, perhaps
// because of another object, is no cause: it has a finding of its own.
func causeOf(p *past.Past, name string) diagnosis.Finding {
	d := diagnosis.Of(p, name, p.Len()-1, p.Now())
	for _, f := range d.Findings {
		if f.ID != "refused" {
			return f
		}
	}
	return diagnosis.Finding{Text: d.Title}
}

// unfinished lists the updated workloads that are not complete, or whose pods still terminate.
func (s *setting) unfinished(f *forecast.Forecast) (names []string) {
	for _, key := range s.updated {
		if x := s.updateOf(f, key.String()); x != nil && !x.Done() && x.Deadline < 0 {
			names = append(names, key.String())
		}
	}
	return names
}

// over reports whether every updated workload is complete again, or has just its pods if it was only scaled, and no pod terminates.
func (s *setting) over(r *engine.Run, f *forecast.Forecast) bool {
	return !slices.ContainsFunc(s.updated, func(key api.Key) bool {
		name := key.String()
		if x := s.updateOf(f, name); x != nil {
			return !f.Quiet(name) || !x.Done()
		}
		frames := r.Frames(name)
		if len(frames) == 0 {
			return false
		}
		last := &frames[len(frames)-1]
		return last.Available != last.Desired || last.Total != last.Desired || last.Terminating > 0
	})
}

// updateOf returns the rollout that the update began, or nil.
func (s *setting) updateOf(f *forecast.Forecast, name string) *forecast.Rollout {
	list := f.Rollouts(name)
	if i := slices.IndexFunc(list, func(r forecast.Rollout) bool { return r.Start >= s.at }); i >= 0 {
		return &list[i]
	}
	return nil
}

// allowed is what a budget allows at the end of a run.
type allowed struct {
	Allowed, Healthy, Wanted, Expected int    // pods, as its status counts them
	Selected, Left                     int    // pods that it selects, and those that a drain leaves alone: a DaemonSet has them
	Fails                              string // why its sync fails
	Node                               string // with the most of the other pods
	Pods                               int    // on that node
}

// noteBudgets keeps what each budget allows at the end of a run.
func (o *outcome) noteBudgets(r *engine.Run, budgets []api.Key) {
	o.Budgets = map[string]allowed{}
	p, last := r.Past(), r.Len()-1
	for _, key := range budgets {
		pdb, _ := p.ObjectAt(key, last).(*api.PodDisruptionBudget)
		if pdb == nil {
			continue
		}
		now := &pdb.Status
		b := allowed{Allowed: int(now.DisruptionsAllowed), Healthy: int(now.CurrentHealthy), Wanted: int(now.DesiredHealthy), Expected: int(now.ExpectedPods)}
		if c := api.FindCondition(now.Conditions, api.DisruptionAllowed); c != nil && c.Reason == api.SyncFailed {
			b.Fails = c.Message
		}
		on := map[string]int{}
		for _, x := range p.Objects(api.KindPod, last) {
			pod := x.(*api.Pod)
			if pod.Namespace != key.Namespace || !pdb.Spec.Selector.Matches(pod.Labels) {
				continue
			}
			b.Selected++
			if pod.ControllerKey().Kind == api.KindDaemonSet {
				b.Left++
			} else if pod.NodeName != "" && !pod.Terminating() {
				on[pod.NodeName]++
			}
		}
		for _, node := range slices.Sorted(maps.Keys(on)) {
			if on[node] > b.Pods {
				b.Node, b.Pods = node, on[node]
			}
		}
		o.Budgets[key.String()] = b
	}
}

// drained is the result of a drain.
type drained struct {
	Tried   bool
	Node    string // "" if there was nothing to drain
	Done    bool
	Took    int64
	Refused int
	Says    string // the last line of kubectl, if it is not done
}

// usualDrain is the timeout of a drain in s, if its pods may take the usual 30 s to stop.
const usualDrain = 600

// drainTimeout is the timeout of a drain: 600 s, which is of the same order as those of cluster autoscalers and upgrades, and the time that
// the pods of the node may take to stop beyond the usual 30 s. A budget may let them go one by one.
func (s *setting) drainTimeout(pods int) (seconds int64) {
	grace := int64(30)
	for _, key := range s.updated {
		grace = max(grace, api.TemplateOf(s.now.Object(key)).Spec.TerminationGracePeriodSeconds)
	}
	return usualDrain + int64(pods)*(min(grace, 24*60*60)-30)
}

// drainLatest is how long after the update a drain begins that does not wait for a rollout, in ms.
const drainLatest = 10 * 60 * 1000

// drain drains the node with the most pods of a budget, after the update of the first seed.
func (s *setting) drain(budget int, library *scenario.Library) {
	first := &s.runs[0]
	now := first.Budgets[s.budgets[budget].String()]
	d := drained{Tried: true, Node: now.Node}
	if d.Node == "" {
		s.drains[budget] = d
		return
	}
	at := min(first.End, s.at+drainLatest)/1000*1000 + 7000
	rec, timeout := s.recording(0), s.drainTimeout(now.Pods)
	if timeout > usualDrain {
		rec.Scenario = s.long.Text(0)
	}
	rec.Commands = append(slices.Clone(rec.Commands), engine.Command{At: at,
		Run: fmt.Sprintf("kubectl drain %s --ignore-daemonsets --delete-emptydir-data --force --timeout=%ds", d.Node, timeout)})
	r, _ := engine.StartIn(library, rec)
	if r == nil {
		return // run has started the same text
	}
	for done := false; !done && !d.Done; d.read(r.Past(), at) {
		done = r.Advance(1 << 9)
	}
	if r.Ended() != engine.Stopped {
		s.drains[budget] = d
	}
}

// read looks for the end of a drain that began at a moment.
func (d *drained) read(p *past.Past, at int64) {
	records := p.Records()
	d.Refused = 0
	for i := p.Find(at-1) + 1; i < len(records); i++ {
		if r := records[i]; r.Why != nil && r.Why.Rule == "P-12" {
			d.Refused++
		}
		for _, line := range p.Printed(i) {
			if d.Says = line.Text; strings.HasSuffix(line.Text, " drained") {
				d.Done, d.Took = true, p.At(i)-at
				return
			}
		}
	}
}

// Changed lists the workloads that the update of the first seed rolls out.
func (c *Check) Changed() (names []string) {
	for _, key := range c.updated {
		if s := c.settings[0]; len(s.runs) == 0 {
			return nil
		} else if _, ok := s.runs[0].Rollouts[key.String()]; ok {
			names = append(names, key.String())
		}
	}
	return names
}

// Shown returns the stretch of time that shows the update of the first seed.
func (c *Check) Shown() (from, to int64) {
	at := c.settings[0].at
	to = at + 1000
	for _, x := range c.settings[0].runs[0].Rollouts {
		to = max(to, x.End)
	}
	margin := max(1000, (to-at)/20)
	return max(0, at-margin), to + margin
}
