package kubectl

import "errors"

// explain is kubectl explain: what a field is for, in words of our own, and which fields it has.
func (r *reading) explain() error {
	switch {
	case len(r.rest) == 0:
		return errors.New(`You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.`)
	case len(r.rest) > 1:
		return errors.New("We accept only this format: explain RESOURCE")
	}
	text, err := ExplainField(r.rest[0], r.On("recursive"))
	if err == nil {
		r.print(text)
	}
	return err
}
