// Package describe prints objects in detail, as kubectl describe does.
package describe

import (
	"fmt"
	"sort"
	"strings"
	"time"

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

// description is a text of lines whose cells are separated by tabs.
type description struct {
	Cluster
	now  int64
	text strings.Builder
}

// Object returns the text about an object of a cluster at a virtual ms, with the events about it among those that were sent if
// withEvents is set.
func Object(c Cluster, now int64, o api.Object, withEvents bool, sent []*events.Event) string {
	d := &description{Cluster: c, now: now}
	switch o := o.(type) {
	case *api.Deployment:
		d.deployment(o)
	case *api.ReplicaSet:
		d.replicaSet(o)
	case *api.StatefulSet:
		d.statefulSet(o)
	case *api.DaemonSet:
		d.daemonSet(o)
	case *api.PodDisruptionBudget:
		d.budget(o)
	case *api.HorizontalPodAutoscaler:
		d.autoscaler(o)
	case *api.Service:
		d.service(o)
	case *api.EndpointSlice:
		d.slice(o)
	case *api.PersistentVolumeClaim:
		d.claim(o)
	case *api.Pod:
		d.pod(o)
	case *api.Node:
		d.node(o)
	case *api.ResourceQuota:
		d.quota(o)
		withEvents = false
	case api.Object:
		d.generic(o)
	}
	if withEvents {
		d.events(o, sent)
	}
	return print.Tabbed(d.text.String())
}

// line adds a line.
func (d *description) line(format string, args ...any) {
	breath.Often()
	fmt.Fprintf(&d.text, format+"\n", args...)
}

// head adds the name of an object, and its namespace.
func (d *description) head(o api.Object) {
	d.line("Name:\t%s\nNamespace:\t%s", o.Meta().Name, o.Meta().Namespace)
}

// labelled adds the labels and the annotations of an object.
func (d *description) labelled(o api.Object) {
	d.multi("Labels", print.LabelPairs(o.Meta().Labels))
	d.annotations("Annotations", o.Meta().Annotations)
}

// add adds lines as they are.
func (d *description) add(lines string) { d.text.WriteString(lines + "\n") }

// multi adds a title and values, one below the other.
func (d *description) multi(title string, values []string) {
	if len(values) == 0 {
		values = []string{print.None}
	}
	for i, v := range values {
		if i == 0 {
			d.line("%s:\t%s", title, v)
		} else {
			d.line("\t%s", v)
		}
	}
}

// annotationLongest is the longest annotation that is printed in the line of its key.
const annotationLongest = 140

// annotations adds all annotations but what kubectl apply keeps for itself.
func (d *description) annotations(title string, annotations map[string]string) {
	var lines []string
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
	d.multi(title, lines)
}

// date prints a moment as kubectl describe does.
func date(t api.Time) string { return time.Unix(int64(t), 0).UTC().Format(time.RFC1123Z) }

// conditions adds conditions, if there are any: a heading, and a row for each.
func (d *description) conditions(heading string, list []api.Condition, row func(c *api.Condition)) {
	if len(list) > 0 {
		d.add(heading)
	}
	for i := range list {
		row(&list[i])
	}
}

// events adds the events about an object, the latest last. What the scheduler sends has no lastTimestamp and comes first.
func (d *description) events(o api.Object, sent []*events.Event) {
	m := o.Meta()
	var about []*events.Event
	for _, e := range sent {
		if e.Object == o.Key() && e.ObjectUID == m.UID {
			about = append(about, e)
		}
	}
	if len(about) == 0 {
		d.line("Events:\t%s", print.None)
		return
	}
	sort.Slice(about, func(i, j int) bool { return lastTimestamp(about[i]) < lastTimestamp(about[j]) })
	d.add("Events:\n  Type\tReason\tAge\tFrom\tMessage\n  ----\t------\t----\t----\t-------")
	for _, e := range about {
		message := strings.TrimSpace(e.Message)
		if e.FieldPath != "" {
			message = e.FieldPath + ": " + message
		}
		d.line("  %s\t%s\t%s\t%s\t%s", e.Type, e.Reason, e.Interval(d.now), e.Source, message)
	}
}

// lastTimestamp returns the field of that name, which senders that use the newer API leave empty.
func lastTimestamp(e *events.Event) api.Time {
	if e.Source == "default-scheduler" {
		return 0
	}
	return e.LastTime()
}
