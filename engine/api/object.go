package api

import (
	"maps"
	"slices"
)

// Object is a Kubernetes object.
type Object interface {
	// Meta returns the object's metadata, to be read, or to be changed by the owner of a copy.
	Meta() *ObjectMeta
	// Key names the object.
	Key() Key
	// Copy returns a copy whose fields can be changed without changing the original. Pod templates and pod specs are
	// shared: they never change in place.
	Copy() Object
	// SpecEqual says whether the specs are equal, nil and empty collections being the same.
	SpecEqual(other Object) bool
	// StatusEqual says whether the statuses are equal.
	StatusEqual(other Object) bool

	shallow() Object
	detach()        // replaces collections that are shared with the original by copies
	setSpec(Object) // takes over the spec of another object of the kind
	setStatus(Object)
}

// WithSpecOf returns a copy of an object with the spec of another one of its kind: what UpdateStatus keeps.
func WithSpecOf(o, stored Object) Object {
	c := o.shallow()
	c.setSpec(stored)
	return c
}

// WithStatusOf returns a copy of an object with the status of another one of its kind: what Update keeps.
func WithStatusOf(o, stored Object) Object {
	c := o.shallow()
	c.setStatus(stored)
	return c
}

// copyOf is Copy for each kind.
func copyOf[T Object](o T) T {
	c := o.shallow()
	c.detach()
	return c.(T)
}

// The names.

func (d *Deployment) Key() Key            { return Key{KindDeployment, d.Namespace, d.Name} }
func (r *ReplicaSet) Key() Key            { return Key{KindReplicaSet, r.Namespace, r.Name} }
func (s *StatefulSet) Key() Key           { return Key{KindStatefulSet, s.Namespace, s.Name} }
func (d *DaemonSet) Key() Key             { return Key{KindDaemonSet, d.Namespace, d.Name} }
func (p *Pod) Key() Key                   { return Key{KindPod, p.Namespace, p.Name} }
func (n *Node) Key() Key                  { return Key{KindNode, "", n.Name} }
func (q *ResourceQuota) Key() Key         { return Key{KindResourceQuota, q.Namespace, q.Name} }
func (r *ControllerRevision) Key() Key    { return Key{KindControllerRevision, r.Namespace, r.Name} }
func (p *PodDisruptionBudget) Key() Key   { return Key{KindPodDisruptionBudget, p.Namespace, p.Name} }
func (p *PersistentVolumeClaim) Key() Key { return Key{KindPersistentVolumeClaim, p.Namespace, p.Name} }
func (h *HorizontalPodAutoscaler) Key() Key {
	return Key{KindHorizontalPodAutoscaler, h.Namespace, h.Name}
}

// Shallow returns a copy whose fields can be set. Its collections are those of the original: replace one, do not change
// it (SetAnnotation does that for annotations).

func (d *Deployment) Shallow() *Deployment                   { return Ptr(*d) }
func (r *ReplicaSet) Shallow() *ReplicaSet                   { return Ptr(*r) }
func (s *StatefulSet) Shallow() *StatefulSet                 { return Ptr(*s) }
func (d *DaemonSet) Shallow() *DaemonSet                     { return Ptr(*d) }
func (r *ControllerRevision) Shallow() *ControllerRevision   { return Ptr(*r) }
func (p *PodDisruptionBudget) Shallow() *PodDisruptionBudget { return Ptr(*p) }

// Shallow returns a copy whose fields and conditions can be set.
func (h *HorizontalPodAutoscaler) Shallow() *HorizontalPodAutoscaler {
	c := *h
	c.Status.Conditions = slices.Clone(h.Status.Conditions)
	return &c
}

func (d *Deployment) shallow() Object              { return Ptr(*d) }
func (r *ReplicaSet) shallow() Object              { return Ptr(*r) }
func (s *StatefulSet) shallow() Object             { return Ptr(*s) }
func (d *DaemonSet) shallow() Object               { return Ptr(*d) }
func (p *Pod) shallow() Object                     { return Ptr(*p) }
func (n *Node) shallow() Object                    { return Ptr(*n) }
func (q *ResourceQuota) shallow() Object           { return Ptr(*q) }
func (r *ControllerRevision) shallow() Object      { return Ptr(*r) }
func (p *PodDisruptionBudget) shallow() Object     { return Ptr(*p) }
func (p *PersistentVolumeClaim) shallow() Object   { return Ptr(*p) }
func (h *HorizontalPodAutoscaler) shallow() Object { return Ptr(*h) }

// DeepCopy is Copy with the type of its kind.

func (d *Deployment) DeepCopy() *Deployment       { return copyOf(d) }
func (r *ReplicaSet) DeepCopy() *ReplicaSet       { return copyOf(r) }
func (s *StatefulSet) DeepCopy() *StatefulSet     { return copyOf(s) }
func (d *DaemonSet) DeepCopy() *DaemonSet         { return copyOf(d) }
func (p *Pod) DeepCopy() *Pod                     { return copyOf(p) }
func (n *Node) DeepCopy() *Node                   { return copyOf(n) }
func (q *ResourceQuota) DeepCopy() *ResourceQuota { return copyOf(q) }

func (d *Deployment) Copy() Object              { return copyOf(d) }
func (r *ReplicaSet) Copy() Object              { return copyOf(r) }
func (s *StatefulSet) Copy() Object             { return copyOf(s) }
func (d *DaemonSet) Copy() Object               { return copyOf(d) }
func (p *Pod) Copy() Object                     { return copyOf(p) }
func (n *Node) Copy() Object                    { return copyOf(n) }
func (q *ResourceQuota) Copy() Object           { return copyOf(q) }
func (r *ControllerRevision) Copy() Object      { return copyOf(r) }
func (p *PodDisruptionBudget) Copy() Object     { return copyOf(p) }
func (p *PersistentVolumeClaim) Copy() Object   { return copyOf(p) }
func (h *HorizontalPodAutoscaler) Copy() Object { return copyOf(h) }

