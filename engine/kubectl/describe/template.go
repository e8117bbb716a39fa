package describe

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// template adds a pod template.
func (d *description) template(t *api.PodTemplateSpec) {
	spec := t.Spec.Tree()
	d.add("Pod Template:")
	d.multi("  Labels", print.LabelPairs(t.Labels))
	if len(t.Annotations) > 0 {
		d.annotations("  Annotations", t.Annotations)
	}
	d.given("  Service Account", spec.Text("serviceAccountName"))
	d.containers("  ", t.Spec, spec, nil, nil)
	d.volumes("  ", spec.Items("volumes"))
	d.given("  Priority Class Name", spec.Text("priorityClassName"))
	d.spreadConstraints("  ", t.Spec.TopologySpreadConstraints)
	d.multi("  Node-Selectors", print.LabelPairs(t.Spec.NodeSelector))
	d.multi("  Tolerations", tolerationTexts(t.Spec.Tolerations))
}

// given adds a value if there is one.
func (d *description) given(title, value string) {
	if value != "" {
		d.line("%s:\t%s", title, value)
	}
}

// container is a container of a pod or of a template.
type container struct {
	api.Fields
	requests, limits map[string]api.Quantity
	pod              *api.Pod // nil: it is of a template
	status           *containerStatus
}

// containerStatus is the status of a container, with the fields that only printing makes.
type containerStatus struct {
	*api.ContainerStatus
	id, imageID string
}

// containers adds the containers of a spec; a pod has statuses, too. The trees are as they are served.
func (d *description) containers(space string, spec *api.PodSpec, tree, status api.Fields, pod *api.Pod) {
	var of api.PodStatus
	if pod != nil {
		of = pod.Status
	}
	if len(spec.InitContainers) > 0 {
		d.containerList(space, "Init Containers", tree.Items("initContainers"), spec.InitContainers, pod,
			statuses(status.Items("initContainerStatuses"), of.InitContainerStatuses))
	}
	d.containerList(space, "Containers", tree.Items("containers"), spec.Containers, pod, statuses(status.Items("containerStatuses"), of.ContainerStatuses))
}

// statuses joins statuses with the fields that only printing makes, by the name of the container.
func statuses(served []api.Fields, list []api.ContainerStatus) map[string]*containerStatus {
	named := map[string]*containerStatus{}
	for i, s := range served {
		named[list[i].Name] = &containerStatus{&list[i], s.Text("containerID"), s.Text("imageID")}
	}
	return named
}

func (d *description) containerList(space, title string, trees []api.Fields, list []api.Container, pod *api.Pod,
	statuses map[string]*containerStatus) {
	d.add(space + title + ":")
	for i := range list {
		breath.Often()
		r := &list[i].Resources
		d.line("%s%s:", indentOf(space), list[i].Name)
		c := &container{Fields: trees[i], requests: maps.Clone(r.Requests), limits: r.Limits, pod: pod, status: statuses[list[i].Name]}
		for name := range r.Limits { // as the server does (core/v1/defaults.go:SetDefaults_Pod)
			if _, given := c.requests[name]; pod != nil && !given {
				if c.requests == nil {
					c.requests = map[string]api.Quantity{}
				}
				c.requests[name] = r.Limits[name]
			}
		}
		d.container(c)
	}
}

// indentOf returns the indentation of the names in a list below a title with this space.
func indentOf(space string) string {
	if space == "" {
		return "  "
	}
	return "   "
}

func (d *description) container(c *container) {
	if c.status != nil {
		d.line("    Container ID:\t%s", c.status.id)
	}
	d.line("    Image:\t%s", c.Text("image"))
	if c.status != nil {
		d.line("    Image ID:\t%s", c.status.imageID)
	}
	d.ports(c)
	d.words("Command", c.Texts("command"))
	d.words("Args", c.Texts("args"))
	if c.status != nil {
		d.containerStatus(c.status.ContainerStatus)
	}
	d.resourceList("    ", "Limits", c.limits)
	d.resourceList("    ", "Requests", c.requests)
	for _, name := range []string{"Liveness", "Readiness", "Startup"} {
		if p := c.Object(strings.ToLower(name) + "Probe"); p != nil {
			d.line("    %s:\t%s", name, probeText(p))
		}
	}
	d.environment(c)
	d.mounts(c)
}

// ports adds the ports of a container, on itself and on its node.
func (d *description) ports(c *container) {
	var ports, hostPorts []string
	for _, p := range c.Items("ports") {
		behind := "/" + p.Text("protocol")
		if name := p.Text("name"); name != "" {
			behind += " (" + name + ")"
		}
		ports = append(ports, fmt.Sprint(p.Number("containerPort"))+behind)
		hostPorts = append(hostPorts, fmt.Sprint(p.Number("hostPort"))+behind)
	}
	plural := ""
	if len(ports) > 1 {
		plural = "s"
	}
	d.line("    Port%s:\t%s", plural, print.OrNone(strings.Join(ports, ", ")))
	d.line("    Host Port%s:\t%s", plural, print.OrNone(strings.Join(hostPorts, ", ")))
}

