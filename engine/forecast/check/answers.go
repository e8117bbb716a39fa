package check

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/daemon"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
)

// answers are the answers about a workload in a setting, with what its seeds show.
type answers struct {
	*setting
	key    api.Key
	n      Numbers
	sent   requests          // of the seed in which the largest share of them fails
	late   bool              // the progress deadline passed in a seed
	cut    string            // why a run ended while the workload was not complete, "" if none did
	soon   int64             // ms from the update until then, of the run in which that took the least
	stuck  diagnosis.Finding // why it is stuck in one of the seeds
	never  bool              // a probe never passes, which no run shows
	rules  rules
	limits Limits
	list   []Finding
}

// read adds up the seeds: the worst of each figure, and percentiles of the duration.
func (s *setting) read(key api.Key) *answers {
	a := &answers{setting: s, key: key, n: Numbers{Object: key.Title(), Result: forecast.Complete}, sent: s.asked(key), soon: math.MaxInt64}
	n, before := &a.n, int(replicasOf(s.old, key))
	var durations []int64
	for i := range s.runs {
		o := &s.runs[i]
		x, ok := o.Rollouts[key.String()]
		if o.Cut != "" && x.Result != forecast.Complete {
			a.cut, a.soon = cmp.Or(a.cut, o.Cut), min(a.soon, o.End-s.at)
		}
		if !ok {
			continue
		}
		n.New = x.Cause == forecast.Created
		one := Numbers{Changed: true, Outage: x.AtZero, PeakPods: x.PeakPods, PeakCPU: x.PeakCPU, PeakMemory: x.PeakMemory, Result: x.Result}
		if !n.New {
			one.Lowest, one.LowestOf = x.Lowest, x.LowestOf
			if before > 0 && before < x.LowestOf { // nobody misses the pods that a scale-up adds
				one.Lowest, one.LowestOf = min(x.Lowest, before), before
			}
		}
		if n.add(&one); x.Result == forecast.Complete {
			durations = append(durations, x.Duration())
		}
		if a.stuck.Text == "" {
			a.stuck = o.Stuck[key.String()]
		}
		a.late = a.late || x.Deadline >= 0
	}
	slices.Sort(durations)
	n.Failed, n.Requests = a.sent.Failed, a.sent.All
	n.P50, n.P95 = percentile(durations, len(s.runs), 50), percentile(durations, len(s.runs), 95)
	if key.Kind == api.KindDaemonSet && s.assumed > 0 && n.P50 > 0 {
		d := s.now.Object(key).(*api.DaemonSet)
		parts, share := int64(s.assumed), func(v *api.IntOrString) bool { return v != nil && v.IsString }
		n.Per = "node"
		if of := d.Spec.UpdateStrategy.RollingUpdate; of != nil && (share(of.MaxSurge) || share(of.MaxUnavailable)) {
			surge, down := daemon.Bounds(d, s.assumed)
			at := int64(max(surge, down)) // of more nodes, a share is more at a time
			n.Per, parts = "batch", (parts+at-1)/at
		}
		if n.P50 /= parts; n.P95 != -1 {
			n.P95 /= parts
		}
	}
	return a
}

// findNever looks for a probe that never passes, and makes the figures those of a rollout that does not finish. In a run the command of every
// probe succeeds.
func (a *answers) findNever() {
	for _, x := range api.TemplateOf(a.now.Object(a.key)).Spec.Tree().Items("containers") {
		for _, probe := range []string{"startupProbe", "readinessProbe"} {
			command := strings.Join(x.Object(probe).Object("exec").Texts("command"), " ")
			if n := &a.n; n.Changed && fails.MatchString(command) {
				a.never, a.stuck.Text = true, "The "+probe+" of container "+x.Text("name")+" never passes."
				n.Lowest, n.LowestOf, n.Outage, n.Failed, n.Requests = 0, 0, 0, 0, 0
				n.P50, n.P95, n.Result = -1, -1, forecast.Unfinished
			}
		}
	}
}

// percentile returns the duration within which some percent of n seeds finish, from the sorted durations of those that do; -1 if too few do.
func percentile(durations []int64, n, percent int) int64 {
	i := (n*percent+99)/100 - 1
	if i >= len(durations) {
		return -1
	}
	return durations[i]
}

