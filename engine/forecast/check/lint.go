package check

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
)

// lint answers what the new manifests show without a run: every finding is at a field.
func (c *Check) lint() (list []Finding) {
	l := &linter{Check: c}
	for _, key := range c.updated {
		l.of = key
		l.pods(api.TemplateOf(c.now.Object(key)).Spec)
		l.zero()
	}
	l.services()
	l.budgets()
	for _, a := range c.scalers {
		l.autoscaler(&a)
	}
	return l.list
}

// linter collects findings about an object.
type linter struct {
	*Check
	of   api.Key
	list []Finding
}

func (l *linter) find(check string, level Level, field, format string, of ...any) {
	l.list = append(l.list, Finding{Check: check, Verdict: Pass, Level: level, Object: l.of.Title(), Field: field,
		Text: fmt.Sprintf(format, of...), Line: l.markLine(l.of, field)})
}

// template is the path of the pod spec in a workload.
const template = "spec.template.spec."

// pods looks at the pods of a workload.
func (l *linter) pods(spec *api.PodSpec) {
	for i := range spec.Containers {
		x, path := &spec.Containers[i], fmt.Sprintf("%scontainers[%d].", template, i)
		if hook := x.Lifecycle; hook != nil && hook.PreStop != nil && hook.PreStop.SleepSeconds > 0 &&
			hook.PreStop.SleepSeconds >= spec.TerminationGracePeriodSeconds {
			l.find("grace", Error, template+"terminationGracePeriodSeconds", "preStop of container %s takes %d s, and a pod has %d s to stop: "+
				"only 2 s are left for the app after SIGTERM.", x.Name, hook.PreStop.SleepSeconds, spec.TerminationGracePeriodSeconds)
		}
		l.image(x, path)
		l.probes(x, spec.Tree().Items("containers")[i], path)
	}
}

func (l *linter) image(x *api.Container, path string) {
	parts, err := api.SplitImage(x.Image), api.CheckImage(x.Image)
	switch {
	case x.Image == "auto":
		l.find("image", Note, path+"image", "auto is a placeholder: a webhook, such as that of Istio, sets the image.")
	case err != nil:
		l.find("image", Error, path+"image", "No kubelet can read the image %q: %v. Its pods wait with InvalidImageName.", x.Image, err)
	case parts.Digest == "" && (parts.Tag == "" || parts.Tag == "latest"):
		l.find("image", Warning, path+"image", "The tag of %s is latest: it does not say which version runs, and an undo changes nothing.", x.Image)
	}
}

// fails is a command that always fails.
var fails = regexp.MustCompile(`^(?:/bin/|/usr/bin/)?false$|^(?:\S*sh -\w*c )?exit [1-9]\d*$`)

// probes looks for probes that cannot pass.
func (l *linter) probes(x *api.Container, tree api.Fields, path string) {
	probes := []*api.Probe{x.StartupProbe, x.ReadinessProbe, x.LivenessProbe}
	for i, name := range []string{"startupProbe", "readinessProbe", "livenessProbe"} {
		probe := probes[i]
		if probe == nil {
			continue
		}
		if x.LacksPort(probe) {
			result := "never passes"
			if name == "livenessProbe" {
				result = "never restarts it"
			}
			l.find("probe", Error, path+name+"."+probe.Kind+".port", "Container %s declares no port %s, so the %s %s.", x.Name, probe.PortName, name, result)
		}
		if command := strings.Join(tree.Object(name).Object("exec").Texts("command"), " "); fails.MatchString(command) {
			l.find("probe", Error, path+name+".exec.command", "The %s of container %s never passes: %s.", name, x.Name, command)
		}
	}
}

