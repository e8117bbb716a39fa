package apiserver

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// SinceMaxUnavailable is the first version whose StatefulSets keep maxUnavailable (S-2, S-19).
const SinceMaxUnavailable = 37

// prepareForCreate sets the first generation, and drops fields that the simulated version does not have
// (registry/apps/statefulset/strategy.go).
func (s *Server) prepareForCreate(o api.Object) {
	if set, ok := o.(*api.StatefulSet); ok && !s.Since(SinceMaxUnavailable) {
		dropMaxUnavailable(set)
	}
	if svc, ok := o.(*api.Service); ok {
		allocate(svc)
	}
	if s.countsGeneration(o) {
		o.Meta().Generation = 1
	}
}

// prepareForUpdate sets the fields that only the server sets: the generation, and the templateGeneration of a DaemonSet.
// The object is the server's own copy.
func (s *Server) prepareForUpdate(o, stored api.Object) {
	switch o := o.(type) {
	case *api.StatefulSet:
		if !s.Since(SinceMaxUnavailable) && !hasMaxUnavailable(stored.(*api.StatefulSet)) {
			dropMaxUnavailable(o)
		}
	case *api.DaemonSet:
		was := stored.(*api.DaemonSet)
		o.TemplateGeneration = was.TemplateGeneration
		if !o.Spec.Template.Equal(&was.Spec.Template) {
			o.TemplateGeneration++
		}
	case *api.Service: // what was allocated stays (registry/core/service/strategy.go:patchAllocatedValues)
		if was := &stored.(*api.Service).Spec; o.Spec.Type != api.ExternalName && o.Spec.ClusterIP == "" {
			o.Spec.ClusterIP, o.Spec.ClusterIPs = was.ClusterIP, was.ClusterIPs
		}
		allocate(o)
	}
	o.Meta().Generation = stored.Meta().Generation
	if s.countsGeneration(o) && (!api.SpecEqual(o, stored) || generationFollows(o, stored)) {
		o.Meta().Generation++
	}
}

// countsGeneration says whether an object's generation counts the changes of its spec in the simulated version.
func (s *Server) countsGeneration(o api.Object) bool {
	return s.Since(kinds.Of(o.Key().Kind).Generation)
}

// allocate gives a Service its address and its ports on the nodes, if it does not ask for others (E-9).
//
// Simplified: they are computed from its name, not taken from a range; every cluster has IPv4 addresses alone.
func allocate(svc *api.Service) {
	s := &svc.Spec
	if s.Type == api.ExternalName {
		s.ClusterIP, s.ClusterIPs, s.IPFamilies, s.IPFamilyPolicy = "", nil, nil, nil
		return
	}
	s.ClusterIP = cmp.Or(s.ClusterIP, api.ServiceIP(svc))
	s.ClusterIPs, s.IPFamilies = []string{s.ClusterIP}, []string{"IPv4"}
	s.IPFamilyPolicy = cmp.Or(s.IPFamilyPolicy, api.Ptr("SingleStack"))
	s.Ports = slices.Clone(s.Ports)
	for i := range s.Ports {
		if p := &s.Ports[i]; p.NodePort == 0 && (s.Type == api.NodePort || s.Type == api.LoadBalancer) {
			b := api.Digest(16, "port", svc.Namespace, svc.Name, strconv.Itoa(i))
			p.NodePort = 30_000 + (int32(b[14])<<8|int32(b[15]))%2768 // the front is nearly the same for all short names
		}
	}
}

func hasMaxUnavailable(s *api.StatefulSet) bool {
	r := s.Spec.UpdateStrategy.RollingUpdate
	return r != nil && r.MaxUnavailable != nil
}

func dropMaxUnavailable(s *api.StatefulSet) {
	if hasMaxUnavailable(s) {
		r := *s.Spec.UpdateStrategy.RollingUpdate // versions of an object share it
		r.MaxUnavailable = nil
		s.Spec.UpdateStrategy.RollingUpdate = &r
	}
}

// admit runs the admission plugins, and sets what the strategy of the kind sets at creation.
func (s *Server) admit(o api.Object) error {
	switch o := o.(type) {
	case *api.Pod:
		o.Status.Phase = api.PodPending // registry/core/pod/strategy.go:PrepareForCreate
		return s.admitPod(o)
	case *api.ResourceQuota:
		// Simplified: the real controller fills in the status a moment later, and until then the plugin rejects every pod.
		s.startQuotas()
		o.Status = s.quotas.statusOf(o)
	}
	return nil
}
