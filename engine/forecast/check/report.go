package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/engine/yamltext"
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
	badness  float64     // of its figure, see Report.badness
}

// Numbers are the figures of one workload over all seeds.
type Numbers struct {
	Object     string          `json:"object"`
	Changed    bool            `json:"changed"` // the update rolls it out
	Refused    bool            `json:"refused,omitempty"`
	New        bool            `json:"new,omitempty"` // the update creates it
	Per        string          `json:"per,omitempty"` // "node" or "batch" if p50 and p95 are those of one, because the nodes are not known
	Lowest     int             `json:"lowest"`
	LowestOf   int             `json:"lowestOf"` // 0 if no pod was there before
	Outage     int64           `json:"outage"`   // ms, of the worst seed
	P50        int64           `json:"p50"`      // ms; -1 if half of the seeds do not finish
	P95        int64           `json:"p95"`
	PeakPods   int             `json:"peakPods"`
	PeakCPU    int64           `json:"peakCPU"`
	PeakMemory int64           `json:"peakMemory"`
	Failed     int64           `json:"failed"`   // requests of the worst seed
	Requests   int64           `json:"requests"` // 0 if no Service selects its pods
	Result     forecast.Result `json:"result"`
}

// Took writes a percentile of the durations: 3.5s, 3.5s/node, unfinished.
func (n *Numbers) Took(ms int64) string {
	switch {
	case ms < 0:
		return "unfinished"
	case n.Per != "":
		return seconds(ms) + "/" + n.Per
	}
	return seconds(ms)
}

// Report is the judgement.
type Report struct {
	Verdict  Verdict   `json:"verdict"` // fail with an error, unknown if something that is not modelled decides, else pass
	Numbers  []Numbers `json:"workloads"`
	Findings []Finding `json:"findings"`
	Assumed  []string  `json:"assumed"`           // assumptions behind the figures
	Ignores  []Ignore  `json:"ignores,omitempty"` // what annotations of the manifests say
	Notes    []string  `json:"notes,omitempty"`
	Seeds    int       `json:"seeds"`
}

// Report returns the verdict on the runs that were played without a gap. If others are missing, the verdict is unknown at best.
func (c *Check) Report() *Report {
	r := &Report{Verdict: Pass, Numbers: []Numbers{}}
	if len(c.settings) > 0 {
		r.Findings, r.Assumed = c.notModelled(), c.assumptions()
		r.Findings = append(r.Findings, c.interrupted()...)
	}
	refused, objects := c.refused()
	r.Findings = append(append(append(r.Findings, refused...), c.missing()...), c.lint()...)
	for _, x := range c.refusals {
		name := x.key.Title()
		listed := slices.ContainsFunc(r.Numbers, func(n Numbers) bool { return n.Object == name })
		if kinds.Of(x.key.Kind).Revisions && !listed {
			r.Numbers = append(r.Numbers, Numbers{Object: name, Refused: true})
		}
	}
	for _, key := range c.updated {
		c.answer(r, key, objects[key])
	}
	for i, key := range c.budgets {
		var all []Finding
		for _, s := range c.drained() {
			all = worst(all, []Finding{s.judgeBudget(i, key)}, s.says)
		}
		r.Findings = append(r.Findings, all...)
	}
	for i := range r.Findings {
		r.Findings[i].weigh()
	}
	if len(c.settings) > 0 {
		r.Seeds = c.settings[0].played()
	}
	c.ignore(r)
	r.settle()
	return r
}

// played counts the seeds that were played without a gap.
func (s *setting) played() int {
	n := slices.IndexFunc(s.runs, func(o outcome) bool { return o.Rollouts == nil })
	if n < 0 {
		n = len(s.runs)
	}
	return n
}

// interrupted cuts each setting at the first seed that was not played, and says so.
func (c *Check) interrupted() []Finding {
	n, all := 0, c.Seeds()
	for _, s := range c.settings {
		s.runs = s.runs[:s.played()]
		n += len(s.runs)
	}
	if n == all {
		return nil
	}
	text := fmt.Sprintf("%d of %s were played before the time or the memory was used up.", n, words.Plural(all, "seed"))
	return []Finding{{Check: "modelled", Verdict: Unknown, Object: "all workloads", Text: text}}
}

// answer adds the figures of a workload and the answers about it: the worst of all settings.
func (c *Check) answer(r *Report, key api.Key, refused bool) {
	var all []Finding
	var shown Numbers
	for i, s := range c.settings {
		if len(s.runs) == 0 || !s.judges(key) || refused && s.next {
			continue
		}
		a := s.read(key)
		a.findNever()
		if a.n.Refused = refused; !s.next {
			if i == 0 {
				shown = a.n
			}
			shown.add(&a.n)
		}
		if !refused || a.n.Changed {
			list, one := a.judge(), Report{Numbers: []Numbers{a.n}}
			for i := range list {
				list[i].badness = one.badness(&list[i])
			}
			all = worst(all, list, s.says)
		}
	}
	if shown.Object != "" {
		r.Numbers = append(r.Numbers, shown)
	}
	r.Findings = append(r.Findings, all...)
}

