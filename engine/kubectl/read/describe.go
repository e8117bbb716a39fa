package read

import (
	"errors"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/describe"
	"github.com/rollplay/rollplay/engine/kubectl/events"
	"github.com/rollplay/rollplay/engine/kubectl/explain"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// describe shows objects in detail (K-60). A name that no object has selects all objects whose names begin with it, if the type is a
// word of its own. Events are left out if there is more than one object.
func (r *reading) describe() error {
	groups, errs := r.find()
	objects := print.Flat(groups)
	switch missing := len(errs) == 1; {
	case missing && r.TwoObjects(): // kubectl takes the second for the beginning of a name
		return errs[0]
	case missing && r.TypeApart() && len(r.Targets) > 1:
		return errors.New("you may only specify a single resource type")
	case missing && r.TypeApart() && len(r.Targets) == 1:
		return r.describePrefix(errs[0])
	}
	withEvents := len(objects) == 1 && len(errs) == 0
	if show := r.Flags["show-events"]; show != "" {
		withEvents = show == "true"
	}
	r.describeAll(objects, withEvents, "\n\n", "")
	if len(objects)+len(errs) == 0 {
		r.complain(r.NoneFound(r.On("all-namespaces")))
	}
	r.fail(errs...)
	return nil
}

// describePrefix describes the objects whose names begin with a name that was not found.
func (r *reading) describePrefix(missing error) error {
	key := r.Targets[0]
	found := api.Pick(slices.Values(r.Cluster.All(key.Kind)), func(o api.Object) bool {
		return o.Meta().Namespace == key.Namespace && strings.HasPrefix(o.Meta().Name, key.Name)
	})
	if len(found) == 0 {
		return missing
	}
	r.describeAll(found, r.On("show-events"), "", "\n")
	return nil
}

// describeAll prints the text about each object, with one text between two of them and another after each.
func (r *reading) describeAll(objects []api.Object, withEvents bool, between, after string) {
	var sent []*events.Event
	if withEvents {
		sent = r.eventObjects()
	}
	for i, o := range objects {
		if r.answer.size >= detailsMax {
			r.leftOut(i, len(objects))
			break
		}
		if i > 0 && between != "" {
			r.print(between)
		}
		r.print(describe.Object(r.Cluster, r.now, o, withEvents, sent) + after)
	}
}

// explain is kubectl explain: what a field is for, in words of our own, and which fields it has.
func (r *reading) explain() error {
	switch {
	case len(r.Rest) == 0:
		return errors.New(`You must specify the type of resource to explain. Use "kubectl api-resources" for a complete list of supported resources.`)
	case len(r.Rest) > 1:
		return errors.New("We accept only this format: explain RESOURCE")
	}
	text, err := explain.ExplainField(r.Rest[0], r.On("recursive"))
	if text != "" {
		r.print(text)
	}
	return err
}
