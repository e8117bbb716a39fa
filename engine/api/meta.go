package api

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is the kind of an object, as in a manifest.
type Kind string

// The kinds that have a Go type, and events. Package kinds is the table of all that is known about them.
const (
	KindDeployment    Kind = "Deployment"
	KindReplicaSet    Kind = "ReplicaSet"
	KindPod           Kind = "Pod"
	KindNode          Kind = "Node"
	KindResourceQuota Kind = "ResourceQuota"

	KindStatefulSet           Kind = "StatefulSet"
	KindDaemonSet             Kind = "DaemonSet"
	KindControllerRevision    Kind = "ControllerRevision"
	KindPodDisruptionBudget   Kind = "PodDisruptionBudget"
	KindPersistentVolumeClaim Kind = "PersistentVolumeClaim"

	KindHorizontalPodAutoscaler Kind = "HorizontalPodAutoscaler"

	KindService       Kind = "Service"
	KindEndpointSlice Kind = "EndpointSlice"

	KindEvent Kind = "Event" // events are records here, not objects
)

// NamespaceDefault is the namespace of an object that names none.
const NamespaceDefault = "default"

// Key names one object of the cluster.
type Key struct {
	Kind      Kind
	Namespace string // empty for a Node
	Name      string
}

// String returns Kind/namespace/name, or Kind/name for an object without a namespace.
func (k Key) String() string {
	if k.Namespace == "" {
		return string(k.Kind) + "/" + k.Name
	}
	return string(k.Kind) + "/" + k.Namespace + "/" + k.Name
}

// Title is the name that people use: deployment/web, deployment/web -n shop.
func (k Key) Title() string {
	return strings.ToLower(string(k.Kind)) + "/" + k.Name + k.NamespaceFlag()
}

// NamespaceFlag is the end of a kubectl line about the object: " -n shop", or "" for the default namespace.
func (k Key) NamespaceFlag() string {
	if k.Namespace == "" || k.Namespace == NamespaceDefault {
		return ""
	}
	return " -n " + k.Namespace
}

// IsNamed reports whether a text names the object: web, deployment/web, deployment/web -n shop, Deployment/shop/web.
func (k Key) IsNamed(text string) bool {
	text, namespace, given := strings.Cut(text, " -n ")
	if given && namespace != k.Namespace {
		return false
	}
	return text == k.Name || strings.EqualFold(text, string(k.Kind)+"/"+k.Name) || strings.EqualFold(text, k.String())
}

// ObjectMeta is the part of the metadata that the controllers read or write.
type ObjectMeta struct {
	Name                       string            `json:"name,omitempty"`
	GenerateName               string            `json:"generateName,omitempty"`
	Namespace                  string            `json:"namespace,omitempty"`
	UID                        string            `json:"uid,omitempty"`
	ResourceVersion            int64             `json:"resourceVersion,omitempty,string"`
	Generation                 int64             `json:"generation,omitempty"`
	CreationTimestamp          Time              `json:"creationTimestamp,omitzero"`
	DeletionTimestamp          Time              `json:"deletionTimestamp,omitzero"`
	DeletionGracePeriodSeconds int64             `json:"deletionGracePeriodSeconds,omitempty"`
	Labels                     map[string]string `json:"labels,omitempty"`
	Annotations                map[string]string `json:"annotations,omitempty"`
	OwnerReferences            []OwnerReference  `json:"ownerReferences,omitempty"`
	Finalizers                 []string          `json:"finalizers,omitempty"`
}

// OwnerReference points from a dependent to its owner. Only controller references occur in the simulation.
type OwnerReference struct {
	APIVersion         string `json:"apiVersion"`
	Kind               Kind   `json:"kind"`
	Name               string `json:"name"`
	UID                string `json:"uid"`
	Controller         bool   `json:"controller,omitempty"`
	BlockOwnerDeletion bool   `json:"blockOwnerDeletion,omitempty"`
}

// RevisionNumber returns the revision in the annotation of a Deployment or a ReplicaSet, 0 if there is none.
func (m *ObjectMeta) RevisionNumber() (int64, error) {
	text, ok := m.Annotations[RevisionAnnotation]
	if !ok {
		return 0, nil
	}
	return strconv.ParseInt(text, 10, 64)
}

// Meta returns m itself; it lets a type that embeds ObjectMeta be an Object.
func (m *ObjectMeta) Meta() *ObjectMeta { return m }

// Terminating says whether the object is being deleted.
func (m *ObjectMeta) Terminating() bool { return m.DeletionTimestamp != 0 }

