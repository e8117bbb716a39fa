package api

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// containerChecker checks the containers of a pod in upstream's order (D-19).
type containerChecker struct {
	es      *FieldErrors
	volumes map[string]bool // that can be mounted
	names   map[string]bool // of containers so far
	grace   int64           // of the pod, in seconds
}

func (c *containerChecker) regular(path string, containers []map[string]any) {
	if len(containers) == 0 {
		c.es.required(path, "")
	}
	for i, ctr := range containers {
		p := path + "[" + strconv.Itoa(i) + "]"
		c.common(p, ctr)
		c.unique(p, text(ctr, "name"))
		c.hooksAndProbes(p, ctr)
		if policy, ok := ctr["restartPolicy"].(string); ok {
			c.es.oneOf(p+".restartPolicy", policy, "Always", "Never", "OnFailure")
		}
	}
	c.hostPorts(path, containers)
}

// init checks init containers; those with restartPolicy Always are sidecars and may have hooks and probes.
func (c *containerChecker) init(path string, containers []map[string]any) {
	for i, ctr := range containers {
		p := path + "[" + strconv.Itoa(i) + "]"
		c.common(p, ctr)
		policy, given := ctr["restartPolicy"].(string)
		if given {
			c.es.oneOf(p+".restartPolicy", policy, "Always", "Never", "OnFailure")
		}
		c.unique(p, text(ctr, "name"))
		c.hostPorts(path, containers[i:i+1])
		if policy == "Always" {
			c.hooksAndProbes(p, ctr)
			continue
		}
		for _, name := range []string{"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"} {
			if _, ok := ctr[name]; ok {
				c.es.forbidden(p+"."+name, "may not be set for init containers without restartPolicy=Always")
			}
		}
	}
}

func (c *containerChecker) unique(path, name string) {
	if c.names[name] {
		c.es.duplicate(path+".name", name)
	}
	c.names[name] = true
}

func (c *containerChecker) common(path string, ctr map[string]any) {
	es := c.es
	if name := text(ctr, "name"); name == "" {
		es.required(path+".name", "")
	} else {
		es.invalids(path+".name", name, checkLabelName(name))
	}
	if text(ctr, "image") == "" {
		es.required(path+".image", "")
	}
	es.oneOf(path+".terminationMessagePolicy", text(ctr, "terminationMessagePolicy"), "File", "FallbackToLogsOnError")
	es.validatePorts(path+".ports", items(ctr, "ports"))
	es.validateEnv(path+".env", items(ctr, "env"))
	c.mounts(path+".volumeMounts", items(ctr, "volumeMounts"))
	es.oneOf(path+".imagePullPolicy", text(ctr, "imagePullPolicy"), "Always", "IfNotPresent", "Never")
	es.validateResourceList(path+".resources", object(ctr, "resources"))
}

func (c *containerChecker) mounts(path string, mounts []map[string]any) {
	paths := map[string]bool{}
	for i, m := range mounts {
		p := path + "[" + strconv.Itoa(i) + "]"
		name, at := text(m, "name"), text(m, "mountPath")
		if name == "" {
			c.es.required(p+".name", "")
		}
		if !c.volumes[name] {
			c.es.notFound(p+".name", name)
		}
		if at == "" {
			c.es.required(p+".mountPath", "")
		}
		if paths[at] {
			c.es.invalid(p+".mountPath", at, "must be unique")
		}
		paths[at] = true
	}
}

func (c *containerChecker) hooksAndProbes(path string, ctr map[string]any) {
	hooks := object(ctr, "lifecycle")
	for _, name := range []string{"postStart", "preStop"} {
		if h := object(hooks, name); h != nil {
			c.handler(path+".lifecycle."+name, h)
		}
	}
	for _, name := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
		if p := object(ctr, name); p != nil {
			c.probe(path+"."+name, p, name == "readinessProbe")
		}
	}
}

// probeNumbers must not be negative.
var probeNumbers = []string{"initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"}

func (c *containerChecker) probe(path string, p map[string]any, readiness bool) {
	c.handler(path, p)
	for _, name := range probeNumbers {
		c.es.negative(path+"."+name, number64(p, name))
	}
	grace, given := p["terminationGracePeriodSeconds"].(int64)
	if given && grace <= 0 {
		c.es.invalid(path+".terminationGracePeriodSeconds", grace, "must be greater than 0")
	}
	if readiness && given {
		c.es.invalid(path+".terminationGracePeriodSeconds", grace, "must not be set for readinessProbes")
	}
	if n := number64(p, "successThreshold"); !readiness && n != 1 {
		c.es.invalid(path+".successThreshold", n, "must be 1")
	}
}

// handler checks what a probe or a hook does; there must be exactly one thing.
func (c *containerChecker) handler(path string, h map[string]any) {
	found := false
	for _, kind := range []string{"exec", "httpGet", "tcpSocket", "grpc", "sleep"} {
		action := object(h, kind)
		switch p := path + "." + kind; {
		case action == nil:
		case found:
			c.es.forbidden(p, "may not specify more than 1 handler type")
		default:
			found = true
			c.action(p, kind, action)
		}
	}
	if !found {
		c.es.required(path, "must specify a handler type")
	}
}

