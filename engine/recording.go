package engine

// Command is one thing a person does at a moment of virtual time. Exactly one of Run and Apply is set.
type Command struct {
	At    int64  `json:"at"`              // virtual ms since the start
	Run   string `json:"run,omitempty"`   // a kubectl line, with or without the word kubectl
	Apply string `json:"apply,omitempty"` // a YAML stream for `kubectl apply -f -`
}

// Recording is all that a link holds: the scenario's text (which carries the seed) and the commands a person
// added to it. Equal recordings give equal traces, byte for byte, natively and in WASM.
type Recording struct {
	Scenario string    `json:"scenario"`
	Commands []Command `json:"commands,omitempty"`
}