// zero finds a workload that the update scales down to nothing, or to one pod because it says nothing.
func (l *linter) zero() {
	replicas := func(o api.Object) int32 {
		if s, ok := o.(api.Scalable); ok {
			return s.Replicas()
		}
		return 1
	}
	before := l.was.Object(l.of)
	if before == nil {
		return
	}
	scaled := slices.ContainsFunc(l.scalers, func(a autoscaled) bool { return a.target == l.of })
	switch n, now := replicas(before), replicas(l.now.Object(l.of)); {
	case n > 0 && now == 0:
		l.find("outage", Error, "spec.replicas", "The update scales it from %d to 0, so nothing is left.", n)
	case n > 1 && replicasOf(l.input.New, l.of) < 0 && !scaled && l.of.Kind != api.KindDaemonSet:
		l.find("available", Warning, "spec.replicas", "This apply removes spec.replicas, and so sets 1: of %d pods it leaves 1.", n)
	}
}

// ofOnePod are labels that controllers give to single pods.
var ofOnePod = []string{"statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index", "controller-revision-hash", "pod-template-hash"}

// selected lists the objects of a namespace with pods that a selector matches.
func selected(list []scenario.Manifest, namespace string, selector *api.LabelSelector) (objects []api.Object) {
	for _, m := range list {
		var labels map[string]string
		if t := api.TemplateOf(m.Object); t != nil {
			labels = maps.Clone(t.Labels)
		} else if pod, ok := m.Object.(*api.Pod); ok {
			labels = maps.Clone(pod.Labels)
		}
		for _, k := range ofOnePod {
			if v, ok := selector.MatchLabels[k]; ok && labels != nil {
				labels[k] = v
			}
		}
		if m.Object.Key().Namespace == namespace && labels != nil && selector.Matches(labels) {
			objects = append(objects, m.Object)
		}
	}
	return objects
}

// podsOf returns the objects with pods that a Service selects.
func podsOf(list []scenario.Manifest, s *api.Service) []api.Object {
	return selected(list, s.Namespace, &api.LabelSelector{MatchLabels: s.Spec.Selector})
}

// budgets looks for budgets that the update takes from their pods.
func (l *linter) budgets() {
	if l.hidesPods() {
		return
	}
	for _, key := range l.Check.budgets {
		now, _ := l.now.Object(key).(*api.PodDisruptionBudget)
		before, _ := l.was.Object(key).(*api.PodDisruptionBudget)
		if now != nil && before != nil && len(selected(l.around(), key.Namespace, now.Spec.Selector)) == 0 &&
			len(selected(l.was.Objects, key.Namespace, before.Spec.Selector)) > 0 {
			l.of = key
			l.find("budget", Error, "spec.selector", "It protects pods now, and none after the update.")
		}
	}
}

// services looks for Services without pods, at first or in the end, and for ports that no container has.
func (l *linter) services() {
	for _, m := range l.now.Objects {
		s, ok := m.Object.(*api.Service)
		if !ok || len(s.Spec.Selector) == 0 || s.Spec.Type == "ExternalName" {
			continue
		}
		l.of = s.Key()
		pods := podsOf(l.around(), s)
		before, _ := l.was.Object(s.Key()).(*api.Service)
		switch {
		case len(pods) > 0:
			if before != nil && len(podsOf(l.was.Objects, before)) > 0 && len(podsOf(l.was.Objects, s)) == 0 {
				l.find("service", Error, "spec.selector", "It selects pods now, and none of them after this apply: every request fails until a new "+
					"pod is ready. Change the selector in a second step.")
			}
			l.ports(s, pods)
		case l.hidesPods():
		case before != nil && len(podsOf(l.was.Objects, before)) > 0:
			l.find("service", Error, "spec.selector", "It selects pods now, and none after the update: every request fails.")
		default:
			l.find("service", Note, "spec.selector", "It selects no pod of these manifests.")
		}
	}
}