// words adds a command or its arguments, a line each.
func (d *description) words(title string, words []string) {
	if len(words) == 0 {
		return
	}
	d.add("    " + title + ":")
	for _, w := range words {
		d.line("      %s", strings.ReplaceAll(w, "\n", "\n      "))
	}
}

// probeText prints a probe in one line.
func probeText(p api.Fields) string {
	handler := "unknown"
	for _, kind := range []string{"exec", "httpGet", "tcpSocket", "grpc"} {
		h := p.Object(kind)
		switch address := h.Text("host") + ":" + fmt.Sprint(h["port"]); {
		case h == nil:
			continue
		case kind == "exec":
			handler = "exec [" + strings.Join(h.Texts("command"), " ") + "]"
		case kind == "httpGet":
			handler = "http-get " + strings.ToLower(h.Text("scheme")) + "://" + address + h.Text("path")
		case kind == "tcpSocket":
			handler = "tcp-socket " + address
		default:
			handler = "grpc <pod>" + address + " " + h.Text("service")
		}
		break
	}
	return fmt.Sprintf("%s delay=%ds timeout=%ds period=%ds successThreshold=%d failureThreshold=%d", handler, p.Number("initialDelaySeconds"),
		p.Number("timeoutSeconds"), p.Number("periodSeconds"), p.Number("successThreshold"), p.Number("failureThreshold"))
}

// environment adds the environment variables of a container.
func (d *description) environment(c *container) {
	from := c.Items("envFrom")
	if len(from) > 0 {
		d.add("    Environment Variables from:")
	}
	for _, e := range from {
		kind, ref := "ConfigMap", e.Object("configMapRef")
		if ref == nil {
			kind, ref = "Secret", e.Object("secretRef")
		}
		if ref == nil {
			continue
		}
		if prefix := e.Text("prefix"); prefix != "" {
			kind += " with prefix '" + prefix + "'"
		}
		d.line("      %s\t%s\tOptional: %t", ref.Text("name"), kind, ref["optional"] == true)
	}
	env := c.Items("env")
	if len(env) == 0 {
		d.line("    Environment:\t%s", print.None)
		return
	}
	d.add("    Environment:")
	for _, e := range env {
		breath.Often()
		if text := c.variable(e); text != "" || e.Object("valueFrom") == nil {
			d.line("      %s:\t%s", e.Text("name"), text)
		}
	}
}

// references are the sources of a variable that lead to a key elsewhere.
var references = [...]struct{ field, text string }{{"secretKeyRef", "in secret"}, {"configMapKeyRef", "of config map"}}

// variable returns the value of an environment variable, or where it comes from.
func (c *container) variable(e api.Fields) string {
	from := e.Object("valueFrom")
	if from == nil {
		return strings.ReplaceAll(e.Text("value"), "\n", "\n      \t")
	}
	if f := from.Object("fieldRef"); f != nil {
		return fieldValue(c.pod, f.Text("fieldPath")) + " (" + f.Text("apiVersion") + ":" + f.Text("fieldPath") + ")"
	}
	if r := from.Object("resourceFieldRef"); r != nil {
		return c.resourceValue(r.Text("resource")) + " (" + r.Text("resource") + ")"
	}
	for _, ref := range references {
		if r := from.Object(ref.field); r != nil {
			return fmt.Sprintf("<set to the key '%s' %s '%s'>\tOptional: %t", r.Text("key"), ref.text, r.Text("name"), r["optional"] == true)
		}
	}
	return ""
}

// resourceValue returns what a variable has that is made from limits.cpu and the like: whole cores or bytes.
func (c *container) resourceValue(path string) string {
	list, name, _ := strings.Cut(path, ".")
	amounts := c.requests
	if list == "limits" {
		amounts = c.limits
	}
	q := amounts[name]
	return strconv.FormatInt((q.Milli()+999)/1000, 10)
}

// fieldValue returns what a variable has that is made from a field of its pod.
func fieldValue(pod *api.Pod, path string) string {
	if pod == nil {
		return ""
	}
	return map[string]string{"metadata.name": pod.Name, "metadata.namespace": pod.Namespace, "metadata.uid": pod.UID}[path]
}

// mounts adds where a container sees its volumes.
func (d *description) mounts(c *container) {
	var lines []string
	for _, m := range c.Items("volumeMounts") {
		mode := "rw"
		if m["readOnly"] == true {
			mode = "ro"
		}
		if path := m.Text("subPath"); path != "" {
			mode += ",path=" + strconv.Quote(path)
		}
		lines = append(lines, "      "+m.Text("mountPath")+" from "+m.Text("name")+" ("+mode+")")
	}
	if lines == nil {
		d.line("    Mounts:\t%s", print.None)
		return
	}
	sort.Strings(lines)
	d.add("    Mounts:\n" + strings.Join(lines, "\n"))
}

