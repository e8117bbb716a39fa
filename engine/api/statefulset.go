package api

// Labels of the pods of StatefulSets and DaemonSets (S-5, DS-9).
const (
	ControllerRevisionHashLabel = "controller-revision-hash"
	StatefulSetPodNameLabel     = "statefulset.kubernetes.io/pod-name"
	PodIndexLabel               = "apps.kubernetes.io/pod-index"
	PodTemplateGenerationLabel  = "pod-template-generation"
)

// Update strategies besides RollingUpdate, and the two pod management policies of StatefulSets.
const (
	OnDelete     = "OnDelete"
	OrderedReady = "OrderedReady"
	Parallel     = "Parallel"
)

// StatefulSet is apps/v1 StatefulSet.
type StatefulSet struct {
	ObjectMeta `json:"metadata"`
	Spec       StatefulSetSpec   `json:"spec"`
	Status     StatefulSetStatus `json:"status,omitzero"`
}

// StatefulSetSpec is the desired state. After Default only UpdateStrategy.RollingUpdate and Ordinals may be nil.
type StatefulSetSpec struct {
	Replicas                             *int32                         `json:"replicas,omitempty"`
	Selector                             *LabelSelector                 `json:"selector,omitempty"`
	Template                             PodTemplateSpec                `json:"template"`
	VolumeClaimTemplates                 []PersistentVolumeClaim        `json:"volumeClaimTemplates,omitempty"`
	ServiceName                          string                         `json:"serviceName,omitempty"`
	PodManagementPolicy                  string                         `json:"podManagementPolicy,omitempty"`
	UpdateStrategy                       StatefulSetUpdateStrategy      `json:"updateStrategy,omitzero"`
	RevisionHistoryLimit                 *int32                         `json:"revisionHistoryLimit,omitempty"`
	MinReadySeconds                      int32                          `json:"minReadySeconds,omitempty"`
	PersistentVolumeClaimRetentionPolicy *StatefulSetPVCRetentionPolicy `json:"persistentVolumeClaimRetentionPolicy,omitempty"`
	Ordinals                             *StatefulSetOrdinals           `json:"ordinals,omitempty"`
}

// StatefulSetUpdateStrategy says how pods are replaced.
type StatefulSetUpdateStrategy struct {
	Type          string                    `json:"type,omitempty"`
	RollingUpdate *RollingUpdateStatefulSet `json:"rollingUpdate,omitempty"` // nil and present mean different things (S-1)
}

// RollingUpdateStatefulSet holds the bounds of a rolling update.
type RollingUpdateStatefulSet struct {
	Partition      *int32       `json:"partition,omitempty"`
	MaxUnavailable *IntOrString `json:"maxUnavailable,omitempty"`
}

// StatefulSetPVCRetentionPolicy says what becomes of the claims: Retain or Delete (S-42).
type StatefulSetPVCRetentionPolicy struct {
	WhenDeleted string `json:"whenDeleted,omitempty"`
	WhenScaled  string `json:"whenScaled,omitempty"`
}

// StatefulSetOrdinals says with which number the pods' names begin.
type StatefulSetOrdinals struct {
	Start int32 `json:"start,omitempty"`
}

// StatefulSetStatus is what the StatefulSet controller last wrote (S-30).
type StatefulSetStatus struct {
	ObservedGeneration int64       `json:"observedGeneration,omitempty"`
	Replicas           int32       `json:"replicas"`
	ReadyReplicas      int32       `json:"readyReplicas,omitempty"`
	CurrentReplicas    int32       `json:"currentReplicas,omitempty"`
	UpdatedReplicas    int32       `json:"updatedReplicas,omitempty"`
	CurrentRevision    string      `json:"currentRevision,omitempty"`
	UpdateRevision     string      `json:"updateRevision,omitempty"`
	CollisionCount     *int32      `json:"collisionCount,omitempty"`
	Conditions         []Condition `json:"conditions,omitempty"`
	AvailableReplicas  int32       `json:"availableReplicas"`
}

// Start returns the first ordinal (S-5).
func (s *StatefulSet) Start() int { return int(Given(s.Spec.Ordinals).Start) }

// Partition returns how many pods, from the first ordinal on, a rolling update leaves alone (S-17).
func (s *StatefulSet) Partition() int {
	return int(Given(Given(s.Spec.UpdateStrategy.RollingUpdate).Partition))
}

// PersistentVolumeClaim is v1 PersistentVolumeClaim, as far as a StatefulSet has to do with it: a name that outlives pods.
//
// Simplified: nothing is provisioned; a claim is bound when it is made, and its spec is kept, not read (S-42).
type PersistentVolumeClaim struct {
	ObjectMeta `json:"metadata"`
	Spec       Fields                      `json:"spec,omitempty"`
	Status     PersistentVolumeClaimStatus `json:"status,omitzero"`
}

// PersistentVolumeClaimStatus is the phase of a claim.
type PersistentVolumeClaimStatus struct {
	Phase string `json:"phase,omitempty"`
}
