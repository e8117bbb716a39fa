package values

import (
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
)

// changer changes manifests at random: to values that are wrong, that are odd, or that are as good as those before.
type changer struct{ *rand.Rand }

// untouched are the fields that stay as they are, by struct: those that ours takes as they are written (see Simplified in package validate), and those
// of the metadata that belong to the server.
var untouched = map[string]string{
	"ObjectMeta": "uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds managedFields selfLink " +
		"ownerReferences generateName namespace",
	"PodSpec": "resourceClaims overhead securityContext os runtimeClassName hostnameOverride resources ephemeralContainers schedulingGates " +
		"hostAliases imagePullSecrets preemptionPolicy hostUsers shareProcessNamespace schedulingGroup evictionResponders",
	"Container":                  "volumeDevices securityContext resizePolicy restartPolicyRules",
	"ContainerPort":              "hostIP",
	"EnvVarSource":               "fileKeyRef",
	"HTTPGetAction":              "protocol",
	"Lifecycle":                  "stopSignal",
	"ResourceRequirements":       "claims",
	"TopologySpreadConstraint":   "matchLabelKeys",
	"PodAffinityTerm":            "matchLabelKeys mismatchLabelKeys",
	"VolumeMount":                "mountPropagation recursiveReadOnly bindMountOptions",
	"PodDNSConfig":               "nameservers searches options",
	"PersistentVolumeClaim":      "status",
	"PersistentVolumeClaimSpec":  "selector dataSource dataSourceRef storageClassName volumeAttributesClassName volumeName",
	"VolumeResourceRequirements": "limits",
	"MetricSpec":                 "object pods external containerResource",
	"NodeSpec":                   "podCIDRs podCIDR configSource externalID podPreemptionPolicy providerID",
	"Taint":                      "timeAdded",
	"ResourceQuotaSpec":          "scopes scopeSelector",
	"ServiceSpec": "clusterIP clusterIPs ipFamilies ipFamilyPolicy externalIPs loadBalancerIP loadBalancerSourceRanges healthCheckNodePort " +
		"loadBalancerClass",
}

var (
	oddTexts = []string{"", "a", "web", "A", "a.b", "a_b", "-a", "a/b", "a/b/c", "/a", strings.Repeat("x", 64), "10%", "110%", "01%", "1", "-1",
		"a b", "é", "http", "cache", "app", "default", "true", "80", "100m", "../x", "/x", "x:y", "*", "metadata.labels", "metadata.labels['app']", "status.phase"}
	oddNumbers    = []int{-1, 0, 1, 2, 3, 10, 80, 100, 443, 8080, 65535, 65536, 2147483647}
	quantityTexts = []string{"0", "1", "-1", "100m", "1.5", "64Mi", "1Gi", "2Mi", "0.5", "10"}
	resourceNames = []string{"cpu", "memory", "a.b/c", "gpu", "hugepages-2Mi", "pods", "storage", "", "ephemeral-storage", "requests.cpu"}
	strangers     = []any{nil, "x", 1, true, 1.5, []any{}, map[string]any{}}
)

func pick[T any](c changer, list []T) T { return list[c.IntN(len(list))] }

// fieldsOf returns the types of the fields that may change.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case strings.Contains(options, "inline"):
			maps.Copy(all, fieldsOf(f.Type))
		case name != "" && name != "-" && name != "status" && !slices.Contains(strings.Fields(untouched[t.Name()]), name):
			all[name] = f.Type
		}
	}
	return all
}

// place is a field: its type without a pointer, the struct that has it, and its name there.
type place struct {
	reflect.Type
	owner, name string
}

func (p place) of(t reflect.Type) place {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return place{t, p.owner, p.name}
}

func (p place) field(name string, t reflect.Type) place {
	return place{owner: p.Name(), name: name}.of(t)
}

// value draws what a field could have.
func (c changer) value(p place, depth int) any {
	switch p.Name() {
	case "IntOrString":
		if c.IntN(2) == 0 {
			return pick(c, oddNumbers)
		}
		return pick(c, oddTexts)
	case "Quantity":
		return pick(c, quantityTexts)
	case "Time":
		return "2024-01-01T00:00:00Z"
	}
	switch p.Kind() {
	case reflect.String:
		if list := decode.FieldValues(p.owner, p.name); len(list) > 0 && c.IntN(4) > 0 {
			return strings.Trim(pick(c, list), `"`)
		}
		return pick(c, oddTexts)
	case reflect.Bool:
		return c.IntN(2) == 0
	case reflect.Slice:
		list := []any{}
		for range c.IntN(3) {
			list = append(list, c.value(p.of(p.Elem()), depth+1))
		}
		return list
	case reflect.Map:
		m := map[string]any{}
		for range c.IntN(3) {
			m[c.key(p)] = c.value(p.of(p.Elem()), depth+1)
		}
		return m
	case reflect.Struct:
		m := map[string]any{}
		fields := fieldsOf(p.Type)
		for _, f := range slices.Sorted(maps.Keys(fields)) {
			if c.IntN(len(fields)+1) < 3 && depth < 6 {
				m[f] = c.value(p.field(f, fields[f]), depth+1)
			}
		}
		return m
	}
	return pick(c, oddNumbers)
}

