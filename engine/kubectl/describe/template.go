package describe

import (
	"encoding/json"
	"sort"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// podView is the part of a pod spec that kubectl describe prints.
type podView struct {
	ServiceAccountName string
	PriorityClassName  string
	InitContainers     []containerView
	Containers         []containerView
	Volumes            []map[string]json.RawMessage
	NodeSelector       map[string]string
	Tolerations        []api.Toleration
}

// containerView is the part of a container that it prints.
type containerView struct {
	Name, Image   string
	Command, Args []string
	Ports         []struct {
		Name, Protocol          string
		ContainerPort, HostPort int32
	}
	Resources struct{ Limits, Requests map[string]api.Quantity }
	Env       []envView
	EnvFrom   []struct {
		Prefix                  string
		ConfigMapRef, SecretRef *reference
	}
	VolumeMounts []struct {
		Name, MountPath, SubPath string
		ReadOnly                 bool
	}
	LivenessProbe, ReadinessProbe, StartupProbe *probeView
}

type envView struct {
	Name, Value string
	ValueFrom   *struct {
		FieldRef         *struct{ APIVersion, FieldPath string }
		ResourceFieldRef *struct{ Resource string }
		SecretKeyRef     *reference
		ConfigMapKeyRef  *reference
	}
}

// reference names a Secret or a ConfigMap, perhaps with a key in it.
type reference struct {
	Name, Key string
	Optional  bool
}

type probeView struct {
	Exec    *struct{ Command []string }
	HTTPGet *struct {
		Scheme, Host, Path string
		Port               api.IntOrString
	}
	TCPSocket *struct {
		Host string
		Port api.IntOrString
	}
	GRPC *struct {
		Port    int32
		Service string
	}
	InitialDelaySeconds, TimeoutSeconds, PeriodSeconds, SuccessThreshold, FailureThreshold int32
}

// viewOf reads what is printed out of a spec.
func (d *description) viewOf(spec *api.PodSpec) *podView {
	if v := d.views[spec]; v != nil {
		return v
	}
	var v podView
	text, err := spec.MarshalJSON()
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		panic("kubectl: a stored pod spec cannot be read: " + err.Error())
	}
	d.views[spec] = &v
	return &v
}

// template adds a pod template.
func (d *description) template(t *api.PodTemplateSpec) {
	v := d.viewOf(t.Spec)
	d.add("Pod Template:")
	d.multi("  Labels", print.LabelPairs(t.Labels))
	if len(t.Annotations) > 0 {
		d.annotations("  Annotations", t.Annotations)
	}
	if v.ServiceAccountName != "" {
		d.line("  Service Account:\t%s", v.ServiceAccountName)
	}
	if len(v.InitContainers) > 0 {
		d.containers("  ", "Init Containers", v.InitContainers, nil, nil)
	}
	d.containers("  ", "Containers", v.Containers, nil, nil)
	d.volumes("  ", v.Volumes)
	if v.PriorityClassName != "" {
		d.line("  Priority Class Name:\t%s", v.PriorityClassName)
	}
	d.spreadConstraints("  ", t.Spec.TopologySpreadConstraints)
	d.multi("  Node-Selectors", print.LabelPairs(v.NodeSelector))
	d.multi("  Tolerations", tolerationTexts(v.Tolerations))
}

// containers adds a list of containers; those of a pod have statuses.
func (d *description) containers(space, title string, containers []containerView, statuses []api.ContainerStatus, pod *api.Pod) {
	d.add(space + title + ":")
	indent := "  "
	if space != "" {
		indent = "   "
	}
	for i := range containers {
		c := &containers[i]
		d.line("%s%s:", indent, c.Name)
		var status *api.ContainerStatus
		for k := range statuses {
			if statuses[k].Name == c.Name {
				status = &statuses[k]
			}
		}
		for name, limit := range c.Resources.Limits { // as the server does (core/v1/defaults.go:SetDefaults_Pod)
			if _, given := c.Resources.Requests[name]; pod != nil && !given {
				if c.Resources.Requests == nil {
					c.Resources.Requests = map[string]api.Quantity{}
				}
				c.Resources.Requests[name] = limit
			}
		}
		d.container(c, status, pod)
	}
}

func (d *description) container(c *containerView, status *api.ContainerStatus, pod *api.Pod) {
	if status != nil {
		d.add("    Container ID:\t")
	}
	d.line("    Image:\t%s", c.Image)
	if status != nil {
		d.add("    Image ID:\t")
	}
	d.ports(c)
	d.words("Command", c.Command)
	d.words("Args", c.Args)
	if status != nil {
		d.containerStatus(status)
	}
	d.resources("Limits", c.Resources.Limits)
	d.resources("Requests", c.Resources.Requests)
	for _, p := range [...]struct {
		name  string
		probe *probeView
	}{{"Liveness", c.LivenessProbe}, {"Readiness", c.ReadinessProbe}, {"Startup", c.StartupProbe}} {
		if p.probe != nil {
			d.line("    %s:\t%s", p.name, p.probe.text())
		}
	}
	d.environment(c, pod)
	d.mounts(c)
}

