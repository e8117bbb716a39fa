package describe

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// functions returns what the templates call: about values that they are given, and about the object and its cluster.
func (d *description) functions() print.Funcs {
	funcs := print.Funcs{
		"part":   func(args []any) any { return d.part(args[0].(string), args[1]) },
		"inline": func(args []any) any { return strings.TrimSuffix(d.part(args[0].(string), args[1]), "\n") },

		"annotations": func(args []any) any { return annotationLines(api.Fields{"": args[0]}.TextMap("")) },
		"date":        func(args []any) any { return date(timeOf(args[0])) },
		"mounts":      func(args []any) any { return mounts(args[0]) },
		"path": func(args []any) any { // as an address has it: the ? of /healthz?full becomes %3F
			return strings.TrimPrefix((&url.URL{Host: "x", Path: print.TextOf(args[0])}).String(), "//x")
		},
		"since": func(args []any) any { return print.Since(timeOf(args[0]), d.now) },

		"amount":    func(args []any) any { return amount(api.Fields{"": args[0]}.Object(""), args[1].(string)) },
		"endpoints": func(args []any) any { return d.endpoints(print.TextOf(args[0])) },
		"field":     func(args []any) any { return d.field(print.TextOf(args[0])) },
		"phases":    func([]any) any { return d.phases() },
		"podsHere":  func([]any) any { return d.podsHere() },
		"roles":     func([]any) any { return print.NodeRoles(d.object.(*api.Node)) },
		"sets":      func([]any) any { return d.sets() },
		"status":    func(args []any) any { return d.status(print.TextOf(args[0])) },
		"users":     func([]any) any { return d.users() },
	}
	maps.Copy(funcs, print.TreeFuncs)
	return funcs
}

// timeOf reads a moment of a tree, 0 if there is none.
func timeOf(v any) (t api.Time) {
	_ = t.UnmarshalText([]byte(print.TextOf(v))) // which leaves it at 0
	return t
}

// date prints a moment. A missing one, as for a lost container, is the first of year 1.
func date(t api.Time) string {
	if t == 0 {
		return time.Time{}.Format(time.RFC1123Z)
	}
	return time.Unix(int64(t), 0).UTC().Format(time.RFC1123Z)
}

// annotationLongest is the longest annotation that is printed in the line of its key.
const annotationLongest = 140

// annotationLines lists all annotations but what kubectl apply keeps for itself.
func annotationLines(annotations map[string]string) (lines []any) {
	for _, k := range print.SortedKeys(annotations) {
		v := strings.TrimSuffix(annotations[k], "\n")
		switch {
		case k == api.LastAppliedAnnotation:
		case len(k)+len(v)+2 > annotationLongest || strings.Contains(v, "\n"):
			lines = append(lines, k+":")
			for part := range strings.SplitSeq(v, "\n") {
				if len(part) > annotationLongest-2 {
					part = part[:annotationLongest-2] + "..."
				}
				lines = append(lines, "  "+part)
			}
		default:
			lines = append(lines, k+": "+v)
		}
	}
	return lines
}

// mounts lists where a container sees its volumes.
func mounts(v any) (lines []any) {
	for _, m := range (api.Fields{"": v}).Items("") {
		mode := "rw"
		if m["readOnly"] == true {
			mode = "ro"
		}
		if path := m.Text("subPath"); path != "" {
			mode += ",path=" + strconv.Quote(path)
		}
		lines = append(lines, m.Text("mountPath")+" from "+m.Text("name")+" ("+mode+")")
	}
	sort.Slice(lines, func(i, k int) bool { return lines[i].(string) < lines[k].(string) })
	return lines
}

// amount returns what a variable has that is made from limits.cpu and the like: whole cores or bytes.
func amount(resources api.Fields, path string) string {
	list, name, _ := strings.Cut(path, ".")
	q, _ := api.ParseQuantity(resources.Object(list).Text(name))
	return strconv.FormatInt((q.Milli()+999)/1000, 10)
}

// field returns what a variable has that is made from a field of its pod.
func (d *description) field(path string) string {
	pod, ok := d.object.(*api.Pod)
	if !ok {
		return ""
	}
	return map[string]string{"metadata.name": pod.Name, "metadata.namespace": pod.Namespace, "metadata.uid": pod.UID}[path]
}

// status returns the status of a container of the pod.
func (d *description) status(name string) any {
	for _, s := range print.ContainerStatuses(d.tree.Object("status")) {
		if s.Text("name") == name {
			return map[string]any(s)
		}
	}
	return nil
}

