package api

import "slices"

// Taints that the control plane sets (G-41, P-23).
const (
	TaintNodeNotReady      = "node.kubernetes.io/not-ready"
	TaintNodeUnreachable   = "node.kubernetes.io/unreachable"
	TaintNodeUnschedulable = "node.kubernetes.io/unschedulable"
	NoSchedule             = "NoSchedule"
	NoExecute              = "NoExecute"
)

// Toleration lets a pod onto nodes with a taint, or stay there for a while.
type Toleration struct {
	Key               string `json:"key,omitempty"`
	Operator          string `json:"operator,omitempty"` // Exists or Equal, which is the default
	Value             string `json:"value,omitempty"`
	Effect            string `json:"effect,omitempty"`            // empty: every effect
	TolerationSeconds *int64 `json:"tolerationSeconds,omitempty"` // of NoExecute; nil is forever
}

// Tolerates says whether the toleration matches a taint (api/core/v1/toleration.go:ToleratesTaint).
func (t *Toleration) Tolerates(taint *Taint) bool {
	if t.Effect != "" && t.Effect != taint.Effect || t.Key != "" && t.Key != taint.Key {
		return false
	}
	switch t.Operator {
	case "", "Equal":
		return t.Value == taint.Value
	case "Exists":
		return true
	}
	return false
}

// Tolerated says whether one of the tolerations matches a taint.
func Tolerated(tolerations []Toleration, taint *Taint) bool {
	return slices.ContainsFunc(tolerations, func(t Toleration) bool { return t.Tolerates(taint) })
}

// Affinity is what a pod requires of its node, and what it requires or prefers of the pods already there. Preferences for nodes
// are left out, because they keep no pod from a node.
type Affinity struct {
	NodeAffinity *struct {
		Required *NodeSelector `json:"requiredDuringSchedulingIgnoredDuringExecution"`
	} `json:"nodeAffinity"`
	PodAffinity     *PodAffinity `json:"podAffinity"`
	PodAntiAffinity *PodAffinity `json:"podAntiAffinity"`
}

// PodAffinity lists terms that must all hold, and terms that make a node better or worse.
type PodAffinity struct {
	Required  []PodAffinityTerm         `json:"requiredDuringSchedulingIgnoredDuringExecution"`
	Preferred []WeightedPodAffinityTerm `json:"preferredDuringSchedulingIgnoredDuringExecution"`
}

// WeightedPodAffinityTerm is a term with its weight in the score of a node.
type WeightedPodAffinityTerm struct {
	Weight int32           `json:"weight"`
	Term   PodAffinityTerm `json:"podAffinityTerm"`
}

// PodAffinityTerm names pods, and the label of nodes within whose value they count as near.
type PodAffinityTerm struct {
	LabelSelector     *LabelSelector `json:"labelSelector"`
	Namespaces        []string       `json:"namespaces"`        // without a namespaceSelector, empty means the pod's own
	NamespaceSelector *LabelSelector `json:"namespaceSelector"` // more namespaces
	TopologyKey       string         `json:"topologyKey"`
	MatchLabelKeys    []string       `json:"matchLabelKeys"`    // labels in which the other pod is the same
	MismatchLabelKeys []string       `json:"mismatchLabelKeys"` // labels in which it differs
}

// labelNamespace is the label with its name that every namespace has.
const labelNamespace = "kubernetes.io/metadata.name"

// Matches says whether a term of one pod matches another pod (framework/types.go:AffinityTerm.Matches). The API server merges
// matchLabelKeys and mismatchLabelKeys into the selector (registry/core/pod/strategy.go); here they are compared directly.
//
// Simplified: namespaces have no labels but that of their name.
func (t *PodAffinityTerm) Matches(of, other *Pod) bool {
	return t.matchesNamespace(of, other.Namespace) && t.LabelSelector.Matches(other.Labels) &&
		sameLabels(t.MatchLabelKeys, of.Labels, other.Labels) && !sharesLabel(t.MismatchLabelKeys, of.Labels, other.Labels)
}

func (t *PodAffinityTerm) matchesNamespace(of *Pod, namespace string) bool {
	if len(t.Namespaces) == 0 && t.NamespaceSelector == nil {
		return namespace == of.Namespace
	}
	return slices.Contains(t.Namespaces, namespace) || t.NamespaceSelector.Matches(map[string]string{labelNamespace: namespace})
}

// sameLabels says whether another pod has the same values for those of the keys that a pod has.
func sameLabels(keys []string, of, other map[string]string) bool {
	for _, k := range keys {
		want, ok := of[k]
		if have, there := other[k]; ok && (!there || have != want) {
			return false
		}
	}
	return true
}

// sharesLabel says whether another pod has the same value for one of the keys.
func sharesLabel(keys []string, of, other map[string]string) bool {
	for _, k := range keys {
		want, ok := of[k]
		if have, there := other[k]; ok && there && have == want {
			return true
		}
	}
	return false
}

