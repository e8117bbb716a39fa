package kubectl

import "regexp"

// Choice is a difference that stays: our kubectl says something else on purpose.
type Choice struct {
	Name, Reason string
	line         string // matches the line that was typed
	real         string // matches the first line that the real one prints and ours does not
	ours         string // matches the first line that ours prints and the real one does not
}

// Choices are all differences that stay, at most 25.
var Choices = []Choice{
	{Name: "not simulated", Reason: "a refusal names what rollplay does not simulate, instead of pretending",
		ours: `rollplay (does not|models|simulates|opens|has no)|left out: `},
}

// choiceFor returns the name of the choice that explains a difference.
func choiceFor(d *Difference) string {
	for i := range Choices {
		if c := &Choices[i]; matches(c.line, d.Real.Line) && matches(c.real, d.Minus) && matches(c.ours, d.Plus) {
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
