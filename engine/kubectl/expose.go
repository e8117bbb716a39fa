package kubectl

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// expose creates a Service for each object (expose.go:RunExpose). As upstream does, it keeps for the others what it finds out about the first.
func (k *Kubectl) expose(c *command) error {
	c.Flags = maps.Clone(c.Flags) // the line may be carried out again
	keep := func(flag string, pairs ...string) { c.Flags[flag] = cmp.Or(c.Flags[flag], strings.Join(pairs, ",")) }
	return k.each(c, func(o api.Object) (string, error) {
		labels, err := exposedBy(o)
		if err != nil && c.Flags["selector"] == "" {
			return "", fmt.Errorf("couldn't retrieve selectors via --selector flag or introspection: %w", err)
		}
		ports, protocols := portsOf(o)
		keep("selector", print.LabelPairs(labels)...)
		keep("labels", print.LabelPairs(o.Meta().Labels)...)
		if keep("port", ports...); c.Flags["port"] == "" && c.Flags["cluster-ip"] != api.HeadlessIP {
			return "", errors.New("couldn't find port via --port flag or introspection")
		}
		selector, err := parseLabels(c.Flags["selector"])
		own, err2 := parseLabels(c.Flags["labels"])
		spec := map[string]any{"selector": selector}
		if err := cmp.Or(err, err2, c.serviceSpec(spec, protocols)); err != nil {
			return "", err
		}
		c.Rest = []string{cmp.Or(c.Flags["name"], fmt.Sprintf("%.63s", o.Meta().Name))}
		return "", k.createFields(c, api.KindService, "", own, map[string]any{"spec": spec, "status": map[string]any{"loadBalancer": map[string]any{}}})
	})
}

// exposedBy returns the labels by which a Service would select the pods of an object (mapbasedselectorforobject.go).
func exposedBy(o api.Object) (labels map[string]string, err error) {
	missing := ""
	switch o := o.(type) {
	case *api.Pod:
		labels, missing = o.Labels, "the pod has no labels and cannot be exposed"
	case *api.Stored: // a ReplicationController
		labels = o.Fields.Object("spec").TextMap("selector")
	case *api.Service:
		labels, missing = o.Spec.Selector, "the service has no pod selector set"
	case api.Workload:
		labels, missing = o.Selector().MatchLabels, "invalid "+kinds.Of(o.Key().Kind).Singular()+": no selectors, therefore cannot be exposed"
		if more := o.Selector().MatchExpressions; len(labels) > 0 && len(more) > 0 {
			labels, missing = nil, fmt.Sprintf("couldn't convert expressions - \"%+v\" to map-based selector format", more)
		}
	}
	if len(labels) == 0 {
		return nil, errors.New(missing)
	}
	return labels, nil
}

// portsOf returns the ports of an object, each once, and the protocols of each (portsforobject.go, multiprotocolsforobject.go).
func portsOf(o api.Object) (ports []string, protocols map[string][]string) {
	spec := api.Fields(api.Tree(o)).Object("spec")
	list, protocols := spec.Items("ports"), map[string][]string{}
	if template := spec.Object("template"); template != nil {
		spec = template.Object("spec")
	}
	for _, c := range spec.Items("containers") {
		list = append(list, c.Items("ports")...)
	}
	for _, p := range list {
		port := strconv.FormatInt(cmp.Or(p.Number("containerPort"), p.Number("port")), 10)
		if protocols[port] == nil {
			ports = append(ports, port)
		}
		protocols[port] = append(protocols[port], cmp.Or(p.Text("protocol"), "TCP"))
	}
	return ports, protocols
}

// serviceSpec adds what the flags say about a Service (expose.go:createService).
func (c *command) serviceSpec(spec map[string]any, protocols map[string][]string) error {
	list, all := []any{}, strings.Split(c.Flags["port"], ",")
	for i, text := range all {
		port, err := strconv.Atoi(text)
		if err != nil && c.Flags["port"] != "" {
			return err
		}
		of := protocols[text]
		if c.Flags["protocol"] != "" || len(of) == 0 {
			of = []string{cmp.Or(c.Flags["protocol"], "TCP")}
		}
		for _, protocol := range of {
			one := map[string]any{"port": port, "protocol": protocol, "targetPort": numberOrText(cmp.Or(c.Flags["target-port"], strconv.Itoa(port)))}
			if len(of) > 1 {
				one["name"] = fmt.Sprintf("port-%d-%s", i+1, strings.ToLower(protocol))
			} else if len(all) > 1 {
				one["name"] = fmt.Sprintf("port-%d", i+1)
			}
			list = append(list, one)
		}
	}
	if c.Flags["port"] != "" {
		spec["ports"] = list
	}
	for flag, field := range map[string]string{"type": "type", "cluster-ip": "clusterIP", "session-affinity": "sessionAffinity"} {
		if c.Flags[flag] != "" {
			spec[field] = c.Flags[flag]
		}
	}
	if how := c.Flags["session-affinity"]; how != "" && how != "None" && how != "ClientIP" {
		return errors.New("unknown session affinity: " + how)
	}
	return nil
}

// parseLabels reads a=b,c=d; an empty text has no labels.
func parseLabels(list string) (labels map[string]any, err error) {
	for pair := range strings.SplitSeq(list, ",") {
		switch key, value, _ := strings.Cut(pair, "="); {
		case list == "":
		case strings.Count(pair, "=") != 1:
			return nil, errors.New("unexpected label spec: " + pair)
		case key == "":
			return nil, errors.New("unexpected empty label key")
		case labels == nil:
			labels = map[string]any{key: value}
		default:
			labels[key] = value
		}
	}
	return labels, nil
}
