package kubectl

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/rollplay/rollplay/engine/kubectl/patch"
)

// manifests draws Deployments from a small world, so that two of them have much in common.
type manifests struct {
	*rand.Rand
	careless bool // entries of lists may be without their keys
	noNulls  bool // what replaces, or is an entry of a list, is taken as it is, with its nulls
}

func (d manifests) maybe(percent int) bool { return d.IntN(100) < percent }

// some returns some of several fields, in a map.
func (d manifests) some(percent int, fields map[string]func() any) map[string]any {
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if d.maybe(percent) {
			out[name] = fields[name]()
		}
	}
	return out
}

// list returns some of several entries, in any order. Each has its key.
func (d manifests) list(key string, values []any, entry func() map[string]any) func() any {
	return func() any {
		out := []any{}
		for _, i := range d.Perm(len(values)) {
			if d.maybe(60) {
				e := entry()
				e[key] = values[i]
				out = append(out, e)
			}
		}
		return out
	}
}

func (d manifests) texts(values ...string) func() any {
	return func() any {
		out := []any{}
		for _, i := range d.Perm(len(values)) {
			if d.maybe(60) {
				out = append(out, values[i])
			}
		}
		return out
	}
}

func (d manifests) names() any {
	value := func() any { return pick(d.Rand, "a", "b", "") }
	return d.some(50, map[string]func() any{"app": value, "tier": value, "a.b/c": value})
}

func (d manifests) number() any { return float64(d.IntN(4)) }

func (d manifests) text() any { return pick(d.Rand, "x", "y", "z") }

func (d manifests) volume() map[string]any {
	return pick(d.Rand, map[string]any{"emptyDir": map[string]any{}}, map[string]any{"emptyDir": map[string]any{"medium": "Memory"}}, map[string]any{"configMap": map[string]any{"name": d.text()}},
		map[string]any{"configMap": map[string]any{"name": d.text(), "items": []any{map[string]any{"key": d.text(), "path": d.text()}}}}, map[string]any{})
}

func (d manifests) container() map[string]any {
	amounts := func() any {
		return d.some(50, map[string]func() any{"cpu": func() any { return pick(d.Rand, "1", "100m") }, "memory": func() any { return pick(d.Rand, "1Gi", "64Mi") }})
	}
	return d.some(40, map[string]func() any{
		"image": func() any { return pick(d.Rand, "web:1", "web:2") }, "args": d.texts("a", "b"), "imagePullPolicy": func() any { return pick(d.Rand, "Always", "Never") },
		"env": d.list("name", []any{"A", "B", "C"}, func() map[string]any {
			return pick(d.Rand, map[string]any{"value": d.text()}, map[string]any{"valueFrom": map[string]any{"configMapKeyRef": map[string]any{"name": d.text(), "key": "k"}}}, map[string]any{})
		}),
		"ports": d.list("containerPort", []any{80.0, 81.0, 82.0}, func() map[string]any {
			return d.some(40, map[string]func() any{"name": d.text, "protocol": func() any { return pick(d.Rand, "TCP", "UDP") }})
		}),
		"resources":    func() any { return d.some(50, map[string]func() any{"limits": amounts, "requests": amounts}) },
		"volumeMounts": d.list("mountPath", []any{"/a", "/b"}, func() map[string]any { return map[string]any{"name": d.text()} }),
		"readinessProbe": func() any {
			return d.some(50, map[string]func() any{"periodSeconds": d.number, "httpGet": func() any { return map[string]any{"port": 80.0, "path": d.text()} },
				"exec": func() any { return map[string]any{"command": d.texts("a", "b")()} }})
		},
	})
}

func (d manifests) template() any {
	containers := d.list("name", []any{"web", "log", "side"}, d.container)
	return d.some(85, map[string]func() any{
		"metadata": func() any { return d.some(60, map[string]func() any{"labels": d.names, "annotations": d.names}) },
		"spec": func() any {
			return d.some(50, map[string]func() any{
				"containers": containers, "initContainers": containers, "volumes": d.list("name", []any{"x", "y", "z"}, d.volume), "nodeSelector": d.names,
				"tolerations":      func() any { return []any{map[string]any{"key": d.text(), "operator": "Exists"}} },
				"imagePullSecrets": d.list("name", []any{"s", "t"}, func() map[string]any { return map[string]any{} }),
				"hostAliases":      d.list("ip", []any{"1.1.1.1", "2.2.2.2"}, func() map[string]any { return map[string]any{"hostnames": d.texts("h", "i")()} }),
				"topologySpreadConstraints": d.list("topologyKey", []any{"zone", "host"}, func() map[string]any {
					return map[string]any{"maxSkew": d.number(), "whenUnsatisfiable": pick(d.Rand, "DoNotSchedule", "ScheduleAnyway")}
				}),
				"securityContext": func() any { return d.some(50, map[string]func() any{"runAsUser": d.number, "runAsGroup": d.number}) },
				"affinity": func() any {
					return map[string]any{"nodeAffinity": map[string]any{"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{"nodeSelectorTerms": []any{
						map[string]any{"matchExpressions": []any{map[string]any{"key": d.text(), "operator": "Exists"}}}}}}}
				},
				"terminationGracePeriodSeconds": d.number,
			})
		},
	})
}

