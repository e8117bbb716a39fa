package validate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// The fields of an affinity: what a node must have, and what makes it preferred.
const (
	requiredTerms  = ".requiredDuringSchedulingIgnoredDuringExecution"
	preferredTerms = ".preferredDuringSchedulingIgnoredDuringExecution"
)

// taints checks those of a node (core/validation:validateNodeTaints).
func (es *FieldErrors) taints(path string, taints []api.Taint) {
	seen := map[string]bool{}
	for i := range taints {
		t, p := &taints[i], item(path, i)
		es.invalids(p+".key", t.Key, checkKey(t.Key))
		es.invalids(p+".value", t.Value, checkLabelValue(t.Value))
		es.when(t.Effect == "").required(p+".effect", "")
		es.effect(p+".effect", t.Effect)
		pair := t.Key + ":" + t.Effect
		if seen[pair] {
			internal := struct {
				Key, Value, Effect string
				TimeAdded          any
			}{t.Key, t.Value, t.Effect, nil} // as the API server prints its own type
			es.add(p, FieldDuplicate, internal, "taints must be unique by key and effect pair")
		}
		seen[pair] = true
	}
}

// tolerations checks the tolerations of a pod.
//
// Simplified: the operators Lt and Gt, which no version enables, are rejected as upstream rejects them.
func (es *FieldErrors) tolerations(path string, tolerations []api.Fields) {
	for i, t := range tolerations {
		p := item(path, i)
		key, operator, effect, value := t.Text("key"), t.Text("operator"), t.Text("effect"), t.Text("value")
		if key != "" {
			es.invalids(p+".key", key, checkKey(key))
		} else if operator != "Exists" {
			es.invalid(p+".operator", operator, "operator must be Exists when `key` is empty, which means \"match all values and all keys\"")
		}
		_, given := t["tolerationSeconds"]
		es.when(given && effect != api.NoExecute).invalid(p+".effect", effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")
		switch operator {
		case "Equal", "":
			wrong := checkLabelValue(value)
			es.when(len(wrong) > 0).invalid(p+".operator", value, strings.Join(wrong, ";"))
		case "Exists":
			es.when(value != "").invalid(p+".operator", value, "value must be empty when `operator` is 'Exists'")
		case "Lt", "Gt":
			es.notSupported(p+".operator", operator, "Equal", "Exists", "Lt", "Gt")
		default:
			es.notSupported(p+".operator", operator, "Equal", "Exists")
		}
		es.effect(p+".effect", effect)
	}
}

// effect checks what a taint does, if that is given.
func (es *FieldErrors) effect(path, effect string) {
	es.when(effect != "").oneOf(path, effect, api.NoSchedule, "PreferNoSchedule", api.NoExecute)
}

// affinity checks a pod's conditions on its node and on the pods around it.
func (es *FieldErrors) affinity(path string, affinity api.Fields) {
	es.nodeAffinity(path+".nodeAffinity", affinity.Object("nodeAffinity"))
	for _, name := range []string{"podAffinity", "podAntiAffinity"} {
		pods, p := affinity.Object(name), path+"."+name
		for i, term := range pods.Items(requiredTerms[1:]) {
			es.podAffinityTerm(item(p+requiredTerms, i), term)
		}
		for i, weighted := range pods.Items(preferredTerms[1:]) {
			at := item(p+preferredTerms, i)
			es.weight(at, weighted)
			es.podAffinityTerm(at+".podAffinityTerm", weighted.Object("podAffinityTerm"))
		}
	}
}

func (es *FieldErrors) nodeAffinity(path string, affinity api.Fields) {
	if required := affinity.Object(requiredTerms[1:]); required != nil {
		p := path + requiredTerms + ".nodeSelectorTerms"
		terms := required.Items("nodeSelectorTerms")
		es.when(len(terms) == 0).required(p, "must have at least one node selector term")
		for i, term := range terms {
			es.nodeTerm(item(p, i), term, true)
		}
	}
	for i, weighted := range affinity.Items(preferredTerms[1:]) {
		at := item(path+preferredTerms, i)
		es.weight(at, weighted)
		es.nodeTerm(at+".preference", weighted.Object("preference"), false)
	}
}

func (es *FieldErrors) weight(path string, weighted api.Fields) {
	n := weighted.Number("weight")
	es.when(n <= 0 || n > 100).invalid(path+".weight", n, "must be in the range 1-100")
}

// nodeTerm checks conditions on a node's labels and name. The values of a preference may be anything.
func (es *FieldErrors) nodeTerm(path string, term api.Fields, strict bool) {
	es.requirements(path, term, true, strict)
	for i, f := range term.Items("matchFields") {
		es.nodeField(item(path+".matchFields", i), f)
	}
}

func (es *FieldErrors) nodeField(path string, f api.Fields) {
	values := f.Texts("values")
	switch operator := f.Text("operator"); {
	case operator != "In" && operator != "NotIn":
		es.invalid(path+".operator", operator, "not a valid selector operator")
	case len(values) != 1:
		es.required(path+".values", "must be only one value when `operator` is 'In' or 'NotIn' for node field selector")
	}
	if key := f.Text("key"); key != "metadata.name" {
		es.invalid(path+".key", key, "not a valid field selector key")
		return
	}
	for i, v := range values {
		es.invalids(item(path+".values", i), v, checkSubdomain(v))
	}
}

// selectorTree checks a label selector, if there is one.
func (es *FieldErrors) selectorTree(path string, s api.Fields) {
	es.labels(path+".matchLabels", s.TextMap("matchLabels"))
	es.requirements(path, s, false, true)
}

// requirements checks conditions on labels, as requirement does.
func (es *FieldErrors) requirements(path string, of api.Fields, ofNode, strict bool) {
	for i, e := range of.Items("matchExpressions") {
		r := api.SelectorRequirement{Key: e.Text("key"), Operator: e.Text("operator"), Values: e.Texts("values")}
		es.requirement(item(path+".matchExpressions", i), &r, ofNode, strict)
	}
}

// labelKeys checks the keys that a term adds to its selector (validation.go:ValidateMatchLabelKeysAndMismatchLabelKeys).
//
// Simplified: a key that the selector has as well is accepted. Upstream refuses the pod, not the template.
func (es *FieldErrors) labelKeys(path string, term api.Fields) {
	match, mismatch := term.Texts("matchLabelKeys"), term.Texts("mismatchLabelKeys")
	es.labelKeyList(path+".matchLabelKeys", match, term)
	es.labelKeyList(path+".mismatchLabelKeys", mismatch, term)
	for i, k := range match {
		es.when(slices.Contains(mismatch, k)).invalid(item(path+".matchLabelKeys", i), k, "exists in both matchLabelKeys and mismatchLabelKeys")
	}
}

func (es *FieldErrors) labelKeyList(path string, keys []string, term api.Fields) {
	if len(keys) > 0 && term.Object("labelSelector") == nil {
		es.forbidden(path, "must not be specified when labelSelector is not set")
		return
	}
	for i, k := range keys {
		es.invalids(item(path, i), k, checkKey(k))
	}
}

func item(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// spreadConstraints checks how a pod wants to be spread (validation.go:validateTopologySpreadConstraints).
func (es *FieldErrors) spreadConstraints(path string, list []api.Fields) {
	again := map[string]int{} // how many constraints of a label and an action follow
	for _, c := range list {
		again[c.Text("topologyKey")+", "+c.Text("whenUnsatisfiable")]++
	}
	for i, c := range list {
		p := item(path, i)
		key, action := c.Text("topologyKey"), c.Text("whenUnsatisfiable")
		es.positive(p+".maxSkew", c.Number("maxSkew"))
		es.when(key == "").required(p+".topologyKey", "can not be empty")
		es.oneOf(p+".whenUnsatisfiable", action, api.DoNotSchedule, api.ScheduleAnyway)
		pair := key + ", " + action
		again[pair]--
		es.when(again[pair] > 0).duplicate(p+".{topologyKey, whenUnsatisfiable}", "{"+pair+"}")
		_, given := c["minDomains"]
		domains := c.Number("minDomains")
		es.when(given).positive(p+".minDomains", domains)
		es.when(given && action != api.DoNotSchedule).
			invalid(p+".minDomains", domains, "can only use minDomains if whenUnsatisfiable="+api.DoNotSchedule+", not "+action)
		es.policy(p, c, "nodeAffinityPolicy")
		es.policy(p, c, "nodeTaintsPolicy")
		es.labelKeys(p, c)
		es.selectorTree(p+".labelSelector", c.Object("labelSelector"))
	}
}

func (es *FieldErrors) positive(path string, n int64) {
	es.when(n <= 0).invalid(path, n, "must be greater than zero")
}

func (es *FieldErrors) policy(path string, constraint api.Fields, name string) {
	policy, given := constraint[name].(string)
	es.when(given).oneOf(path+"."+name, policy, api.Honor, api.Ignore)
}

func (es *FieldErrors) podAffinityTerm(path string, term api.Fields) {
	for _, name := range []string{"labelSelector", "namespaceSelector"} {
		es.selectorTree(path+"."+name, term.Object(name))
	}
	for _, n := range term.Texts("namespaces") {
		es.invalids(path+".namespace", n, checkLabelName(n))
	}
	es.labelKeys(path, term)
	key := term.Text("topologyKey")
	es.when(key == "").required(path+".topologyKey", "can not be empty")
	es.invalids(path+".topologyKey", key, checkKey(key))
}