// detach copies the collections of the metadata.
func (m *ObjectMeta) detach() {
	m.Labels, m.Annotations = maps.Clone(m.Labels), maps.Clone(m.Annotations)
	m.OwnerReferences, m.Finalizers = slices.Clone(m.OwnerReferences), slices.Clone(m.Finalizers)
}

func (d *Deployment) detach() {
	d.ObjectMeta.detach()
	d.Status.Conditions = slices.Clone(d.Status.Conditions)
}

func (r *ReplicaSet) detach() {
	r.ObjectMeta.detach()
	r.Status.Conditions = slices.Clone(r.Status.Conditions)
}

func (s *StatefulSet) detach() {
	s.ObjectMeta.detach()
	s.Status.Conditions = slices.Clone(s.Status.Conditions)
}

func (d *DaemonSet) detach() {
	d.ObjectMeta.detach()
	d.Status.Conditions = slices.Clone(d.Status.Conditions)
}

func (p *Pod) detach() {
	p.ObjectMeta.detach()
	p.detachStatus()
}

func (n *Node) detach() {
	n.ObjectMeta.detach()
	n.Spec.Taints = slices.Clone(n.Spec.Taints)
	n.Status.Capacity, n.Status.Allocatable = maps.Clone(n.Status.Capacity), maps.Clone(n.Status.Allocatable)
	n.Status.Conditions = slices.Clone(n.Status.Conditions)
}

func (q *ResourceQuota) detach() {
	q.ObjectMeta.detach()
	q.Spec.Hard = maps.Clone(q.Spec.Hard)
	q.Status.Hard, q.Status.Used = maps.Clone(q.Status.Hard), maps.Clone(q.Status.Used)
}

func (p *PodDisruptionBudget) detach() {
	p.ObjectMeta.detach()
	p.Status.DisruptedPods = maps.Clone(p.Status.DisruptedPods)
	p.Status.Conditions = slices.Clone(p.Status.Conditions)
}

func (h *HorizontalPodAutoscaler) detach() {
	h.ObjectMeta.detach()
	h.Spec.Metrics = slices.Clone(h.Spec.Metrics)
	if b := h.Spec.Behavior; b != nil {
		h.Spec.Behavior = &HorizontalPodAutoscalerBehavior{b.ScaleUp.copy(), b.ScaleDown.copy()}
	}
	h.Status.Conditions = slices.Clone(h.Status.Conditions)
}

// UpdateStatus of a Deployment stores annotations, not labels.
func (d *Deployment) setSpec(o Object) { d.Spec, d.Labels = o.(*Deployment).Spec, o.Meta().Labels }

func (d *DaemonSet) setSpec(o Object) {
	from := o.(*DaemonSet)
	d.Spec, d.TemplateGeneration = from.Spec, from.TemplateGeneration
}

func (r *ControllerRevision) setSpec(o Object) {
	from := o.(*ControllerRevision)
	r.Template, r.Revision = from.Template, from.Revision
}

func (r *ReplicaSet) setSpec(o Object)              { r.Spec = o.(*ReplicaSet).Spec }
func (s *StatefulSet) setSpec(o Object)             { s.Spec = o.(*StatefulSet).Spec }
func (p *Pod) setSpec(o Object)                     { p.KeepSpec(o.(*Pod)) }
func (n *Node) setSpec(o Object)                    { n.Spec = o.(*Node).Spec }
func (q *ResourceQuota) setSpec(o Object)           { q.Spec = o.(*ResourceQuota).Spec }
func (p *PodDisruptionBudget) setSpec(o Object)     { p.Spec = o.(*PodDisruptionBudget).Spec }
func (p *PersistentVolumeClaim) setSpec(o Object)   { p.Spec = o.(*PersistentVolumeClaim).Spec }
func (h *HorizontalPodAutoscaler) setSpec(o Object) { h.Spec = o.(*HorizontalPodAutoscaler).Spec }

func (d *Deployment) setStatus(o Object)              { d.Status = o.(*Deployment).Status }
func (r *ReplicaSet) setStatus(o Object)              { r.Status = o.(*ReplicaSet).Status }
func (s *StatefulSet) setStatus(o Object)             { s.Status = o.(*StatefulSet).Status }
func (d *DaemonSet) setStatus(o Object)               { d.Status = o.(*DaemonSet).Status }
func (p *Pod) setStatus(o Object)                     { p.Status = o.(*Pod).Status }
func (n *Node) setStatus(o Object)                    { n.Status = o.(*Node).Status }
func (q *ResourceQuota) setStatus(o Object)           { q.Status = o.(*ResourceQuota).Status }
func (r *ControllerRevision) setStatus(Object)        {} // it has none
func (p *PodDisruptionBudget) setStatus(o Object)     { p.Status = o.(*PodDisruptionBudget).Status }
func (p *PersistentVolumeClaim) setStatus(o Object)   { p.Status = o.(*PersistentVolumeClaim).Status }
func (h *HorizontalPodAutoscaler) setStatus(o Object) { h.Status = o.(*HorizontalPodAutoscaler).Status }

func equalPtr[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// Ptr returns a pointer to a copy of v.
func Ptr[T any](v T) *T { return &v }