func (c changer) key(p place) string {
	if p.Elem().Name() == "Quantity" {
		return pick(c, resourceNames)
	}
	return pick(c, oddTexts)
}

// change changes one value among all that are in a value, each as likely as the others. It returns the value as it is then.
func (c changer) change(v any, p place) any {
	if c.IntN(size(v)) == 0 {
		return c.changeHere(v, p)
	}
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		key := keys[c.larger(len(keys), func(i int) any { return v[keys[i]] })]
		if to, ok := p.at(key); ok {
			v[key] = c.change(v[key], to)
		}
	case []any:
		if p.Kind() == reflect.Slice {
			i := c.larger(len(v), func(i int) any { return v[i] })
			v[i] = c.change(v[i], p.of(p.Elem()))
		}
	}
	return v
}

// at is the place of an entry of a map or a struct, if that may change.
func (p place) at(key string) (to place, ok bool) {
	switch p.Kind() {
	case reflect.Map:
		return p.of(p.Elem()), true
	case reflect.Struct:
		if t := fieldsOf(p.Type)[key]; t != nil {
			return p.field(key, t), true
		}
	}
	return place{}, false
}

// changeHere changes a value as a whole, or by one of its entries.
func (c changer) changeHere(v any, p place) any {
	if n := c.IntN(20); n < 2 && p.owner != "" {
		return c.value(p, 1)
	} else if n == 2 && p.owner != "" {
		return api.CopyTree(pick(c, strangers), nil)
	}
	switch v := v.(type) {
	case map[string]any:
		switch {
		case len(v) > 0 && c.IntN(3) == 0:
			if key := pick(c, slices.Sorted(maps.Keys(v))); !slices.Contains(strings.Fields(untouched[p.Name()]), key) {
				delete(v, key)
			}
		case p.Kind() == reflect.Map:
			v[c.key(p)] = c.value(p.of(p.Elem()), 1)
		case p.Kind() == reflect.Struct && c.IntN(10) == 0:
			v["unknown"] = pick(c, oddTexts)
		case p.Kind() == reflect.Struct && len(fieldsOf(p.Type)) > 0:
			fields := fieldsOf(p.Type)
			f := pick(c, slices.Sorted(maps.Keys(fields)))
			v[f] = c.value(p.field(f, fields[f]), 1)
		}
		return v
	case []any:
		switch n := c.IntN(3); {
		case p.Kind() != reflect.Slice:
		case n == 0 || len(v) == 0:
			return append(v, c.value(p.of(p.Elem()), 1))
		case n == 1:
			return append(v, api.CopyTree(pick(c, v), nil))
		default:
			i := c.IntN(len(v))
			return slices.Delete(v, i, i+1)
		}
		return v
	}
	return c.value(p, 1)
}

// larger picks one of n values: those in which there is more to change are as much more likely.
func (c changer) larger(n int, value func(i int) any) int {
	sum := 0
	for i := range n {
		sum += size(value(i))
	}
	at := c.IntN(sum)
	for i := range n {
		if at -= size(value(i)); at < 0 {
			return i
		}
	}
	panic("the sizes have another sum")
}

// size is how many values are in a value, with itself.
func size(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, item := range v {
			n += size(item)
		}
	case []any:
		for _, item := range v {
			n += size(item)
		}
	}
	return n
}

// changed returns a manifest with one to three changes. If named, the object keeps its name.
func (c changer) changed(manifest map[string]any, t reflect.Type, named bool) map[string]any {
	v := api.CopyTree(manifest, nil).(map[string]any)
	for range 1 + c.IntN(3) {
		c.change(v, place{}.of(t))
	}
	v["apiVersion"], v["kind"] = manifest["apiVersion"], manifest["kind"]
	before, now := api.Fields(manifest).Object("metadata"), api.Fields(v).Object("metadata")
	switch {
	case now == nil:
		v["metadata"] = api.CopyTree(map[string]any(before), nil)
	case named:
		now["name"] = before["name"]
		fallthrough
	default:
		if namespace, ok := before["namespace"]; ok {
			now["namespace"] = namespace
		}
	}
	return v
}
