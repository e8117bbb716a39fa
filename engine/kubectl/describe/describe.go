// Package describe prints objects in detail, as kubectl describe does.
package describe

import (
	_ "embed" // the templates
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/events"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// Cluster is a state of the cluster to read from.
type Cluster interface {
	Get(api.Key) api.Object         // nil if there is none of that name
	All(kind api.Kind) []api.Object // by namespace and name
}

// description is an object that is described at a moment.
type description struct {
	Cluster
	now    int64
	object api.Object // nil: a template alone
	tree   api.Fields
	funcs  print.Funcs
}

//go:embed describe.txt
var partsText string

// parts are the templates by their names. They are read when the first object is described.
var (
	parts    = map[string]print.GoTemplate{}
	readOnce sync.Once
)

func readParts() {
	for name, text := range print.Sections(partsText) {
		parts[name] = print.OwnTemplate(name, joined(text), new(description).functions())
	}
}

// joined takes the ends of the lines that have actions only, and makes tabs.
func joined(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, `\t`, "\t")) {
		one := strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "}}{{", " ")
		if strings.HasPrefix(one, "{{") && strings.HasSuffix(one, "}}") && strings.Count(one, "{{") == 1 {
			line = strings.TrimSuffix(line, "\n")
		}
		b.WriteString(line)
	}
	return b.String()
}

// Object returns the text about an object at a virtual ms; withEvents adds the events about it among those that were sent.
func Object(c Cluster, now int64, o api.Object, withEvents bool, sent []*events.Event) string {
	readOnce.Do(readParts)
	tree, kind, text := print.Served(o), string(o.Key().Kind), ""
	d := &description{Cluster: c, now: now, object: o, tree: tree}
	d.funcs = d.functions()
	if parts[kind] != nil {
		text = d.part(kind, tree)
	} else { // kubectl has no words of its own for it: its fields, by name
		text = d.part("head", tree) + d.part("labelled", tree)
		for _, name := range []string{"name", "namespace", "labels", "annotations"} {
			delete(d.tree.Object("metadata"), name)
		}
		text += fields(tree, "")
	}
	if _, quota := o.(*api.ResourceQuota); withEvents && !quota {
		text += d.part("events", d.events(sent))
	}
	return print.Tabbed(text)
}

// Template prints a template of pods, its tabs as they are.
func Template(t *api.PodTemplateSpec) string {
	readOnce.Do(readParts)
	d := new(description)
	d.funcs = d.functions()
	return d.part("template", api.TreeOf(t))
}

func (d *description) part(name string, of any) string {
	return parts[name].Own(name, of, d.funcs)
}

// events lists the events about the object, the latest last. What the scheduler sends has no lastTimestamp and comes first.
func (d *description) events(sent []*events.Event) (rows []any) {
	key, uid := d.object.Key(), d.object.Meta().UID
	about := slices.DeleteFunc(slices.Clone(sent), func(e *events.Event) bool { return e.Object != key || e.ObjectUID != uid })
	sort.Slice(about, func(i, j int) bool { return lastTimestamp(about[i]) < lastTimestamp(about[j]) })
	for _, e := range about {
		message := strings.TrimSpace(e.Message)
		if e.FieldPath != "" {
			message = e.FieldPath + ": " + message
		}
		rows = append(rows, map[string]any{"type": e.Type, "reason": e.Reason, "age": e.Interval(d.now), "from": e.Source, "message": message})
	}
	return rows
}

// lastTimestamp returns the field of that name, which senders that use the newer API leave empty.
func lastTimestamp(e *events.Event) api.Time {
	if e.Source == "default-scheduler" {
		return 0
	}
	return e.LastTime()
}

// fields prints the fields of a tree, one level of it indented more than the one above.
func fields(tree map[string]any, indent string) string {
	var b strings.Builder
	for _, name := range print.SortedKeys(tree) {
		breath.Often()
		list, isList := tree[name].([]any)
		m, isMap := tree[name].(map[string]any)
		if !isList && !isMap {
			fmt.Fprintf(&b, "%s%s:\t%s\n", indent, fieldTitle(name), scalarText(tree[name]))
			continue
		}
		fmt.Fprintf(&b, "%s%s:\n%s", indent, fieldTitle(name), fields(m, indent+"  "))
		for _, e := range list {
			if m, ok := e.(map[string]any); ok {
				b.WriteString(fields(m, indent+"  "))
			} else {
				b.WriteString(indent + "  " + scalarText(e) + "\n")
			}
		}
	}
	return b.String()
}

func scalarText(v any) string {
	if v == nil {
		return "<nil>"
	}
	return print.Scalar(v)
}

// fieldTitle makes words of a field's name: creationTimestamp is Creation Timestamp. The keys of labels stay.
func fieldTitle(name string) string {
	var words []string
	from := 0
	for i, c := range name {
		upper := c >= 'A' && c <= 'Z'
		if !upper && (c < 'a' || c > 'z') && c != '-' {
			return name
		}
		if upper && i > 0 && name[i-1] >= 'a' {
			words = append(words, name[from:i])
			from = i
		}
	}
	words = append(words, name[from:])
	for i, w := range words {
		switch upper := strings.ToUpper(w); upper {
		case "API", "URL", "UID", "GUID":
			words[i] = upper
		default:
			words[i] = upper[:1] + w[1:]
		}
	}
	return strings.Join(words, " ")
}
