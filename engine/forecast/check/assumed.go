package check

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// nodesAssumed is how many nodes are assumed if the manifests do not need more.
const nodesAssumed = 3

// hostname is the label that differs on every node.
const hostname = "kubernetes.io/hostname"

// assumeNodes assumes nodes if none are given: with the labels that the pods before and after the update select, and as many as the pods
// need that avoid each other, with one to drain. They have room for every pod, so that they never decide.
func (c *Check) assumeNodes() {
	objects := slices.Concat(c.was.Objects, c.now.Objects)
	isNode := func(m scenario.Manifest) bool { return m.Object.Key().Kind == api.KindNode }
	if c.input.Nodes != "" || slices.ContainsFunc(objects, isNode) {
		return
	}
	apart := 1
	c.assumed = nodesAssumed
	for _, m := range objects {
		if slices.Contains(avoided(m.Object), hostname) {
			apart += c.most(m.Object)
		}
		if d, ok := m.Object.(*api.DaemonSet); ok && d.Spec.UpdateStrategy.RollingUpdate != nil {
			if at := d.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable; at != nil && !at.IsString {
				c.assumed = max(c.assumed, 2*int(at.Int)) // nodes of one step must not look like all
			}
		}
	}
	c.assumed = min(max(c.assumed, apart), limits.Nodes)
	nodes, labels := make([]*api.Node, c.assumed), false
	list := make([]string, c.assumed)
	for i := range nodes {
		nodes[i] = &api.Node{}
	}
	scenario.FitNodes(nodes, objects)
	for i, n := range nodes {
		labels = labels || len(n.Labels) > 0
		list[i] = fmt.Sprintf(`{"name": "node-%d", "labels": %s}`, i+1, api.JSON(n.Labels))
	}
	if c.assumed > nodesAssumed || labels && c.input.Old != "" {
		c.input.Nodes = "nodes: [" + strings.ReplaceAll(strings.Join(list, ", "), `"labels": null`, `"labels": {}`) + "]\n"
	}
}

// avoided lists the node labels whose values pods of a workload must not share.
func avoided(o api.Object) (labels []string) {
	t := api.TemplateOf(o)
	if t == nil || t.Spec.Affinity == nil || t.Spec.Affinity.PodAntiAffinity == nil {
		return nil
	}
	pod := &api.Pod{ObjectMeta: api.ObjectMeta{Namespace: o.Key().Namespace, Labels: t.Labels}}
	for i := range t.Spec.Affinity.PodAntiAffinity.Required {
		if term := &t.Spec.Affinity.PodAntiAffinity.Required[i]; term.Matches(pod, pod) {
			labels = append(labels, term.TopologyKey)
		}
	}
	return labels
}

// most returns how many pods a workload has at most during an update, without terminating ones.
func (c *Check) most(o api.Object) int {
	n := 1
	switch o := o.(type) {
	case *api.Deployment:
		surge, _ := deployment.Bounds(o)
		n = int(*o.Spec.Replicas + surge)
	case *api.StatefulSet:
		n = int(*o.Spec.Replicas)
	}
	for _, a := range c.scalers {
		if a.target == o.Key() {
			n = max(n, 2*int(a.max))
		}
	}
	return n
}

// domains says which labels of nodes decide, because pods avoid each other over labels of which a cluster has few values.
func (c *Check) domains(o api.Object) (list []string) {
	n := c.most(o)
	for _, label := range avoided(o) {
		if label != hostname && n > nodesAssumed {
			list = append(list, "Its pods must not share a value of the node label "+label+", and an update needs "+strconv.Itoa(n)+
				" of them. It depends on the nodes; give them with --nodes.")
		}
	}
	return list
}

// WithIPv4 returns manifests whose Services leave the families of their addresses to the check's own cluster. Which ones yours has is not known,
// and no rollout depends on it. All lines stay where they are.
func WithIPv4(text string) string {
	lines := strings.Split(text, "\n")
	for _, d := range yamltext.Split(text) {
		for i, line := range strings.Split(withoutFamilies(strings.Join(d.Lines, "\n")), "\n") {
			if line != d.Lines[i] {
				lines[d.First-1+i] = line
			}
		}
	}
	return strings.Join(lines, "\n")
}

