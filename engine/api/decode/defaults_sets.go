package decode

import (
	"cmp"
	"maps"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// defaultStatefulSet fills in a StatefulSet (S-1): an update strategy without a type gets a rolling update,
// but "type: RollingUpdate" alone does not.
func defaultStatefulSet(spec *api.StatefulSetSpec) {
	spec.PodManagementPolicy = cmp.Or(spec.PodManagementPolicy, api.OrderedReady)
	u := &spec.UpdateStrategy
	if u.Type == "" || u.Type == api.RollingUpdate && u.RollingUpdate != nil {
		u.Type = api.RollingUpdate
		r := own(&u.RollingUpdate)
		setDefault(&r.Partition, 0)
		setDefault(&r.MaxUnavailable, api.IntOrString{Int: 1})
	}
	p := own(&spec.PersistentVolumeClaimRetentionPolicy)
	p.WhenDeleted, p.WhenScaled = cmp.Or(p.WhenDeleted, "Retain"), cmp.Or(p.WhenScaled, "Retain")
	setDefault(&spec.Replicas, 1)
	setDefault(&spec.RevisionHistoryLimit, 10)
	spec.VolumeClaimTemplates = defaultClaims(spec.VolumeClaimTemplates)
}

// defaultClaims fills in claim templates, in a copy: those of a stored object are shared
// (apis/core/v1/defaults.go:SetDefaults_PersistentVolumeClaimSpec).
func defaultClaims(claims []api.PersistentVolumeClaim) []api.PersistentVolumeClaim {
	claims = slices.Clone(claims)
	for i := range claims {
		c := &claims[i]
		c.Status.Phase = cmp.Or(c.Status.Phase, "Pending")
		if c.Spec.Text("volumeMode") == "" {
			spec := api.Fields{"volumeMode": "Filesystem"}
			maps.Copy(spec, c.Spec)
			c.Spec = spec
		}
	}
	return claims
}

// defaultHorizontalPodAutoscaler fills in a HorizontalPodAutoscaler (HPA-12): one pod at least, 80 % of the requested cpu,
// and of a behavior what it leaves out. The controller fills in the window of scaling down.
func defaultHorizontalPodAutoscaler(s *api.HorizontalPodAutoscalerSpec) {
	setDefault(&s.MinReplicas, 1)
	if len(s.Metrics) == 0 {
		s.Metrics = []api.MetricSpec{{Type: api.ResourceMetric,
			Resource: &api.ResourceMetricSource{Name: "cpu", Target: api.MetricTarget{Type: api.UtilizationTarget, AverageUtilization: api.Ptr(int32(80))}}}}
	}
	if s.Behavior != nil {
		percent := api.HPAScalingPolicy{Type: api.PercentScalingPolicy, Value: 100, PeriodSeconds: 15}
		up := api.HPAScalingRules{StabilizationWindowSeconds: api.Ptr(int32(0)), SelectPolicy: api.Ptr(api.MaxChangePolicy),
			Policies: []api.HPAScalingPolicy{
				{Type: api.PodsScalingPolicy, Value: 4, PeriodSeconds: 15}, percent}}
		down := api.HPAScalingRules{SelectPolicy: api.Ptr(api.MaxChangePolicy), Policies: []api.HPAScalingPolicy{percent}}
		s.Behavior = &api.HorizontalPodAutoscalerBehavior{ScaleUp: fillIn(up, s.Behavior.ScaleUp), ScaleDown: fillIn(down, s.Behavior.ScaleDown)}
	}
}

// defaultService fills in a Service (core/v1/defaults.go:SetDefaults_Service).
func defaultService(s *api.ServiceSpec) {
	s.Type, s.SessionAffinity = cmp.Or(s.Type, api.ClusterIP), cmp.Or(s.SessionAffinity, "None")
	switch {
	case s.SessionAffinity == "None":
		s.SessionAffinityConfig = nil
	case s.SessionAffinity == "ClientIP" && s.SessionAffinityConfig.Object("clientIP")["timeoutSeconds"] == nil:
		s.SessionAffinityConfig = api.Fields{"clientIP": map[string]any{"timeoutSeconds": int64(10800)}}
	}
	s.Ports = slices.Clone(s.Ports)
	for i := range s.Ports {
		p := &s.Ports[i]
		p.Protocol = cmp.Or(p.Protocol, "TCP")
		if p.TargetPort == (api.IntOrString{}) || p.TargetPort == *api.Str("") {
			p.TargetPort = *api.Int(p.Port)
		}
	}
	if s.External() {
		s.ExternalTrafficPolicy = cmp.Or(s.ExternalTrafficPolicy, "Cluster")
	}
	if s.Type != api.ExternalName {
		setDefault(&s.InternalTrafficPolicy, "Cluster")
	}
	if s.Type == api.LoadBalancer {
		setDefault(&s.AllocateLoadBalancerNodePorts, true)
	}
}

// fillIn returns the given rules with defaults for what they leave out.
func fillIn(r api.HPAScalingRules, given *api.HPAScalingRules) *api.HPAScalingRules {
	if given == nil {
		return &r
	}
	r.StabilizationWindowSeconds = cmp.Or(given.StabilizationWindowSeconds, r.StabilizationWindowSeconds)
	r.SelectPolicy = cmp.Or(given.SelectPolicy, r.SelectPolicy)
	if given.Policies != nil {
		r.Policies = given.Policies
	}
	r.Tolerance = given.Tolerance
	return &r
}
