package apiserver

import "github.com/rollplay/rollplay/engine/api"

// admit runs the admission plugins, and sets what the strategy of the kind sets at creation.
func (s *Server) admit(o api.Object) error {
	switch o := o.(type) {
	case *api.Pod:
		o.Status.Phase = api.PodPending // registry/core/pod/strategy.go:PrepareForCreate
		return s.admitPod(o)
	case *api.ResourceQuota:
		s.admitQuota(o)
	}
	return nil
}
