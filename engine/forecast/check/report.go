package check

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
)

// Verdict is the result of one question, or of all.
type Verdict string

// The verdicts. Unknown: something that is not modelled decides.
const (
	Pass    Verdict = "pass"
	Unknown Verdict = "unknown"
	Fail    Verdict = "fail"
)

// Finding is the answer to one question about an object. It needs attention if it has a level.
type Finding struct {
	Check   string  `json:"check"` // the ID of one of the Rules
	Verdict Verdict `json:"verdict"`
	Level   Level   `json:"level,omitempty"` // an error fails; a warning or a note passes, or is unknown
	Object  string  `json:"object"`          // deployment/web
	Rule    string  `json:"rule,omitempty"`  // of Kubernetes, as the page "How accurate is this?" lists them
	Text    string  `json:"text"`
	Value   string  `json:"value,omitempty"`
	Limit   string  `json:"limit,omitempty"`
	File    string  `json:"file,omitempty"`   // that was read, as a person named it; the caller of this package knows it
	Source  string  `json:"source,omitempty"` // the template that helm names
	Field   string  `json:"field,omitempty"`  // spec.template.spec.terminationGracePeriodSeconds, if one field is to blame
	Line    int     `json:"line"`             // of the field, or else of the object, in the new manifests; 0 if it is not there

	Accepted *Acceptance `json:"accepted,omitempty"` // why it does not count, nil if it counts
}

// Numbers are the figures of one workload over all seeds.
type Numbers struct {
	Object     string          `json:"object"`
	Changed    bool            `json:"changed"` // the update rolls it out
	Refused    bool            `json:"refused,omitempty"`
	Lowest     int             `json:"lowest"`
	LowestOf   int             `json:"lowestOf"`
	Outage     int64           `json:"outage"` // ms, of the worst seed
	P50        int64           `json:"p50"`    // ms; -1 if half of the seeds do not finish
	P95        int64           `json:"p95"`
	PeakPods   int             `json:"peakPods"`
	PeakCPU    int64           `json:"peakCPU"`
	PeakMemory int64           `json:"peakMemory"`
	Failed     int64           `json:"failed"`   // requests of the worst seed
	Requests   int64           `json:"requests"` // 0 if no Service selects its pods
	Result     forecast.Result `json:"result"`
}

// Report is the judgement.
type Report struct {
	Verdict  Verdict   `json:"verdict"`
	Numbers  []Numbers `json:"workloads"`
	Findings []Finding `json:"findings"`
	Assumed  []string  `json:"assumed"`           // assumptions behind the figures
	Ignores  []Ignore  `json:"ignores,omitempty"` // what annotations of the manifests say
	Notes    []string  `json:"notes,omitempty"`
	Seeds    int       `json:"seeds"`
}

// Report returns the verdict on the seeds that were played without a gap. If others are missing, the verdict is unknown at best.
func (c *Check) Report() *Report {
	r := &Report{Verdict: Pass, Findings: c.notModelled(), Assumed: c.assumptions()}
	if n := slices.IndexFunc(c.runs, func(o outcome) bool { return o.rollouts == nil }); n >= 0 {
		text := fmt.Sprintf("%d of %s were played before the time or the memory was used up.", n, words.Plural(len(c.runs), "seed"))
		r.Findings = append(r.Findings, Finding{Check: "modelled", Verdict: Unknown, Level: Warning, Object: "all workloads", Text: text})
		if c.runs = c.runs[:n]; n == 0 {
			r.Verdict = Unknown
			return r
		}
	}
	r.Seeds = len(c.runs)
	refused, objects := c.refused()
	r.Findings = append(append(r.Findings, refused...), c.missing()...)
	for _, key := range c.updated {
		n := c.numbers(key)
		n.Refused = objects[key]
		r.Numbers = append(r.Numbers, n)
		if !n.Refused || n.Changed {
			r.Findings = append(r.Findings, c.judge(key, &n)...)
		}
	}
	for i, key := range c.budgets {
		r.Findings = append(r.Findings, c.judgeBudget(i, key))
	}
	for i := range r.Findings {
		r.Findings[i].weigh()
	}
	c.ignore(r)
	r.settle()
	return r
}

