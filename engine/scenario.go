package engine

// Scenario is a parsed scenario text.
type Scenario struct {
	Name, Title string
	Lesson      string    // the text's opening comment, without the #
	Timeline    []Command // the scenario's own commands, in order of time
	Captions    []Caption
}

// Caption is a sentence that belongs to a moment.
type Caption struct {
	At   int64
	Text string
}

// ParseScenario reads a YAML stream. The Scenario is nil if a diagnostic is an error.
func ParseScenario(text string) (*Scenario, []Diagnostic) { panic("engine: not built yet") }
