package validate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
)

// containerChecker checks the containers of a pod in upstream's order (D-19).
type containerChecker struct {
	es      *FieldErrors
	volumes map[string]bool // that can be mounted
	names   map[string]bool // of containers so far
	grace   int64           // of the pod, in seconds
	pod     bool            // not a template
}

func (c *containerChecker) regular(path string, containers []api.Fields) {
	c.es.when(len(containers) == 0).required(path, "")
	for i, ctr := range containers {
		p := item(path, i)
		c.common(p, ctr)
		c.unique(p, ctr.Text("name"))
		c.names[ctr.Text("name")] = true
		c.hooksAndProbes(p, ctr)
		c.restartPolicy(p, ctr)
	}
	c.hostPorts(path, containers)
}

// init checks init containers; those with restartPolicy Always are sidecars and may have hooks and probes.
func (c *containerChecker) init(path string, containers []api.Fields) {
	for i, ctr := range containers {
		p := item(path, i)
		c.common(p, ctr)
		c.restartPolicy(p, ctr)
		c.unique(p, ctr.Text("name"))
		if name := ctr.Text("name"); name != "" {
			c.names[name] = true
		}
		c.hostPorts(path, containers[i:i+1])
		if ctr.Text("restartPolicy") == "Always" {
			c.hooksAndProbes(p, ctr)
			continue
		}
		for _, name := range []string{"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"} {
			_, given := ctr[name]
			c.es.when(given).forbidden(p+"."+name, "may not be set for init containers without restartPolicy=Always")
		}
	}
}

func (c *containerChecker) restartPolicy(path string, ctr api.Fields) {
	policy, given := ctr["restartPolicy"].(string)
	c.es.when(given).oneOf(path+".restartPolicy", policy, "Always", "Never", "OnFailure")
}

func (c *containerChecker) unique(path, name string) {
	c.es.when(c.names[name]).duplicate(path+".name", name)
}

func (c *containerChecker) common(path string, ctr api.Fields) {
	es := c.es
	es.needed(path+".name", ctr.Text("name"), "", checkLabelName)
	es.when(ctr.Text("image") == "").required(path+".image", "")
	es.oneOf(path+".terminationMessagePolicy", ctr.Text("terminationMessagePolicy"), "File", "FallbackToLogsOnError")
	es.ports(path+".ports", ctr.Items("ports"))
	es.env(path+".env", ctr.Items("env"))
	es.envFrom(path+".envFrom", ctr.Items("envFrom"))
	c.mounts(path+".volumeMounts", ctr.Items("volumeMounts"))
	es.oneOf(path+".imagePullPolicy", ctr.Text("imagePullPolicy"), "Always", "IfNotPresent", "Never")
	c.resourceList(path+".resources", ctr.Object("resources"))
}

func (c *containerChecker) mounts(path string, mounts []api.Fields) {
	paths := map[string]bool{}
	for i, m := range mounts {
		p := item(path, i)
		name, at := m.Text("name"), m.Text("mountPath")
		c.es.when(name == "").required(p+".name", "")
		c.es.when(!c.volumes[name]).add(p+".name", FieldNotFound, name, "")
		c.es.when(at == "").required(p+".mountPath", "")
		c.es.when(paths[at]).invalid(p+".mountPath", at, "must be unique")
		paths[at] = true
		sub, expr := m.Text("subPath"), m.Text("subPathExpr")
		c.es.descending(path+".subPath", sub)
		c.es.when(sub != "" && expr != "").invalid(p+".subPathExpr", expr, "subPathExpr and subPath are mutually exclusive")
		c.es.descending(path+".subPathExpr", expr)
	}
}

// descending checks a path within a volume. Its errors do not say which mount has it.
func (es *FieldErrors) descending(field, path string) {
	es.when(strings.HasPrefix(path, "/")).invalid(field, path, "must be a relative path")
	es.when(slices.Contains(strings.Split(path, "/"), "..")).invalid(field, path, "must not contain '..'")
}

func (c *containerChecker) hooksAndProbes(path string, ctr api.Fields) {
	hooks := ctr.Object("lifecycle")
	for _, name := range []string{"postStart", "preStop"} {
		if h := hooks.Object(name); h != nil {
			c.handler(path+".lifecycle."+name, h)
		}
	}
	for _, name := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
		if p := ctr.Object(name); p != nil {
			c.probe(path+"."+name, p, name == "readinessProbe")
		}
	}
}

// probeNumbers must not be negative.
var probeNumbers = []string{"initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"}

func (c *containerChecker) probe(path string, p api.Fields, readiness bool) {
	c.handler(path, p)
	for _, name := range probeNumbers {
		c.es.negative(path+"."+name, p.Number(name))
	}
	grace, given := p["terminationGracePeriodSeconds"].(int64)
	c.es.when(given && grace <= 0).invalid(path+".terminationGracePeriodSeconds", grace, "must be greater than 0")
	c.es.when(readiness && given).invalid(path+".terminationGracePeriodSeconds", grace, "must not be set for readinessProbes")
	n := p.Number("successThreshold")
	c.es.when(!readiness && n != 1).invalid(path+".successThreshold", n, "must be 1")
}

// handler checks the action of a probe or a hook; there must be exactly one.
func (c *containerChecker) handler(path string, h api.Fields) {
	found := false
	for _, kind := range []string{"exec", "httpGet", "tcpSocket", "grpc", "sleep"} {
		action := h.Object(kind)
		switch p := path + "." + kind; {
		case action == nil:
		case found:
			c.es.forbidden(p, "may not specify more than 1 handler type")
		default:
			found = true
			c.action(p, kind, action)
		}
	}
	c.es.when(!found).required(path, "must specify a handler type")
}

