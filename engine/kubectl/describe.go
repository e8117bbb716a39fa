package kubectl

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
)

// describe shows objects in detail (K-60). A name that no object has stands for all that begin with it, if the type is a
// word of its own. Events are left out if there is more than one object.
func (r *reading) describe() error {
	groups, errs := r.find()
	var objects []object
	for _, g := range groups {
		objects = append(objects, g.objects...)
	}
	if len(errs) == 1 && len(r.targets) == 1 && len(r.plain) == 3 {
		return r.describePrefix(errs[0])
	}
	withEvents := len(objects) == 1 && len(errs) == 0
	if show := r.flags["show-events"]; show != "" {
		withEvents = show == "true"
	}
	for i, o := range objects {
		if i > 0 {
			r.print("\n\n")
		}
		r.print(r.description(o, withEvents))
	}
	if len(objects)+len(errs) == 0 {
		r.complain(r.noneDescribed())
	}
	for _, err := range errs {
		r.fail(err)
	}
	return nil
}

func (r *reading) noneDescribed() string {
	if r.allNamespaces {
		return "No resources found"
	}
	return "No resources found in " + r.namespace + " namespace."
}

// describePrefix describes the objects whose names begin with the one that is not found.
func (r *reading) describePrefix(missing error) error {
	key := r.targets[0]
	found := false
	for _, o := range r.Cluster.All(key.Kind) {
		if m := o.Meta(); m.Namespace == key.Namespace && strings.HasPrefix(m.Name, key.Name) {
			found = true
			r.print(r.description(o, r.flags["show-events"] == "true") + "\n")
		}
	}
	if !found {
		return missing
	}
	return nil
}

// description returns the text about one object.
func (r *reading) description(o object, withEvents bool) string {
	d := &description{reading: r}
	switch o := o.(type) {
	case *api.Deployment:
		d.deployment(o)
	case *api.ReplicaSet:
		d.replicaSet(o)
	case *api.StatefulSet:
		d.statefulSet(o)
	case *api.DaemonSet:
		d.daemonSet(o)
	case *api.PodDisruptionBudget:
		d.budget(o)
	case *api.HorizontalPodAutoscaler:
		d.autoscaler(o)
	case *api.PersistentVolumeClaim:
		d.claim(o)
	case *api.ControllerRevision:
		d.generic(o)
	case *api.Pod:
		d.pod(o)
	case *api.Node:
		d.node(o)
	case *api.ResourceQuota:
		d.quota(o)
		withEvents = false
	}
	if withEvents {
		d.events(o)
	}
	return tabbed(d.text.String())
}

// description is a text of lines whose cells are separated by tabs.
type description struct {
	*reading
	text strings.Builder
}

// line adds a line.
func (d *description) line(format string, args ...any) { fmt.Fprintf(&d.text, format+"\n", args...) }

// add adds lines as they are.
func (d *description) add(lines string) { d.text.WriteString(lines + "\n") }

// multi adds a title and values, one below the other.
func (d *description) multi(title string, values []string) {
	if len(values) == 0 {
		values = []string{none}
	}
	for i, v := range values {
		if i == 0 {
			d.line("%s:\t%s", title, v)
		} else {
			d.line("\t%s", v)
		}
	}
}

// annotationLongest is the longest annotation that stands in the line of its key.
const annotationLongest = 140

// annotations adds all annotations but what kubectl apply keeps for itself.
func (d *description) annotations(title string, annotations map[string]string) {
	var lines []string
	for _, k := range sortedKeys(annotations) {
		v := strings.TrimSuffix(annotations[k], "\n")
		switch {
		case k == api.LastAppliedAnnotation:
		case len(k)+len(v)+2 > annotationLongest || strings.Contains(v, "\n"):
			lines = append(lines, k+":")
			for part := range strings.SplitSeq(v, "\n") {
				if len(part) > annotationLongest-2 {
					part = part[:annotationLongest-2] + "..."
				}
				lines = append(lines, "  "+part)
			}
		default:
			lines = append(lines, k+": "+v)
		}
	}
	d.multi(title, lines)
}

// date prints a moment as kubectl describe does.
func date(t api.Time) string { return time.Unix(int64(t), 0).UTC().Format(time.RFC1123Z) }

func (d *description) deployment(o *api.Deployment) {
	d.line("Name:\t%s", o.Name)
	d.line("Namespace:\t%s", o.Namespace)
	d.line("CreationTimestamp:\t%s", date(o.CreationTimestamp))
	d.multi("Labels", labelPairs(o.Labels))
	d.annotations("Annotations", o.Annotations)
	d.line("Selector:\t%s", selectorText(o.Spec.Selector))
	s := &o.Status
	d.line("Replicas:\t%d desired | %d updated | %d total | %d available | %d unavailable",
		replicas(o.Spec.Replicas), s.UpdatedReplicas, s.Replicas, s.AvailableReplicas, s.UnavailableReplicas)
	d.line("StrategyType:\t%s", o.Spec.Strategy.Type)
	d.line("MinReadySeconds:\t%d", o.Spec.MinReadySeconds)
	if u := o.Spec.Strategy.RollingUpdate; u != nil {
		d.line("RollingUpdateStrategy:\t%s max unavailable, %s max surge", u.MaxUnavailable, u.MaxSurge)
	}
	d.template(&o.Spec.Template)
	d.conditions(s.Conditions)
	d.replicaSets(o)
}

// conditions adds the conditions of a Deployment or a ReplicaSet.
func (d *description) conditions(conditions []api.Condition) {
	if len(conditions) == 0 {
		return
	}
	d.add("Conditions:\n  Type\tStatus\tReason\n  ----\t------\t------")
	for i := range conditions {
		c := &conditions[i]
		d.line("  %s \t%s\t%s", c.Type, c.Status, c.Reason)
	}
}

