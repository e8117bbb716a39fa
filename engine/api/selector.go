package api

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/breath"
)

// LabelSelector selects objects by their labels. A nil selector matches nothing, an empty one everything.
type LabelSelector struct {
	MatchLabels      map[string]string     `json:"matchLabels,omitempty"`
	MatchExpressions []SelectorRequirement `json:"matchExpressions,omitempty"`
}

// SelectorRequirement is one condition on a label: In, NotIn, Exists or DoesNotExist. Conditions on nodes and those behind -l may
// also compare numbers, with Gt and Lt.
type SelectorRequirement struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values,omitempty"`
}

// Empty says whether the selector matches everything.
func (s *LabelSelector) Empty() bool {
	return len(s.MatchLabels) == 0 && len(s.MatchExpressions) == 0
}

// Matches says whether the labels satisfy every condition.
func (s *LabelSelector) Matches(labels map[string]string) bool {
	breath.Often() // it is asked about every object
	return s != nil && Covers(labels, s.MatchLabels) && allHold(s.MatchExpressions, labels)
}

// Covers says whether labels have all of some values.
func Covers(labels, values map[string]string) bool {
	for k, v := range values {
		if got, ok := labels[k]; !ok || got != v {
			return false
		}
	}
	return true
}

func allHold(list []SelectorRequirement, labels map[string]string) bool {
	for i := range list {
		if !list[i].Holds(labels) {
			return false
		}
	}
	return true
}

// Holds says whether labels satisfy the condition.
func (r *SelectorRequirement) Holds(labels map[string]string) bool {
	value, present := labels[r.Key]
	return r.holds(value, present)
}

// holds compares the value of a label that may be missing.
func (r *SelectorRequirement) holds(value string, present bool) bool {
	switch r.Operator {
	case "In":
		return present && slices.Contains(r.Values, value)
	case "NotIn":
		return !present || !slices.Contains(r.Values, value)
	case "Exists":
		return present
	case "DoesNotExist":
		return !present
	case "Gt", "Lt":
		if !present || len(r.Values) != 1 {
			return false
		}
		have, err := strconv.ParseInt(value, 10, 64)
		want, err2 := strconv.ParseInt(r.Values[0], 10, 64)
		return err == nil && err2 == nil && (r.Operator == "Gt" && have > want || r.Operator == "Lt" && have < want)
	}
	return false
}

// SameMap says whether two maps are one and the same, not merely equal: pods share the labels of the template that they
// were made from, and that is cheaper to see than to compare.
func SameMap(a, b map[string]string) bool {
	return reflect.ValueOf(a).UnsafePointer() == reflect.ValueOf(b).UnsafePointer()
}

// Text writes the selector as the API server does: app=web,tier in (back,front),!legacy. Its conditions come by their keys.
func (s *LabelSelector) Text() string {
	if s == nil {
		return ""
	}
	texts := map[string][]string{}
	for key, value := range s.MatchLabels {
		texts[key] = append(texts[key], key+"="+value)
	}
	for i := range s.MatchExpressions {
		e := &s.MatchExpressions[i]
		list := " (" + strings.Join(slices.Sorted(slices.Values(e.Values)), ",") + ")"
		texts[e.Key] = append(texts[e.Key], map[string]string{"In": e.Key + " in" + list, "NotIn": e.Key + " notin" + list, "DoesNotExist": "!" + e.Key,
			"Exists": e.Key}[e.Operator])
	}
	var all []string
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		all = append(all, texts[key]...)
	}
	return strings.Join(all, ",")
}

// WithLabel returns the selector with one more label to match.
func (s *LabelSelector) WithLabel(key, value string) *LabelSelector {
	return &LabelSelector{MatchLabels: With(s.MatchLabels, key, value), MatchExpressions: s.MatchExpressions}
}