func rank(v Verdict) int { return slices.Index([]Verdict{Pass, Unknown, Fail}, v) }

func weight(l Level) int { return slices.Index([]Level{"", Note, Warning, Error}, l) }

// weigh makes the level of a finding agree with its verdict: an error fails and nothing else does.
func (f *Finding) weigh() {
	switch f.Verdict {
	case Fail:
		f.Level = Error
	case Unknown:
		f.Level = Warning
	}
}

// Label is the word before a finding: its verdict, or the level of an answer that passes with one.
func (f *Finding) Label() string {
	if f.Accepted != nil {
		return "accepted"
	}
	if f.Verdict == Pass && f.Level != "" {
		return string(f.Level)
	}
	return string(f.Verdict)
}

// numbers adds up the seeds: the worst of each figure, and percentiles of the duration.
func (c *Check) numbers(key api.Key) Numbers {
	n := Numbers{Object: workloadName(key), Result: forecast.Complete}
	var durations []int64
	for i := range c.runs {
		x, ok := c.runs[i].rollouts[key.String()]
		if !ok {
			continue
		}
		n.Changed = true
		if x.LowestOf > 0 && (n.LowestOf == 0 || x.Lowest*n.LowestOf < n.Lowest*x.LowestOf) {
			n.Lowest, n.LowestOf = x.Lowest, x.LowestOf
		}
		n.Outage, n.PeakPods = max(n.Outage, x.AtZero), max(n.PeakPods, x.PeakPods)
		n.PeakCPU, n.PeakMemory = max(n.PeakCPU, x.PeakCPU), max(n.PeakMemory, x.PeakMemory)
		if x.Result != forecast.Complete {
			n.Result = x.Result
			continue
		}
		durations = append(durations, x.Duration())
	}
	slices.Sort(durations)
	asked := c.asked(key)
	n.Failed, n.Requests = asked.failed, asked.all
	n.P50, n.P95 = percentile(durations, len(c.runs), 50), percentile(durations, len(c.runs), 95)
	return n
}

// percentile returns the duration of some percent of n seeds, given those that finish in order: -1 if so many do not.
func percentile(durations []int64, n, percent int) int64 {
	i := (n*percent+99)/100 - 1
	if i >= len(durations) {
		return -1
	}
	return durations[i]
}

// judge answers the questions about a workload.
func (c *Check) judge(key api.Key, n *Numbers) (list []Finding) {
	add := func(check, rule string, bad bool, text, value, limit string) {
		f := Finding{Check: check, Verdict: Pass, Object: n.Object, Rule: rule, Text: text, Value: value, Limit: limit, Line: c.line(key)}
		if bad {
			f.Verdict = Fail
		}
		list = append(list, f)
	}
	rules, limits := rulesOf(c.object(key)), c.input.Policy.of(c.object(key))
	if why := c.unready[key.String()]; why != "" && c.input.Old == "" {
		add("completes", rules.complete, true, "It never becomes available, not even before the update. "+why, "", "")
		return list
	}
	cut := c.cut(key)
	if !n.Changed && cut == "" {
		add("completes", rules.complete, false, "The update does not change its pod template, so nothing is rolled out.", "", "")
		return list
	}
	if cut != "" {
		add("completes", rules.complete, false, "It is not known whether the rollout finishes. "+cut, string(n.Result), "")
		list[len(list)-1].Verdict = Unknown
	} else if n.Result != forecast.Complete {
		why := c.stuckBecause(key)
		add("completes", cmp.Or(why.Rule, rules.complete), true, "The rollout does not finish. "+why.Text, string(n.Result), "")
	} else {
		add("completes", rules.complete, false, "The rollout finishes.", string(n.Result), "")
	}
	if n.LowestOf > 0 {
		low := fmt.Sprintf("%d of %d", n.Lowest, n.LowestOf)
		text := "Lowest availability: " + low + " (" + percent(n.Lowest*100/n.LowestOf) + "). " + rules.why
		add("available", rules.available, below(limits.MinAvailable, n), text, low, limits.MinAvailable)
	}
	if limit, given := durationOf(limits.MaxOutage); given || n.Outage > 0 {
		outage := seconds(n.Outage)
		add("outage", rules.available, given && n.Outage > limit, "Time with 0 available: "+outage+".", outage, limits.MaxOutage)
	}
	limit, given := durationOf(limits.MaxDuration)
	if slow := n.P95 > limit || n.Result != forecast.Complete; n.P95 >= 0 || given {
		text := fmt.Sprintf("Duration: %s in the middle, %s for 95 %% of %s.", Took(n.P50), Took(n.P95), words.Plural(len(c.runs), "seed"))
		add("duration", rules.complete, given && slow && cut == "", text, Took(n.P95), limits.MaxDuration)
	}
	text := fmt.Sprintf("At most %s at once, terminating ones included.", words.Plural(n.PeakPods, "pod"))
	add("pods", rules.peak, over(limits.MaxPods, api.NewQuantity(int64(n.PeakPods))), text, strconv.Itoa(n.PeakPods), limits.MaxPods)
	if cpu := api.NewMilliQuantity(n.PeakCPU); n.PeakCPU > 0 || limits.MaxCPU != "" {
		add("cpu", "G-30b", over(limits.MaxCPU, cpu), "They request cpu "+cpu.String()+" at the peak.", cpu.String(), limits.MaxCPU)
	}
	if bytes := words.Bytes(n.PeakMemory); n.PeakMemory > 0 || limits.MaxMemory != "" {
		tooMuch := over(limits.MaxMemory, api.NewQuantity(n.PeakMemory))
		add("memory", "G-30b", tooMuch, "They request memory "+bytes+" at the peak.", bytes, limits.MaxMemory)
	}
	if f, ok := c.judgeRequests(key, limits.MaxFailed); ok {
		list = append(list, f)
	}
	return list
}

