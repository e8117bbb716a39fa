package main

import (
	"fmt"
	"reflect"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	daemonsetregistry "k8s.io/kubernetes/pkg/registry/apps/daemonset"
	deploymentregistry "k8s.io/kubernetes/pkg/registry/apps/deployment"
	replicasetregistry "k8s.io/kubernetes/pkg/registry/apps/replicaset"
	statefulsetregistry "k8s.io/kubernetes/pkg/registry/apps/statefulset"
	budgetregistry "k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// checkStored looks at what the engine's API server has stored, whoever wrote it: the real one would not have refused it,
// would have filled in no other defaults, and would have counted the generation in the same way.
func (j *judge) checkStored(c *sim.Change) {
	if c.New == nil || !checked[c.New.Key().Kind] || c.Old != nil && c.Old.Meta().Generation == c.New.Meta().Generation && c.New.SpecEqual(c.Old) {
		return
	}
	where := fmt.Sprintf("the store has %s", c.New.Key())
	stored := j.form(c.New)
	defaulted := stored.DeepCopyObject().(object)
	legacyscheme.Scheme.Default(defaulted)
	if !equality.Semantic.DeepEqual(stored, defaulted) {
		path, ours, theirs := firstDifference("", reflect.ValueOf(stored).Elem(), reflect.ValueOf(defaulted).Elem())
		j.differ(where, "defaults of "+strings.TrimPrefix(path, "."), ours, theirs)
	}
	if errs := validate(defaulted, c.New.Key()); len(errs) > 0 {
		j.differ(where, "validation", "valid", errs.ToAggregate().Error())
	}
	generation := int64(1)
	if c.Old != nil {
		generation = c.Old.Meta().Generation
		if !c.New.SpecEqual(c.Old) || c.New.Meta().Generation != generation && annotationsDiffer(c) {
			generation++ // of a Deployment, also by a write of annotations; a write of the status does not count
		}
		if c.New.Meta().Terminating() && !c.Old.Meta().Terminating() {
			generation++ // deletion counts too (registry/generic/registry/store.go:markAsDeleting)
		}
	}
	if got := c.New.Meta().Generation; got != generation {
		j.differ(where, "generation", fmt.Sprint(got), fmt.Sprint(generation))
	}
}

// checked are the kinds that the real registry is asked about.
var checked = map[api.Kind]bool{api.KindDeployment: true, api.KindReplicaSet: true, api.KindStatefulSet: true, api.KindDaemonSet: true,
	api.KindPodDisruptionBudget: true}

func annotationsDiffer(c *sim.Change) bool {
	return c.New.Key().Kind == api.KindDeployment && !reflect.DeepEqual(c.New.Meta().Annotations, c.Old.Meta().Annotations)
}

// validate returns what the real registry has against an object.
func validate(o object, key api.Key) field.ErrorList {
	ctx := requestContext(key, "create", "")
	switch o.(type) {
	case *appsv1.Deployment:
		return deploymentregistry.Strategy.Validate(ctx, toInternal(o))
	case *appsv1.ReplicaSet:
		return replicasetregistry.Strategy.Validate(ctx, toInternal(o))
	case *appsv1.StatefulSet:
		return statefulsetregistry.Strategy.Validate(ctx, toInternal(o))
	case *appsv1.DaemonSet:
		return daemonsetregistry.Strategy.Validate(ctx, toInternal(o))
	case *policyv1.PodDisruptionBudget:
		return budgetregistry.Strategy.Validate(ctx, toInternal(o))
	}
	return nil
}
