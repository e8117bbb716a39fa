package scenario_test

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// TestWhy: a wrong choice has its own sentence, a wrong number that of the first entry which reaches up to it.
func TestWhy(t *testing.T) {
	text := func(en string) scenario.Text { return scenario.Text{En: en} }
	choices := &scenario.Ask{Choices: []scenario.Choice{{Why: text("first")}, {Why: text("second")}}}
	numbers := &scenario.Ask{Wrong: []scenario.Wrong{{To: 3, Text: text("few")}, {To: 8, Text: text("many")}}}
	for _, c := range []struct {
		ask    *scenario.Ask
		answer int
		want   string
	}{
		{choices, 0, "first"}, {choices, 1, "second"}, {choices, 2, ""}, {choices, -1, ""},
		{numbers, 0, "few"}, {numbers, 3, "few"}, {numbers, 4, "many"}, {numbers, 8, "many"}, {numbers, 9, ""},
	} {
		if got := c.ask.Why(c.answer).En; got != c.want {
			t.Errorf("%d is wrong because of %q, want %q", c.answer, got, c.want)
		}
	}
}

// TestOrder: every choice is as often the first one as the others, and a question keeps its order as long as it keeps its words.
func TestOrder(t *testing.T) {
	ask := &scenario.Ask{}
	for _, choice := range []string{"Three", "All of them", "None"} {
		ask.Choices = append(ask.Choices, scenario.Choice{Text: scenario.Text{En: choice}})
	}
	first := make([]int, 3)
	for seed := range uint64(3000) {
		order := ask.Order(seed)
		if first[order[0]]++; len(order) != 3 || order[0]+order[1]+order[2] != 3 || order[0] == order[1] {
			t.Fatalf("seed %d shows the choices %v", seed, order)
		}
	}
	for i, n := range first {
		if n < 900 || n > 1100 {
			t.Errorf("choice %d is the first one with %d of 3000 seeds", i, n)
		}
	}
	if got := fmt.Sprint(ask.Order(1), ask.Order(2), ask.Order(1<<63)); got != "[0 1 2] [2 1 0] [0 2 1]" {
		t.Errorf("the order is now %s", got)
	}
}
