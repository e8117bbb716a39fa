package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A mutant is a valid text in which fields have been replaced: every field of every kind by everything that a person, or
// somebody who means harm, may write there.

// object is a JSON object that may have a key twice.
type object []pair

type pair struct {
	key   string
	value any // object, []any, or literal
}

// literal is printed as it stands.
type literal string

func quoted(s string) literal { return literal(strconv.Quote(s)) }

// mutantKinds are the kinds whose fields are replaced, with a valid object of each.
var mutantKinds = []string{"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Pod", "PodDisruptionBudget", "HorizontalPodAutoscaler", "ResourceQuota", "Node", "Scenario"}

const podText = `{"containers":[{"name":"web","image":"web:1","ports":[{"containerPort":80}],"resources":{"requests":{"cpu":"100m","memory":"64Mi"}},
"readinessProbe":{"tcpSocket":{"port":80},"periodSeconds":1}}],"terminationGracePeriodSeconds":5}`

const templateText = `{"metadata":{"labels":{"app":"web"}},"spec":` + podText + `}`

var mutantTexts = map[string]string{
	"Deployment": `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},
"strategy":{"rollingUpdate":{"maxSurge":1,"maxUnavailable":"25%"}},"template":` + templateText + `}}`,
	"StatefulSet": `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web"},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},
"updateStrategy":{"rollingUpdate":{"partition":0}},"volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}],
"template":` + templateText + `}}`,
	"DaemonSet": `{"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"web"},"spec":{"selector":{"matchLabels":{"app":"web"}},
"updateStrategy":{"rollingUpdate":{"maxUnavailable":1}},"template":` + templateText + `}}`,
	"ReplicaSet":          `{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"web"},"spec":{"replicas":2,"selector":{"matchLabels":{"app":"web"}},"template":` + templateText + `}}`,
	"Pod":                 `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","labels":{"app":"web"}},"spec":` + podText + `}`,
	"PodDisruptionBudget": `{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"web"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"web"}}}}`,
	"HorizontalPodAutoscaler": `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},"spec":{"minReplicas":1,"maxReplicas":4,
"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}}]}}`,
	"ResourceQuota": `{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"web"},"spec":{"hard":{"pods":"4","requests.cpu":"2"}}}`,
	"Node":          `{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-3","labels":{"zone":"a"}},"status":{"allocatable":{"cpu":"2","memory":"1Gi","pods":"10"}}}`,
	"Scenario": `{"apiVersion":"rollplay/v1alpha1","kind":"Scenario","metadata":{"name":"mutant"},"spec":{"seed":1,"duration":"40s","images":[{"match":"bad","pull":"fails"},{"match":"web:2","crash":"2s"},{"match":"*","pull":"200ms","start":"300ms","stop":"500ms"}],
"nodes":[{"name":"node-1","zone":"a"},{"name":"node-2","cpu":"1","labels":{"zone":"b"}}],"load":[{"of":"deployment/web","at":"5s","cpu":"300m"}]}}`,
}

// mutantBases are mutantTexts, parsed.
var mutantBases = sync.OnceValue(func() map[string]object {
	bases := map[string]object{}
	for kind, text := range mutantTexts {
		var v any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			panic(kind + ": " + err.Error())
		}
		bases[kind] = fromJSON(v).(object)
	}
	return bases
})

func fromJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		o := object{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			o = append(o, pair{key, fromJSON(v[key])})
		}
		return o
	case []any:
		list := []any{}
		for _, e := range v {
			list = append(list, fromJSON(e))
		}
		return list
	case string:
		return quoted(v)
	}
	return literal(fmt.Sprint(v))
}

// String writes an object as YAML's flow style, a key on each line.
func (o object) String() string { return flow(o) }

