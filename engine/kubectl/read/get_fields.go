package read

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// fieldSelector is what follows --field-selector: conditions that all must hold. One without a field is not understood.
type fieldSelector []fieldCondition

type fieldCondition struct {
	field, value string
	not          bool
}

// parseFieldSelector reads a=b,c!=d.
func parseFieldSelector(text string) (s fieldSelector) {
	for _, term := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' }) {
		field, value, ok := strings.Cut(term, "=")
		if !ok {
			return fieldSelector{{value: term}}
		}
		field, not := strings.CutSuffix(field, "!")
		s = append(s, fieldCondition{field, strings.TrimPrefix(value, "="), not})
	}
	return s
}

// unselectable is the server's answer if it cannot apply the command's selectors to a kind.
func (r *reading) unselectable(kind api.Kind) error {
	wrong := r.BadSelector
	for _, c := range r.fields {
		switch {
		case wrong != nil:
		case c.field == "":
			wrong = errors.New("invalid selector: '" + r.Flags["field-selector"] + "'; can't understand '" + c.value + "'")
		case c.field == "metadata.name", c.field == "metadata.namespace" && !kinds.Of(kind).Cluster,
			slices.Contains(strings.Fields(selectableFields[kind]), c.field):
		case kind == "Job":
			wrong = fmt.Errorf("field label %q not supported for Job", c.field)
		case selectableFields[kind] != "": // these types have a sentence of their own, too
			wrong = errors.New("field label not supported: " + c.field)
		default:
			wrong = fmt.Errorf("%q is not a known field selector: only \"metadata.name\", \"metadata.namespace\"", c.field)
		}
	}
	if wrong == nil {
		return nil
	}
	return line.NotSelectable(kind, r.Flags, wrong)
}

func (s fieldSelector) matches(o api.Object) bool {
	return !slices.ContainsFunc(s, func(c fieldCondition) bool { return (fieldOf(o, c.field) == c.value) == c.not })
}

// selectableFields are the fields of a type, besides name and namespace, that its registry can select by.
var selectableFields = map[api.Kind]string{
	api.KindPod: "spec.nodeName spec.host spec.restartPolicy spec.schedulerName spec.serviceAccountName spec.hostNetwork " +
		"status.phase status.podIP status.nominatedNodeName",
	api.KindNode:            "spec.unschedulable",
	api.KindService:         "spec.clusterIP spec.type",
	"Job":                   "status.successful",
	"Namespace":             "status.phase",
	"ReplicationController": "status.replicas",
	"Secret":                "type",
	api.KindEvent:           "involvedObject.kind involvedObject.name involvedObject.namespace reason type source reportingComponent",
}

// defaultFields are the values of fields that objects leave out.
var defaultFields = map[string]string{"spec.unschedulable": "false", "spec.hostNetwork": "false", "status.replicas": "0", "status.successful": "0"}

// fieldOf returns a field that objects can be selected by. To make the tree of a pod takes a while, and a list may have thousands.
func fieldOf(o api.Object, field string) string {
	quick := map[string]string{"metadata.name": o.Meta().Name, "metadata.namespace": o.Meta().Namespace}
	if pod, ok := o.(*api.Pod); ok {
		quick["spec.nodeName"], quick["spec.restartPolicy"], quick["status.phase"] = pod.NodeName, pod.Spec.RestartPolicy, pod.Status.Phase
	}
	if text, ok := quick[field]; ok {
		return text
	}
	var value any = print.Served(o)
	path := cmp.Or(map[string]string{"source": "source.component", "spec.host": "spec.nodeName"}[field], field)
	for name := range strings.SplitSeq(path, ".") {
		value = api.Fields{"": value}.Object("")[name]
	}
	return cmp.Or(print.TextOf(value), defaultFields[field])
}