// judge answers the questions about the workload.
func (a *answers) judge() []Finding {
	o, why := a.now.Object(a.key), a.unready[a.key.String()]
	a.rules, a.limits = rulesOf(o), a.input.Policy.of(o)
	switch {
	case why.Text != "" && a.old == "":
		f := a.add("completes", a.rules.complete, "It never becomes available, not even before the update. "+why.Text, "", "")
		f.Verdict = a.stuckVerdict(f, &why)
	case !a.n.Changed && a.held(a.key):
		a.add("completes", "D-25", "It is paused: nothing is rolled out until somebody resumes it.", "", "").Verdict = Fail
	case !a.n.Changed && a.releases():
		a.add("completes", a.rules.complete, "It replaces the pods that "+heldBy(a.was.Object(a.key))+" has left at an earlier template. "+
			"Whether there are any is not known.", "", "").Verdict = Unknown
	case !a.n.Changed:
		a.add("completes", a.rules.complete, "The update does not change its pod template, so nothing is rolled out.", "", "")
	case a.never:
		a.completes()
	default:
		a.completes()
		if why.Text == "" {
			a.available()
		}
		a.duration()
		a.needs()
		a.room()
		a.requests()
	}
	return a.list
}

// heldBack returns how many pods of a workload an update leaves alone, heldBy what does. A Deployment or DaemonSet leaves all or none: 1 or 0.
func heldBack(o api.Object) (n int) {
	all := false
	switch o := o.(type) {
	case *api.StatefulSet:
		if n = int(*o.Spec.Replicas); o.Spec.UpdateStrategy.Type != api.OnDelete {
			n = min(n, o.Partition())
		}
	case *api.DaemonSet:
		all = o.Spec.UpdateStrategy.Type == api.OnDelete
	case *api.Deployment:
		all = o.Spec.Paused
	}
	if all {
		n = 1
	}
	return n
}

func heldBy(o api.Object) string {
	if set, ok := o.(*api.StatefulSet); ok && set.Spec.UpdateStrategy.Type != api.OnDelete {
		return fmt.Sprintf("the partition of %d", set.Partition())
	}
	if o.Key().Kind == api.KindDeployment {
		return "the pause"
	}
	return "OnDelete"
}

// releases reports whether the update no longer leaves all pods alone that what is deployed now has.
func (a *answers) releases() bool {
	was := a.was.Object(a.key)
	return was != nil && heldBack(was) > heldBack(a.now.Object(a.key))
}

// held reports whether the update changes the template of a Deployment that is paused.
func (s *setting) held(key api.Key) bool {
	d, ok := s.now.Object(key).(*api.Deployment)
	if !ok || !d.Spec.Paused || s.old == "" {
		return ok && d.Spec.Paused
	}
	was := s.was.Object(key)
	return was != nil && !api.TemplateOf(was).Equal(&d.Spec.Template)
}

// stuckVerdict returns the verdict on a workload that is stuck: nodes that are only assumed do not decide, nor what a LimitRange may add. On no
// nodes a pod of a DaemonSet finds a port of its node free while the old one is there.
func (a *answers) stuckVerdict(f *Finding, why *diagnosis.Finding) Verdict {
	limiter, depends := a.limitRange(a.key.Namespace), ""
	beside := a.key.Kind == api.KindDaemonSet && len(a.unready) == 0 && strings.Contains(why.Text, "didn't have free ports")
	switch {
	case a.assumed > 0 && why.ID == "unschedulable" && !beside:
		depends = "the nodes, which are assumed; give them with --nodes"
	case strings.Contains(why.Text, "ErrImageNeverPull"):
		depends = "the images that the nodes have"
	case limiter != "" && strings.Contains(why.Text, "failed quota: "):
		depends = limiter + ", which is not modelled"
	default:
		f.Rule = cmp.Or(why.Rule, f.Rule)
		return Fail
	}
	f.Text = "It depends on " + depends + ". " + f.Text
	return Unknown
}

// homeless reports whether a pod fits none of the nodes that are only assumed.
func (s *setting) homeless() bool {
	lacks := func(f diagnosis.Finding) bool { return f.ID == "unschedulable" }
	return s.assumed > 0 && (slices.ContainsFunc(slices.Collect(maps.Values(s.unready)), lacks) ||
		slices.ContainsFunc(slices.Collect(maps.Values(s.runs[0].Stuck)), lacks))
}

// add adds an answer that passes, until somebody says otherwise.
func (a *answers) add(check, rule, text, value, limit string) *Finding {
	a.list = append(a.list, Finding{Check: check, Verdict: Pass, Object: a.n.Object, Rule: rule, Text: text, Value: value, Limit: limit,
		Line: a.line(a.key)})
	return &a.list[len(a.list)-1]
}

