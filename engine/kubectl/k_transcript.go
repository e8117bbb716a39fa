package kubectl

import "github.com/rollplay/rollplay/engine/kubectl/read"

// Output returns what a command has printed in a record of its own, after its first answer: which of the lines went to
// stderr is not in the record. It is nil for any other record.
func (k *Kubectl) Output(record int) []read.Line { return k.outputs[record] }

// addOutput adds lines to what a record says.
func (k *Kubectl) addOutput(record int, lines []read.Line) {
	if k.outputs == nil {
		k.outputs = map[int][]read.Line{}
	}
	k.outputs[record] = append(k.outputs[record], lines...)
}
