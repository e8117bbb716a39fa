package read

import (
	"errors"

	"github.com/rollplay/rollplay/engine/kubectl/explain"
)

// explain is kubectl explain: what a field is for, in words of our own, and which fields it has.
func (r *reading) explain() error {
	switch {
	case len(r.Rest) == 0:
		return errors.New(`You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.`)
	case len(r.Rest) > 1:
		return errors.New("We accept only this format: explain RESOURCE")
	}
	text, err := explain.ExplainField(r.Rest[0], r.On("recursive"))
	if err == nil {
		r.print(text)
	}
	return err
}
