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

// FieldSelector is what follows --field-selector: conditions that all must hold.
type FieldSelector []FieldCondition

// FieldCondition asks for a field with a value, or for one without it.
type FieldCondition struct {
	Field, Value string
	Not          bool
}

// ParseFieldSelector reads a=b,c!=d, in the order of these terms as texts (apimachinery pkg/fields/selector.go:parseSelector).
func ParseFieldSelector(text string) (s FieldSelector, err error) {
	for _, term := range slices.Sorted(slices.Values(splitTerms(text))) {
		field, value, ok := strings.Cut(term, "=")
		switch {
		case term == "":
			continue
		case !ok:
			return nil, errors.New("invalid selector: '" + text + "'; can't understand '" + term + "'")
		}
		c := FieldCondition{}
		if c.Field, c.Not = strings.CutSuffix(field, "!"); !c.Not {
			value = strings.TrimPrefix(value, "=")
		}
		if c.Value, err = unescape(value); err != nil {
			return nil, err
		}
		if c.Field+c.Value != "" {
			s = append(s, c)
		}
	}
	return s, nil
}

// splitTerms splits a text at its commas, but for those behind a backslash.
func splitTerms(text string) (terms []string) {
	start := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case ',':
			terms = append(terms, text[start:i])
			start = i + 1
		}
	}
	return append(terms, text[start:])
}

// unescape takes away the backslashes of a value, which may be before another one, a comma and an equals sign.
func unescape(value string) (string, error) {
	var plain []rune
	escaped := false
	for _, c := range value {
		switch {
		case escaped && !strings.ContainsRune(`\,=`, c):
			return "", errors.New(`invalid field selector: invalid escape sequence: \` + string(c))
		case !escaped && c == '=':
			return "", fmt.Errorf("invalid field selector: unescaped character in value: %d", c)
		}
		if escaped = !escaped && c == '\\'; !escaped {
			plain = append(plain, c)
		}
	}
	if escaped {
		return "", errors.New(`invalid field selector: invalid escape sequence: \`)
	}
	return string(plain), nil
}

// unselectable is the server's answer if it cannot apply the command's selectors to a kind.
func (r *reading) unselectable(kind api.Kind) error {
	wrong := cmp.Or(r.BadSelector, r.badFields)
	for _, c := range r.fields {
		switch {
		case wrong != nil:
		case c.Field == "metadata.name", c.Field == "metadata.namespace" && !kinds.Of(kind).Cluster,
			slices.Contains(strings.Fields(selectableFields[kind]), c.Field):
		case kind == "Job":
			wrong = fmt.Errorf("field label %q not supported for Job", c.Field)
		case selectableFields[kind] != "": // these types have a sentence of their own, too
			wrong = errors.New("field label not supported: " + c.Field)
		default:
			wrong = fmt.Errorf("%q is not a known field selector: only \"metadata.name\", \"metadata.namespace\"", c.Field)
		}
	}
	if wrong == nil {
		return nil
	}
	return line.NotSelectable(kind, r.Flags, wrong)
}

func (s FieldSelector) matches(o api.Object) bool {
	return !slices.ContainsFunc(s, func(c FieldCondition) bool { return (fieldOf(o, c.Field) == c.Value) == c.Not })
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
