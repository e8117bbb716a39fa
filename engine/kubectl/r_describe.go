package kubectl

import (
	"strings"
)

// describe shows objects in detail (K-60). A name that no object has stands for all that begin with it, if the type is a
// word of its own. Events are left out if there is more than one object.
func (r *reading) describe() error {
	groups, errs := r.find()
	var objects []object
	for _, g := range groups {
		objects = append(objects, g.objects...)
	}
	if len(errs) == 1 && len(r.targets) == 1 && r.TypeApart() {
		return r.describePrefix(errs[0])
	}
	withEvents := len(objects) == 1 && len(errs) == 0
	if show := r.flags["show-events"]; show != "" {
		withEvents = show == "true"
	}
	for i, o := range objects {
		if i > 0 {
			r.print("\n\n")
		}
		r.print(r.description(o, withEvents))
	}
	if len(objects)+len(errs) == 0 {
		r.complain(r.noneDescribed())
	}
	for _, err := range errs {
		r.fail(err)
	}
	return nil
}

func (r *reading) noneDescribed() string {
	if r.allNamespaces {
		return "No resources found"
	}
	return "No resources found in " + r.namespace + " namespace."
}

// describePrefix describes the objects whose names begin with the one that is not found.
func (r *reading) describePrefix(missing error) error {
	key := r.targets[0]
	found := false
	for _, o := range r.Cluster.All(key.Kind) {
		if m := o.Meta(); m.Namespace == key.Namespace && strings.HasPrefix(m.Name, key.Name) {
			found = true
			r.print(r.description(o, r.flags["show-events"] == "true") + "\n")
		}
	}
	if !found {
		return missing
	}
	return nil
}

// description returns the text about one object.
func (r *reading) description(o object, withEvents bool) string {
	var sent []*event
	if withEvents {
		sent = r.eventObjects()
	}
	return Describe(r.Cluster, o, r.now, withEvents, sent)
}