func (c *containerChecker) action(path, kind string, action api.Fields) {
	switch kind {
	case "exec":
		command, _ := action["command"].([]any)
		c.es.when(len(command) == 0).required(path+".command", "")
	case "httpGet":
		c.es.portOrName(path+".port", action["port"])
		c.es.oneOf(path+".scheme", action.Text("scheme"), "HTTP", "HTTPS")
		for _, h := range action.Items("httpHeaders") {
			c.es.invalids(path+".httpHeaders", h.Text("name"), checkHeader(h.Text("name")))
		}
	case "tcpSocket":
		c.es.portOrName(path+".port", action["port"])
	case "grpc":
		c.es.invalids(path+".port", action.Number("port"), checkPort(action.Number("port")))
	case "sleep":
		n := action.Number("seconds")
		c.es.when(n < 0 || n > c.grace).invalid(path, n,
			fmt.Sprintf("must be non-negative and less than terminationGracePeriodSeconds (%d)", c.grace))
	}
}

func (es *FieldErrors) portOrName(path string, port any) {
	p, _ := port.(api.IntOrString)
	if p.IsString {
		es.invalids(path, p.Str, checkPortName(p.Str))
		return
	}
	es.invalids(path, p.Int, checkPort(int64(p.Int)))
}

func (es *FieldErrors) ports(path string, ports []api.Fields) {
	names := map[string]bool{}
	for i, port := range ports {
		breath.Often()
		p := item(path, i)
		if name := port.Text("name"); name != "" {
			wrong := checkPortName(name)
			es.invalids(p+".name", name, wrong)
			es.when(names[name]).duplicate(p+".name", name)
			names[name] = len(wrong) == 0
		}
		number, onNode := port.Number("containerPort"), port.Number("hostPort")
		es.when(number == 0).required(p+".containerPort", "")
		es.when(number != 0).invalids(p+".containerPort", number, checkPort(number))
		es.when(onNode != 0).invalids(p+".hostPort", onNode, checkPort(onNode))
		es.oneOf(p+".protocol", port.Text("protocol"), "SCTP", "TCP", "UDP")
	}
}

// hostPorts checks that no port of the node is used twice.
func (c *containerChecker) hostPorts(path string, containers []api.Fields) {
	used := map[string]bool{}
	for i, ctr := range containers {
		for j, port := range ctr.Items("ports") {
			n := port.Number("hostPort")
			if n == 0 {
				continue
			}
			name := fmt.Sprintf("%s/%s/%d", port.Text("protocol"), port.Text("hostIP"), n)
			c.es.when(used[name]).duplicate(fmt.Sprintf("%s[%d].ports[%d].hostPort", path, i, j), name)
			used[name] = true
		}
	}
}

// Whose resources are checked. Those of a node may have any name.
const (
	forNode       = ""
	forQuota      = "quota"
	forContainers = "containers"
)

// resource checks the name and the amount of one resource.
func (es *FieldErrors) resource(path, name string, q api.Quantity, owner string) {
	wrong := checkKey(name)
	es.invalids(path, name, wrong)
	domain, _, qualified := strings.Cut(name, "/")
	native := !qualified || strings.HasSuffix(domain, "kubernetes.io")
	if !qualified && owner != forNode && !isContainerResource(name) {
		known := slices.Contains(podOnlyResources, name)
		es.when(!known && len(wrong) == 0).invalid(path, name, "must be a standard resource type or fully qualified")
		es.when(!known || owner == forContainers || name == "storage").invalid(path, name, "must be a standard resource for "+owner)
	}
	extended := !native && !strings.HasPrefix(name, "requests.") && len(checkKey("requests."+name)) == 0
	es.when(owner == forContainers && !native && !extended).invalid(path, name, "doesn't follow extended resource name standard")
	es.amount(path, q)
	counted := extended || slices.Contains(countedResources, name)
	es.when(counted && !q.IsWhole()).invalid(path, q, "must be an integer")
	es.when(owner == forContainers && !wholePages(name, q)).invalid(path, q.String(), q.String()+" is not positive integer multiple of "+name)
}

// wholePages says whether an amount of hugepages-2Mi is one of whole pages; of another resource it is.
func wholePages(name string, q api.Quantity) bool {
	size, huge := strings.CutPrefix(name, hugePages)
	page, err := api.ParseQuantity(size)
	return !huge || err == nil && page.Cmp(api.Quantity{}) > 0 && page.IsWhole() && q.Value()%page.Value() == 0
}

const hugePages = "hugepages-"

func (es *FieldErrors) resources(path string, list map[string]api.Quantity, owner string) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		es.resource(path+"["+name+"]", name, list[name], owner)
	}
}

func isContainerResource(name string) bool {
	return name == "cpu" || name == "memory" || name == "ephemeral-storage" || strings.HasPrefix(name, hugePages)
}

// countedResources are those of which only whole ones are counted.
var countedResources = []string{"pods", "resourcequotas", "services", "replicationcontrollers", "secrets",
	"configmaps", "persistentvolumeclaims", "services.nodeports", "services.loadbalancers"}

// podOnlyResources are the standard names that are not valid for a container.
var podOnlyResources = slices.Concat(countedResources, []string{"storage",
	"requests.cpu", "requests.memory", "requests.storage", "requests.ephemeral-storage",
	"limits.cpu", "limits.memory", "limits.ephemeral-storage"})

// isOvercommitted says whether a node may promise more of a resource than it has.
func isOvercommitted(name string) bool {
	return (!strings.Contains(name, "/") || strings.Contains(name, "kubernetes.io/")) && !strings.HasPrefix(name, hugePages)
}

func quantities(tree api.Fields, name string) map[string]api.Quantity {
	m := map[string]api.Quantity{}
	for k, v := range tree.Object(name) {
		m[k], _ = v.(api.Quantity)
	}
	return m
}
