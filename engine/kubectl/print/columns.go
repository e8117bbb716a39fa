package print

import (
	"cmp"
	_ "embed" // the table
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/words"
)

// Format is how kubectl get prints the objects of a type. A + marks a column that only -o wide shows; else it may be empty.
type Format struct {
	Names []string
	Cells func(o api.Object, now int64, wide bool) []string
	Aging bool // now is only in the cell below AGE
}

// columnTable has a line for each type (K-40 to K-48).
var columnTable = map[api.Kind]*Format{
	api.KindPod:  {ColumnNames("NAME|READY|STATUS|RESTARTS|AGE|+IP|+NODE|+NOMINATED NODE|+READINESS GATES"), podCells, false},
	api.KindNode: {ColumnNames("NAME|STATUS|ROLES|AGE|VERSION|+INTERNAL-IP|+EXTERNAL-IP|+OS-IMAGE|+KERNEL-VERSION|+CONTAINER-RUNTIME"), nodeCells, false},
	api.KindEvent: {ColumnNames("LAST SEEN|TYPE|REASON|OBJECT|+SUBOBJECT|+SOURCE|MESSAGE|+FIRST SEEN|+COUNT|+NAME"),
		func(o api.Object, now int64, _ bool) []string { return o.(ownPrinting).Cells(now) }, false},
}

func ColumnNames(names string) []string { return strings.Split(names, "|") }

// FormatOf returns how a type is printed; a type without a line in the table has only a name and an age.
func FormatOf(kind api.Kind) *Format {
	return cmp.Or(columnTable[kind], textFormats()[kind], textFormats()["others"])
}

// None stands for a text that is empty.
const None = "<none>"

// Since prints how long ago a moment was (K-51).
func Since(t api.Time, now int64) string {
	if t == 0 {
		return "<unknown>"
	}
	return Age(now - t.Milli())
}

// Containers returns the names and the images of a template's containers, comma separated.
func Containers(t *api.PodTemplateSpec) (names, images string) {
	names = words.Join(t.Spec.Containers, ",", func(c api.Container) string { return c.Name })
	return names, words.Join(t.Spec.Containers, ",", func(c api.Container) string { return c.Image })
}

// ownPrinting is an object that is not of the API and prints itself: an event.
type ownPrinting interface {
	Cells(now int64) []string
	Tree() map[string]any
}

func podCells(o api.Object, now int64, wide bool) []string {
	pod := o.(*api.Pod)
	row := rowOf(pod)
	cells := []string{pod.Name, strconv.Itoa(row.ready) + "/" + strconv.Itoa(row.all), row.status, row.text(now), Since(pod.CreationTimestamp, now)}
	if wide {
		gates := None
		if all := pod.Gates(); len(all) > 0 {
			open := slices.DeleteFunc(pod.Gates(), func(c api.Condition) bool { return c.Status != "True" })
			gates = strconv.Itoa(len(open)) + "/" + strconv.Itoa(len(all))
		}
		cells = append(cells, cmp.Or(pod.IP(), None), cmp.Or(pod.NodeName, None), None, gates)
	}
	return cells
}

// nodeCells prints a node (K-47).
func nodeCells(o api.Object, now int64, wide bool) []string {
	n := o.(*api.Node)
	cells := []string{n.Name, NodeStatus(n), NodeRoles(n), Since(n.CreationTimestamp, now), KubernetesVersion}
	if wide {
		cells = append(cells, api.NodeIP(n.Name), None, OSImage, KernelVersion+" ("+Architecture(n)+")", RuntimeVersion)
	}
	return cells
}

// NodeStatus returns the STATUS column of a node (K-47).
func NodeStatus(n *api.Node) string {
	status := "Unknown"
	if c := api.FindCondition(n.Status.Conditions, "Ready"); c != nil {
		status = "NotReady"
		if c.Status == "True" {
			status = "Ready"
		}
	}
	if n.Spec.Unschedulable {
		status += ",SchedulingDisabled"
	}
	return status
}

