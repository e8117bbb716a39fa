package check_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/forecast/check"
)

// TestRules: each rule says what, why and how to fix it in both languages, and every finding of the code has a rule.
func TestRules(t *testing.T) {
	var ids []string
	for _, r := range check.Rules() {
		for _, s := range []string{r.ID, r.Level, r.Title.En, r.Title.Zh, r.Why.En, r.Why.Zh, r.Fix.En, r.Fix.Zh} {
			if s == "" {
				t.Errorf("%s lacks a sentence: %+v", r.ID, r)
			}
		}
		if same, ok := check.RuleOf(r.ID); !ok || same != r {
			t.Errorf("%s is not found by its ID", r.ID)
		}
		ids = append(ids, r.ID)
	}
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, name := range names {
		text, _ := os.ReadFile(name.Name())
		if regexp.MustCompile(`_test\.go$`).MatchString(name.Name()) {
			continue
		}
		for _, m := range regexp.MustCompile(`(?:Check: |add\(|find\(|judge\(|f\.Check, .* = )"([a-z]+)"`).FindAllSubmatch(text, -1) {
			used[string(m[1])] = true
		}
	}
	for _, id := range ids {
		if !used[id] {
			t.Errorf("the code never finds %s", id)
		}
		delete(used, id)
	}
	for id := range used {
		t.Errorf("%s is in no rule", id)
	}
	if slices.Sort(ids); len(slices.Compact(ids)) != len(check.Rules()) {
		t.Error("two rules have one ID")
	}
}