// ports looks at the ports of a Service, and at the probes of the pods behind them.
func (l *linter) ports(s *api.Service, pods []api.Object) {
	for i := range s.Spec.Ports {
		port := &s.Spec.Ports[i]
		named := func(p api.ContainerPort) bool { return p.Name == port.TargetPort.Str && p.Protocol == port.Protocol }
		known := func(o api.Object) bool {
			spec := api.PodSpecOf(o)
			all := slices.Concat(spec.Containers, spec.InitContainers)
			return slices.ContainsFunc(all, func(x api.Container) bool { return slices.ContainsFunc(x.Ports, named) })
		}
		if port.TargetPort.IsString && !slices.ContainsFunc(pods, known) {
			l.find("service", Error, fmt.Sprintf("spec.ports[%d].targetPort", i), "No container of its pods declares a port %s (%s), "+
				"so the Service has no endpoint for it.", port.TargetPort.Str, port.Protocol)
		} else if old := podsOf(l.was.Objects, s); port.TargetPort.IsString && len(old) > 0 && l.was.Object(l.of) != nil && !slices.ContainsFunc(old, known) {
			l.find("service", Error, fmt.Sprintf("spec.ports[%d].targetPort", i), "No pod that it has now declares a port %s (%s): every request to it fails "+
				"until a new pod is ready. Change the port in a second step.", port.TargetPort.Str, port.Protocol)
		}
	}
	for _, o := range pods {
		if s.Spec.ClusterIP == "None" {
			continue // its clients find the pods themselves
		}
		if l.of = o.Key(); !gated(api.PodSpecOf(o)) && slices.Contains(l.updated, l.of) {
			l.find("probe", Warning, template+"containers", "Service %s sends requests to its pods as soon as they run: no container has a "+
				"readinessProbe.", s.Name)
		}
	}
}

// gated says whether a probe keeps a container from being ready as soon as it runs. A container waits for its startup probe, too, and the pod for
// its sidecars.
func gated(s *api.PodSpec) bool {
	return slices.ContainsFunc(slices.Concat(s.Containers, s.InitContainers), func(x api.Container) bool {
		return x.ReadinessProbe != nil || x.StartupProbe != nil
	})
}

// replicas looks at what an apply does to the replicas that an autoscaler has set: kubectl sends those of the manifest, and the API
// server sets 1 when the manifest has them no more.
func (l *linter) replicas(a *autoscaled) {
	was, now, running := replicasOf(l.input.Old, a.target), replicasOf(l.input.New, a.target), a.max
	if l.was.Object(a.scaler) == nil && was > 0 {
		running = was
	}
	keeps := strings.TrimPrefix(fmt.Sprintf("%d to %d", a.min, a.max), fmt.Sprintf("%d to ", a.max))
	until := fmt.Sprintf("until HorizontalPodAutoscaler %s, which keeps %s, sets more", a.scaler.Name, keeps)
	switch {
	case now < 0 && was > 0 && running > 1:
		l.find("hpa", Warning, "spec.replicas", "This apply removes spec.replicas, and so sets 1 once: of %d running pods it leaves 1, %s. "+
			"Remove it with kubectl apply edit-last-applied first.", running, until)
	case now == 0:
		l.find("hpa", Warning, "spec.replicas", "Each apply sets 0 replicas, which switches HorizontalPodAutoscaler %s off.", a.scaler.Name)
	case now > 0 && now < a.max:
		l.find("hpa", Warning, "spec.replicas", "Each apply sets %s: of %d running pods it leaves %d, %s. Remove spec.replicas.",
			words.Plural(int(now), "replica"), a.max, now, until)
	case now > a.min:
		l.find("hpa", Warning, "spec.replicas", "Each apply sets %s, and HorizontalPodAutoscaler %s, which keeps %s, sets fewer. "+
			"Remove spec.replicas.", words.Plural(int(now), "replica"), a.scaler.Name, keeps)
	}
}

// autoscaler looks at a workload with a HorizontalPodAutoscaler.
func (l *linter) autoscaler(a *autoscaled) {
	l.of = a.target
	l.replicas(a)
	spec := api.TemplateOf(l.now.Object(a.target)).Spec
	l.of = a.scaler
	for i, m := range a.spec.Items("metrics") {
		resource := m.Object("resource")
		if resource.Object("target").Text("type") != "Utilization" {
			continue
		}
		for j := range spec.Containers {
			x, name := &spec.Containers[j], resource.Text("name")
			if _, ok := x.Resources.Request(name); !ok {
				l.find("hpa", Warning, fmt.Sprintf("spec.metrics[%d]", i), "Container %s of %s requests no %s, so its utilization is unknown "+
					"and nothing is scaled, unless a LimitRange gives it one.", x.Name, a.target.Title(), name)
			}
		}
	}
}
