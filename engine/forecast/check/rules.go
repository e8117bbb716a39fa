package check

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/rollplay/rollplay/engine/scenario"
)

// Level is the weight of a finding.
type Level string

// The levels. Only an error fails a check.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Note    Level = "note"
)

// Rule is an entry of the built-in policy: a question that check answers about every update, whether limits are given or not. The page
// /check/ of the site lists them.
type Rule struct {
	ID    string // stable: reports, policies and annotations refer to it
	Level string // error, warning, note; "error, warning" if it depends on the workload; limit if only a limit breaks it
	Title scenario.Text
	Why   scenario.Text
	Fix   scenario.Text
}

//go:embed rules.txt
var rulesText string

// Rules are the rules of the built-in policy in the order of their page.
var Rules = sync.OnceValue(func() (rules []Rule) {
	for line := range strings.Lines(rulesText) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		switch n := len(cells); {
		case n < 3 || cells[0][0] == '#':
		case cells[0] == "why":
			rules[len(rules)-1].Why = scenario.Text{En: cells[1], Zh: cells[2]}
		case cells[0] == "fix":
			rules[len(rules)-1].Fix = scenario.Text{En: cells[1], Zh: cells[2]}
		default:
			rules = append(rules, Rule{ID: cells[0], Level: cells[1], Title: scenario.Text{En: cells[2], Zh: cells[3]}})
		}
	}
	return rules
})

// RuleOf returns the rule with an ID; ok is false if there is none.
func RuleOf(id string) (r Rule, ok bool) {
	i := slices.IndexFunc(Rules(), func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return r, false
	}
	return Rules()[i], true
}
