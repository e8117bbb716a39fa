package api

// ResourceQuota is v1 ResourceQuota (G-50).
type ResourceQuota struct {
	ObjectMeta `json:"metadata"`
	Spec       ResourceQuotaSpec   `json:"spec,omitzero"`
	Status     ResourceQuotaStatus `json:"status,omitzero"`
}

// ResourceQuotaSpec is how much of each resource the namespace may have, for all of its pods or for those in all of the scopes.
type ResourceQuotaSpec struct {
	Hard          map[string]Quantity `json:"hard,omitempty"`
	Scopes        []string            `json:"scopes,omitempty"`
	ScopeSelector *ScopeSelector      `json:"scopeSelector,omitempty"`
}

// ScopeSelector has scopes with operators.
type ScopeSelector struct {
	MatchExpressions []ScopeRequirement `json:"matchExpressions,omitempty"`
}

// ScopeRequirement is a scope: BestEffort, or PriorityClass In [high].
type ScopeRequirement struct {
	ScopeName string   `json:"scopeName"`
	Operator  string   `json:"operator"`
	Values    []string `json:"values,omitempty"`
}

// InScope reports whether the quota counts a pod with such labels: its scopes as names, with the name of its PriorityClass as a value.
func (q *ResourceQuota) InScope(labels map[string]string) bool {
	var list []SelectorRequirement
	for _, scope := range q.Spec.Scopes {
		list = append(list, SelectorRequirement{Key: scope, Operator: "Exists"})
	}
	if q.Spec.ScopeSelector != nil {
		for _, e := range q.Spec.ScopeSelector.MatchExpressions {
			list = append(list, SelectorRequirement{e.ScopeName, e.Operator, e.Values})
		}
	}
	return allHold(list, labels)
}

// ResourceQuotaStatus is how much of it is in use.
type ResourceQuotaStatus struct {
	Hard map[string]Quantity `json:"hard,omitempty"`
	Used map[string]Quantity `json:"used,omitempty"`
}