// NodeRoles lists the roles that a node's labels give it.
func NodeRoles(n *api.Node) string {
	var roles []string
	for k, v := range n.Labels {
		if role, ok := strings.CutPrefix(k, "node-role.kubernetes.io/"); ok && role != "" {
			roles = append(roles, role)
		} else if k == "kubernetes.io/role" && v != "" {
			roles = append(roles, v)
		}
	}
	sort.Strings(roles)
	return cmp.Or(strings.Join(roles, ","), None)
}

// LabelText writes labels in one line, in the order of whole texts: app.kubernetes.io/name=web comes before app=web.
func LabelText(labels map[string]string) string {
	pairs := LabelPairs(labels)
	slices.Sort(pairs)
	return cmp.Or(strings.Join(pairs, ","), None)
}

// LabelPairs writes labels as key=value, by key.
func LabelPairs(labels map[string]string) []string {
	keys := SortedKeys(labels)
	for i, k := range keys {
		keys[i] = k + "=" + labels[k]
	}
	return keys
}

// SortedKeys lists the keys of a map in the order of the alphabet.
func SortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func SelectorText(s *api.LabelSelector) string { return cmp.Or(s.Text(), None) }

// Columns returns the headings under which kubectl get prints a kind, without those that only -o wide has.
func Columns(kind api.Kind) []string {
	return slices.DeleteFunc(slices.Clone(FormatOf(kind).Names), func(name string) bool { return name[0] == '+' })
}

// TargetsText prints the first two metrics with their targets: cpu: 45%/80%.
func TargetsText(h *api.HorizontalPodAutoscaler) string {
	var list []string
	for i := range h.Spec.Metrics {
		r := h.Spec.Metrics[i].Resource
		now := "<unknown>"
		if m := h.Status.CurrentMetrics; i < len(m) && m[i].Resource != nil {
			now = fmt.Sprintf("%d%%", *m[i].Resource.Current.AverageUtilization)
		}
		if value := r.Target.AverageValue; value != nil {
			list = append(list, fmt.Sprintf("%s: %s/%s", r.Name, now, value))
		} else {
			list = append(list, fmt.Sprintf("%s: %s/%d%%", r.Name, now, *r.Target.AverageUtilization))
		}
	}
	return firstOf(2, list, ", ")
}

// FirstThree joins three texts, and says how many there are besides.
func FirstThree(list []string) string { return firstOf(3, list, ",") }

func firstOf(n int, list []string, between string) string {
	if len(list) > n {
		return strings.Join(list[:n], between) + fmt.Sprintf(" + %d more...", len(list)-n)
	}
	return strings.Join(list, between)
}

// EndpointAddresses lists the ready endpoints of some slices for a port of their Service, if it has ports.
func EndpointAddresses(list []*api.EndpointSlice, port string) (addresses []string) {
	for _, s := range list {
		for _, e := range s.Endpoints {
			breath.Often()
			if !e.Conditions.Ready {
				continue
			}
			if len(s.Ports) == 0 {
				addresses = append(addresses, e.Addresses[0])
			}
			for _, p := range s.Ports {
				if p.Name == port {
					addresses = append(addresses, e.Addresses[0]+":"+strconv.Itoa(int(p.Port)))
				}
			}
		}
	}
	return addresses
}

//go:embed columns.txt
var columnsText string

// textFormats are the formats of columns.txt by kind.
var textFormats = sync.OnceValue(func() map[api.Kind]*Format {
	formats := map[api.Kind]*Format{}
	for kind, text := range Sections(columnsText) {
		f := &Format{Aging: true}
		var cells []GoTemplate
		for column := range strings.Lines(text) {
			name, cell, _ := strings.Cut(strings.TrimSuffix(column, "\n"), ":")
			f.Names, cells = append(f.Names, name), append(cells, OwnTemplate(kind, strings.TrimSpace(cell), TreeFuncs))
		}
		f.Cells = func(o api.Object, now int64, wide bool) (row []string) {
			tree := ObjectTree(o)
			for i, t := range cells {
				cell := ""
				switch name := f.Names[i]; {
				case name == "NAME":
					cell = o.Meta().Name
				case name == "AGE":
					cell = Since(o.Meta().CreationTimestamp, now)
				case name == "TARGETS":
					cell = TargetsText(o.(*api.HorizontalPodAutoscaler))
				case wide || name[0] != '+':
					cell = t.Own(kind, tree, TreeFuncs)
				}
				row = append(row, cell)
			}
			return row
		}
		formats[api.Kind(kind)] = f
	}
	return formats
})

