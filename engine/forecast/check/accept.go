package check

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/rollplay/rollplay/engine/words"
)

// The reasons for which a finding does not count.
const (
	ByAnnotation = "annotation" // somebody ignores it at the object
	ByBaseline   = "baseline"   // a file says that it is accepted today
	ByBase       = "base"       // what is deployed now has it, too
)

// Acceptance says why a finding does not count.
type Acceptance struct {
	By  string `json:"by"`
	Why string `json:"why"`
}

// Open reports whether a finding needs attention: it has a level, and nobody accepts it.
func (f *Finding) Open() bool { return f.Level != "" && f.Accepted == nil }

// counts is the verdict on a finding that is not accepted; an accepted one passes.
func (f *Finding) counts() Verdict {
	if f.Accepted != nil {
		return Pass
	}
	return f.Verdict
}

// settle orders the findings, the worst first, and gives the verdict. What is accepted comes between what needs attention and the rest.
func (r *Report) settle() {
	order := func(f *Finding) int {
		if f.Accepted != nil {
			return 1
		}
		return 2 * f.severity()
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return order(&b) - order(&a) })
	r.Verdict = Pass
	if len(r.Findings) > 0 {
		r.Verdict = r.Findings[0].counts()
	}
}

// Fingerprint names a finding in a way that survives other lines, figures and sentences: by its rule, its object and its field.
func (f *Finding) Fingerprint() string { return f.Check + " " + f.Object + " " + f.Field }

// badness is a figure of a finding that grows as it gets worse, 0 if it has none.
func (r *Report) badness(f *Finding) float64 {
	i := slices.IndexFunc(r.Numbers, func(n Numbers) bool { return n.Object == f.Object })
	if i < 0 {
		return 0
	}
	n := &r.Numbers[i]
	duration := float64(n.P95)
	if n.P95 < 0 {
		duration = math.MaxFloat64
	}
	return map[string]float64{
		"available": 1 - float64(n.Lowest)/float64(max(1, n.LowestOf)),
		"outage":    float64(n.Outage),
		"duration":  duration,
		"pods":      float64(n.PeakPods),
		"cpu":       float64(n.PeakCPU),
		"memory":    float64(n.PeakMemory),
		"requests":  float64(n.Failed) / float64(max(1, n.Requests)),
	}[f.Check]
}

// slack is how much larger a time or a share of requests may be before it counts as worse: other manifests draw other random numbers.
const slack = 1.1

// worse reports whether a figure of a rule is worse than another one of it.
func worse(rule string, now, before float64) bool {
	if slices.Contains([]string{"outage", "duration", "requests"}, rule) {
		before *= slack
	}
	return now > before
}

// Baseline is a list of findings that are accepted today.
type Baseline struct {
	Version int             `json:"rollplayBaseline"`
	Entries []BaselineEntry `json:"accepted"`
}

// BaselineEntry is an accepted finding. Worse is a figure that may not grow; 0 means that the finding has none.
type BaselineEntry struct {
	Rule   string  `json:"rule"`
	Object string  `json:"object"`
	Field  string  `json:"field,omitempty"`
	Text   string  `json:"text"` // for people
	Worse  float64 `json:"worse,omitempty"`
}

// Baseline lists the errors and warnings that are not accepted.
func (r *Report) Baseline() *Baseline {
	b := &Baseline{Version: 1, Entries: []BaselineEntry{}}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Open() && f.Level != Note {
			b.Entries = append(b.Entries, BaselineEntry{f.Check, f.Object, f.Field, f.Text, r.badness(f)})
		}
	}
	slices.SortStableFunc(b.Entries, func(x, y BaselineEntry) int {
		return slices.Compare([]string{x.Object, x.Rule, x.Text}, []string{y.Object, y.Rule, y.Text})
	})
	return b
}

// ReadBaseline reads what Baseline has written.
func ReadBaseline(text string) (*Baseline, error) {
	var b Baseline
	err := json.Unmarshal([]byte(text), &b)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: it is no baseline: %w; write one with --write-baseline", ErrInput, err)
	case b.Version != 1:
		return nil, fmt.Errorf("%w: it is no baseline of version 1; write one with --write-baseline", ErrInput)
	}
	return &b, nil
}

// accept accepts findings that have an entry and are not worse. It returns the entries that accept nothing.
func (b *Baseline) accept(r *Report, by, why string) (idle []BaselineEntry) {
	open := slices.Clone(b.Entries)
	for i := range r.Findings {
		f := &r.Findings[i]
		if !f.Open() {
			continue
		}
		at := slices.IndexFunc(open, func(e BaselineEntry) bool {
			return e.Rule == f.Check && e.Object == f.Object && e.Field == f.Field && !worse(f.Check, r.badness(f), e.Worse)
		})
		if at >= 0 {
			f.Accepted = &Acceptance{by, why + open[at].Text}
			open = slices.Delete(open, at, at+1)
		}
	}
	r.settle()
	return open
}

// Accept accepts what a baseline has. What it need not have any more becomes a note.
func (r *Report) Accept(b *Baseline) {
	if idle := b.accept(r, ByBaseline, "in the baseline: "); len(idle) > 0 {
		r.Notes = append(r.Notes, "the baseline has "+words.Plural(len(idle), "entry")+" that nothing needs: "+
			words.Join(idle, ", ", func(e BaselineEntry) string { return e.Object + " " + e.Rule })+"; write it again with --write-baseline")
	}
}

// OnlyWorse accepts what is no worse than in the report on what is deployed now.
func (r *Report) OnlyWorse(base *Report) {
	before := base.Baseline()
	before.accept(r, ByBase, "no worse than before: ")
	r.Notes = append(r.Notes, "only what the change makes worse counts; what is deployed now has "+words.Plural(len(before.Entries), "finding"))
}
