package api

import "maps"

// ResourceQuota is v1 ResourceQuota (G-50).
type ResourceQuota struct {
	ObjectMeta `json:"metadata"`
	Spec       ResourceQuotaSpec   `json:"spec,omitzero"`
	Status     ResourceQuotaStatus `json:"status,omitzero"`
}

// ResourceQuotaSpec is how much of each resource the namespace may have.
type ResourceQuotaSpec struct {
	Hard map[string]Quantity `json:"hard,omitempty"`
}

// ResourceQuotaStatus is how much of it is in use.
type ResourceQuotaStatus struct {
	Hard map[string]Quantity `json:"hard,omitempty"`
	Used map[string]Quantity `json:"used,omitempty"`
}

// Key names the ResourceQuota.
func (q *ResourceQuota) Key() Key { return Key{KindResourceQuota, q.Namespace, q.Name} }

// DeepCopy returns a copy that can be changed.
func (q *ResourceQuota) DeepCopy() *ResourceQuota {
	c := *q
	c.ObjectMeta = q.clone()
	c.Spec.Hard = maps.Clone(q.Spec.Hard)
	c.Status.Hard, c.Status.Used = maps.Clone(q.Status.Hard), maps.Clone(q.Status.Used)
	return &c
}

// Copy is DeepCopy as an Object.
func (q *ResourceQuota) Copy() Object { return q.DeepCopy() }

// WithSpecOf keeps the stored spec.
func (q *ResourceQuota) WithSpecOf(stored Object) Object {
	c := *q
	c.Spec = stored.(*ResourceQuota).Spec
	return &c
}

// WithStatusOf keeps the stored status.
func (q *ResourceQuota) WithStatusOf(stored Object) Object {
	c := *q
	c.Status = stored.(*ResourceQuota).Status
	return &c
}

// SpecEqual compares the specs, quantities by value.
func (q *ResourceQuota) SpecEqual(other Object) bool {
	return equalResources(q.Spec.Hard, other.(*ResourceQuota).Spec.Hard)
}

// StatusEqual compares the statuses, quantities by value.
func (q *ResourceQuota) StatusEqual(other Object) bool {
	a, b := &q.Status, &other.(*ResourceQuota).Status
	return equalResources(a.Hard, b.Hard) && equalResources(a.Used, b.Used)
}

// equalResources compares resource lists, quantities by value.
func equalResources(a, b map[string]Quantity) bool {
	return maps.EqualFunc(a, b, func(x, y Quantity) bool { return x.Cmp(y) == 0 })
}