// ports adds the ports of a container, on itself and on its node.
func (d *description) ports(c *containerView) {
	var ports, hostPorts []string
	for i := range c.Ports {
		p := &c.Ports[i]
		name := ""
		if p.Name != "" {
			name = " (" + p.Name + ")"
		}
		ports = append(ports, print.Count(p.ContainerPort)+"/"+p.Protocol+name)
		hostPorts = append(hostPorts, print.Count(p.HostPort)+"/"+p.Protocol+name)
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

func (d *description) resources(title string, list map[string]api.Quantity) {
	if len(list) == 0 {
		return
	}
	d.add("    " + title + ":")
	for _, name := range print.ResourceNames(list) {
		d.line("      %s:\t%s", name, list[name].String())
	}
}

// text prints a probe in one line.
func (p *probeView) text() string {
	handler := "unknown"
	switch {
	case p.Exec != nil:
		handler = "exec [" + strings.Join(p.Exec.Command, " ") + "]"
	case p.HTTPGet != nil:
		g := p.HTTPGet
		handler = "http-get " + strings.ToLower(g.Scheme) + "://" + g.Host + ":" + g.Port.String() + g.Path
	case p.TCPSocket != nil:
		handler = "tcp-socket " + p.TCPSocket.Host + ":" + p.TCPSocket.Port.String()
	case p.GRPC != nil:
		handler = "grpc <pod>:" + print.Count(p.GRPC.Port) + " " + p.GRPC.Service
	}
	return handler + " delay=" + print.Count(p.InitialDelaySeconds) + "s timeout=" + print.Count(p.TimeoutSeconds) + "s period=" + print.Count(p.PeriodSeconds) +
		"s successThreshold=" + print.Count(p.SuccessThreshold) + " failureThreshold=" + print.Count(p.FailureThreshold)
}

// environment adds the environment variables of a container.
func (d *description) environment(c *containerView, pod *api.Pod) {
	if len(c.EnvFrom) > 0 {
		d.add("    Environment Variables from:")
	}
	for i := range c.EnvFrom {
		e := &c.EnvFrom[i]
		kind, ref := "ConfigMap", e.ConfigMapRef
		if ref == nil {
			kind, ref = "Secret", e.SecretRef
		}
		if ref == nil {
			continue
		}
		if e.Prefix != "" {
			kind += " with prefix '" + e.Prefix + "'"
		}
		d.line("      %s\t%s\tOptional: %t", ref.Name, kind, ref.Optional)
	}
	if len(c.Env) == 0 {
		d.line("    Environment:\t%s", print.None)
		return
	}
	d.add("    Environment:")
	for i := range c.Env {
		d.variable(&c.Env[i], c, pod)
	}
}

func (d *description) variable(e *envView, c *containerView, pod *api.Pod) {
	from := e.ValueFrom
	switch {
	case from == nil:
		d.line("      %s:\t%s", e.Name, strings.ReplaceAll(e.Value, "\n", "\n      \t"))
	case from.FieldRef != nil:
		d.line("      %s:\t%s (%s:%s)", e.Name, fieldValue(pod, from.FieldRef.FieldPath), from.FieldRef.APIVersion, from.FieldRef.FieldPath)
	case from.ResourceFieldRef != nil:
		d.line("      %s:\t%s (%s)", e.Name, c.resourceValue(from.ResourceFieldRef.Resource), from.ResourceFieldRef.Resource)
	case from.SecretKeyRef != nil:
		s := from.SecretKeyRef
		d.line("      %s:\t<set to the key '%s' in secret '%s'>\tOptional: %t", e.Name, s.Key, s.Name, s.Optional)
	case from.ConfigMapKeyRef != nil:
		m := from.ConfigMapKeyRef
		d.line("      %s:\t<set to the key '%s' of config map '%s'>\tOptional: %t", e.Name, m.Key, m.Name, m.Optional)
	}
}

// resourceValue returns what a variable has that is made from limits.cpu and the like: whole cores or bytes.
func (c *containerView) resourceValue(path string) string {
	list, name, _ := strings.Cut(path, ".")
	amounts := c.Resources.Requests
	if list == "limits" {
		amounts = c.Resources.Limits
	}
	q := amounts[name]
	return strconv.FormatInt((q.Milli()+999)/1000, 10)
}

// fieldValue returns what a variable has that is made from a field of its pod.
func fieldValue(pod *api.Pod, path string) string {
	if pod == nil {
		return ""
	}
	switch path {
	case "metadata.name":
		return pod.Name
	case "metadata.namespace":
		return pod.Namespace
	case "metadata.uid":
		return pod.UID
	}
	return ""
}

// mounts adds where a container sees its volumes.
func (d *description) mounts(c *containerView) {
	if len(c.VolumeMounts) == 0 {
		d.line("    Mounts:\t%s", print.None)
		return
	}
	d.add("    Mounts:")
	lines := make([]string, len(c.VolumeMounts))
	for i := range c.VolumeMounts {
		m := &c.VolumeMounts[i]
		mode := "rw"
		if m.ReadOnly {
			mode = "ro"
		}
		if m.SubPath != "" {
			mode += ",path=" + strconv.Quote(m.SubPath)
		}
		lines[i] = "      " + m.MountPath + " from " + m.Name + " (" + mode + ")"
	}
	sort.Strings(lines)
	d.add(strings.Join(lines, "\n"))
}

// volumeTypes are the kinds of volumes that are described with their fields: title=field of the source.
var volumeTypes = []struct{ source, text, fields string }{
	{"hostPath", "HostPath (bare host directory volume)", "Path=path HostPathType=type"},
	{"emptyDir", "EmptyDir (a temporary directory that shares a pod's lifetime)", "Medium=medium SizeLimit=sizeLimit"},
	{"secret", "Secret (a volume populated by a Secret)", "SecretName=secretName Optional=optional"},
	{"configMap", "ConfigMap (a volume populated by a ConfigMap)", "Name=name Optional=optional"},
	{"persistentVolumeClaim", "PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)", "ClaimName=claimName ReadOnly=readOnly"},
	{"projected", "Projected (a volume that contains injected data from multiple sources)", ""},
}

// volumeDefaults are printed where a volume does not say anything.
var volumeDefaults = map[string]string{"sizeLimit": "<unset>", "optional": "false", "readOnly": "false"}

// volumes adds the volumes.
//
// Simplified: of rare kinds, and of what is projected into one, only the name is shown.
func (d *description) volumes(space string, volumes []map[string]json.RawMessage) {
	if len(volumes) == 0 {
		d.line("%sVolumes:\t%s", space, print.None)
		return
	}
	d.add(space + "Volumes:")
	indent := "  "
	if space != "" {
		indent = "   "
	}
	for _, v := range volumes {
		d.line("%s%s:", indent, rawText(v["name"]))
		d.volume(v)
	}
}

func (d *description) volume(v map[string]json.RawMessage) {
	for _, t := range volumeTypes {
		source, ok := v[t.source]
		if !ok {
			continue
		}
		d.line("    Type:\t%s", t.text)
		var fields map[string]json.RawMessage
		if json.Unmarshal(source, &fields) != nil {
			return
		}
		for f := range strings.FieldsSeq(t.fields) {
			title, name, _ := strings.Cut(f, "=")
			text := volumeDefaults[name]
			if raw, ok := fields[name]; ok {
				text = rawText(raw)
			}
			d.line("    %s:\t%s", title, text)
		}
		return
	}
	for _, name := range []string{"awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder", "csi", "downwardAPI", "ephemeral", "fc",
		"flexVolume", "flocker", "gcePersistentDisk", "gitRepo", "glusterfs", "image", "iscsi", "nfs", "photonPersistentDisk", "portworxVolume",
		"quobyte", "rbd", "scaleIO", "storageos", "vsphereVolume"} {
		if _, ok := v[name]; ok {
			d.line("    Type:\t%s", name)
		}
	}
}

// rawText returns a JSON scalar without quotes.
func rawText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// tolerationTexts prints tolerations, by key.
func tolerationTexts(tolerations []api.Toleration) []string {
	list := append([]api.Toleration(nil), tolerations...)
	sort.SliceStable(list, func(i, j int) bool { return list[i].Key < list[j].Key })
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = tolerationText(&list[i])
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
	d := &description{views: map[*api.PodSpec]*podView{}}
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
	list = append([]api.TopologySpreadConstraint(nil), list...)
	sort.SliceStable(list, func(i, j int) bool { return list[i].TopologyKey < list[j].TopologyKey })
	texts := make([]string, len(list))
	for i := range list {
		c := &list[i]
		texts[i] = c.TopologyKey + ":" + c.WhenUnsatisfiable + " when max skew " + print.Count(c.MaxSkew) + " is exceeded"
		if c.LabelSelector != nil {
			texts[i] += " for selector " + print.SelectorText(c.LabelSelector)
		}
	}
	d.multi(space+"Topology Spread Constraints", texts)
}
