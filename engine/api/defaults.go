package api

// NamespaceDefault is the namespace of an object that names none.
const NamespaceDefault = "default"

// Default fills in what a manifest leaves out, as the API server does. Pod specs have their defaults from the start.
func Default(o Object) {
	if m := o.Meta(); m.Namespace == "" && o.Key().Kind != KindNode {
		m.Namespace = NamespaceDefault
	}
	switch o := o.(type) {
	case *Deployment:
		DefaultDeployment(o)
	case *ReplicaSet:
		DefaultReplicaSet(o)
	case *StatefulSet:
		DefaultStatefulSet(o)
	case *DaemonSet:
		DefaultDaemonSet(o)
	case *HorizontalPodAutoscaler:
		DefaultHorizontalPodAutoscaler(o)
	case *Pod:
		if o.Spec == nil {
			o.Spec = emptyPodSpec()
		}
		if o.NodeName == "" {
			o.NodeName = o.Spec.NodeName
		}
	case *Node:
		if o.Status.Allocatable == nil {
			o.Status.Allocatable = o.Status.Capacity
		}
	}
}

// DefaultDeployment fills in a Deployment (D-1 to D-7).
func DefaultDeployment(d *Deployment) {
	s := &d.Spec
	setDefault(&s.Replicas, 1)
	if s.Strategy.Type == "" {
		s.Strategy.Type = RollingUpdate
	}
	if s.Strategy.Type == RollingUpdate {
		// A copy, because the strategy of a stored object may be shared.
		r := RollingUpdateDeployment{}
		if s.Strategy.RollingUpdate != nil {
			r = *s.Strategy.RollingUpdate
		}
		setDefault(&r.MaxUnavailable, IntOrString{IsString: true, Str: "25%"})
		setDefault(&r.MaxSurge, IntOrString{IsString: true, Str: "25%"})
		s.Strategy.RollingUpdate = &r
	}
	setDefault(&s.RevisionHistoryLimit, 10)
	setDefault(&s.ProgressDeadlineSeconds, 600)
	defaultTemplate(&s.Template)
}

// DefaultReplicaSet fills in a ReplicaSet.
func DefaultReplicaSet(r *ReplicaSet) {
	setDefault(&r.Spec.Replicas, 1)
	defaultTemplate(&r.Spec.Template)
}

// defaultTemplate gives an empty spec to a template that is missing altogether.
func defaultTemplate(t *PodTemplateSpec) {
	if t.Spec == nil {
		t.Spec = emptyPodSpec()
	}
}

func emptyPodSpec() *PodSpec {
	tree := map[string]any{}
	defaultPodSpec(tree)
	return newPodSpec(tree)
}

// setDefault sets a field that is absent.
func setDefault[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}
