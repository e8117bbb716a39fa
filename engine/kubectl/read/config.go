package read

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

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
	for _, k := range line.KindsByGroup() {
		n := line.NamesOf(k)
		namespaced := strconv.FormatBool(k != api.KindNode)
		if only, given := r.Flags["namespaced"]; given && only != namespaced {
			continue
		}
		if group, given := r.Flags["api-group"]; given && group != n.Group {
			continue
		}
		if r.Flags["output"] == "name" {
			rows = append(rows, []string{strings.TrimSuffix(n.Plural+"."+n.Group, ".")})
		} else {
			rows = append(rows, []string{n.Plural, n.Short, line.APIVersion(k), namespaced, string(k)})
		}
	}
	r.printRows(rows)
	return nil
}

// printRows prints rows in columns.
func (r *reading) printRows(rows [][]string) {
	for _, text := range new(print.Grid).Lines(rows) {
		r.print(text)
	}
}
