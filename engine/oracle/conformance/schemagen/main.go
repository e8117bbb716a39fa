// Command schemagen prints engine/api/decode/schema.txt: the structs of k8s.io/api, one a line, as
//
//	Name field:type field:type ...
//
// A type is string, int32, int64, bool, float64, quantity, intorstring, time, any (not looked into), bytes, or the name
// of another struct; with * before it a pointer, with [] a list, with {} a map with strings as keys. After = comes the
// name that Go gives to a scalar or a map, of package v1 unless it has a dot. Before a field comes the name of the
// inlined struct that it comes from, and a slash. Structs of a version that is not stored have their package before their name.
// At the end come the types of which few values are allowed, as
//
//	=Name value|value ...
//
// and under the name v2 the structs of that package; the others are of packages v1.
//
// In engine/oracle/conformance: go run ./schemagen > ../../api/decode/schema.txt
package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/kube-openapi/pkg/validation/spec"
	generatedopenapi "k8s.io/kubernetes/pkg/generated/openapi"
)

// structs holds the lines by name.
var structs = map[string]string{}

// second are the structs of package v2.
var second []string

// special are the types that read JSON in their own way.
var special = map[reflect.Type]string{
	reflect.TypeFor[resource.Quantity]():    "quantity",
	reflect.TypeFor[intstr.IntOrString]():   "intorstring",
	reflect.TypeFor[metav1.Time]():          "time",
	reflect.TypeFor[metav1.MicroTime]():     "time",
	reflect.TypeFor[metav1.FieldsV1]():      "any=FieldsV1",
	reflect.TypeFor[runtime.RawExtension](): "any",
}

func main() { fmt.Print(schema()) }

// schema returns all lines.
func schema() string {
	for _, o := range []any{appsv1.Deployment{}, appsv1.ReplicaSet{}, appsv1.StatefulSet{}, appsv1.DaemonSet{},
		appsv1.ControllerRevision{}, corev1.Pod{}, corev1.Node{}, corev1.ResourceQuota{}, policyv1.PodDisruptionBudget{},
		autoscalingv2.HorizontalPodAutoscaler{}, autoscalingv1.HorizontalPodAutoscaler{}, corev1.Service{}, corev1.ReplicationController{}, discoveryv1.EndpointSlice{}} {
		add(reflect.TypeOf(o))
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(structs)) {
		text.WriteString(structs[name] + "\n")
	}
	values["v2"] = strings.Join(slices.Sorted(slices.Values(second)), "|")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		text.WriteString("=" + name + " " + values[name] + "\n")
	}
	return text.String()
}

// values holds the values of the types of which few are allowed.
var values = map[string]string{}

// definitions describe the structs in the server's schema.
var definitions = openapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(generatedopenapi.GetOpenAPIDefinitions)(
	func(path string) spec.Ref { return spec.MustCreateRef(path) })

// addValues keeps the values of a field's type.
func addValues(of, t reflect.Type, field string) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := strings.ReplaceAll(strings.Replace(of.PkgPath(), "k8s.io", "io.k8s", 1), "/", ".") + "." + of.Name()
	var texts []string
	for _, v := range definitions[name].Schema.Properties[field].Enum {
		texts = append(texts, v.(string))
	}
	if goName := strings.TrimPrefix(goName(t), "="); len(texts) > 0 {
		values[goName] = strings.Join(texts, "|")
	}
}

func add(t reflect.Type) {
	name := structName(t)
	if _, ok := structs[name]; !ok {
		structs[name] = "" // ends the recursion of types that hold themselves
		structs[name] = strings.Join(append([]string{name}, fields(t, "")...), " ")
		if strings.HasPrefix(t.String(), "v2.") {
			second = append(second, name)
		}
	}
}

// structName returns the name of a struct, with its package if the kind is stored in another version.
func structName(t reflect.Type) string {
	if t.PkgPath() == reflect.TypeFor[autoscalingv1.HorizontalPodAutoscaler]().PkgPath() {
		return t.String()
	}
	return t.Name()
}

func fields(t reflect.Type, inlined string) []string {
	var out []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			out = append(out, fields(f.Type, inlined+f.Name+"/")...)
		case name == "":
			out = append(out, inlined+f.Name+":"+typeName(f.Type))
		case name != "-":
			addValues(t, f.Type, name)
			out = append(out, inlined+name+":"+typeName(f.Type))
		}
	}
	return out
}

func typeName(t reflect.Type) string {
	if name, ok := special[t]; ok {
		return name
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + typeName(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + typeName(t.Elem())
	case reflect.Map:
		return "{}" + typeName(t.Elem()) + goName(t)
	case reflect.Struct:
		add(t)
		return structName(t)
	}
	return t.Kind().String() + goName(t)
}

// goName returns the name of a type that is no plain one.
func goName(t reflect.Type) string {
	if t.Name() == "" || t.String() == t.Kind().String() {
		return ""
	}
	return "=" + strings.TrimPrefix(t.String(), "v1.")
}
