package apiserver

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// SinceMaxUnavailable is the first version whose StatefulSets keep maxUnavailable (S-2, S-19).
const SinceMaxUnavailable = 37

// PrepareForCreate sets the fields that only the server sets, and drops those that the simulated version does not have
// (registry/apps/statefulset/strategy.go).
func (c *Client) PrepareForCreate(o api.Object, uid string) {
	m := o.Meta()
	m.UID, m.CreationTimestamp, m.DeletionTimestamp = uid, c.Timestamp(), 0
	if set, ok := o.(*api.StatefulSet); ok && !c.Since(SinceMaxUnavailable) {
		dropMaxUnavailable(set)
	}
	if c.countsGeneration(o) {
		m.Generation = 1
	}
}

// PrepareForUpdate sets the fields that only the server sets: the generation, and the templateGeneration of a DaemonSet.
// The object is the server's own copy.
func (c *Client) PrepareForUpdate(o, stored api.Object) {
	switch o := o.(type) {
	case *api.StatefulSet:
		if !c.Since(SinceMaxUnavailable) && !hasMaxUnavailable(stored.(*api.StatefulSet)) {
			dropMaxUnavailable(o)
		}
	case *api.DaemonSet:
		was := stored.(*api.DaemonSet)
		o.TemplateGeneration = was.TemplateGeneration
		if !o.Spec.Template.Equal(&was.Spec.Template) {
			o.TemplateGeneration++
		}
	}
	o.Meta().Generation = stored.Meta().Generation
	if c.countsGeneration(o) && (!api.SpecEqual(o, stored) || generationFollows(o, stored)) {
		o.Meta().Generation++
	}
}

// countsGeneration says whether an object's generation counts the changes of its spec in the simulated version.
func (c *Client) countsGeneration(o api.Object) bool {
	return c.Since(kinds.Of(o.Key().Kind).Generation)
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
