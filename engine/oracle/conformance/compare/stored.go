package compare

import (
	"fmt"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
	"github.com/rollplay/rollplay/engine/sim"
)

// checkStored checks an object that the engine's API server has stored, whoever wrote it: the real one would accept it too,
// with the same defaults and the same generation.
func (j *judge) checkStored(c *sim.Change) {
	if c.New == nil || !upstream.Checks(c.New.Key().Kind) || c.Old != nil && c.Old.Meta().Generation == c.New.Meta().Generation && api.SpecEqual(c.New, c.Old) {
		return
	}
	where := fmt.Sprintf("the store has %s", c.New.Key())
	stored := j.form(c.New)
	defaulted := stored.DeepCopyObject().(convert.Object)
	legacyscheme.Scheme.Default(defaulted)
	if !equality.Semantic.DeepEqual(stored, defaulted) {
		path, ours, theirs := firstDifference("", reflect.ValueOf(stored).Elem(), reflect.ValueOf(defaulted).Elem())
		j.differ(where, "defaults of "+strings.TrimPrefix(path, "."), ours, theirs)
	}
	if errs := upstream.Validate(c.New.Key(), defaulted); len(errs) > 0 {
		j.differ(where, "validation", "valid", errs.ToAggregate().Error())
	}
	generation := int64(1)
	if c.Old != nil {
		generation = c.Old.Meta().Generation
		if !api.SpecEqual(c.New, c.Old) || c.New.Meta().Generation != generation && annotationsDiffer(c) {
			generation++ // a Deployment's also follows its annotations; a write of the status does not count
		}
		if c.New.Meta().Terminating() && !c.Old.Meta().Terminating() {
			generation++ // deletion counts too (registry/generic/registry/store.go:markAsDeleting)
		}
	}
	if got := c.New.Meta().Generation; got != generation {
		j.differ(where, "generation", fmt.Sprint(got), fmt.Sprint(generation))
	}
}

// annotationsDiffer says whether a write changed a Deployment's annotations.
func annotationsDiffer(c *sim.Change) bool {
	return c.New.Key().Kind == api.KindDeployment && !reflect.DeepEqual(c.New.Meta().Annotations, c.Old.Meta().Annotations)
}