// add takes the worse of each figure.
func (n *Numbers) add(than *Numbers) {
	if n.LowestOf == 0 || than.Lowest*n.LowestOf < n.Lowest*than.LowestOf {
		n.Lowest, n.LowestOf = than.Lowest, than.LowestOf
	}
	n.Outage, n.PeakPods = max(n.Outage, than.Outage), max(n.PeakPods, than.PeakPods)
	n.PeakCPU, n.PeakMemory = max(n.PeakCPU, than.PeakCPU), max(n.PeakMemory, than.PeakMemory)
	if longer(n.P95, than.P95) != n.P95 {
		n.P50, n.P95 = than.P50, than.P95 // of one run, as the finding has them
	}
	n.Changed = n.Changed || than.Changed
	if than.Result != forecast.Complete {
		n.Result = than.Result
	}
	if than.Failed*n.Requests > n.Failed*than.Requests || n.Requests == 0 {
		n.Failed, n.Requests = than.Failed, than.Requests
	}
}

// longer returns the longer of two durations; -1 is unfinished.
func longer(a, b int64) int64 {
	if a < 0 || b < 0 {
		return -1
	}
	return max(a, b)
}

// worst adds the answers of a setting to those of others. Of two answers to one question the worse one counts, or that with the worse
// figure, as in Numbers; with the words that say in which setting it holds.
func worst(all, more []Finding, says string) []Finding {
	for _, f := range more {
		if f.weigh(); says != "" {
			f.Text = strings.ToUpper(says[:1]) + says[1:] + ": " + f.Text
		}
		i := slices.IndexFunc(all, func(x Finding) bool { return x.Check == f.Check && x.Object == f.Object })
		switch {
		case i < 0:
			all = append(all, f)
		case f.severity() > all[i].severity(), f.severity() == all[i].severity() && f.badness > all[i].badness:
			all[i] = f
		}
	}
	return all
}

// severity orders findings by their verdicts, those with one verdict by their levels.
func (f *Finding) severity() int {
	return 4*slices.Index([]Verdict{Pass, Unknown, Fail}, f.Verdict) + slices.Index([]Level{"", Note, Warning, Error}, f.Level)
}

// weigh makes the level of a finding agree with its verdict: an error fails and nothing else does.
func (f *Finding) weigh() {
	switch {
	case f.Verdict == Fail:
		f.Level = Error
	case f.Verdict == Unknown:
		f.Level = Warning
	case f.Level == Error:
		f.Verdict = Fail
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

// Join returns the report on an update that was judged in parts.
func Join(parts []*Report) *Report {
	all := &Report{Numbers: []Numbers{}, Findings: []Finding{}, Assumed: []string{}}
	for i, p := range parts {
		all.Numbers = append(all.Numbers, p.Numbers...)
		all.Findings = append(all.Findings, p.Findings...)
		all.Ignores = append(all.Ignores, p.Ignores...)
		all.Assumed, all.Notes = addNew(all.Assumed, p.Assumed), addNew(all.Notes, p.Notes)
		if p.Seeds > 0 && (all.Seeds == 0 || p.Seeds < all.Seeds) || i == 0 {
			all.Seeds = p.Seeds
		}
	}
	if len(all.Numbers) > 0 { // a part without a workload is no news
		all.Assumed = slices.DeleteFunc(all.Assumed, func(s string) bool { return s == nothing })
	}
	all.settle()
	return all
}

// addNew adds the texts that a list does not have.
func addNew(list, more []string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// nothing is the note of a report on manifests without a workload.
const nothing = "there is no workload to judge"

// Nothing returns the report on manifests without a Deployment, StatefulSet or DaemonSet.
func Nothing(text string) *Report {
	r := &Report{Numbers: []Numbers{}, Findings: customs(text, nil), Assumed: []string{nothing}}
	r.settle()
	return r
}

// customs lists the objects of kinds that are not modelled, if they have pods or change one of some workloads.
func customs(text string, workloads []api.Key) (list []Finding) {
	for _, doc := range yamltext.Split(text) {
		d := treeOf(doc)
		kind, version, spec, says := d.Text("kind"), d.Text("apiVersion"), d.Object("spec"), ""
		containers, _ := spec.Object("template").Object("spec")["containers"].([]any)
		target := slices.IndexFunc(workloads, func(w api.Key) bool { return w.Namespace == keyOf(d).Namespace && Names(d, w.Kind, w.Name) })
		switch {
		case !kinds.Custom(version) && slices.Contains(runs, kind):
		case len(containers) > 0, spec["workloadRef"] != nil:
			says = "nothing is known about its rollout."
		case target >= 0 && spec.Object("updatePolicy").Text("updateMode") != "Off":
			says = "nothing is known about what it does to " + workloads[target].Title() + "."
		}
		if says != "" {
			list = append(list, Finding{Check: "modelled", Verdict: Unknown, Level: Warning, Line: doc.First + doc.FirstContent() - 1,
				Object: strings.ToLower(kind) + "/" + d.Object("metadata").Text("name"),
				Text:   "The kind " + kind + " of " + version + " is not modelled; " + says})
		}
	}
	return list
}

// Names reports whether an object refers to a workload of its namespace, as autoscalers and canaries of many kinds do.
func Names(o api.Fields, kind api.Kind, name string) bool {
	return slices.ContainsFunc([]string{"scaleTargetRef", "targetRef", "workloadRef"}, func(field string) bool {
		ref := o.Object("spec").Object(field)
		return ref.Text("name") == name && cmp.Or(ref.Text("kind"), string(api.KindDeployment)) == string(kind)
	})
}
