package api

// Workload is an object that wants pods of a template: a Deployment, a ReplicaSet, a StatefulSet or a DaemonSet.
type Workload interface {
	Object
	Selector() *LabelSelector
	Template() *PodTemplateSpec // the object's own: it can be changed in a copy
	MinReadySeconds() int32     // for how long a pod must be Ready to count as available
	ObservedGeneration() int64
}

// Scalable is a Workload with a number of replicas; a DaemonSet has none.
type Scalable interface {
	Workload
	Replicas() int32
	SetReplicas(n int32)
}

// TemplateOf returns the template of a workload, nil for any other object.
func TemplateOf(o Object) *PodTemplateSpec {
	if w, ok := o.(Workload); ok {
		return w.Template()
	}
	return nil
}

// PodSpecOf returns the spec of a pod or of a workload's pods, nil for any other object.
func PodSpecOf(o Object) *PodSpec {
	switch o := o.(type) {
	case Workload:
		return o.Template().Spec
	case *Pod:
		return o.Spec
	}
	return nil
}

// MinReadySecondsOf returns how long a pod of an owner must be Ready to count as available: 0 unless the owner is a workload.
func MinReadySecondsOf(owner Object) int32 {
	if w, ok := owner.(Workload); ok {
		return w.MinReadySeconds()
	}
	return 0
}

func (d *Deployment) Selector() *LabelSelector  { return d.Spec.Selector }
func (r *ReplicaSet) Selector() *LabelSelector  { return r.Spec.Selector }
func (s *StatefulSet) Selector() *LabelSelector { return s.Spec.Selector }
func (d *DaemonSet) Selector() *LabelSelector   { return d.Spec.Selector }

func (d *Deployment) Template() *PodTemplateSpec  { return &d.Spec.Template }
func (r *ReplicaSet) Template() *PodTemplateSpec  { return &r.Spec.Template }
func (s *StatefulSet) Template() *PodTemplateSpec { return &s.Spec.Template }
func (d *DaemonSet) Template() *PodTemplateSpec   { return &d.Spec.Template }

func (d *Deployment) MinReadySeconds() int32  { return d.Spec.MinReadySeconds }
func (r *ReplicaSet) MinReadySeconds() int32  { return r.Spec.MinReadySeconds }
func (s *StatefulSet) MinReadySeconds() int32 { return s.Spec.MinReadySeconds }
func (d *DaemonSet) MinReadySeconds() int32   { return d.Spec.MinReadySeconds }

func (d *Deployment) ObservedGeneration() int64  { return d.Status.ObservedGeneration }
func (r *ReplicaSet) ObservedGeneration() int64  { return r.Status.ObservedGeneration }
func (s *StatefulSet) ObservedGeneration() int64 { return s.Status.ObservedGeneration }
func (d *DaemonSet) ObservedGeneration() int64   { return d.Status.ObservedGeneration }

func (d *Deployment) Replicas() int32  { return Given(d.Spec.Replicas) }
func (r *ReplicaSet) Replicas() int32  { return Given(r.Spec.Replicas) }
func (s *StatefulSet) Replicas() int32 { return Given(s.Spec.Replicas) }

func (d *Deployment) SetReplicas(n int32)  { d.Spec.Replicas = &n }
func (r *ReplicaSet) SetReplicas(n int32)  { r.Spec.Replicas = &n }
func (s *StatefulSet) SetReplicas(n int32) { s.Spec.Replicas = &n }