// withoutFamilies does that in one document.
func withoutFamilies(text string) string {
	if !strings.Contains(text, "IPv6") && !strings.Contains(text, "DualStack") {
		return text
	}
	d := yamltext.Split(text)[0]
	objects := [][]string{nil}
	if items := yamltext.Child(d.Root(), "items"); items != nil {
		for i := range items.Content {
			objects = append(objects, []string{"items", strconv.Itoa(i)})
		}
	}
	for _, at := range objects {
		if yamltext.Word(d.At(at), "kind") == "Service" {
			text = without(text, slices.Concat(at, []string{"spec", "ipFamilies"}))
			text = without(text, slices.Concat(at, []string{"spec", "ipFamilyPolicy"}))
		}
	}
	return text
}

// without returns a document without a field, with an empty line for each that has gone. What cannot be removed stays.
func without(text string, path []string) string {
	d := yamltext.Split(text)[0]
	from, _ := d.Span(path)
	cut, err := d.Remove(path)
	if err != nil {
		return text
	}
	line := strings.LastIndexByte(text[:from], '\n') + 1
	return cut[:line] + strings.Repeat("\n", strings.Count(text, "\n")-strings.Count(cut, "\n")) + cut[line:]
}

// assumptions lists the assumptions behind the figures.
func (c *Check) assumptions() (list []string) {
	const times = "pulled in 1 to 3 s, start in 0.3 s and stop 1 s after SIGTERM; say otherwise with images: in the policy"
	if images := c.untimed(); len(c.input.Policy.Images) == 0 {
		list = append(list, "images are "+times)
	} else if len(images) > 0 {
		list = append(list, "images that the policy does not match ("+words.Some(images)+") are "+times)
	}
	if c.assumed > 0 {
		list = append(list, words.Plural(c.assumed, "node")+" with room for every pod; say otherwise with --nodes")
	}
	if strings.Contains(c.input.Nodes, "nodeGroups:") {
		list = append(list, "nodes are added and removed by rollplay's own model of an autoscaler")
	}
	if c.input.Old == "" {
		list = append(list, "every container gets a new image; compare two versions with --from")
	}
	if resumed := c.resumed(); len(resumed) > 0 {
		list = append(list, "the pods of "+words.Some(mapped(resumed, api.Key.Title))+" have the template that is deployed now, although it was paused")
	}
	if c.families {
		list = append(list, "the cluster has the IP families that the Services name")
	}
	for _, a := range c.scalers {
		pods := words.Plural(int(a.max), "pod")
		if a.min < a.max {
			pods = fmt.Sprintf("%d to %d pods: the update is judged with the fewest and with the most", a.min, a.max)
		}
		list = append(list, "a HorizontalPodAutoscaler keeps "+a.target.Title()+" at "+pods)
	}
	if last := c.settings[len(c.settings)-1]; last.next {
		names := slices.DeleteFunc(slices.Clone(c.updated), func(key api.Key) bool { return !last.judges(key) })
		list = append(list, "the update keeps the pod template of "+words.Some(mapped(names, api.Key.Title))+", but changes what the next one depends on: "+
			"the next one is judged, with new images")
	}
	var unprobed, users, inits, starts []string
	graces, hooks, models := map[int64][]string{}, map[int64][]string{}, map[string][]string{}
	for _, key := range c.updated {
		spec, name := api.TemplateOf(c.now.Object(key)).Spec, key.Title()
		if c.assumed > 0 && len(spec.TopologySpreadConstraints) > 0 {
			list = append(list, name+" spreads over a node label: they have three values of it")
		}
		if !gated(spec) {
			unprobed = append(unprobed, name)
		}
		if uses(map[string]any(spec.Tree())) {
			users = append(users, name)
		}
		if slices.ContainsFunc(spec.InitContainers, func(x api.Container) bool { return !x.IsSidecar() }) {
			inits = append(inits, name)
		}
		containers := append(spec.Tree().Items("containers"), spec.Tree().Items("initContainers")...)
		if slices.ContainsFunc(containers, func(x api.Fields) bool { return x.Object("lifecycle")["postStart"] != nil }) {
			starts = append(starts, name)
		}
		list = append(list, c.served(key)...)
		for _, x := range slices.Concat(spec.InitContainers, spec.Containers) {
			if l := x.Lifecycle; l != nil && l.PreStop != nil && l.PreStop.More {
				hooks[l.PreStop.SleepSeconds] = append(hooks[l.PreStop.SleepSeconds], x.Name+" of "+name)
			}
		}
		graces[spec.TerminationGracePeriodSeconds] = append(graces[spec.TerminationGracePeriodSeconds], name)
		if _, model, counted := strings.Cut(strings.TrimSuffix(c.settings[0].asked(key).Assume, "."), ": "); counted {
			models[model] = append(models[model], name)
		}
	}
	for _, model := range slices.Sorted(maps.Keys(models)) {
		names := models[model]
		list = append(list, words.Some(names)+words.Verb(len(names), " gets ", " get ")+model)
	}
	for _, sleep := range slices.Sorted(maps.Keys(hooks)) {
		list = append(list, fmt.Sprintf("a preStop hook takes %d s, as nothing but a sleep at its beginning counts: %s", sleep, words.Some(hooks[sleep])))
	}
	for _, grace := range slices.Sorted(maps.Keys(graces)) {
		list = append(list, fmt.Sprintf("a pod is killed %d s after its deletion, if it has not stopped by then: %s", grace, words.Some(graces[grace])))
	}
	if len(inits) > 0 {
		list = append(list, "an init container runs for 1 s: "+words.Some(inits))
	}
	if len(starts) > 0 {
		list = append(list, "postStart takes no time: "+words.Some(starts))
	}
	if len(users) > 0 {
		list = append(list, "what the pods of "+words.Some(users)+" need is there, such as ConfigMaps, Secrets and ServiceAccounts")
	}
	if len(unprobed) > 0 {
		list = append(list, words.Some(unprobed)+words.Verb(len(unprobed), " has", " have")+
			" no readinessProbe: a pod counts as available as soon as its containers run")
	}
	return list
}