// ControllerOf returns the controller reference, or nil.
func (m *ObjectMeta) ControllerOf() *OwnerReference {
	for i := range m.OwnerReferences {
		if m.OwnerReferences[i].Controller {
			return &m.OwnerReferences[i]
		}
	}
	return nil
}

// ControllerKey returns the key of the object's controller, an empty key if it has none.
func (m *ObjectMeta) ControllerKey() Key {
	if ref := m.ControllerOf(); ref != nil {
		return Key{Kind: ref.Kind, Namespace: m.Namespace, Name: ref.Name}
	}
	return Key{}
}

// ControllerUID returns the UID of the object's controller, "" if it has none.
func (m *ObjectMeta) ControllerUID() string {
	if ref := m.ControllerOf(); ref != nil {
		return ref.UID
	}
	return ""
}

// IsControlledBy says whether the owner with this UID is the object's controller.
func (m *ObjectMeta) IsControlledBy(uid string) bool {
	ref := m.ControllerOf()
	return ref != nil && ref.UID == uid
}

// IsOwnedBy says whether an object is among the owners, as a controller or not.
func (m *ObjectMeta) IsOwnedBy(uid string) bool {
	return slices.ContainsFunc(m.OwnerReferences, func(r OwnerReference) bool { return r.UID == uid })
}

// SameMeta says whether two objects have the same metadata apart from resourceVersion and generation.
func SameMeta(a, b *ObjectMeta) bool {
	return a.Name == b.Name && a.GenerateName == b.GenerateName && a.UID == b.UID && a.DeletionTimestamp == b.DeletionTimestamp &&
		a.DeletionGracePeriodSeconds == b.DeletionGracePeriodSeconds &&
		maps.Equal(a.Labels, b.Labels) && maps.Equal(a.Annotations, b.Annotations) &&
		slices.Equal(a.OwnerReferences, b.OwnerReferences) && slices.Equal(a.Finalizers, b.Finalizers)
}

// SetAnnotation sets one annotation. The map is copied first: versions of an object share theirs.
func (m *ObjectMeta) SetAnnotation(key, value string) {
	m.Annotations = With(m.Annotations, key, value)
}

// DeleteAnnotation removes one annotation, in a copy of the map.
func (m *ObjectMeta) DeleteAnnotation(key string) {
	m.Annotations = maps.Clone(m.Annotations)
	delete(m.Annotations, key)
}

// Epoch is the virtual moment at which every run starts, in Unix seconds: 2026-01-01T00:00:00Z. It is fixed, so
// that a recording always gives the same texts.
const Epoch = 1767225600

// Time is a moment as the API server stores it: whole Unix seconds (A-5, SIM-4). Zero is "not set".
type Time int64

// TimeAt returns the stored form of a virtual time, in ms since the start of the run.
func TimeAt(ms int64) Time { return Time(Epoch + ms/1000) }

// Milli returns the virtual ms since the start of the run at which the stored second begins.
func (t Time) Milli() int64 { return (int64(t) - Epoch) * 1000 }

// MarshalText returns the time in RFC 3339, as the API server prints it.
func (t Time) MarshalText() ([]byte, error) {
	return []byte(time.Unix(int64(t), 0).UTC().Format(time.RFC3339)), nil
}

// UnmarshalText reads RFC 3339.
func (t *Time) UnmarshalText(b []byte) error {
	p, err := time.Parse(time.RFC3339, string(b))
	if err != nil {
		return err
	}
	*t = Time(p.Unix())
	return nil
}

// Condition is a condition of a Deployment, a ReplicaSet or a Pod. LastUpdateTime is only used by Deployments.
type Condition struct {
	Type               string `json:"type"`
	Status             string `json:"status"` // True, False or Unknown
	LastUpdateTime     Time   `json:"lastUpdateTime,omitzero"`
	LastTransitionTime Time   `json:"lastTransitionTime,omitzero"`
	Reason             string `json:"reason,omitempty"`
	Message            string `json:"message,omitempty"`
}

// FindCondition returns the condition of a type, or nil.
func FindCondition(conditions []Condition, conditionType string) *Condition {
	for i := range conditions {
		if conditions[i].Type == conditionType {
			return &conditions[i]
		}
	}
	return nil
}

// SetPodCondition puts a condition among those of a pod, in place of the one of its type. The caller owns the slice.
// The transition time is now, or stays if the status does (pkg/api/v1/pod/util.go:UpdatePodCondition).
func SetPodCondition(conditions []Condition, c Condition, now Time) []Condition {
	c.LastTransitionTime = now
	old := FindCondition(conditions, c.Type)
	if old == nil {
		return append(conditions, c)
	}
	if old.Status == c.Status {
		c.LastTransitionTime = old.LastTransitionTime
	}
	*old = c
	return conditions
}
