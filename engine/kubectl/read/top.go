package read

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/controllers/autoscaler"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// usage is a row of kubectl top: cells in front, thousandths of a core, and bytes.
type usage struct {
	cells       []string
	cpu, memory int64
	whole       map[string]api.Quantity // of a node: what it has
}

// sampled returns the thousandths of a core that pods use, of those that have a sample.
//
// Simplified: a sample is of the moment at which it is asked for, and the memory is what a pod requests: a scenario says nothing else.
func (r *reading) sampled() (cpu map[api.Key]int64, err error) {
	switch {
	case len(r.Rest) > 1:
		return nil, r.Usage(errors.New(strings.TrimPrefix(r.Verb, "top ") + " [NAME | -l label]"))
	case !slices.Contains([]string{"", "cpu", "memory"}, r.Flags["sort-by"]):
		return nil, errors.New("--sort-by accepts only cpu or memory")
	case r.BadSelector != nil:
		return nil, r.BadSelector
	case len(r.Load) == 0: // nothing measures here
		return nil, errors.New("Metrics API not available")
	}
	cpu = map[api.Key]int64{}
	for key, sample := range autoscaler.Sample(r.now, r.Load, r.Cluster.Get, slices.Values(r.Cluster.All(api.KindPod))) {
		cpu[key] = sample.Value
	}
	return cpu, nil
}

// topPods is kubectl top pod: the use of pods or, with --containers, of their containers, among which that of a pod is divided equally.
func (r *reading) topPods() error {
	cpu, err := r.sampled()
	if err != nil {
		return err
	}
	head := "NAME|CPU(cores)|MEMORY(bytes)"
	if r.On("containers") {
		head = "POD|" + head
	}
	if r.On("all-namespaces") {
		head = "NAMESPACE|" + head
	}
	var list []usage
	for _, o := range r.selected(api.KindPod) {
		pod := o.(*api.Pod)
		used, ok := cpu[o.Key()]
		if !ok || len(r.Rest) > 0 && r.Rest[0] != pod.Name {
			continue
		}
		cells, containers := []string{pod.Name}, pod.Spec.Containers
		if r.On("all-namespaces") {
			cells = []string{pod.Namespace, pod.Name}
		}
		memory, n := pod.Spec.Requests("memory").Milli()/1000, int64(len(containers))
		if !r.On("containers") {
			list = append(list, usage{cells, used, memory, nil})
			continue
		}
		for i := range containers {
			list = append(list, usage{append(slices.Clone(cells), containers[i].Name), used / n, memory / n, nil})
		}
	}
	return r.printTop(api.KindPod, head, list)
}

// topNodes is kubectl top node: the use of the pods on each node.
func (r *reading) topNodes() error {
	cpu, err := r.sampled()
	if err != nil {
		return err
	}
	var list []usage
	for _, o := range r.selected(api.KindNode) {
		of := usage{cells: []string{o.Meta().Name}, whole: o.(*api.Node).Status.Allocatable}
		for key, used := range cpu {
			if pod := r.Cluster.Get(key).(*api.Pod); pod.NodeName == of.cells[0] {
				breath.Often()
				of.cpu, of.memory = of.cpu+used, of.memory+pod.Spec.Requests("memory").Milli()/1000
			}
		}
		if len(r.Rest) == 0 || r.Rest[0] == o.Meta().Name {
			list = append(list, of)
		}
	}
	return r.printTop(api.KindNode, "NAME|CPU(cores)|CPU(%)|MEMORY(bytes)|MEMORY(%)", list)
}

// printTop prints rows, the largest first if --sort-by asks for it.
func (r *reading) printTop(kind api.Kind, head string, list []usage) error {
	switch r.Flags["sort-by"] {
	case "cpu":
		sort.SliceStable(list, func(i, k int) bool { return list[i].cpu > list[k].cpu })
	case "memory":
		sort.SliceStable(list, func(i, k int) bool { return list[i].memory > list[k].memory })
	}
	switch {
	case len(r.Rest) > 0 && len(list) == 0:
		name := strings.TrimPrefix(r.NamespaceOf(kind)+"/"+r.Rest[0], "/")
		return &api.StatusError{Reason: api.ReasonNotFound, Message: fmt.Sprintf("%smetrics.metrics.k8s.io %q not found", strings.ToLower(string(kind)), name)}
	case len(list) == 0:
		r.complain(r.NoneFound(r.On("all-namespaces") || kind == api.KindNode))
		return nil
	}
	rows := [][]string{print.ColumnNames(head)}
	for _, of := range list {
		row, cpu, memory := of.cells, fmt.Sprintf("%dm", of.cpu), fmt.Sprintf("%dMi", of.memory>>20)
		if kind == api.KindNode {
			row = append(row, cpu, percent(of.cpu, of.whole["cpu"]), memory, percent(of.memory*1000, of.whole["memory"]))
		} else {
			row = append(row, cpu, memory)
		}
		rows = append(rows, row)
	}
	if r.On("no-headers") {
		rows = rows[1:]
	}
	r.printRows(rows)
	return nil
}

func percent(milli int64, whole api.Quantity) string {
	if whole.Milli() == 0 {
		return "<unknown>"
	}
	return fmt.Sprintf("%d%%", milli*100/whole.Milli())
}
