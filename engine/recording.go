package engine

import "github.com/rollplay/rollplay/engine/scenario"

// Command is one action of the user at a moment of virtual time.
type Command = scenario.Command

// Diagnostic says what is wrong with a scenario's text, and where.
type Diagnostic = scenario.Diagnostic

// Recording is the whole input of a run, and what a link holds: the scenario's text, which carries the seed, and the
// user's commands. Equal recordings give equal traces, byte for byte, natively and in WASM.
type Recording struct {
	Scenario string    `json:"scenario"`
	Commands []Command `json:"commands,omitempty"`
}
