package read

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// currentContext answers kubectl config current-context.
func (r *reading) currentContext() error {
	r.print(line.Context)
	return nil
}

// contexts answers kubectl config get-contexts. As in a new kubeconfig, the namespace is blank until it is another one than default.
func (r *reading) contexts() error {
	namespace := r.Namespace
	if namespace == api.NamespaceDefault {
		namespace = ""
	}
	rows := [][]string{{"CURRENT", "NAME", "CLUSTER", "AUTHINFO", "NAMESPACE"}, {"*", line.Context, line.Context, line.Context, namespace}}
	var grid print.Grid
	for _, row := range rows {
		grid.Fit(row)
	}
	for _, row := range rows {
		r.print(grid.Line(row))
	}
	return nil
}
