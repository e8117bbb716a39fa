package past

import (
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
}

// tables makes a Table of each kind of the page's tables that has objects.
func (v *view) tables(now int64) (list []Table) {
	for _, kind := range kinds.By(func(k *kinds.Kind) int { return k.InTables }) {
		objects := v.All(kind)
		if len(objects) == 0 {
			continue
		}
		table := Table{Command: "kubectl get " + kinds.Of(kind).Word(), Kind: string(kind), Columns: print.Columns(kind), All: len(objects)}
		for _, o := range objects[:min(len(objects), tableRowsMax)] {
			m := o.Meta()
			table.Rows = append(table.Rows, TableRow{m.Namespace, m.Name, strings.Join(print.Cells(o, now)[1:], "\t")})
		}
		list = append(list, table)
	}
	return list
}

// tableRowsMax is the largest number of rows in a table: more would not be read.
const tableRowsMax = 100

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
	if w, ok := o.(api.Workload); ok {
		row.Selector = labelsOf(w.Selector())
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

// labelsOf writes a selector as kubectl takes it.
func labelsOf(s *api.LabelSelector) string {
	if s == nil || len(s.MatchExpressions) > 0 {
		return ""
	}
	return strings.Join(print.LabelPairs(s.MatchLabels), ",")
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
