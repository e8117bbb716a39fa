package kubectl

import (
	"regexp"
	"slices"
	"strings"
)

// Choice is a difference that stays: our kubectl says something else on purpose.
type Choice struct {
	Name, Reason string
	line         string                       // matches the line that was typed
	real         string                       // matches the first line that the real one prints and ours does not
	ours         string                       // matches the first line that ours prints and the real one does not
	same         func(real, ours string) bool // compares the rest; nil if the lines say it all
}

// Choices are all differences that stay, at most 25.
var Choices = []Choice{
	{Name: "not simulated", Reason: "a refusal names what rollplay does not simulate, instead of pretending",
		ours: `rollplay (does not|models|simulates|opens|has no)|left out: `},
	{Name: "order of equals", Reason: "kubectl's sort is not stable; ours keeps events of the same second in the order of their names",
		line: `events|get ev|--sort-by`, same: sameLines},
	{Name: "lease", Reason: "leases are computed, and no objects", line: `describe`, real: `^Lease:`, same: withoutLeases},
}

// sameLines says whether two texts have the same lines in another order.
func sameLines(real, ours string) bool {
	return slices.Equal(slices.Sorted(strings.Lines(real)), slices.Sorted(strings.Lines(ours)))
}

var leaseLine = regexp.MustCompile(`(?m)^Lease:.*\n`)

func withoutLeases(real, ours string) bool { return leaseLine.ReplaceAllString(real, "") == ours }

// choiceFor returns the name of the choice that explains a difference.
func choiceFor(d *Difference) string {
	for i := range Choices {
		c := &Choices[i]
		if matches(c.line, d.Real.Line) && matches(c.real, d.Minus) && matches(c.ours, d.Plus) &&
			(c.same == nil || c.same(d.Real.Text, d.Ours.Text)) {
			return c.Name
		}
	}
	return ""
}

// patterns are compiled once.
var patterns = map[string]*regexp.Regexp{}

func matches(pattern, text string) bool {
	if patterns[pattern] == nil {
		patterns[pattern] = regexp.MustCompile(pattern)
	}
	return patterns[pattern].MatchString(text)
}
