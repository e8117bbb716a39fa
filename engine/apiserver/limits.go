package apiserver

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/limits"
)

// Simplified: a cluster is as large as rollplay can simulate. A real API server takes a Deployment of a billion pods.

// checkLimits refuses what makes the cluster larger than rollplay simulates; stored is nil for a new object. Objects that a
// controller made are not counted: their owners are.
func (s *Server) checkLimits(o, stored api.Object) error {
	if o.Meta().ControllerOf() != nil {
		return nil
	}
	kind := o.Key().Kind
	if stored == nil {
		most, what := kinds.Of(kind).Most, string(kind)+"s"
		if _, ok := o.(api.Workload); ok {
			most, what = limits.Workloads, "workloads of a kind"
		}
		if most > 0 && s.Store.Table(kind).Len() >= most {
			return fmt.Errorf("rollplay simulates at most %d %s", most, what)
		}
	}
	if s, ok := o.(*api.StatefulSet); ok && s.Replicas() > limits.Ordinals {
		return fmt.Errorf("rollplay simulates at most %d pods of a StatefulSet, not %d", limits.Ordinals, s.Replicas())
	}
	before := int64(0)
	if stored != nil {
		before = s.wants(stored)
	}
	if now := s.wants(o); now > before {
		if all := s.wanted() - before + now; all > limits.Pods {
			return fmt.Errorf("rollplay simulates at most %d pods; with this change the workloads would want %d", limits.Pods, all)
		}
	}
	return nil
}

// wants returns how many pods a workload wants. A DaemonSet is taken to want one on every node.
func (s *Server) wants(o api.Object) int64 {
	switch o := o.(type) {
	case *api.DaemonSet:
		return int64(s.Store.Table(api.KindNode).Len())
	case api.Scalable:
		return int64(o.Replicas())
	}
	return 0
}

// wanted returns how many pods all workloads want.
func (s *Server) wanted() (sum int64) {
	for _, kind := range kinds.Where((*kinds.Kind).HasTemplate) {
		for o := range s.Store.Table(kind).All() {
			if o.Meta().ControllerOf() == nil {
				sum += s.wants(o)
			}
		}
	}
	return sum
}