// volumeTypes are the kinds of volumes that are described with their fields: title=field of the source.
var volumeTypes = []struct{ source, text, fields string }{
	{"hostPath", "HostPath (bare host directory volume)", "Path=path HostPathType=type"},
	{"emptyDir", "EmptyDir (a temporary directory that shares a pod's lifetime)", "Medium=medium SizeLimit=sizeLimit"},
	{"secret", "Secret (a volume populated by a Secret)", "SecretName=secretName Optional=optional"},
	{"configMap", "ConfigMap (a volume populated by a ConfigMap)", "Name=name Optional=optional"},
	{"persistentVolumeClaim", "PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)", "ClaimName=claimName ReadOnly=readOnly"},
	{"projected", "Projected (a volume that contains injected data from multiple sources)", ""}, // see sources
}

// volumeDefaults are printed where a volume does not say anything.
var volumeDefaults = map[string]string{"sizeLimit": "<unset>", "optional": "false", "readOnly": "false"}

// volumes adds the volumes.
//
// Simplified: of rare kinds only the name is shown.
func (d *description) volumes(space string, volumes []api.Fields) {
	if len(volumes) == 0 {
		d.line("%sVolumes:\t%s", space, print.None)
		return
	}
	d.add(space + "Volumes:")
	for _, v := range volumes {
		d.line("%s%s:", indentOf(space), v.Text("name"))
		d.volume(v)
	}
}

func (d *description) volume(v api.Fields) {
	for _, t := range volumeTypes {
		source := v.Object(t.source)
		if source == nil {
			continue
		}
		d.line("    Type:\t%s", t.text)
		for f := range strings.FieldsSeq(t.fields) {
			title, name, _ := strings.Cut(f, "=")
			text := volumeDefaults[name]
			if value, ok := source[name]; ok {
				text = fmt.Sprint(value)
			}
			d.line("    %s:\t%s", title, text)
		}
		d.sources(source.Items("sources"))
		return
	}
	for _, name := range rareVolumes {
		if v[name] != nil {
			d.line("    Type:\t%s", name)
		}
	}
}

// sources adds what a projected volume contains (describe.go:printProjectedVolumeSource).
func (d *description) sources(sources []api.Fields) {
	for _, s := range sources {
		for _, named := range [...][2]string{{"secret", "SecretName"}, {"configMap", "ConfigMapName"}} {
			if ref := s.Object(named[0]); ref != nil {
				d.line("    %s:\t%s\n    Optional:\t%t", named[1], ref.Text("name"), ref["optional"] == true)
			}
		}
		if s.Object("downwardAPI") != nil {
			d.line("    DownwardAPI:\ttrue")
		} else if token := s.Object("serviceAccountToken"); token != nil {
			d.line("    TokenExpirationSeconds:\t%d", token.Number("expirationSeconds"))
		}
	}
}

var rareVolumes = strings.Fields("awsElasticBlockStore azureDisk azureFile cephfs cinder csi downwardAPI ephemeral fc flexVolume flocker " +
	"gcePersistentDisk gitRepo glusterfs image iscsi nfs photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume")

// tolerationTexts prints tolerations, by key.
func tolerationTexts(tolerations []api.Toleration) []string {
	return sortedTexts(tolerations, func(t *api.Toleration) string { return t.Key }, tolerationText)
}

// sortedTexts returns a text for each item of a list, by a key.
func sortedTexts[T any](list []T, key, text func(*T) string) []string {
	list = slices.Clone(list)
	sort.SliceStable(list, func(i, k int) bool { return key(&list[i]) < key(&list[k]) })
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = text(&list[i])
	}
	return texts
}

func tolerationText(t *api.Toleration) string {
	text := t.Key
	if t.Value != "" {
		text += "=" + t.Value
	}
	if t.Effect != "" {
		text += ":" + t.Effect
	}
	if t.Operator == "Exists" && t.Value == "" {
		if text != "" {
			text += " "
		}
		text += "op=Exists"
	}
	if t.TolerationSeconds != nil {
		text += " for " + strconv.FormatInt(*t.TolerationSeconds, 10) + "s"
	}
	return text
}

// Template prints a template, its tabs as they are.
func Template(t *api.PodTemplateSpec) string {
	d := &description{}
	d.template(t)
	return d.text.String()
}

// spreadConstraints adds the spread constraints, by topology key.
//
// Simplified: the selectors are those of the template. In a real pod the API server has added what matchLabelKeys say.
func (d *description) spreadConstraints(space string, list []api.TopologySpreadConstraint) {
	if len(list) == 0 {
		return
	}
	key := func(c *api.TopologySpreadConstraint) string { return c.TopologyKey }
	d.multi(space+"Topology Spread Constraints", sortedTexts(list, key, func(c *api.TopologySpreadConstraint) string {
		text := c.TopologyKey + ":" + c.WhenUnsatisfiable + " when max skew " + print.Count(c.MaxSkew) + " is exceeded"
		if c.LabelSelector != nil {
			text += " for selector " + print.SelectorText(c.LabelSelector)
		}
		return text
	}))
}
