package past

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// Table is the output of kubectl get for one kind.
type Table struct {
	Command string // kubectl get pdb
	Kind    string
	Columns []string
	Rows    []TableRow
	All     int // objects; Rows may be cut
}

// TableRow is a line of a Table, a comparable value.
type TableRow struct {
	Namespace, Name string
	Cells           string // after the name, separated by tabs
	State           string // of a pod, as PodState names it; "new" for the ReplicaSet of a Deployment's present template
}

// wideColumn is the column of kubectl get -o wide that the table of a kind shows at its end.
var wideColumn = map[api.Kind]string{api.KindReplicaSet: "IMAGES", api.KindPod: "NODE"}

// Tables returns what kubectl get would print after record i, shown at a later moment: only ages differ. A table has at most `most` rows.
// Without objects, only the tables of Deployments, ReplicaSets and pods are there.
func (p *Past) Tables(i int, t int64, most int) []Table { return p.StateAfter(i).tables(t, most) }

// NoTables are the tables of a cluster without objects.
func NoTables() []Table { return new(view).tables(0, 0) }

func (v *view) tables(now int64, most int) (list []Table) {
	for _, kind := range kinds.By(func(k *kinds.Kind) int { return k.InTables }) {
		objects := v.All(kind)
		if len(objects) == 0 && kind != api.KindDeployment && kind != api.KindReplicaSet && kind != api.KindPod {
			continue
		}
		list = append(list, v.table(kind, objects[:min(most, len(objects))], now))
		list[len(list)-1].All = len(objects)
	}
	return list
}

func (v *view) table(kind api.Kind, objects []api.Object, now int64) Table {
	t := Table{Command: "kubectl get " + kinds.Of(kind).Word(), Kind: string(kind), Columns: print.Columns(kind)}
	columns, wide := len(t.Columns), slices.Index(print.FormatOf(kind).Names, "+"+wideColumn[kind])
	if wide > 0 {
		t.Command += " -o wide"
		t.Columns = append(t.Columns, wideColumn[kind])
	}
	var owners minReadyCache
	for _, o := range objects {
		cells := v.cells(kind, o, now, wide > 0)
		row := cells[1:columns:columns]
		if wide > 0 {
			row = append(row, cells[wide])
		}
		m := o.Meta()
		t.Rows = append(t.Rows, TableRow{m.Namespace, m.Name, strings.Join(row, "\t"), v.rowState(o, &owners, now)})
	}
	return t
}

// printedMax is how many objects keep their cells.
const printedMax = 1000

// cells are what kubectl get prints of an object. Objects never change, so most are printed once; only their age differs later.
func (v *view) cells(kind api.Kind, o api.Object, now int64, wide bool) []string {
	f := print.FormatOf(kind)
	if !f.Aging {
		return f.Cells(o, now, wide)
	}
	cells, known := v.printed[o]
	if !known {
		if cells = f.Cells(o, now, wide); len(v.printed) >= printedMax {
			clear(v.printed)
		}
		v.printed[o] = cells
	}
	if age := slices.Index(f.Names, "AGE"); age >= 0 {
		cells[age] = print.Since(o.Meta().CreationTimestamp, now)
	}
	return cells
}

func (v *view) rowState(o api.Object, owners *minReadyCache, now int64) string {
	switch o := o.(type) {
	case *api.Pod:
		return StateOf(o, owners.of(v, o), now).String()
	case *api.ReplicaSet:
		d, ok := v.Get(o.ControllerKey()).(*api.Deployment)
		if ok && o.IsControlledBy(d.UID) && o.Spec.Template.EqualIgnoreHash(&d.Spec.Template) {
			return "new"
		}
	}
	return ""
}

// WorkloadRow is a workload for the page's controls. It is a comparable value.
type WorkloadRow struct {
	Kind, Namespace, Name string
	Replicas              int // spec.replicas; -1 for a DaemonSet
	Paused                bool
	Partition             int    // of a StatefulSet that updates by partition; -1 for anything else
	Containers            string // container names, comma separated, in order
	Images                string // images in the same order

	MaxSurge, MaxUnavailable string // as written; empty where the strategy has none
	MinReady                 int    // spec.minReadySeconds
	Selector                 string // app=web,tier=front; empty if labels alone do not say it
}

// Workload returns the workload Kind/namespace/name after a record; ok is false if it did not exist.
func (p *Past) Workload(workload string, record int) (row WorkloadRow, ok bool) {
	key := ParseKey(workload)
	o := p.ObjectAt(key, record)
	if o == nil || !frames.IsWorkload(key.Kind) {
		return row, false
	}
	return RowOf(o), true
}

// RowOf returns the row of a workload, whether or not it is in a cluster.
func RowOf(o api.Object) WorkloadRow {
	key := o.Key()
	row := WorkloadRow{Kind: string(key.Kind), Namespace: key.Namespace, Name: key.Name, Replicas: -1, Partition: -1}
	row.Containers, row.Images = print.Containers(api.TemplateOf(o))
	if s, ok := o.(api.Scalable); ok {
		row.Replicas = int(s.Replicas())
	}
	row.MinReady = int(api.MinReadySecondsOf(o))
	if w, ok := o.(api.Workload); ok && w.Selector() != nil && len(w.Selector().MatchExpressions) == 0 {
		row.Selector = strings.Join(print.LabelPairs(w.Selector().MatchLabels), ",") // as kubectl takes it
	}
	switch o := o.(type) {
	case *api.Deployment:
		row.Paused = o.Spec.Paused
		row.bounds(&o.Spec.Strategy)
	case *api.DaemonSet:
		row.bounds(&o.Spec.UpdateStrategy)
	case *api.StatefulSet:
		if u := o.Spec.UpdateStrategy.RollingUpdate; u != nil && u.Partition != nil {
			row.Partition = int(*u.Partition)
		}
	}
	return row
}

// bounds takes those of a rolling update as they are written.
func (r *WorkloadRow) bounds(s *api.DeploymentStrategy) {
	u := s.RollingUpdate
	if u == nil {
		return
	}
	if u.MaxSurge != nil {
		r.MaxSurge = u.MaxSurge.String()
	}
	if u.MaxUnavailable != nil {
		r.MaxUnavailable = u.MaxUnavailable.String()
	}
}

// Images returns the images of a workload's ReplicaSet or ControllerRevision, comma separated; empty if it never existed.
func (p *Past) Images(workload, name string) string {
	key := ParseKey(workload)
	kind := api.KindControllerRevision
	if key.Kind == api.KindDeployment {
		kind = api.KindReplicaSet
	}
	changes := p.changesOf(api.Key{Kind: kind, Namespace: key.Namespace, Name: name})
	if len(changes) == 0 {
		return ""
	}
	template := api.TemplateOf(changes[0].Object())
	if r, ok := changes[0].Object().(*api.ControllerRevision); ok {
		template = &r.Template
	}
	_, images := print.Containers(template)
	return images
}
