package api

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
