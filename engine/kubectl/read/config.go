package read

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

func (r *reading) currentContext() error {
	r.print(r.Config.Current)
	return nil
}

func (r *reading) contexts() error {
	contexts, rows := r.Config.Lists.Object("contexts"), [][]string{{"CURRENT", "NAME", "CLUSTER", "AUTHINFO", "NAMESPACE"}}
	for _, name := range print.SortedKeys(contexts) {
		mark, c := map[bool]string{true: "*"}[name == r.Config.Current], contexts.Object(name)
		rows = append(rows, []string{mark, name, c.Text("cluster"), c.Text("user"), c.Text("namespace")})
	}
	switch output := r.Flags["output"]; {
	case output == "name":
		r.print(strings.Join(print.SortedKeys(contexts), "\n"))
		return nil
	case output != "":
		return fmt.Errorf("--output %s is not available in kubectl config get-contexts; resetting to default output format", output)
	case r.On("no-headers"):
		rows = rows[1:]
	}
	r.printRows(rows)
	return nil
}

func (r *reading) configView() error {
	tree := map[string]any{"apiVersion": "v1", "kind": "Config", "current-context": r.Config.Current}
	used := r.Config.Lists.Object("contexts").Object(r.Config.Current)
	for list, current := range map[string]string{"clusters": used.Text("cluster"), "contexts": r.Config.Current, "users": used.Text("user")} {
		all, entries := r.Config.Lists.Object(list), []any{}
		for _, name := range print.SortedKeys(all) {
			fields := maps.Clone(all.Object(name))
			for secret := range fields {
				if !r.On("raw") && (secret == "password" || secret == "token") {
					fields[secret] = "REDACTED"
				}
			}
			if name == current || !r.On("minify") {
				entries = append(entries, map[string]any{"name": name, strings.TrimSuffix(list, "s"): map[string]any(fields)})
			}
		}
		tree[list] = entries
	}
	switch output, form, _ := strings.Cut(r.Flags["output"], "="); output {
	case "", "yaml", "json":
		r.print(print.TreeText(tree, cmp.Or(output, "yaml")))
	case "jsonpath":
		t, err := print.ParseTemplate(form)
		if err != nil {
			return err
		}
		text, err := t.Text(tree)
		r.print(text)
		return err
	default:
		return fmt.Errorf("rollplay does not model the output format %q of kubectl config view; it models json, jsonpath and yaml", output)
	}
	return nil
}

func (r *reading) clusterInfo() error {
	if len(r.Rest) > 0 {
		return errors.New("rollplay does not model kubectl cluster-info dump: try kubectl get all -A -o yaml")
	}
	r.print("Kubernetes control plane is running at " + line.Server)
	return nil
}

// whoAmI answers kubectl auth whoami: the person may do everything.
func (r *reading) whoAmI() error {
	r.printRows([][]string{{"ATTRIBUTE", "VALUE"}, {"Username", line.Context}, {"Groups", "[system:masters system:authenticated]"}})
	return nil
}

func (r *reading) versions() error {
	all := map[string]bool{}
	for _, k := range kinds.All() {
		all[k.APIVersion()] = true
	}
	r.print(strings.Join(print.SortedKeys(all), "\n"))
	return nil
}

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
	output := r.Flags["output"]
	switch output {
	case "", "name", "wide":
	case "json", "kyaml", "yaml":
		return fmt.Errorf("rollplay does not model the output format %q of kubectl api-resources; it models name and wide", output)
	default:
		return fmt.Errorf("unable to match a printer suitable for the output format %q, allowed formats are: json,kyaml,name,wide,yaml", output)
	}
	if !r.On("no-headers") && output != "name" {
		rows = append(rows, print.ColumnNames("NAME|SHORTNAMES|APIVERSION|NAMESPACED|KIND"))
		if output == "wide" {
			rows[0] = append(rows[0], "VERBS", "CATEGORIES")
		}
	}
	byGroup := func(a, b *kinds.Kind) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Plural, b.Plural))
	}
	for _, k := range slices.SortedFunc(slices.Values(kinds.All()), byGroup) {
		breath.Often()
		namespaced, group := strconv.FormatBool(!k.Cluster), k.Group
		of, chosen := r.Flags["api-group"]
		if cmp.Or(r.Flags["namespaced"], namespaced) != namespaced || chosen && of != group || !canAll(k, r.Flags["verbs"]) {
			continue
		}
		row := []string{k.Plural, k.Short, k.APIVersion(), namespaced, string(k.Name)}
		switch output {
		case "name":
			row = []string{k.Resource()}
		case "wide":
			row = append(row, verbsOf(k), map[bool]string{true: "all"}[k.InAll > 0])
		}
		rows = append(rows, row)
	}
	r.printRows(rows)
	return nil
}

// verbsOf lists what the API server does with a type.
func verbsOf(k *kinds.Kind) string {
	if k.Name == line.KindNamespace { // they are not deleted together
		return "create,delete,get,list,patch,update,watch"
	}
	return "create,delete,deletecollection,get,list,patch,update,watch"
}

// canAll says whether the API server does all of some things with a type.
func canAll(k *kinds.Kind, verbs string) bool {
	has := strings.Split(verbsOf(k), ",")
	return verbs == "" || !slices.ContainsFunc(strings.Split(verbs, ","), func(verb string) bool { return !slices.Contains(has, verb) })
}

func (r *reading) printRows(rows [][]string) {
	for _, text := range new(print.Grid).Lines(rows) {
		r.print(text)
	}
}
