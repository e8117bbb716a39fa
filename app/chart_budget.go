package app

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/past"
)

// seriesBudgetPrefix begins the id of a disruption budget's line, before its name.
const seriesBudgetPrefix = "pdb:"

// budgetSeries are the lines of desiredHealthy: below them the eviction API lets no more pod go (P-12). A rollout may go below.
func budgetSeries(budgets []past.Budget, end int64) (all []series) {
	for _, b := range budgets {
		var line points
		for _, s := range b.Steps {
			desired := s.Desired
			if s.Gone {
				desired = 0
			}
			line = line.add(s.T, desired)
		}
		all = append(all, series{ID: seriesBudgetPrefix + b.Name, Points: line.until(end)})
	}
	return all
}

// legendBudgets are the lines' entries in the legend, with what they are at the cursor.
func (p *page) legendBudgets() (items []legendItem) {
	in := p.s.lang
	for _, b := range p.s.run.Past().Budgets(p.s.watched()) {
		item := legendItem{ID: seriesBudgetPrefix + b.Name, Label: in.say("must-be-healthy", b.Name), Value: "–", Swatch: "sw-budget",
			Title: in.say("healthy-is", b.Name)}
		if s, ok := b.At(p.s.cursor.Record); ok {
			item.Value = fmt.Sprint(s.Desired)
		}
		items = append(items, item)
	}
	return items
}

// LookAtBudget moves the cursor to where a budget took the status that it has at the cursor.
func (s *session) LookAtBudget(id string) bool {
	name, ok := strings.CutPrefix(id, seriesBudgetPrefix)
	if !ok {
		return false
	}
	for _, b := range s.run.Past().Budgets(s.watched()) {
		if step, there := b.At(s.cursor.Record); b.Name == name && there {
			s.LookAt(step.Record)
		}
	}
	return true
}
