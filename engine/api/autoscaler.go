package api

// Values of the HorizontalPodAutoscaler API.
const (
	ResourceMetric       = "Resource"    // a metric of the pods' resources, as the metrics API has them
	UtilizationTarget    = "Utilization" // a target in percent of what the pods request
	PodsScalingPolicy    = "Pods"
	PercentScalingPolicy = "Percent"
	MaxChangePolicy      = "Max"
	MinChangePolicy      = "Min"
	DisabledPolicy       = "Disabled"
)

// The conditions of a HorizontalPodAutoscaler.
const (
	ScalingActive  = "ScalingActive"
	AbleToScale    = "AbleToScale"
	ScalingLimited = "ScalingLimited"
	ScaledToZero   = "ScaledToZero"
)

// HorizontalPodAutoscaler is autoscaling/v2 HorizontalPodAutoscaler.
type HorizontalPodAutoscaler struct {
	ObjectMeta `json:"metadata"`
	Spec       HorizontalPodAutoscalerSpec   `json:"spec,omitzero"`
	Status     HorizontalPodAutoscalerStatus `json:"status,omitzero"`
}

// HorizontalPodAutoscalerSpec has the target, the bounds and the metrics. After Default only Behavior may be nil.
type HorizontalPodAutoscalerSpec struct {
	ScaleTargetRef CrossVersionObjectReference      `json:"scaleTargetRef"`
	MinReplicas    *int32                           `json:"minReplicas,omitempty"`
	MaxReplicas    int32                            `json:"maxReplicas"`
	Metrics        []MetricSpec                     `json:"metrics,omitempty"`
	Behavior       *HorizontalPodAutoscalerBehavior `json:"behavior,omitempty"`
}

// CrossVersionObjectReference names an object of the same namespace.
type CrossVersionObjectReference struct {
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	APIVersion string `json:"apiVersion,omitempty"`
}

// MetricSpec is a metric that the number of pods follows. Sources other than Resource are read so that validation can reject them.
type MetricSpec struct {
	Type              string                `json:"type"`
	Object            any                   `json:"object,omitempty"`
	Pods              any                   `json:"pods,omitempty"`
	Resource          *ResourceMetricSource `json:"resource,omitempty"`
	ContainerResource any                   `json:"containerResource,omitempty"`
	External          any                   `json:"external,omitempty"`
}

// ResourceMetricSource is a resource of the pods, and how much of it they should use.
type ResourceMetricSource struct {
	Name   string       `json:"name"`
	Target MetricTarget `json:"target"`
}

// MetricTarget is the usage to aim at. Validation rejects an AverageValue of cpu, which is not simulated.
type MetricTarget struct {
	Type               string    `json:"type"`
	Value              *Quantity `json:"value,omitempty"`
	AverageValue       *Quantity `json:"averageValue,omitempty"`
	AverageUtilization *int32    `json:"averageUtilization,omitempty"` // percent of the requests
}

// HorizontalPodAutoscalerBehavior says how fast the number of pods may change. After Default both are there.
type HorizontalPodAutoscalerBehavior struct {
	ScaleUp   *HPAScalingRules `json:"scaleUp,omitempty"`
	ScaleDown *HPAScalingRules `json:"scaleDown,omitempty"`
}

// HPAScalingRules bound the change in one direction. After Default only Tolerance and the window of ScaleDown may be nil.
type HPAScalingRules struct {
	StabilizationWindowSeconds *int32             `json:"stabilizationWindowSeconds,omitempty"`
	SelectPolicy               *string            `json:"selectPolicy,omitempty"`
	Policies                   []HPAScalingPolicy `json:"policies,omitempty"`
	Tolerance                  *Quantity          `json:"tolerance,omitempty"`
}

// HPAScalingPolicy is how many pods, or percent of them, may come or go within a period.
type HPAScalingPolicy struct {
	Type          string `json:"type"`
	Value         int32  `json:"value"`
	PeriodSeconds int32  `json:"periodSeconds"`
}

// HorizontalPodAutoscalerStatus is what the controller last wrote.
type HorizontalPodAutoscalerStatus struct {
	ObservedGeneration *int64         `json:"observedGeneration,omitempty"`
	LastScaleTime      Time           `json:"lastScaleTime,omitzero"`
	CurrentReplicas    int32          `json:"currentReplicas,omitempty"`
	DesiredReplicas    int32          `json:"desiredReplicas"`
	CurrentMetrics     []MetricStatus `json:"currentMetrics"`
	Conditions         []Condition    `json:"conditions,omitempty"`
}

// MetricStatus is what was read of a metric; it is empty if that failed.
type MetricStatus struct {
	Type     string                `json:"type"`
	Resource *ResourceMetricStatus `json:"resource,omitempty"`
}

// ResourceMetricStatus is how much of a resource the pods use.
type ResourceMetricStatus struct {
	Name    string            `json:"name"`
	Current MetricValueStatus `json:"current"`
}

// MetricValueStatus is the use in percent of the requests, and by pod.
type MetricValueStatus struct {
	AverageValue       *Quantity `json:"averageValue,omitempty"`
	AverageUtilization *int32    `json:"averageUtilization,omitempty"`
}

// Target returns the key of the scaled object (HPA-10).
func (h *HorizontalPodAutoscaler) Target() Key {
	ref := &h.Spec.ScaleTargetRef
	return Key{Kind: Kind(ref.Kind), Namespace: h.Namespace, Name: ref.Name}
}
