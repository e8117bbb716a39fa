package prove

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// hostname is the label in which nodes differ although they are alike.
const hostname = "kubernetes.io/hostname"

// state describes a run when a choice is due: the pods of each revision on each node, with what they are doing and how they got there. It
// has no names and no ages, so schedules that differ only in these reach the same state. The controller chooses among equal pods by their
// ages and UIDs, so such schedules may continue with pods on other nodes: that is a bound of the search. TestAlike compares with
// playing every schedule.
type state struct {
	pods  map[string]string // by UID
	nodes map[string]string // by name
	text  string            // all of it
}

// stateOf describes the present state of a run.
func (x *player) stateOf(pods []*api.Pod) *state {
	s := &state{pods: map[string]string{}, nodes: map[string]string{}}
	view := x.run.Past()
	minReady := api.MinReadySecondsOf(view.ObjectAt(x.workload, view.Len()-1))
	for _, p := range pods {
		name := ""
		if x.workload.Kind == api.KindStatefulSet || x.proof.Options.Every {
			name = p.Name // an ordinal matters
		}
		s.pods[p.UID] = fmt.Sprint(name, p.ControllerOf().UID, p.Status.Phase, p.Terminating(), p.IsReady(),
			x.held[p.UID], x.released[p.UID], print.PodRestarts(p), x.unavailable(p, minReady))
	}
	s.describeNodes(x, pods)
	parts := slices.Sorted(maps.Values(s.nodes))
	for _, p := range pods {
		if p.NodeName == "" {
			parts = append(parts, s.pods[p.UID])
		}
	}
	due, _ := x.run.Next()
	s.text = fmt.Sprint(x.crashed, x.killed, x.lost, (due-x.run.Now())/rest, x.sets()) + strings.Join(parts, "\n")
	return s
}

// describeNodes describes each node with its pods. A node that has pods of somebody else, or that the template names, is like no other.
func (s *state) describeNodes(x *player, pods []*api.Pod) {
	on, foreign := map[string][]string{}, map[string]bool{}
	mine := map[string]bool{}
	for _, p := range pods {
		mine[p.UID] = true
		on[p.NodeName] = append(on[p.NodeName], s.pods[p.UID])
	}
	for _, o := range x.objects(api.KindPod) {
		if p := o.(*api.Pod); !mine[p.UID] {
			foreign[p.NodeName] = true
		}
	}
	for _, o := range x.objects(api.KindNode) {
		n := o.(*api.Node)
		labels := maps.Clone(n.Labels)
		delete(labels, hostname)
		name := ""
		if foreign[n.Name] || x.proof.Options.Every || len(pods) > 0 && strings.Contains(fmt.Sprint(pods[0].Spec.Tree()), n.Name) {
			name = n.Name
		}
		slices.Sort(on[n.Name])
		s.nodes[n.Name] = fmt.Sprint(name, labels, n.Spec, n.Status.Allocatable, x.lostNode(n.Name), on[n.Name])
	}
}

// unavailable returns how many seconds pass until a Ready pod is available.
func (x *player) unavailable(p *api.Pod, minReady int32) int64 {
	at, ready := p.AvailableAt(minReady)
	if !ready {
		return -1
	}
	return max(0, at-x.run.Now()+999) / 1000
}

// sets lists the sizes of the ReplicaSets of the workload.
func (x *player) sets() (list []string) {
	for _, o := range x.objects(api.KindReplicaSet) {
		rs := o.(*api.ReplicaSet)
		if ref := rs.ControllerOf(); ref != nil && ref.Name == x.workload.Name && rs.Namespace == x.workload.Namespace {
			list = append(list, fmt.Sprint(rs.UID, *rs.Spec.Replicas))
		}
	}
	return list
}
