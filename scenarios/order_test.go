package scenarios

import (
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine"
)

// TestOrderOfChoices: the place of the right choice gives nothing away: of two it is first about as often as second, all choices are
// shown, the order is that of the seed, and other seeds give other orders.
func TestOrderOfChoices(t *testing.T) {
	first, pairs, moved := 0, 0, 0
	for _, name := range Names() {
		run, _ := engine.Start(engine.Recording{Scenario: Text(name)})
		run.Finish()
		for _, c := range run.Scenario().Captions {
			if c.Ask == nil || len(c.Ask.Choices) == 0 {
				continue
			}
			order := c.Ask.Order(run.Scenario().Seed)
			if sorted := slices.Sorted(slices.Values(order)); sorted[0] != 0 || sorted[len(sorted)-1] != len(c.Ask.Choices)-1 || len(slices.Compact(sorted)) != len(order) {
				t.Errorf("%s: the order is %v", name, order)
			}
			if !slices.Equal(order, c.Ask.Order(run.Scenario().Seed)) {
				t.Errorf("%s: the order changes", name)
			}
			if !slices.Equal(order, c.Ask.Order(7)) {
				moved++
			}
			if right, _ := run.Answer(c.Ask); len(order) == 2 {
				if pairs++; order[0] == right {
					first++
				}
			}
		}
	}
	if pairs < 50 || first < pairs*2/5 || first > pairs*3/5 || moved < pairs/4 {
		t.Errorf("of %d pairs the right one is first in %d; another seed changes %d orders", pairs, first, moved)
	}
}
