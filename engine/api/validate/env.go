package validate

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
)

// env checks variables, and where their values come from (core/validation:validateEnvVarValueFrom).
//
// Simplified: keys of files are not looked at.
func (es *FieldErrors) env(path string, env []api.Fields) {
	for i, e := range env {
		breath.Often()
		p := item(path, i)
		es.needed(p+".name", e.Text("name"), "", checkEnvName)
		from := e.Object("valueFrom")
		if from == nil {
			continue
		}
		p += ".valueFrom"
		if field := from.Object("fieldRef"); field != nil {
			es.fieldRef(p+".fieldRef", field)
		}
		if resource := from.Object("resourceFieldRef"); resource != nil {
			es.resourceFieldRef(p+".resourceFieldRef", resource)
		}
		for _, name := range []string{"configMapKeyRef", "secretKeyRef"} {
			if ref := from.Object(name); ref != nil {
				es.invalids(p+"."+name+".name", ref.Text("name"), checkSubdomain(ref.Text("name")))
				es.needed(p+"."+name+".key", ref.Text("key"), "", DataKey)
			}
		}
		switch {
		case len(from) == 0:
			es.invalid(p, "", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`")
		case e.Text("value") != "":
			es.invalid(p, "", "may not be specified when `value` is not empty")
		case len(from) > 1:
			es.invalid(p, "", "may not have more than one field specified at a time")
		}
	}
}

// fieldsOfPods are the fields of a pod that can be the value of a variable, and those that can be read of it elsewhere.
var (
	fieldsOfPods = []string{"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
		"status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"}
	otherFields = []string{"metadata.annotations", "metadata.labels", "spec.restartPolicy", "spec.schedulerName", "status.phase"}
)

// fieldRef checks a field of the pod, or one of its labels or annotations: metadata.labels['app'].
func (es *FieldErrors) fieldRef(path string, ref api.Fields) {
	field, version := ref.Text("fieldPath"), ref.Text("apiVersion")
	cannot := func(why string) { es.invalid(path+".fieldPath", field, "error converting fieldPath: "+why) }
	of, key, subscripted := strings.Cut(strings.TrimSuffix(field, "']"), "['")
	subscripted = subscripted && of != "" && strings.HasSuffix(field, "']")
	if field == "spec.host" {
		field = "spec.nodeName"
	}
	switch {
	case field == "":
		es.required(path+".fieldPath", "")
	case version != "v1":
		cannot("unsupported pod version: " + version)
	case subscripted && of == "metadata.annotations":
		es.invalids(path, strings.ToLower(key), checkKey(strings.ToLower(key)))
	case subscripted && of == "metadata.labels":
		es.invalids(path, key, checkKey(key))
	case subscripted:
		cannot("field label does not support subscript: " + field)
	case slices.Contains(otherFields, field):
		es.notSupported(path+".fieldPath", field, fieldsOfPods...)
	case !slices.Contains(fieldsOfPods, field):
		cannot("field label not supported: " + field)
	}
}

// resourcesOfContainers are the amounts that can be the value of a variable.
var resourcesOfContainers = []string{"limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage",
	"requests.memory"}

func (es *FieldErrors) resourceFieldRef(path string, ref api.Fields) {
	name := ref.Text("resource")
	_, of, _ := strings.Cut(name, ".")
	huge := strings.HasPrefix(of, hugePages) && name != of
	switch {
	case name == "":
		es.required(path+".resource", "")
	case !huge:
		es.oneOf(path+".resource", name, resourcesOfContainers...)
	}
	divisor, _ := ref["divisor"].(api.Quantity)
	if divisor.Cmp(api.Quantity{}) == 0 || !huge && !slices.Contains(resourcesOfContainers, name) {
		return
	}
	units, what, unit := "1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei", of, divisor.String()
	switch {
	case of == "cpu":
		units = "1m and 1"
	case huge:
		what = "hugepages"
	case of == "ephemeral-storage":
		what = "local ephemeral storage"
	}
	known := strings.ReplaceAll(units, " and", ",")
	es.when(!slices.Contains(strings.Split(known, ", "), unit)).
		invalid(path+".divisor", name, "only divisor's values "+units+" are supported with the "+what+" resource")
}

// envFrom checks where more variables come from. Its errors about the sources of one are those of the list.
func (es *FieldErrors) envFrom(path string, env []api.Fields) {
	for i, e := range env {
		breath.Often()
		p := item(path, i)
		es.nameIn(p, e, "prefix", checkEnvName)
		sources := 0
		for _, name := range []string{"configMapRef", "secretRef"} {
			if source := e.Object(name); source != nil {
				es.when(source.Text("name") == "").required(p+"."+name+".name", "")
				sources++
			}
		}
		es.when(sources == 0).invalid(path, "", "must specify one of: `configMapRef` or `secretRef`")
		es.when(sources > 1).invalid(path, "", "may not have more than one field specified at a time")
	}
}