// phases counts the pods of a controller by their phases.
func (d *description) phases() any {
	m, selector, count := d.object.Meta(), d.object.(api.Workload).Selector(), map[string]any{}
	for _, p := range d.All(api.KindPod) {
		if pod := p.(*api.Pod); pod.Namespace == m.Namespace && pod.IsControlledBy(m.UID) && selector.Matches(pod.Labels) {
			n, _ := count[pod.Status.Phase].(float64)
			count[pod.Status.Phase] = n + 1
		}
	}
	return count
}

// endpoints lists the addresses behind a port of the Service.
func (d *description) endpoints(port string) string {
	s := d.object.Meta()
	list := api.Pick(slices.Values(d.All(api.KindEndpointSlice)), func(slice *api.EndpointSlice) bool {
		return slice.Namespace == s.Namespace && slice.Labels[api.ServiceNameLabel] == s.Name
	})
	if len(list) == 0 {
		return print.None
	}
	return print.FirstThree(print.EndpointAddresses(list, port))
}

// users lists the pods that have the claim among their volumes.
func (d *description) users() (names []any) {
	claim := d.object.Meta()
	for _, o := range d.All(api.KindPod) {
		for _, v := range api.Fields(print.Served(o)).Object("spec").Items("volumes") {
			if breath.Often(); o.Meta().Namespace == claim.Namespace && v.Object("persistentVolumeClaim").Text("claimName") == claim.Name {
				names = append(names, o.Meta().Name)
			}
		}
	}
	return names
}

// sets returns the old ReplicaSets of a Deployment and the new one, the oldest that has its template (D-32).
func (d *description) sets() any {
	o := d.object.(*api.Deployment)
	newSet, oldSets := "", []string(nil)
	for _, rs := range OwnedSets(d.Cluster, o) {
		text := fmt.Sprintf("%s (%d/%d replicas created)", rs.Name, rs.Status.Replicas, api.Given(rs.Spec.Replicas))
		if newSet == "" && rs.Spec.Template.EqualIgnoreHash(&o.Spec.Template) {
			newSet = text
		} else {
			oldSets = append(oldSets, text)
		}
	}
	if newSet == "" && oldSets == nil {
		return nil
	}
	return map[string]any{"old": strings.Join(oldSets, ", "), "new": newSet}
}

// OwnedSets returns the ReplicaSets that a Deployment controls, the oldest first.
func OwnedSets(c Cluster, d *api.Deployment) []*api.ReplicaSet {
	sets := api.Pick(slices.Values(c.All(api.KindReplicaSet)), func(rs *api.ReplicaSet) bool {
		return rs.Namespace == d.Namespace && rs.IsControlledBy(d.UID)
	})
	sort.SliceStable(sets, func(i, j int) bool { return deployment.ByCreation(sets[i], sets[j]) < 0 })
	return sets
}

// nodeResources are those whose use is added up.
var nodeResources = [...]string{"cpu", "memory", "ephemeral-storage"}

// podsHere returns a row for each pod on the node that is not finished, and the sums of their requests and limits.
//
// Simplified: nodes have no lease; its block is left out.
func (d *description) podsHere() any {
	o := d.object.(*api.Node)
	whole := o.Status.Allocatable
	if len(whole) == 0 {
		whole = o.Status.Capacity
	}
	var requests, limits [len(nodeResources)]api.Quantity
	rows, sums := []any{}, []any{}
	for _, pod := range api.Pick(slices.Values(d.All(api.KindPod)), func(pod *api.Pod) bool { return pod.NodeName == o.Name && !pod.Finished() }) {
		cells := []string{pod.Namespace, pod.Name, ""}
		for i, name := range nodeResources {
			request, limit := pod.Spec.Requests(name), pod.Spec.Limits(name)
			if requests[i], limits[i] = requests[i].Add(request), limits[i].Add(limit); i < 2 {
				cells = append(cells, share(request, whole[name]), share(limit, whole[name]))
			}
		}
		rows = append(rows, strings.Join(append(cells, print.Since(pod.CreationTimestamp, d.now)), "\t"))
	}
	for i, name := range nodeResources {
		sums = append(sums, name+"\t"+share(requests[i], whole[name])+"\t"+share(limits[i], whole[name]))
	}
	return map[string]any{"rows": rows, "sums": sums}
}

// share prints an amount and how many percent of the whole it is; of a whole without a limit it is nothing.
func share(q, whole api.Quantity) string {
	percent := int64(0)
	if n := whole.Milli(); n != 0 {
		percent = int64(float64(q.Milli()) / float64(n) * 100)
	}
	return q.String() + " (" + strconv.FormatInt(percent, 10) + "%)"
}
