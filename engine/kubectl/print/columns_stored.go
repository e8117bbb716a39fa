package print

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// storedColumns are the columns of kinds that are only stored (printers.go).
var storedColumns = map[api.Kind]string{
	"ConfigMap": "NAME|DATA|AGE",
	"CronJob":   "NAME|SCHEDULE|TIMEZONE|SUSPEND|ACTIVE|LAST SCHEDULE|AGE|+CONTAINERS|+IMAGES|+SELECTOR",
	"HTTPRoute": "NAME|HOSTNAMES|AGE",
	"Ingress":   "NAME|CLASS|HOSTS|ADDRESS|PORTS|AGE",
	"Job":       "NAME|STATUS|COMPLETIONS|DURATION|AGE|+CONTAINERS|+IMAGES|+SELECTOR",
	"Namespace": "NAME|STATUS|AGE",
	"Secret":    "NAME|TYPE|DATA|AGE",
}

func storedCells(o api.Object, now int64, wide bool) []string {
	s := o.(*api.Stored)
	cells, spec := []string{s.Name}, s.Fields.Object("spec")
	count := func(list string) int { return len(s.Fields.Object(list)) }
	switch s.Kind {
	case "ConfigMap":
		cells = append(cells, strconv.Itoa(count("data")+count("binaryData")))
	case "CronJob":
		suspend, _ := spec["suspend"].(bool)
		cells = append(cells, spec.Text("schedule"), OrNone(spec.Text("timeZone")), strconv.FormatBool(suspend), "0", None)
		spec = spec.Object("jobTemplate").Object("spec")
	case "HTTPRoute":
		cells = append(cells, strings.TrimPrefix(string(api.AppendTree(nil, spec["hostnames"], false)), "null"))
	case "Ingress":
		cells = append(cells, OrNone(spec.Text("ingressClassName")), ingressHosts(spec), "", ingressPorts(spec))
	case "Job":
		completions := spec["completions"]
		if completions == nil {
			completions = int64(1)
		}
		cells = append(cells, "Running", "0/"+string(api.AppendTree(nil, completions, false)), "")
	case "Namespace":
		cells = append(cells, s.Fields.Object("status").Text("phase"))
	case "Secret":
		cells = append(cells, s.Fields.Text("type"), strconv.Itoa(count("data")))
	}
	if cells = append(cells, AgeOf(&s.ObjectMeta, now)); wide && strings.HasSuffix(string(s.Kind), "Job") {
		var names, images []string
		for _, c := range spec.Object("template").Object("spec").Items("containers") {
			names, images = append(names, c.Text("name")), append(images, c.Text("image"))
		}
		cells = append(cells, strings.Join(names, ","), strings.Join(images, ","), None)
	}
	return cells
}

// ingressHosts lists the hosts of the rules, * if there are none.
func ingressHosts(spec api.Fields) string {
	var hosts []string
	for _, rule := range spec.Items("rules") {
		if host := rule.Text("host"); host != "" {
			hosts = append(hosts, host)
		}
	}
	return cmp.Or(FirstThree(hosts), "*")
}

func ingressPorts(spec api.Fields) string {
	if len(spec.Items("tls")) > 0 {
		return "80, 443"
	}
	return "80"
}