// Reactions to a spread constraint that cannot be satisfied, and policies for domains of nodes that a pod may not run on.
const (
	DoNotSchedule  = "DoNotSchedule"
	ScheduleAnyway = "ScheduleAnyway"
	Honor          = "Honor"
	Ignore         = "Ignore"
)

// TopologySpreadConstraint bounds, or only scores, how unevenly the pods that it selects spread over the values of a node label.
type TopologySpreadConstraint struct {
	MaxSkew            int32          `json:"maxSkew"`
	TopologyKey        string         `json:"topologyKey"`
	WhenUnsatisfiable  string         `json:"whenUnsatisfiable"`
	LabelSelector      *LabelSelector `json:"labelSelector"`
	MinDomains         *int32         `json:"minDomains"`         // nil: 1
	NodeAffinityPolicy string         `json:"nodeAffinityPolicy"` // empty: Honor
	NodeTaintsPolicy   string         `json:"nodeTaintsPolicy"`   // empty: Ignore
	MatchLabelKeys     []string       `json:"matchLabelKeys"`
}

// Matches says whether a constraint of one pod matches another pod's labels (podtopologyspread/common.go:mergeLabelSetWithSelector).
func (c *TopologySpreadConstraint) Matches(of, labels map[string]string) bool {
	return c.LabelSelector.Matches(labels) && sameLabels(c.MatchLabelKeys, of, labels)
}

// Counts says whether a constraint of a pod counts any pods: for an empty selector, upstream counts none
// (podtopologyspread/common.go:countPodsMatchSelector).
func (c *TopologySpreadConstraint) Counts(of map[string]string) bool {
	if c.LabelSelector == nil {
		return false
	}
	return !c.LabelSelector.Empty() || slices.ContainsFunc(c.MatchLabelKeys, func(k string) bool { _, ok := of[k]; return ok })
}

// NodeSelector matches a node if one of its terms does.
type NodeSelector struct {
	Terms []NodeSelectorTerm `json:"nodeSelectorTerms"`
}

// NodeSelectorTerm matches a node if all of its requirements hold; a term without requirements matches no node.
type NodeSelectorTerm struct {
	MatchExpressions []SelectorRequirement `json:"matchExpressions"`
	MatchFields      []SelectorRequirement `json:"matchFields"` // metadata.name alone
}

// Relates says whether other pods decide where a pod fits: the spec has terms about them, or counts them.
func (s *PodSpec) Relates() bool {
	a := Given(s.Affinity)
	return len(s.TopologySpreadConstraints) > 0 || a.PodAffinity != nil || a.PodAntiAffinity != nil
}

// MatchesNode says whether a spec's node selector and its required node affinity let it run on a node
// (component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go:GetRequiredNodeAffinity).
func (s *PodSpec) MatchesNode(n *Node) bool {
	required := Given(Given(s.Affinity).NodeAffinity).Required
	return s.SelectsNode(n) && (required == nil || required.Matches(n))
}

// SelectsNode says whether a node has the labels of the spec's node selector.
func (s *PodSpec) SelectsNode(n *Node) bool { return Covers(n.Labels, s.NodeSelector) }

// Matches says whether a node is selected.
func (s *NodeSelector) Matches(n *Node) bool {
	return slices.ContainsFunc(s.Terms, func(t NodeSelectorTerm) bool { return t.matches(n) })
}

func (t *NodeSelectorTerm) matches(n *Node) bool {
	if len(t.MatchExpressions)+len(t.MatchFields) == 0 || !allHold(t.MatchExpressions, n.Labels) {
		return false
	}
	misses := func(f SelectorRequirement) bool { return f.Key != "metadata.name" || !f.holds(n.Name, true) }
	return !slices.ContainsFunc(t.MatchFields, misses)
}

// HostPort is a port of the node that a container takes.
type HostPort struct {
	IP       string
	Port     int32
	Protocol string
}

// HostPorts lists the ports of its node that a pod takes; on the host's network every port is one.
func (s *PodSpec) HostPorts() (ports []HostPort) {
	for i := range s.Containers {
		for _, p := range s.Containers[i].Ports {
			port := p.HostPort
			if port == 0 && s.HostNetwork {
				port = p.ContainerPort
			}
			if port != 0 {
				ports = append(ports, HostPort{p.HostIP, port, p.Protocol})
			}
		}
	}
	return ports
}

// defaultTolerationSeconds is how long a pod stays on a node that is lost, unless it says otherwise.
const defaultTolerationSeconds = 300

// Tolerations returns a pod's tolerations, with the two that admission adds to those of a spec that has none for the
// taints of a lost node.
func (p *Pod) Tolerations() []Toleration {
	list := p.Spec.Tolerations
	for _, key := range [...]string{TaintNodeNotReady, TaintNodeUnreachable} {
		if !Tolerated(p.Spec.Tolerations, &Taint{Key: key, Effect: NoExecute}) {
			list = append(slices.Clip(list), Toleration{Key: key, Operator: "Exists", Effect: NoExecute,
				TolerationSeconds: Ptr[int64](defaultTolerationSeconds)})
		}
	}
	return list
}
