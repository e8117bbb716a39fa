package scenario

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/limits"
)

// origin is the place of an object: its document, and its path if it is an item of a List.
type origin struct {
	*document
	path string
}

// tooMuch reports the first object beyond each limit of the simulation. kubectl could apply such an object, and a real
// cluster might take it, so the sentences say whose limits these are.
func (r *Source) tooMuch(s *Scenario) (errors []Diagnostic) {
	pods := int64(0)
	over := func(m Manifest, message string, most int) {
		errors = append(errors, r.beyond(m.Object.Key(), "spec.replicas", message, most))
	}
	for _, m := range s.Objects {
		n := int64(0)
		switch o := m.Object.(type) {
		case *api.DaemonSet:
			n = int64(r.count[api.KindNode])
		case api.Scalable:
			n = int64(o.Replicas())
		}
		if _, ordered := m.Object.(*api.StatefulSet); ordered && n > limits.Ordinals {
			over(m, fmt.Sprintf("pods of a StatefulSet, not %d", n), limits.Ordinals)
		}
		if pods <= limits.Pods && pods+n > limits.Pods {
			over(m, fmt.Sprintf("pods; up to here the workloads want %d", pods+n), limits.Pods)
		}
		pods += n
	}
	return errors
}

// beyond reports an object that is one too many.
func (r *Source) beyond(key api.Key, field, message string, most int) Diagnostic {
	at := r.places[key]
	return at.at(at.path, field, fmt.Sprintf("rollplay simulates at most %d %s", most, message))
}

// tooManyOf counts an object. One that is too many of its kind ends the reading of a text.
func (r *Source) tooManyOf(key api.Key) {
	r.count[key.Kind]++
	if most := kinds.Of(key.Kind).Most; most > 0 && r.count[key.Kind] > most {
		r.full = true
		r.add(r.beyond(key, "kind", string(key.Kind)+"s", most))
	}
}

// tooManyObjects ends the reading of a text.
func (r *Source) tooManyObjects(d *document, path string) bool {
	if len(r.objects) < limits.Objects {
		return false
	}
	r.add(d.at("", path, fmt.Sprintf("the text has more than %d objects; rollplay reads at most that many", limits.Objects)))
	return true
}