func (d manifests) deployment() map[string]any {
	return map[string]any{"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": d.some(60, map[string]func() any{"labels": d.names, "annotations": d.names, "finalizers": d.texts("f/a", "f/b", "f/c")}),
		"spec": d.some(70, map[string]func() any{"replicas": d.number, "paused": func() any { return d.maybe(50) }, "minReadySeconds": d.number, "template": d.template,
			"selector": func() any { return map[string]any{"matchLabels": d.names()} },
			"strategy": func() any {
				return pick(d.Rand, map[string]any{"type": "Recreate"}, map[string]any{"type": "RollingUpdate"}, map[string]any{},
					map[string]any{"type": "RollingUpdate", "rollingUpdate": d.some(60, map[string]func() any{"maxSurge": d.number, "maxUnavailable": func() any { return "25%" }})})
			}})}
}

// listKeys are the fields that identify the entries of lists, as the types of Kubernetes have them.
var listKeys = []string{"containerPort", "mountPath", "ip", "topologyKey", "name"}

// mixed returns a tree that has parts of two.
func (d manifests) mixed(a, b any) any {
	x, isMap := a.(map[string]any)
	y, alsoMap := b.(map[string]any)
	if isMap && alsoMap {
		out := map[string]any{}
		for _, k := range slices.Sorted(maps.Keys(x)) {
			switch v, both := y[k]; {
			case both && d.maybe(60):
				out[k] = d.mixed(x[k], v)
			case d.maybe(85) || !d.careless && slices.Contains(listKeys, k):
				out[k] = x[k]
			}
		}
		for _, k := range slices.Sorted(maps.Keys(y)) {
			if _, both := x[k]; !both && d.maybe(30) {
				out[k] = y[k]
			}
		}
		return out
	}
	l, isList := a.([]any)
	m, alsoList := b.([]any)
	if isList && alsoList && d.maybe(70) {
		return d.mixedLists(l, m)
	}
	if d.maybe(60) {
		return a
	}
	return b
}