func flow(v any) string {
	var parts []string
	switch v := v.(type) {
	case object:
		for _, p := range v {
			parts = append(parts, strconv.Quote(p.key)+": "+flow(p.value))
		}
		return "{\n" + strings.Join(parts, ",\n") + "}"
	case []any:
		for _, e := range v {
			parts = append(parts, flow(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return string(v.(literal))
}

// mutation is what becomes of a field.
type mutation int

const (
	removed mutation = iota
	null
	zero
	below
	huge
	empty
	otherType
	doubled
	percent
	unicode
	anotherValue
	mutations // how many there are
)

// mutator makes values; every choice is a byte of its data.
type mutator struct{ next func(n int) int }

func (m *mutator) of(list ...string) string { return list[m.next(len(list))] }

// replace returns an object with the field at a place replaced. It creates missing parents.
func (m *mutator) replace(o object, at place, how mutation) object {
	o = slices.Clone(o)
	f := at[0]
	i := slices.IndexFunc(o, func(p pair) bool { return p.key == f.name })
	last := len(at) == 1
	switch {
	case last && how == removed && i >= 0:
		return slices.Delete(o, i, i+1)
	case last && how == removed:
		return o
	case last && how == doubled && elemOf(f.typ) == f.typ:
		return append(o, pair{f.name, m.value(f.typ, 2)}, pair{f.name, m.value(f.typ, 2)})
	}
	if i < 0 {
		i, o = len(o), append(o, pair{f.name, nil})
	}
	if last {
		o[i].value = m.mutate(f.typ, how)
	} else {
		o[i].value = m.within(o[i].value, f.typ, at[1:], how)
	}
	return o
}

// within goes into what stands at a field of some type: an object, the first item of a list, or a value of a map.
func (m *mutator) within(v any, typ string, at place, how mutation) any {
	if elem, ok := strings.CutPrefix(typ, "[]"); ok {
		list, _ := v.([]any)
		if list = slices.Clone(list); len(list) == 0 {
			list = []any{nil}
		}
		list[0] = m.within(list[0], elem, at, how)
		return list
	}
	o, there := v.(object)
	if elem, ok := strings.CutPrefix(typ, "map[string]"); ok {
		return object{{"app", m.within(nil, elem, at, how)}}
	}
	if !there {
		o = named(typ)
	}
	return m.replace(o, at, how)
}

// named is a new struct: with a name, if it has one, because nothing without one is read any further.
func named(typ string) object {
	o := object{}
	for _, f := range fieldsOf(typ) {
		if f[1] == "string" && slices.Contains([]string{"name", "image", "mountPath", "key", "topologyKey"}, f[0]) {
			o = append(o, pair{f[0], quoted("two")})
		}
	}
	return o
}

// mutate returns what a field becomes.
func (m *mutator) mutate(typ string, how mutation) any {
	elem, isList := strings.CutPrefix(typ, "[]")
	inner, isMap := strings.CutPrefix(typ, "map[string]")
	switch how {
	case null:
		return literal("null")
	case zero:
		return m.zero(typ)
	case below:
		return literal(m.of("-1", "-2147483648", `"-5%"`, `"-1"`, `"-500m"`, "-0.5"))
	case huge:
		return m.huge(typ)
	case empty:
		return literal(m.of(`""`, "{}", "[]", `" "`, "[null]", `[""]`, `{"": ""}`))
	case otherType:
		return literal(m.of("1", `"1"`, "true", "[1]", `{"a": 1}`, "1.5", `"true"`, "yes", "2026-01-01", "0x10", "1e3", `[[]]`, `!!binary "/w=="`, "~"))
	case doubled:
		if isMap {
			return object{{"app", m.value(inner, 2)}, {"app", m.value(inner, 2)}}
		}
		if isList {
			v := m.value(elem, 2)
			return []any{v, v}
		}
	case percent:
		return literal(m.of(`"50%"`, `"0%"`, `"100%"`, `"1000%"`, `"%"`, `"5 %"`, `"2147483648%"`, "50%"))
	case unicode:
		text := literal(m.of(`"ü"`, `"\u202egnp"`, `"\x1b[31m"`, `"\0"`, `"名前"`, `"a\nb"`, `"\ud800"`, `"😀"`, "\"\u200b\""))
		if isList {
			return []any{text}
		}
		if isMap {
			return object{{strings.Trim(string(text), `"`), text}}
		}
		return text
	}
	return m.value(typ, 2)
}

func (m *mutator) zero(typ string) any {
	switch typ {
	case "integer", "number", "IntOrString", "Quantity":
		return literal(m.of("0", `"0"`, "0.0", `"0%"`))
	case "boolean":
		return literal("false")
	case "string":
		return literal(`""`)
	}
	if strings.HasPrefix(typ, "[]") {
		return []any{}
	}
	return object{}
}

func (m *mutator) huge(typ string) any {
	if elem, ok := strings.CutPrefix(typ, "[]"); ok {
		list := []any{}
		for range 30 {
			list = append(list, m.value(elem, 1))
		}
		return list
	}
	if elem, ok := strings.CutPrefix(typ, "map[string]"); ok {
		o := object{}
		for i := range 30 {
			o = append(o, pair{"key-" + strconv.Itoa(i), m.value(elem, 1)})
		}
		return o
	}
	if typ == "string" {
		return quoted(strings.Repeat(m.of("x", "a.", "a/", "1", "é"), []int{64, 254, 2000}[m.next(3)]))
	}
	return literal(m.of("2147483647", "2147483648", "9223372036854775807", "9223372036854775808", "1e300", `"2147483647"`, `"9999999999Gi"`, "600"))
}

// value returns a value that may stand there; below a depth, structs stay empty.
func (m *mutator) value(typ string, depth int) any {
	if elem, ok := strings.CutPrefix(typ, "[]"); ok {
		return []any{m.value(elem, depth)}
	}
	if elem, ok := strings.CutPrefix(typ, "map[string]"); ok {
		return object{{m.of("app", "zone", "cpu", "pods", "memory", "kubernetes.io/hostname"), m.value(elem, depth)}}
	}
	switch typ {
	case "integer", "number":
		return literal(m.of("1", "0", "2", "3", "5", "10", "80", "60"))
	case "boolean":
		return literal(m.of("true", "false"))
	case "string":
		return quoted(m.of(goodWords[:]...))
	case "IntOrString":
		return literal(m.of("1", "0", "2", `"25%"`, `"50%"`, `"100%"`, `"http"`))
	case "Quantity":
		return literal(m.of("1", `"500m"`, `"64Mi"`, "0.5", `"1e3"`, "0", `"2"`))
	}
	o := object{}
	fields := fieldsOf(typ)
	for range min(len(fields), 3) {
		if f := fields[m.next(len(fields))]; depth > 0 && !slices.ContainsFunc(o, func(p pair) bool { return p.key == f[0] }) {
			o = append(o, pair{f[0], m.value(f[1], depth-1)})
		}
	}
	return o
}

// goodWords are strings that mean something in some field.
var goodWords = [...]string{"web", "app", "web:2", "bad", "default", "other", "node-1", "node-2", "a", "zone", "kubernetes.io/hostname", "topology.kubernetes.io/zone",
	"RollingUpdate", "Recreate", "OnDelete", "Parallel", "OrderedReady", "Always", "Never", "OnFailure", "IfNotPresent", "In", "NotIn", "Exists", "DoesNotExist", "Gt",
	"NoSchedule", "NoExecute", "PreferNoSchedule", "Equal", "DoNotSchedule", "ScheduleAnyway", "Honor", "Ignore", "Retain", "Delete", "AlwaysAllow", "IfHealthyBudget",
	"Deployment", "StatefulSet", "apps/v1", "v1", "Resource", "Pods", "Utilization", "AverageValue", "Value", "cpu", "memory", "Max", "Min", "Disabled", "Percent",
	"TCP", "10s", "0s", "1500ms", "1s..3s", "40s", "v1.33", "1.37", "kubectl get pods", "kill node/node-1", "deployment/web", "BestEffort", "ready", "system-node-critical"}

// stream joins documents to a text.
func stream(documents ...object) string {
	var parts []string
	for _, d := range documents {
		parts = append(parts, d.String())
	}
	return strings.Join(parts, "\n---\n")
}