// completes answers whether the rollout finishes, and in time.
func (a *answers) completes() {
	rule := a.rules.complete
	switch {
	case a.cut != "":
		a.add("completes", rule, "It is not known whether the rollout finishes. "+a.cut, string(a.n.Result), "").Verdict = Unknown
	case a.n.Result != forecast.Complete:
		f := a.add("completes", rule, "The rollout does not finish. "+a.stuck.Text, string(a.n.Result), "")
		f.Verdict = a.stuckVerdict(f, &a.stuck)
	case a.late:
		a.add("completes", "D-64", "The rollout exceeds its progress deadline before it finishes, so kubectl rollout status fails.",
			string(forecast.DeadlineExceeded), "").Verdict = Fail
	default:
		f := a.add("completes", rule, "The rollout finishes.", string(a.n.Result), "")
		if o := a.now.Object(a.key); !a.n.New && heldBack(o) > 0 {
			f.Text += fmt.Sprintf(" But %s leaves %s at the earlier template.", heldBy(o), words.Plural(heldBack(o), "pod"))
			if a.n.LowestOf > 0 && heldBack(o) >= a.n.LowestOf {
				f.Verdict, f.Text = Fail, fmt.Sprintf("No pod gets the new template: %s leaves all %d alone.", heldBy(o), heldBack(o))
			}
		}
	}
}

// available answers how low the availability goes, and for how long there is none.
func (a *answers) available() {
	n, limits := &a.n, &a.limits
	// The share of a DaemonSet's pods depends on how many nodes there are, unless it loses all of them.
	guess := a.key.Kind == api.KindDaemonSet && a.assumed > 0 && n.Outage == 0
	if n.LowestOf > 0 {
		low := fmt.Sprintf("%d of %d", n.Lowest, n.LowestOf)
		text := fmt.Sprintf("Lowest availability: %s (%d%%). %s", low, n.Lowest*100/n.LowestOf, a.rules.why)
		if int64(n.LowestOf) < replicasOf(a.new, a.key) {
			text += " Pods that a scale-up adds do not count."
		}
		f := a.add("available", a.rules.available, text, low, limits.MinAvailable)
		switch {
		case below(limits.MinAvailable, n) && guess:
			f.Verdict, f.Text = Unknown, "It depends on the number of nodes; give them with --nodes. "+text
		case below(limits.MinAvailable, n):
			f.Verdict = Fail
		case limits.MinAvailable == "" && !guess && n.Lowest > 0 && 2*n.Lowest < n.LowestOf:
			f.Level = Warning
		}
	}
	if limit, given := durationOf(limits.MaxOutage); given || n.Outage > 0 {
		outage := seconds(n.Outage)
		f := a.add("outage", a.rules.available, "Time with 0 available: "+outage+".", outage, limits.MaxOutage)
		switch {
		case n.Outage > limit && (given || n.LowestOf > 1):
			f.Verdict = Fail
		case n.Outage > limit:
			f.Level = Warning
		}
	}
}

// duration answers how long the rollout takes.
func (a *answers) duration() {
	n, limits := &a.n, &a.limits
	limit, given := durationOf(limits.MaxDuration)
	if n.P95 < 0 && !given {
		return
	}
	text := fmt.Sprintf("Duration: %s in the middle, %s for 95 %% of %s.", n.Took(n.P50), n.Took(n.P95), words.Plural(len(a.runs), "seed"))
	f := a.add("duration", a.rules.complete, text, n.Took(n.P95), limits.MaxDuration)
	switch slow := n.P95 > limit || n.Result != forecast.Complete; {
	case !given:
	case a.cut != "" && (n.Per != "" || a.soon <= limit):
		f.Verdict = Unknown
	case slow:
		f.Verdict = Fail
	case n.Per != "":
		f.Verdict, f.Text = Unknown, "It depends on the number of nodes; give them with --nodes. "+text
	}
}

// needs answers how many pods there are at once, and what they request.
func (a *answers) needs() {
	n, limits := &a.n, &a.limits
	judge := func(check, rule, text, value, limit string, bad bool) {
		if f := a.add(check, rule, text, value, limit); bad {
			f.Verdict = Fail
		}
	}
	judge("pods", a.rules.peak, fmt.Sprintf("At most %s at once, terminating ones included.", words.Plural(n.PeakPods, "pod")),
		strconv.Itoa(n.PeakPods), limits.MaxPods, over(limits.MaxPods, api.NewQuantity(int64(n.PeakPods))))
	if cpu := api.NewMilliQuantity(n.PeakCPU); n.PeakCPU > 0 || limits.MaxCPU != "" {
		judge("cpu", "G-30b", "They request cpu "+cpu.String()+" at the peak.", cpu.String(), limits.MaxCPU, over(limits.MaxCPU, cpu))
	}
	if bytes := words.Bytes(n.PeakMemory); n.PeakMemory > 0 || limits.MaxMemory != "" {
		judge("memory", "G-30b", "They request memory "+bytes+" at the peak.", bytes, limits.MaxMemory,
			over(limits.MaxMemory, api.NewQuantity(n.PeakMemory)))
	}
}

