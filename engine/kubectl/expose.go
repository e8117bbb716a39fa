package kubectl

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/words"
)

// expose creates a Service for each object (expose.go:RunExpose). As upstream does, it keeps for the others what it finds out about the first.
func (k *Kubectl) expose(c *command) error {
	c.Flags = maps.Clone(c.Flags) // the line may be carried out again
	return k.each(c, func(o api.Object) (string, error) {
		ports, protocols := portsOf(o)
		if c.Flags["pods"] == "" {
			selector, err := exposedBy(o)
			if err != nil {
				return "", fmt.Errorf("couldn't retrieve selectors via --selector flag or introspection: %w", err)
			}
			c.Flags["pods"] = makeLabels(selector)
		}
		c.Flags["port"] = cmp.Or(c.Flags["port"], strings.Join(ports, ","))
		c.Flags["labels"] = cmp.Or(c.Flags["labels"], makeLabels(o.Meta().Labels))
		if c.Flags["port"] == "" && c.Flags["cluster-ip"] != api.HeadlessIP {
			return "", errors.New("couldn't find port via --port flag or introspection")
		}
		spec, err := c.newService(protocols)
		if err != nil {
			return "", err
		}
		labels, err := parseLabels(c.Flags["labels"])
		if err != nil {
			return "", err
		}
		name := o.Meta().Name
		c.Rest = []string{cmp.Or(c.Flags["name"], name[:min(len(name), 63)])}
		return "", k.createFields(c, api.KindService, "", labels, map[string]any{"spec": spec, "status": map[string]any{"loadBalancer": map[string]any{}}})
	})
}

// exposedBy returns the labels by which a Service would select the pods of an object (mapbasedselectorforobject.go).
func exposedBy(o api.Object) (map[string]string, error) {
	switch o := o.(type) {
	case *api.Pod:
		if len(o.Labels) == 0 {
			return nil, errors.New("the pod has no labels and cannot be exposed")
		}
		return o.Labels, nil
	case *api.Service:
		if o.Spec.Selector == nil {
			return nil, errors.New("the service has no pod selector set")
		}
		return o.Spec.Selector, nil
	}
	s := o.(api.Workload).Selector()
	if len(s.MatchLabels) == 0 {
		return nil, fmt.Errorf("invalid %s: no selectors, therefore cannot be exposed", kinds.Of(o.Key().Kind).Singular())
	} else if len(s.MatchExpressions) > 0 {
		return nil, fmt.Errorf("couldn't convert expressions - \"%+v\" to map-based selector format", s.MatchExpressions)
	}
	return s.MatchLabels, nil
}

// portsOf returns the ports of an object, each once, and the protocols of each (portsforobject.go, multiprotocolsforobject.go).
func portsOf(o api.Object) (ports []string, protocols map[string][]string) {
	protocols = map[string][]string{}
	add := func(number int32, protocol string) {
		port := strconv.Itoa(int(number))
		if protocols[port] == nil {
			ports = append(ports, port)
		}
		protocols[port] = append(protocols[port], cmp.Or(protocol, "TCP"))
	}
	var spec *api.PodSpec
	switch o := o.(type) {
	case *api.Service:
		for _, p := range o.Spec.Ports {
			add(p.Port, p.Protocol)
		}
		return ports, protocols
	case *api.Pod:
		spec = o.Spec
	default:
		spec = api.TemplateOf(o).Spec
	}
	for i := range spec.Containers {
		for _, p := range spec.Containers[i].Ports {
			add(p.ContainerPort, p.Protocol)
		}
	}
	return ports, protocols
}

// newService returns the spec of the Service that the flags describe (expose.go:createService).
func (c *command) newService(protocols map[string][]string) (map[string]any, error) {
	selector, err := parseLabels(c.Flags["pods"])
	if err != nil {
		return nil, err
	}
	list := []any{}
	all := strings.FieldsFunc(c.Flags["port"], func(r rune) bool { return r == ',' })
	for i, text := range all {
		port, err := strconv.Atoi(text)
		if err != nil {
			return nil, err
		}
		target := any(port)
		if given := c.Flags["target-port"]; given != "" {
			target = numberOrText(given)
		}
		of := protocols[text]
		if c.Flags["protocol"] != "" || len(of) == 0 {
			of = []string{cmp.Or(c.Flags["protocol"], "TCP")}
		}
		for _, protocol := range of {
			one := map[string]any{"port": port, "protocol": protocol, "targetPort": target}
			if len(of) > 1 {
				one["name"] = fmt.Sprintf("port-%d-%s", i+1, strings.ToLower(protocol))
			} else if len(all) > 1 {
				one["name"] = fmt.Sprintf("port-%d", i+1)
			}
			list = append(list, one)
		}
	}
	spec := map[string]any{"selector": selector}
	if len(list) > 0 {
		spec["ports"] = list
	}
	for flag, field := range map[string]string{"type": "type", "cluster-ip": "clusterIP", "session-affinity": "sessionAffinity"} {
		if c.Flags[flag] != "" {
			spec[field] = c.Flags[flag]
		}
	}
	if how := c.Flags["session-affinity"]; how != "" && how != "None" && how != "ClientIP" {
		return nil, errors.New("unknown session affinity: " + how)
	}
	return spec, nil
}

func makeLabels(labels map[string]string) string {
	return words.Join(slices.Sorted(maps.Keys(labels)), ",", func(key string) string { return key + "=" + labels[key] })
}

// parseLabels reads a=b,c=d; nothing is nil.
func parseLabels(list string) (map[string]any, error) {
	if list == "" {
		return nil, nil
	}
	labels := map[string]any{}
	for pair := range strings.SplitSeq(list, ",") {
		switch key, value, _ := strings.Cut(pair, "="); {
		case strings.Count(pair, "=") != 1:
			return nil, errors.New("unexpected label spec: " + pair)
		case key == "":
			return nil, errors.New("unexpected empty label key")
		default:
			labels[key] = value
		}
	}
	return labels, nil
}
