package past

import (
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
)

// NodeRow is a node with the pods on it. It is a comparable value.
type NodeRow struct {
	Name     string
	Status   string // as kubectl get nodes prints it: Ready,SchedulingDisabled (K-47)
	Ready    bool
	Cordoned bool
	Zone     string // the label topology.kubernetes.io/zone; empty without it
	Taints   string // key=value:Effect, separated by blanks
	Pods     int    // pods on it, including terminating ones, excluding finished ones
	Room     string // cpu 1500m of 4, memory 2Gi of 8Gi, pods 3 of 110; empty if nothing is limited
}

// NodeOf is the node of a pod of a workload after a record, "" if no pod is on one.
func (p *Past) NodeOf(w api.Workload, record int) string {
	for _, o := range p.StateAfter(record).All(api.KindPod) {
		if pod := o.(*api.Pod); pod.NodeName != "" && !pod.Terminating() && pod.Namespace == w.Meta().Namespace && w.Selector().Matches(pod.Labels) {
			return pod.NodeName
		}
	}
	return ""
}

// Nodes returns at most `most` nodes after a record, by name; all is how many there are.
func (p *Past) Nodes(record, most int) (rows []NodeRow, all int) {
	used := p.Used(record)
	nodes := p.Objects(api.KindNode, record)
	for _, o := range nodes[:min(most, len(nodes))] {
		rows = append(rows, nodeRow(o.(*api.Node), used[o.Meta().Name]))
	}
	return rows, len(nodes)
}

// Used returns what the pods of each node need together after a record; see api.PodSpec.Needs.
func (p *Past) Used(record int) map[string][3]int64 {
	used := map[string][3]int64{}
	for _, o := range p.Objects(api.KindPod, record) {
		breath.Often()
		pod := o.(*api.Pod)
		if pod.NodeName == "" || pod.Finished() {
			continue
		}
		sum := used[pod.NodeName]
		for i, amount := range pod.Spec.Needs() {
			sum[i] += amount
		}
		used[pod.NodeName] = sum
	}
	return used
}

func nodeRow(n *api.Node, used [3]int64) NodeRow {
	status := print.NodeStatus(n)
	row := NodeRow{Name: n.Name, Status: status, Ready: strings.HasPrefix(status, "Ready"), Cordoned: n.Spec.Unschedulable,
		Zone: n.Labels[api.ZoneLabel], Pods: int(used[2])}
	row.Taints = words.Join(n.Spec.Taints, " ", func(t api.Taint) string { // as kubectl writes it
		return strings.TrimSuffix(t.Key+"="+t.Value, "=") + ":" + t.Effect
	})
	var room []string
	mebibytes := strconv.FormatInt((used[1]+1<<20-1)>>20, 10) + "Mi"
	for _, of := range [][2]string{{"cpu", words.Cores(used[0])}, {"memory", mebibytes}, {"pods", strconv.FormatInt(used[2], 10)}} {
		if have, ok := n.Status.Allocatable[of[0]]; ok {
			room = append(room, of[0]+" "+of[1]+" of "+have.String())
		}
	}
	row.Room = strings.Join(room, ", ")
	return row
}

// IsDown says whether the machine of a node is dead after a record: killed and not restored. The cluster notices only after the
// kubelet has not reported for a while (G-41).
func (p *Past) IsDown(node string, record int) bool {
	down := false
	for _, i := range p.inputsUpTo(record) {
		rec := p.Records()[i]
		if rec.Actor != scenario.Environment || rec.Failed {
			continue
		}
		if d, err := scenario.ParseDeed(rec.Command); err == nil && d.Key.Kind == api.KindNode && d.Key.Name == node {
			down = d.Verb == "kill"
		}
	}
	return down
}
