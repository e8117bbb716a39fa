package past

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// Budget is the status of a PodDisruptionBudget over time.
type Budget struct {
	Name  string
	Steps []BudgetStep // in order of time; consecutive steps differ
}

// BudgetStep is the status of a budget from a moment on (P-3 to P-6).
type BudgetStep struct {
	T                                   int64 // virtual ms
	Record                              int
	Expected, Desired, Current, Allowed int
	Gone                                bool // the budget was deleted
}

// Budgets returns the budgets whose selector matches a workload's present template, in order of creation.
func (p *Past) Budgets(workload string) []Budget {
	key := ParseKey(workload)
	o := p.source.Counts.Object(workload)
	if o == nil {
		return nil
	}
	var list []Budget
	labels := api.TemplateOf(o).Labels
	for _, name := range p.indexed().budgets { // few, each written at most once per change of a pod
		if name.Namespace != key.Namespace {
			continue
		}
		b := Budget{Name: name.Name}
		matches := false
		for _, c := range p.changesOf(name) {
			pdb := c.Object().(*api.PodDisruptionBudget)
			matches = matches || pdb.Spec.Selector.Matches(labels)
			now := &pdb.Status
			b.Steps = append(b.Steps, BudgetStep{T: c.At, Record: c.Record, Gone: c.New == nil, Expected: int(now.ExpectedPods),
				Desired: int(now.DesiredHealthy), Current: int(now.CurrentHealthy), Allowed: int(now.DisruptionsAllowed)})
		}
		b.Steps = slices.CompactFunc(b.Steps, func(last, next BudgetStep) bool {
			next.T, next.Record = last.T, last.Record
			return last == next
		})
		if matches {
			list = append(list, b)
		}
	}
	return list
}

// At returns the status of the budget after a record; ok is false if the budget did not exist then.
func (b *Budget) At(record int) (s BudgetStep, ok bool) {
	for _, step := range b.Steps {
		if step.Record > record {
			break
		}
		s, ok = step, !step.Gone
	}
	return s, ok
}
