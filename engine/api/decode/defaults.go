package decode

import (
	"cmp"
	"encoding/base64"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// Default fills in what a manifest leaves out, as the API server does. Pod specs have their defaults from the start.
func Default(o api.Object) {
	m := o.Meta()
	if m.Namespace = cmp.Or(m.Namespace, api.NamespaceDefault); kinds.Of(o.Key().Kind).Cluster {
		m.Namespace = ""
	}
	if t := api.TemplateOf(o); t != nil && t.Spec == nil { // it is missing altogether
		t.Spec = emptyPodSpec()
	}
	switch o := o.(type) {
	case *api.Stored:
		defaultStored(o)
	case *api.Deployment:
		defaultDeployment(&o.Spec)
	case *api.ReplicaSet:
		setDefault(&o.Spec.Replicas, 1)
	case *api.StatefulSet:
		defaultStatefulSet(&o.Spec)
	case *api.DaemonSet: // DS-1
		defaultStrategy(&o.Spec.UpdateStrategy, *api.Int(1), *api.Int(0))
		setDefault(&o.Spec.RevisionHistoryLimit, 10)
		o.TemplateGeneration = cmp.Or(o.TemplateGeneration, 1)
	case *api.HorizontalPodAutoscaler:
		defaultHorizontalPodAutoscaler(&o.Spec)
	case *api.Service:
		defaultService(&o.Spec)
	case *api.Pod:
		if o.Spec == nil {
			o.Spec = emptyPodSpec()
		}
		o.NodeName = cmp.Or(o.NodeName, o.Spec.NodeName)
	case *api.Node:
		if o.Status.Allocatable == nil {
			o.Status.Allocatable = o.Status.Capacity
		}
	}
}

// defaultDeployment fills in a Deployment (D-1 to D-7).
func defaultDeployment(s *api.DeploymentSpec) {
	setDefault(&s.Replicas, 1)
	defaultStrategy(&s.Strategy, *api.Str("25%"), *api.Str("25%"))
	setDefault(&s.RevisionHistoryLimit, 10)
	setDefault(&s.ProgressDeadlineSeconds, 600)
}

// defaultStrategy fills in a strategy with its bounds.
func defaultStrategy(s *api.DeploymentStrategy, maxUnavailable, maxSurge api.IntOrString) {
	if s.Type = cmp.Or(s.Type, api.RollingUpdate); s.Type != api.RollingUpdate {
		return
	}
	r := own(&s.RollingUpdate)
	setDefault(&r.MaxUnavailable, maxUnavailable)
	setDefault(&r.MaxSurge, maxSurge)
}

// own replaces what a field points to, if anything, by a copy: versions of an object share it.
func own[T any](field **T) *T {
	c := new(T)
	if *field != nil {
		*c = **field
	}
	*field = c
	return c
}

func emptyPodSpec() *api.PodSpec {
	s, err := podSpec(nil)
	if err != nil {
		panic("decode: " + err.Error())
	}
	return s
}

func setDefault[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// defaultStored fills in what the API server does for people who read an object that is only stored.
//
// Simplified: the other kinds are stored as they were written, without defaults.
func defaultStored(o *api.Stored) {
	if o.Fields == nil {
		o.Fields = api.Fields{}
	}
	switch o.Kind {
	case "Secret":
		o.Fields.SetAbsent("type", "Opaque")
		for key, text := range o.Fields.TextMap("stringData") {
			o.Fields.Make("data")[key] = base64.StdEncoding.EncodeToString([]byte(text))
		}
		delete(o.Fields, "stringData")
	case "ReplicationController":
		spec := o.Fields.Own("spec") // the manifest keeps its own
		fillTemplate(spec)
		labels := spec.Object("template").Object("metadata")
		spec.SetAbsent("replicas", float64(1))
		spec.SetAbsent("selector", labels["labels"])
		if o.Labels == nil {
			o.Labels = labels.TextMap("labels")
		}
	case "CronJob":
		spec := o.Fields.Own("spec")
		spec.SetAbsent("concurrencyPolicy", "Allow")
		spec.SetAbsent("suspend", false)
		spec.SetAbsent("successfulJobsHistoryLimit", float64(3))
		spec.SetAbsent("failedJobsHistoryLimit", float64(1))
		fillTemplate(spec.Own("jobTemplate").Own("spec"))
		o.Fields["status"] = map[string]any{}
	case "Namespace":
		if o.Labels == nil {
			o.Labels = map[string]string{}
		}
		o.Labels["kubernetes.io/metadata.name"] = o.Name
		o.Fields["spec"] = map[string]any{"finalizers": []any{"kubernetes"}}
		o.Fields["status"] = map[string]any{"phase": "Active"}
	}
}

// fillTemplate fills in the pod template of a spec, unless it cannot be read.
func fillTemplate(spec api.Fields) {
	if t, err := Template(api.JSON(spec["template"])); err == nil {
		spec["template"] = api.TreeOf(t)
	}
}
