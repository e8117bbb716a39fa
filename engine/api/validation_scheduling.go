package api

import (
	"encoding/json"
	"strconv"
	"strings"
)

// The field of an affinity that keeps pods from nodes, and the one that only says what is liked better.
const (
	requiredTerms  = ".requiredDuringSchedulingIgnoredDuringExecution"
	preferredTerms = ".preferredDuringSchedulingIgnoredDuringExecution"
)

// validateTolerations checks what a pod tolerates.
//
// Simplified: the operators Lt and Gt, which no version has switched on, are refused as upstream refuses them.
func (es *FieldErrors) validateTolerations(path string, tolerations []map[string]any) {
	for i, t := range tolerations {
		p := path + "[" + strconv.Itoa(i) + "]"
		key, operator, effect, value := text(t, "key"), text(t, "operator"), text(t, "effect"), text(t, "value")
		if key != "" {
			es.invalids(p+".key", key, checkKey(key))
		} else if operator != "Exists" {
			es.invalid(p+".operator", operator, "operator must be Exists when `key` is empty, which means \"match all values and all keys\"")
		}
		if _, given := t["tolerationSeconds"]; given && effect != NoExecute {
			es.invalid(p+".effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")
		}
		switch operator {
		case "Equal", "":
			if wrong := checkLabelValue(value); len(wrong) > 0 {
				es.invalid(p+".operator", value, strings.Join(wrong, ";"))
			}
		case "Exists":
			if value != "" {
				es.invalid(p+".operator", value, "value must be empty when `operator` is 'Exists'")
			}
		case "Lt", "Gt":
			es.notSupported(p+".operator", operator, "Equal", "Exists", "Lt", "Gt")
		default:
			es.notSupported(p+".operator", operator, "Equal", "Exists")
		}
		if effect != "" {
			es.oneOf(p+".effect", effect, NoSchedule, "PreferNoSchedule", NoExecute)
		}
	}
}

// validateAffinity checks what a pod asks of its node and of the pods around it.
//
// Simplified: matchLabelKeys and mismatchLabelKeys are kept as they are.
func (es *FieldErrors) validateAffinity(path string, affinity map[string]any) {
	if node, ok := affinity["nodeAffinity"].(map[string]any); ok {
		es.validateNodeAffinity(path+".nodeAffinity", node)
	}
	for _, name := range []string{"podAffinity", "podAntiAffinity"} {
		pods, ok := affinity[name].(map[string]any)
		if !ok {
			continue
		}
		p := path + "." + name
		for i, term := range items(pods, requiredTerms[1:]) {
			es.validatePodAffinityTerm(p+requiredTerms+"["+strconv.Itoa(i)+"]", term)
		}
		for i, weighted := range items(pods, preferredTerms[1:]) {
			at := p + preferredTerms + "[" + strconv.Itoa(i) + "]"
			es.validateWeight(at, weighted)
			es.validatePodAffinityTerm(at+".podAffinityTerm", object(weighted, "podAffinityTerm"))
		}
	}
}

func (es *FieldErrors) validateNodeAffinity(path string, affinity map[string]any) {
	if required, ok := affinity[requiredTerms[1:]].(map[string]any); ok {
		p := path + requiredTerms + ".nodeSelectorTerms"
		terms := items(required, "nodeSelectorTerms")
		if len(terms) == 0 {
			es.required(p, "must have at least one node selector term")
		}
		for i, term := range terms {
			es.validateNodeTerm(p+"["+strconv.Itoa(i)+"]", term, true)
		}
	}
	for i, weighted := range items(affinity, preferredTerms[1:]) {
		at := path + preferredTerms + "[" + strconv.Itoa(i) + "]"
		es.validateWeight(at, weighted)
		es.validateNodeTerm(at+".preference", object(weighted, "preference"), false)
	}
}

func (es *FieldErrors) validateWeight(path string, weighted map[string]any) {
	if n := number64(weighted, "weight"); n <= 0 || n > 100 {
		es.invalid(path+".weight", n, "must be in the range 1-100")
	}
}

// validateNodeTerm checks what is asked of a node's labels and of its name. Of a preference, values may be anything.
func (es *FieldErrors) validateNodeTerm(path string, term map[string]any, strict bool) {
	for i, e := range items(term, "matchExpressions") {
		p := path + ".matchExpressions[" + strconv.Itoa(i) + "]"
		values := texts(e, "values")
		switch operator := text(e, "operator"); operator {
		case "In", "NotIn":
			if len(values) == 0 {
				es.required(p+".values", "must be specified when `operator` is 'In' or 'NotIn'")
			}
		case "Exists", "DoesNotExist":
			if len(values) > 0 {
				es.forbidden(p+".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
			}
		case "Gt", "Lt":
			if len(values) != 1 {
				es.required(p+".values", "must be specified single value when `operator` is 'Lt' or 'Gt'")
			}
		default:
			es.invalid(p+".operator", operator, "not a valid selector operator")
		}
		es.invalids(p+".key", text(e, "key"), checkKey(text(e, "key")))
		for j, v := range values {
			if strict {
				es.invalids(p+".values["+strconv.Itoa(j)+"]", v, checkLabelValue(v))
			}
		}
	}
	for i, f := range items(term, "matchFields") {
		es.validateNodeField(path+".matchFields["+strconv.Itoa(i)+"]", f)
	}
}

func (es *FieldErrors) validateNodeField(path string, f map[string]any) {
	values := texts(f, "values")
	switch operator := text(f, "operator"); {
	case operator != "In" && operator != "NotIn":
		es.invalid(path+".operator", operator, "not a valid selector operator")
	case len(values) != 1:
		es.required(path+".values", "must be only one value when `operator` is 'In' or 'NotIn' for node field selector")
	}
	if key := text(f, "key"); key != "metadata.name" {
		es.invalid(path+".key", key, "not a valid field selector key")
		return
	}
	for i, v := range values {
		es.invalids(path+".values["+strconv.Itoa(i)+"]", v, checkSubdomain(v))
	}
}

func (es *FieldErrors) validatePodAffinityTerm(path string, term map[string]any) {
	for _, name := range []string{"labelSelector", "namespaceSelector"} {
		if tree, ok := term[name].(map[string]any); ok {
			var s LabelSelector
			if err := json.Unmarshal(appendTree(nil, tree, false), &s); err != nil {
				panic("api: a checked selector cannot be read: " + err.Error())
			}
			es.validateSelector(path+"."+name, &s)
		}
	}
	for _, n := range texts(term, "namespaces") {
		es.invalids(path+".namespace", n, checkLabelName(n))
	}
	key := text(term, "topologyKey")
	if key == "" {
		es.required(path+".topologyKey", "can not be empty")
	}
	es.invalids(path+".topologyKey", key, checkKey(key))
}

// texts returns a list of strings of a tree.
func texts(tree map[string]any, name string) (list []string) {
	values, _ := tree[name].([]any)
	for _, v := range values {
		s, _ := v.(string)
		list = append(list, s)
	}
	return list
}