// Sections returns the parts of a table of templates by their names: what follows == NAME.
func Sections(text string) map[string]string {
	sections := map[string]string{}
	_, text, _ = strings.Cut(text, "\n== ")
	for part := range strings.SplitSeq(text, "\n== ") {
		name, lines, _ := strings.Cut(part, "\n")
		sections[name] = strings.TrimSpace(lines) + "\n"
	}
	return sections
}

// OwnTemplate reads a template of our own. Own prints a tree with it, and what is not there as nothing.
func OwnTemplate(name, text string, funcs Funcs) GoTemplate {
	t, err := ParseGoWith(text, funcs)
	if err != nil {
		panic(name + ": " + err.Error())
	}
	return t
}

func (t GoTemplate) Own(name string, tree any, funcs Funcs) string {
	text, err := t.With(tree, funcs, nil, "")
	if err != nil {
		panic(name + ": " + err.Error()) // tests print each kind
	}
	return text
}

// TreeFuncs are the functions of our own templates about values of a tree.
var TreeFuncs = Funcs{
	"count": func(args []any) any {
		n := 0
		for _, v := range args {
			m, _ := v.(map[string]any)
			n += len(m)
		}
		return n
	},
	"join":  func(args []any) any { return strings.Join(texts(args[0]), args[1].(string)) },
	"json":  func(args []any) any { return string(api.JSON(args[0])) },
	"lines": func(args []any) any { return strings.ReplaceAll(TextOf(args[0]), "\n", "\n"+args[1].(string)) },
	"lower": func(args []any) any { return strings.ToLower(TextOf(args[0])) },
	"multi": func(args []any) any {
		return args[0].(string) + ":\t" + cmp.Or(strings.Join(texts(args[1]), "\n\t"), None) + "\n"
	},
	"num":      func(args []any) any { return cmp.Or(TextOf(args[0]), "0") },
	"pairs":    func(args []any) any { return api.CopyTree(LabelPairs(api.Fields{"": args[0]}.TextMap("")), nil) },
	"labels":   func(args []any) any { return LabelText(api.Fields{"": args[0]}.TextMap("")) },
	"prefixed": func(args []any) any { return strings.HasPrefix(TextOf(args[0]), args[1].(string)) },
	"resource": func(args []any) any {
		return line.ResourceName(api.Key{Kind: api.Kind(TextOf(args[0])), Name: TextOf(args[1])})
	},
	"selector": func(args []any) any {
		s := &api.LabelSelector{}
		_ = json.Unmarshal(api.JSON(args[0]), s) // the server has read it before
		return SelectorText(s)
	},
	"sorted": func(args []any) any { return sorted(args[0], args[1:]) },
	"three":  func(args []any) any { return FirstThree(fieldsOf(api.Fields{"": args[0]}.Items(""), args[1].(string))) },
	"used": func(args []any) any {
		status := api.Fields{"": args[0]}.Object("").Object("status")
		return cmp.Or(status.Object("used").Text(TextOf(args[1])), "0")
	},
}

// TextOf prints a value, nothing as an empty text.
func TextOf(v any) string {
	if v == nil {
		return ""
	}
	return Scalar(v)
}

func texts(v any) []string { return api.Fields{"": v}.Texts("") }

// fieldsOf lists what objects have in a field: a text, a number, or several in a list.
func fieldsOf(list []api.Fields, field string) (all []string) {
	for _, f := range list {
		breath.Often()
		if inner, ok := f[field].([]any); ok {
			all = append(all, texts(inner)...)
		} else if text := TextOf(f[field]); text != "" {
			all = append(all, text)
		}
	}
	return all
}

func sorted(v any, fields []any) any {
	list, _ := v.([]any)
	key := func(i int) (key string) {
		for _, field := range fields {
			key += api.Fields{"": list[i]}.Object("").Text(field.(string)) + ","
		}
		return key
	}
	list = slices.Clone(list)
	sort.SliceStable(list, func(i, k int) bool { return key(i) < key(k) })
	return list
}