func (c *containerChecker) action(path, kind string, action map[string]any) {
	switch kind {
	case "exec":
		if command, _ := action["command"].([]any); len(command) == 0 {
			c.es.required(path+".command", "")
		}
	case "httpGet":
		c.es.validatePortOrName(path+".port", action["port"])
		c.es.oneOf(path+".scheme", text(action, "scheme"), "HTTP", "HTTPS")
	case "tcpSocket":
		c.es.validatePortOrName(path+".port", action["port"])
	case "grpc":
		c.es.invalids(path+".port", number64(action, "port"), checkPort(number64(action, "port")))
	case "sleep":
		if n := number64(action, "seconds"); n < 0 || n > c.grace {
			c.es.invalid(path, n,
				fmt.Sprintf("must be non-negative and less than terminationGracePeriodSeconds (%d)", c.grace))
		}
	}
}

func (es *FieldErrors) validatePortOrName(path string, port any) {
	p, _ := port.(IntOrString)
	if p.IsString {
		es.invalids(path, p.Str, checkPortName(p.Str))
		return
	}
	es.invalids(path, p.Int, checkPort(int64(p.Int)))
}

func (es *FieldErrors) validatePorts(path string, ports []map[string]any) {
	names := map[string]bool{}
	for i, port := range ports {
		p := path + "[" + strconv.Itoa(i) + "]"
		if name := text(port, "name"); name != "" {
			wrong := checkPortName(name)
			es.invalids(p+".name", name, wrong)
			if len(wrong) == 0 && names[name] {
				es.duplicate(p+".name", name)
			}
			names[name] = names[name] || len(wrong) == 0
		}
		if n := number64(port, "containerPort"); n == 0 {
			es.required(p+".containerPort", "")
		} else {
			es.invalids(p+".containerPort", n, checkPort(n))
		}
		if n := number64(port, "hostPort"); n != 0 {
			es.invalids(p+".hostPort", n, checkPort(n))
		}
		es.oneOf(p+".protocol", text(port, "protocol"), "SCTP", "TCP", "UDP")
	}
}

// hostPorts checks that no port of the node is asked for twice.
func (c *containerChecker) hostPorts(path string, containers []map[string]any) {
	used := map[string]bool{}
	for i, ctr := range containers {
		for j, port := range items(ctr, "ports") {
			n := number64(port, "hostPort")
			if n == 0 {
				continue
			}
			name := fmt.Sprintf("%s/%s/%d", text(port, "protocol"), text(port, "hostIP"), n)
			if used[name] {
				c.es.duplicate(fmt.Sprintf("%s[%d].ports[%d].hostPort", path, i, j), name)
			}
			used[name] = true
		}
	}
}

func (es *FieldErrors) validateEnv(path string, env []map[string]any) {
	for i, e := range env {
		p := path + "[" + strconv.Itoa(i) + "]"
		if name := text(e, "name"); name == "" {
			es.required(p+".name", "")
		} else {
			es.invalids(p+".name", name, checkEnvName(name))
		}
		from, ok := e["valueFrom"].(map[string]any)
		switch {
		case !ok:
		case len(from) == 0:
			es.invalid(p+".valueFrom", "", "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "+
				"`secretKeyRef` or `fileKeyRef`")
		case text(e, "value") != "":
			es.invalid(p+".valueFrom", "", "may not be specified when `value` is not empty")
		case len(from) > 1:
			es.invalid(p+".valueFrom", "", "may not have more than one field specified at a time")
		}
	}
}

// validateResource checks the name and amount of one resource of a container.
func (es *FieldErrors) validateResource(path, name string, q Quantity) {
	wrong := checkKey(name)
	es.invalids(path, name, wrong)
	domain, _, qualified := strings.Cut(name, "/")
	standard := name == "cpu" || name == "memory" || name == "ephemeral-storage" || strings.HasPrefix(name, "hugepages-")
	if len(wrong) == 0 && !qualified && !standard {
		if !slices.Contains(podOnlyResources, name) {
			es.invalid(path, name, "must be a standard resource type or fully qualified")
		}
		es.invalid(path, name, "must be a standard resource for containers")
	}
	es.validateAmount(path, q)
	if qualified && !strings.HasSuffix(domain, "kubernetes.io") && q.milli != 0 {
		es.invalid(path, q, "must be an integer")
	}
}

// podOnlyResources are the standard names that a container cannot ask for.
var podOnlyResources = []string{"pods", "storage", "resourcequotas", "services", "replicationcontrollers", "secrets",
	"configmaps", "persistentvolumeclaims", "services.nodeports", "services.loadbalancers",
	"requests.cpu", "requests.memory", "requests.storage", "requests.ephemeral-storage",
	"limits.cpu", "limits.memory", "limits.ephemeral-storage"}

// isOvercommitted says whether a node may promise more of a resource than it has.
func isOvercommitted(name string) bool {
	return (!strings.Contains(name, "/") || strings.Contains(name, "kubernetes.io/")) && !strings.HasPrefix(name, "hugepages-")
}

// The functions below read a tree; what is absent is zero.

func text(tree map[string]any, name string) string {
	s, _ := tree[name].(string)
	return s
}

func number64(tree map[string]any, name string) int64 {
	n, _ := tree[name].(int64)
	return n
}

func stringMap(tree map[string]any, name string) map[string]string {
	m := map[string]string{}
	for k, v := range object(tree, name) {
		m[k], _ = v.(string)
	}
	return m
}

func quantities(tree map[string]any, name string) map[string]Quantity {
	m := map[string]Quantity{}
	for k, v := range object(tree, name) {
		m[k], _ = v.(Quantity)
	}
	return m
}

func sortedKeys(m map[string]Quantity) []string { return slices.Sorted(maps.Keys(m)) }