// judgeBudget reports whether nodes can be drained.
func (s *setting) judgeBudget(i int, key api.Key) Finding {
	d, f := &s.drains[i], Finding{Check: "drain", Verdict: Pass, Object: key.Title(), Rule: "P-6", Line: s.line(key), Limit: "1"}
	if !d.Tried || len(s.runs) == 0 {
		f.Verdict, f.Text = Unknown, "No drain was tried before the time or the memory was used up."
		return f
	}
	now := s.runs[0].Budgets[key.String()]
	f.Value = strconv.Itoa(now.Allowed)
	switch {
	case now.Selected == 0:
		return s.idle(f, s.now.Object(key).(*api.PodDisruptionBudget))
	case now.Selected == now.Left && now.Fails != "":
		f.Check, f.Level, f.Rule, f.Value, f.Limit = "budget", Note, "P-7", "", ""
		f.Text = "A drain leaves its pods alone, as they are of a DaemonSet, and an eviction is always refused: " + now.Fails + "."
	case now.Selected == now.Left:
		f.Text = "A drain leaves its pods alone, as they are of a DaemonSet."
	case now.Allowed == 0 && now.Expected > 0 && !d.Done:
		f.Verdict = Fail
		f.Text = fmt.Sprintf("The budget blocks every drain: %d healthy − %d that must be healthy = %d.",
			now.Healthy, now.Wanted, now.Healthy-now.Wanted)
	case d.Node != "" && !d.Done:
		f.Verdict, f.Rule = Fail, "P-21"
		if strings.Contains(d.Says, "more than one PodDisruptionBudget") {
			f.Rule = "P-10"
		}
		f.Text = fmt.Sprintf("%s does not succeed within %ds: %s", now.drain(), s.drainTimeout(now.Pods), d.Says)
	default:
		f.Text = fmt.Sprintf("%s of %d may be evicted at once.", words.Plural(now.Allowed, "pod"), now.Expected)
		if d.Done {
			f.Text += fmt.Sprintf(" %s takes %s, with %s.", now.drain(), seconds(d.Took), words.Plural(d.Refused, "refused eviction"))
		}
	}
	switch {
	case s.input.Policy.of(s.now.Object(key)).Drainable == "false":
		f.Verdict = Pass
	case f.Verdict == Fail && s.homeless():
		f.Verdict, f.Text = Unknown, "It depends on the nodes, which are assumed; give them with --nodes. "+f.Text
	}
	return f
}

// idle is the finding about a budget that selects no pod of the run.
func (s *setting) idle(f Finding, budget *api.PodDisruptionBudget) Finding {
	titles := mapped(selected(s.now.Objects, budget.Namespace, budget.Spec.Selector), func(o api.Object) string { return o.Key().Title() })
	var other []string
	for _, d := range documentsOf(s.input.New) {
		key, template := keyOf(d), d.Object("spec").Object("template")
		if template == nil {
			template = d.Object("spec").Object("jobTemplate").Object("spec").Object("template")
		}
		if key.Namespace == budget.Namespace && template != nil && !slices.Contains(titles, key.Title()) &&
			budget.Spec.Selector.Matches(template.Object("metadata").TextMap("labels")) {
			other = append(other, key.Title())
		}
	}
	switch {
	case s.hidesPods():
		f.Verdict, f.Text = Unknown, "It may select pods of what the API server refuses."
	case len(other) > 0:
		f.Verdict, f.Text = Unknown, "It selects pods of "+words.Some(other)+", which are not simulated."
	case len(titles) > 0:
		f.Text = "No drain was tried: " + words.Some(titles) + words.Verb(len(titles), " has", " have") + " no pod."
	default:
		return Finding{Check: "budget", Verdict: Pass, Level: Note, Object: f.Object, Rule: "P-2", Line: s.markLine(budget.Key(), "spec.selector"),
			Field: "spec.selector", Text: "The budget selects no pod of these manifests."}
	}
	return f
}

// drain describes the drain that is tried.
func (a *allowed) drain() string {
	return fmt.Sprintf("A drain of %s, the node with the most of its pods (%d),", a.Node, a.Pods)
}

// below reports whether the lowest availability breaks a limit: 75% of the desired pods, or 3 pods.
func below(limit string, n *Numbers) bool {
	want, err := strconv.Atoi(strings.TrimSuffix(limit, "%"))
	switch {
	case err != nil:
		return false
	case strings.HasSuffix(limit, "%"):
		return n.Lowest*100 < want*n.LowestOf
	}
	return n.Lowest < want
}

// over reports whether an amount exceeds a limit.
func over(limit string, amount api.Quantity) bool {
	most, err := api.ParseQuantity(limit)
	return err == nil && amount.Cmp(most) > 0
}

func durationOf(limit string) (ms int64, given bool) {
	ms, err := scenario.ParseDuration(limit)
	return ms, limit != "" && err == nil
}

func seconds(ms int64) string { return forecast.Millis.Text(ms) }
