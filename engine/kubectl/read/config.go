package read

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
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
	switch o := r.Flags["output"]; o {
	case "":
	case "name":
		return r.currentContext()
	default:
		return fmt.Errorf("output must be one of '' or 'name': %s", o)
	}
	namespace := r.Namespace
	if namespace == api.NamespaceDefault {
		namespace = ""
	}
	rows := [][]string{{"CURRENT", "NAME", "CLUSTER", "AUTHINFO", "NAMESPACE"}, {"*", line.Context, line.Context, line.Context, namespace}}
	if r.On("no-headers") {
		rows = rows[1:]
	}
	r.printRows(rows)
	return nil
}

// version answers kubectl version.
func (r *reading) version() error {
	r.print("Client Version: " + print.KubernetesVersion + "\nKustomize Version: v5.8.1")
	if !r.On("client") {
		r.print("Server Version: " + print.KubernetesVersion)
	}
	return nil
}

// canI answers kubectl auth can-i: nothing is forbidden here.
func (r *reading) canI() error {
	if len(r.Rest) < 2 {
		return errors.New("you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'kubectl auth can-i -h' for help and examples.")
	}
	r.print("yes")
	return nil
}

// types answers kubectl api-resources with the types that are modelled.
func (r *reading) types() error {
	var rows [][]string
	if o := r.Flags["output"]; o != "" && o != "name" {
		return fmt.Errorf("rollplay does not model the output format %q of kubectl api-resources; it models name", o)
	}
	if !r.On("no-headers") && r.Flags["output"] == "" {
		rows = append(rows, print.ColumnNames("NAME|SHORTNAMES|APIVERSION|NAMESPACED|KIND"))
	}
	for _, k := range kindsByGroup() {
		namespaced := strconv.FormatBool(!k.Cluster)
		if only, given := r.Flags["namespaced"]; given && only != namespaced {
			continue
		}
		if group, given := r.Flags["api-group"]; given && group != k.Group {
			continue
		}
		if r.Flags["output"] == "name" {
			rows = append(rows, []string{k.Resource()})
		} else {
			rows = append(rows, []string{k.Plural, k.Short, k.APIVersion(), namespaced, string(k.Name)})
		}
	}
	r.printRows(rows)
	return nil
}

func kindsByGroup() []*kinds.Kind {
	return slices.SortedFunc(slices.Values(kinds.All()), func(a, b *kinds.Kind) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Plural, b.Plural))
	})
}

// printRows prints rows in columns.
func (r *reading) printRows(rows [][]string) {
	for _, text := range new(print.Grid).Lines(rows) {
		r.print(text)
	}
}