// Took writes a percentile of durations.
func Took(ms int64) string {
	if ms < 0 {
		return "unfinished"
	}
	return seconds(ms)
}

// cut returns why a run ended while a workload was not complete, "" if none did.
func (c *Check) cut(key api.Key) string {
	for i := range c.runs {
		if o := &c.runs[i]; o.cut != "" && o.rollouts[key.String()].Result != forecast.Complete {
			return o.cut
		}
	}
	return ""
}

// stuckBecause returns why a workload is stuck in one of the seeds.
func (c *Check) stuckBecause(key api.Key) diagnosis.Finding {
	for i := range c.runs {
		if why, ok := c.runs[i].stuck[key.String()]; ok {
			return why
		}
	}
	return diagnosis.Finding{}
}

// judgeBudget reports whether nodes can be drained.
func (c *Check) judgeBudget(i int, key api.Key) Finding {
	d, s := &c.drains[i], c.runs[0].state[key]
	f := Finding{Check: "drain", Verdict: Pass, Object: workloadName(key), Rule: "P-6", Line: c.line(key),
		Value: strconv.Itoa(int(s.DisruptionsAllowed)), Limit: "1"}
	switch {
	case !d.tried:
		f.Verdict, f.Text = Unknown, "No drain was tried before the time or the memory was used up."
		return f
	case s.ExpectedPods == 0 && d.node == "":
		f.Verdict, f.Rule, f.Text = Unknown, "P-2", "The budget selects no pod of these manifests."
		return f
	case s.DisruptionsAllowed == 0 && s.ExpectedPods > 0:
		f.Verdict = Fail
		f.Text = fmt.Sprintf("The budget blocks every drain: %d healthy − %d that must be healthy = %d.",
			s.CurrentHealthy, s.DesiredHealthy, s.CurrentHealthy-s.DesiredHealthy)
	case d.node != "" && !d.done:
		f.Verdict, f.Rule = Fail, "P-21"
		if strings.Contains(d.says, "more than one PodDisruptionBudget") {
			f.Rule = "P-10"
		}
		f.Text = "A drain of one node does not succeed within " + drainTimeout + ": " + d.says
	default:
		f.Text = fmt.Sprintf("%s of %d may be evicted at once.", words.Plural(int(s.DisruptionsAllowed), "pod"), s.ExpectedPods)
		if d.done {
			f.Text += fmt.Sprintf(" A drain of one node takes %s, with %s.", seconds(d.took), words.Plural(d.refused, "refused eviction"))
		}
	}
	if c.input.Policy.of(c.object(key)).Drainable == "false" {
		f.Verdict = Pass
	}
	return f
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