// replicaSets adds the old ReplicaSets of a Deployment and the new one, the oldest that has its template (D-32).
func (d *description) replicaSets(o *api.Deployment) {
	sets := ownedSets(d.Cluster, o)
	if len(sets) == 0 {
		return
	}
	var newSet, oldSets []string
	for _, rs := range sets {
		text := fmt.Sprintf("%s (%d/%d replicas created)", rs.Name, rs.Status.Replicas, replicas(rs.Spec.Replicas))
		if newSet == nil && rs.Spec.Template.EqualIgnoreHash(&o.Spec.Template) {
			newSet = []string{text}
		} else {
			oldSets = append(oldSets, text)
		}
	}
	d.line("OldReplicaSets:\t%s", orNone(strings.Join(oldSets, ", ")))
	d.line("NewReplicaSet:\t%s", orNone(strings.Join(newSet, ", ")))
}

// ownedSets returns the ReplicaSets that a Deployment controls, the oldest first.
func ownedSets(c Cluster, d *api.Deployment) (sets []*api.ReplicaSet) {
	for _, o := range c.All(api.KindReplicaSet) {
		if rs := o.(*api.ReplicaSet); rs.Namespace == d.Namespace && rs.IsControlledBy(d.UID) {
			sets = append(sets, rs)
		}
	}
	sort.SliceStable(sets, func(i, j int) bool { return deployment.ByCreation(sets[i], sets[j]) < 0 })
	return sets
}

func (d *description) replicaSet(o *api.ReplicaSet) {
	d.line("Name:\t%s", o.Name)
	d.line("Namespace:\t%s", o.Namespace)
	d.line("Selector:\t%s", selectorText(o.Spec.Selector))
	d.multi("Labels", labelPairs(o.Labels))
	d.annotations("Annotations", o.Annotations)
	d.controller(&o.ObjectMeta)
	d.line("Replicas:\t%d current / %d desired", o.Status.Replicas, replicas(o.Spec.Replicas))
	d.podsStatus(&o.ObjectMeta, o.Spec.Selector)
	d.template(&o.Spec.Template)
	d.conditions(o.Status.Conditions)
}

// podsStatus adds how many pods of a controller there are in which phase.
func (d *description) podsStatus(m *api.ObjectMeta, selector *api.LabelSelector) {
	phases := map[string]int{}
	for _, p := range d.Cluster.All(api.KindPod) {
		if pod := p.(*api.Pod); pod.Namespace == m.Namespace && pod.IsControlledBy(m.UID) && selector.Matches(pod.Labels) {
			phases[pod.Status.Phase]++
		}
	}
	d.line("Pods Status:\t%d Running / %d Waiting / %d Succeeded / %d Failed",
		phases[api.PodRunning], phases[api.PodPending], phases[api.PodSucceeded], phases[api.PodFailed])
}

// controller adds who controls an object, if anybody does.
func (d *description) controller(m *api.ObjectMeta) {
	if ref := m.ControllerOf(); ref != nil {
		d.line("Controlled By:\t%s/%s", ref.Kind, ref.Name)
	}
}

func (d *description) quota(o *api.ResourceQuota) {
	d.line("Name:\t%s", o.Name)
	d.line("Namespace:\t%s", o.Namespace)
	d.add("Resource\tUsed\tHard\n--------\t----\t----")
	for _, name := range resourceNames(o.Status.Hard) {
		used, hard := o.Status.Used[name], o.Status.Hard[name]
		d.line("%s\t%s\t%s", name, used.String(), hard.String())
	}
}

// events adds the events about an object, the latest last. What the scheduler sends has no lastTimestamp and comes first.
func (d *description) events(o object) {
	m := o.Meta()
	var about []*event
	for _, e := range d.eventObjects() {
		if e.Object == o.Key() && e.first() >= m.CreationTimestamp {
			about = append(about, e)
		}
	}
	if len(about) == 0 {
		d.line("Events:\t%s", none)
		return
	}
	sort.SliceStable(about, func(i, j int) bool { return lastTimestamp(about[i]) < lastTimestamp(about[j]) })
	d.add("Events:\n  Type\tReason\tAge\tFrom\tMessage\n  ----\t------\t----\t----\t-------")
	for _, e := range about {
		message := strings.TrimSpace(e.Message)
		if pod, ok := o.(*api.Pod); ok {
			message = fieldPath(pod, e) + message
		}
		d.line("  %s\t%s\t%s\t%s\t%s", e.Type, e.Reason, e.interval(d.now), e.Source, message)
	}
}

// lastTimestamp returns the field of that name: who sends events by the newer API leaves it empty.
func lastTimestamp(e *event) api.Time {
	if e.Source == "default-scheduler" {
		return 0
	}
	return e.last()
}

// fieldPath names the container that an event of the kubelet is about.
//
// Simplified: the trace does not keep it. It is the only container, or the only one whose name or image the message has.
func fieldPath(pod *api.Pod, e *event) string {
	if e.Source != "kubelet" {
		return ""
	}
	if len(pod.Spec.Containers) == 1 && len(pod.Spec.InitContainers) == 0 {
		return "spec.containers{" + pod.Spec.Containers[0].Name + "}: "
	}
	path := ""
	for _, list := range [...]struct {
		name       string
		containers []api.Container
	}{{"initContainers", pod.Spec.InitContainers}, {"containers", pod.Spec.Containers}} {
		for i := range list.containers {
			c := &list.containers[i]
			if !strings.Contains(e.Message, `"`+c.Image+`"`) && !strings.Contains(e.Message+" ", " "+c.Name+" ") {
				continue
			}
			if path != "" {
				return ""
			}
			path = "spec." + list.name + "{" + c.Name + "}: "
		}
	}
	return path
}
