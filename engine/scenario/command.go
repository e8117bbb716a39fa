package scenario

import "strings"

// Command is one thing a person does at a moment of virtual time. Exactly one of Run, Apply and Do is set.
type Command struct {
	At    int64  `json:"at"`              // virtual ms since the start
	Run   string `json:"run,omitempty"`   // a kubectl line, with or without the word kubectl
	Apply string `json:"apply,omitempty"` // a YAML stream for `kubectl apply -f -`
	Do    string `json:"do,omitempty"`    // an event of the environment: crash pod/web-x (see Deed)
}

// Line returns the command as the trace shows it. An event of the environment is not a kubectl line, so it looks like a comment of a
// shell.
func (c *Command) Line() string {
	line := strings.TrimSpace(c.Run)
	switch {
	case c.Apply != "":
		return "kubectl apply -f -"
	case c.Do != "":
		return "# " + DeedLine(c.Do)
	case strings.HasPrefix(line, "kubectl "):
		return line
	}
	return "kubectl " + line
}
