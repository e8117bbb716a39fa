package engine

// Recording is all that a link holds: the scenario's text (which carries the seed) and the commands a person
// added to it. Equal recordings give equal traces, byte for byte, natively and in WASM.
type Recording struct {
	Scenario string    `json:"scenario"`
	Commands []Command `json:"commands,omitempty"`
}