// serving returns the Services that select the pods of a workload.
func (c *Check) serving(key api.Key) (list []*api.Service) {
	for _, m := range c.now.Objects {
		if s, ok := m.Object.(*api.Service); ok && s.Selects(key.Namespace, api.TemplateOf(c.now.Object(key)).Labels) {
			list = append(list, s)
		}
	}
	return list
}

// served lists what is assumed about who sends requests to the pods of a workload, and which container answers them.
func (c *Check) served(key api.Key) (list []string) {
	spec := api.TemplateOf(c.now.Object(key)).Spec
	for _, s := range c.serving(key) {
		if s.Spec.ExternalTrafficPolicy == api.PolicyLocal || s.Spec.InternalTrafficPolicy != nil && *s.Spec.InternalTrafficPolicy == api.PolicyLocal {
			list = append(list, "every node sends requests to all pods of Service "+s.Name+": that a traffic policy is Local is not modelled")
		}
		ports := make([]api.EndpointPort, len(s.Spec.Ports))
		named := false // without a container that declares it, it is an error; see ports
		for i, p := range s.Spec.Ports {
			ports[i], named = api.EndpointPort{Port: p.TargetPort.Int, Protocol: p.Protocol}, named || p.TargetPort.IsString
		}
		if x, declared := spec.Serving(ports); !declared && !named && len(spec.Containers) > 1 {
			list = append(list, fmt.Sprintf("container %s of %s answers the requests to Service %s: none declares its target port", x.Name, key.Title(), s.Name))
		}
	}
	return list
}

// untimed lists the images of which the policy says nothing.
func (c *Check) untimed() (images []string) {
	for _, key := range c.updated {
		spec := api.TemplateOf(c.now.Object(key)).Spec
		for _, x := range slices.Concat(spec.InitContainers, spec.Containers) {
			matches := func(image map[string]string) bool { return words.Glob(image["match"], x.Image) }
			if !slices.ContainsFunc(c.input.Policy.Images, matches) {
				images = addNew(images, []string{x.Image})
			}
		}
	}
	return images
}

// used are the fields of a pod spec that name an object without which the pod does not start.
var used = []string{"configMap", "secret", "configMapRef", "secretRef", "configMapKeyRef", "secretKeyRef", "persistentVolumeClaim",
	"serviceAccountName", "priorityClassName", "runtimeClassName"}

// uses reports whether a part of a pod spec has one of them.
func uses(part any) bool {
	switch part := part.(type) {
	case []any:
		return slices.ContainsFunc(part, uses)
	case map[string]any:
		for field, value := range part {
			if slices.Contains(used, field) || uses(value) {
				return true
			}
		}
	}
	return false
}

// mapped returns the results of a function for a list.
func mapped[A, B any](list []A, f func(A) B) (results []B) {
	for _, x := range list {
		results = append(results, f(x))
	}
	return results
}
