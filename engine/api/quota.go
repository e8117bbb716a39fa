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
