package engine

import "strings"

// Command is one thing a person does at a moment of virtual time. Exactly one of Run, Apply and Do is set.
type Command struct {
	At    int64  `json:"at"`              // virtual ms since the start
	Run   string `json:"run,omitempty"`   // a kubectl line, with or without the word kubectl
	Apply string `json:"apply,omitempty"` // a YAML stream for `kubectl apply -f -`
	Do    string `json:"do,omitempty"`    // what the environment does: crash pod/web-x (see doVerbs)
}

// Line returns the command as the trace shows it. What the environment does is no kubectl line, so that it stands there
// as a comment of a shell.
func (c *Command) Line() string {
	line := strings.TrimSpace(c.Run)
	switch {
	case c.Apply != "":
		return "kubectl apply -f -"
	case c.Do != "":
		return "# " + doLine(c.Do)
	case strings.HasPrefix(line, "kubectl "):
		return line
	}
	return "kubectl " + line
}

// Recording is all that a link holds: the scenario's text (which carries the seed) and the commands a person
// added to it. Equal recordings give equal traces, byte for byte, natively and in WASM.
type Recording struct {
	Scenario string    `json:"scenario"`
	Commands []Command `json:"commands,omitempty"`
}
