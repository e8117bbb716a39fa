package scenario

import "fmt"

// Diagnostic is an error or a warning about a text, with its place, in the API server's own words.
type Diagnostic struct {
	Document  int    `json:"document"`          // the YAML document, from 1
	Line      int    `json:"line"`              // in the whole text, from 1
	Column    int    `json:"column"`            // from 1
	EndColumn int    `json:"endColumn"`         // exclusive; at least Column+1
	Field     string `json:"field,omitempty"`   // for example spec.strategy.rollingUpdate.maxSurge; empty for broken YAML
	Message   string `json:"message"`           // one sentence, without the position
	Warning   bool   `json:"warning,omitempty"` // true: the scenario runs all the same
}

func (d Diagnostic) String() string {
	return fmt.Sprintf("document %d, line %d: %s", d.Document, d.Line, d.Message)
}