func (d manifests) mixedLists(l, m []any) any {
	out, seen := []any{}, map[string]bool{}
	all := slices.Concat(l, m)
	if d.maybe(30) {
		d.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	for _, e := range all {
		id := idOf(e)
		if seen[id] || d.maybe(20) {
			continue
		}
		seen[id] = true
		for _, other := range m {
			if idOf(other) == id && d.maybe(50) {
				e = d.mixed(e, other)
			}
		}
		out = append(out, e)
	}
	return out
}

func idOf(entry any) string {
	if key := keyOf(entry); key != nil {
		return fmt.Sprint(key)
	}
	return fmt.Sprint(entry)
}

// keyOf returns the field that identifies an entry, with its name; nil if there is none.
func keyOf(entry any) map[string]any {
	m, _ := entry.(map[string]any)
	for _, key := range listKeys {
		if v, ok := m[key]; ok {
			return map[string]any{key: v}
		}
	}
	return nil
}

func copied(tree map[string]any) (out map[string]any) {
	text, _ := json.Marshal(tree)
	if err := json.Unmarshal(text, &out); err != nil {
		panic(err)
	}
	return out
}

// asStored is an object as the API server understands it.
func asStored(tree map[string]any) map[string]any {
	text, err := json.Marshal(tree)
	d := new(appsv1.Deployment)
	if err == nil {
		err = json.Unmarshal(text, d)
	}
	var out map[string]any
	if err == nil {
		text, err = json.Marshal(d)
	}
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	return out
}

// realApply is what kubectl apply makes of an object: its patch, applied as the server does.
func realApply(last, now, live map[string]any) (map[string]any, error) {
	var texts [3][]byte
	for i, tree := range []map[string]any{last, now, live} {
		texts[i], _ = json.Marshal(tree)
	}
	meta, err := strategicpatch.NewPatchMetaFromStruct(appsv1.Deployment{})
	if err != nil {
		return nil, err
	}
	p, err := strategicpatch.CreateThreeWayMergePatch(texts[0], texts[1], texts[2], meta, true)
	if err != nil {
		return nil, err
	}
	merged, err := strategicpatch.StrategicMergePatch(texts[2], p, appsv1.Deployment{})
	if err != nil {
		return nil, err
	}
	var out map[string]any
	return out, json.Unmarshal(merged, &out)
}

// TestApplies compares random applies of Deployments with kubectl's code and the server's. What is stored has been checked; a manifest may
// have entries without their keys. Of 60,000 of them two are different, as the cluster has lost an entry of a list that the last manifest
// had and the new one has: kubectl then sends what is taken away inside it, too, and the server keeps that.
func TestApplies(t *testing.T) {
	d := manifests{Rand: rand.New(rand.NewPCG(1, 26))}
	for range 10_000 {
		last := d.deployment()
		live, _ := d.mixed(last, d.deployment()).(map[string]any)
		careless := d
		careless.careless = d.maybe(20)
		now, _ := careless.mixed(last, d.deployment()).(map[string]any)
		real, realErr := realApply(copied(last), copied(now), copied(live))
		ours, err := patch.Apply(copied(last), copied(now), copied(live))
		if (realErr == nil) != (err == nil) { // of several entries without keys, each may be named
			t.Errorf("%v, real %v", err, realErr)
		}
		if realErr != nil || err != nil {
			continue
		}
		if want, got := asStored(real), asStored(ours); !reflect.DeepEqual(want, got) {
			t.Error(told(want, got, last, now, live))
		}
	}
}

// merged are the lists whose entries are merged.
var merged = []string{"containers", "initContainers", "env", "ports", "volumeMounts", "volumes", "imagePullSecrets", "hostAliases", "topologySpreadConstraints", "finalizers"}

// marked returns a patch with nulls and directives in it.
func (d manifests) marked(name string, tree map[string]any) map[string]any {
	out := map[string]any{}
	if d.maybe(4) && slices.Contains([]string{"labels", "annotations", "containers", "env", "ports", "volumes"}, name) {
		out["$patch"] = pick(d.Rand, "delete", "replace")
		d.noNulls = true
	}
	inside := d
	inside.noNulls = true
	for _, k := range slices.Sorted(maps.Keys(tree)) {
		switch v := tree[k].(type) {
		case map[string]any:
			out[k] = d.marked(k, v)
		case []any:
			list := []any{}
			for _, e := range v {
				if m, ok := e.(map[string]any); ok {
					e = inside.marked(k, m)
				}
				list = append(list, e)
			}
			out[k] = list
			if keys := keysOf(v); len(v) > 0 && len(keys) == len(v) && slices.Contains(merged, k) && d.maybe(15) {
				out["$setElementOrder/"+k] = keys
			} else if k == "finalizers" && d.maybe(30) {
				out["$deleteFromPrimitiveList/"+k] = v
				delete(out, k)
			}
		default:
			out[k] = v
		}
		if !d.noNulls && d.maybe(5) && !slices.Contains(listKeys, k) && out["$setElementOrder/"+k] == nil {
			out[k] = nil
		}
	}
	if (name == "strategy" || name == "volumes") && d.maybe(30) {
		names := []any{}
		for _, k := range slices.Sorted(maps.Keys(tree)) {
			names = append(names, k)
		}
		out["$retainKeys"] = names
	}
	return out
}

// keysOf lists the keys of entries; texts are their own.
func keysOf(list []any) []any {
	keys := []any{}
	for _, e := range list {
		if key := keyOf(e); key != nil {
			keys = append(keys, key)
		} else if _, isMap := e.(map[string]any); !isMap {
			keys = append(keys, e)
		}
	}
	return keys
}

// TestStrategicPatches compares random patches with directives with the server's code. Nulls are only where they take something away.
func TestStrategicPatches(t *testing.T) {
	d := manifests{Rand: rand.New(rand.NewPCG(2, 26))}
	for range 10_000 {
		live := d.deployment()
		mixed, _ := d.mixed(live, d.deployment()).(map[string]any)
		delete(mixed, "apiVersion")
		delete(mixed, "kind")
		given, _ := json.Marshal(d.marked("", mixed))
		text, _ := json.Marshal(live)
		printed, err := strategicpatch.StrategicMergePatch(text, given, appsv1.Deployment{})
		if err != nil {
			t.Fatal(err)
		}
		var real map[string]any
		if err := json.Unmarshal(printed, &real); err != nil {
			t.Fatal(err)
		}
		ours, err := patch.ApplyMerge(copied(live), given, false)
		if err != nil {
			t.Errorf("%v: %s", err, given)
			continue
		}
		if want, got := asStored(real), asStored(ours); !reflect.DeepEqual(want, got) {
			t.Error(told(want, got, live, json.RawMessage(given)))
		}
	}
}

// told says where two objects differ first, and from which trees they came.
func told(real, ours map[string]any, from ...any) string {
	theirs, mine := changes{}, changes{}
	flatten(theirs, "", real)
	flatten(mine, "", ours)
	path, a, b := firstDifference(theirs, mine)
	text, _ := json.MarshalIndent(from, "", "  ")
	return fmt.Sprintf("%s: real %s, ours %s, from %s", path, a, b, text)
}
