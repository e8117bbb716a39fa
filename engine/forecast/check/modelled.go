package check

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// rules are the rules that a workload's answers follow from.
type rules struct{ complete, available, peak, why string }

// rulesOf returns the rules for a kind and its strategy.
func rulesOf(o api.Object) rules {
	switch o := o.(type) {
	case *api.Deployment:
		if o.Spec.Strategy.Type == api.Recreate {
			return rules{"D-62", "D-58", "D-59", "Recreate removes all old pods before it creates new ones."}
		}
		return rules{"D-62", "D-53", "D-52", boundsOf(o.Spec.Strategy.RollingUpdate)}
	case *api.StatefulSet:
		if o.Spec.UpdateStrategy.Type == api.OnDelete {
			return rules{"S-16", "S-16", "S-14", "OnDelete waits for somebody to delete the pods."}
		}
		return rules{"S-17", "S-17", "S-14", "A pod is deleted before its replacement is created."}
	case *api.DaemonSet:
		if o.Spec.UpdateStrategy.Type == api.OnDelete {
			return rules{"DS-14", "DS-14", "DS-8", "OnDelete waits for somebody to delete the pods."}
		}
		return rules{"DS-13", "DS-10", "DS-12", boundsOf(o.Spec.UpdateStrategy.RollingUpdate)}
	}
	return rules{}
}

func boundsOf(r *api.RollingUpdateDeployment) string {
	return fmt.Sprintf("maxSurge %s, maxUnavailable %s.", r.MaxSurge, r.MaxUnavailable)
}

// notModelled lists everything that decides about a rollout and is not modelled. A verdict that depends on it is unknown.
func (c *Check) notModelled() (list []Finding) {
	unknown := func(key api.Key, text string) {
		list = append(list, Finding{Check: "modelled", Verdict: Unknown, Object: key.Title(), Text: text, Line: c.line(key)})
	}
	for _, key := range c.updated {
		for _, text := range append(c.deciders(c.now.Object(key)), c.domains(c.now.Object(key))...) {
			unknown(key, text)
		}
	}
	return append(list, customs(c.input.New, c.updated)...)
}

// limitRange names a LimitRange for the pods of a namespace, "" without one.
func (c *Check) limitRange(namespace string) string {
	for _, m := range c.around() {
		o, ok := m.Object.(*api.Stored)
		if ok && o.Namespace == namespace && scenario.LimitsPods(o.Kind, o.Fields) {
			return "LimitRange " + o.Name
		}
	}
	return ""
}

// runs are the kinds with a pod template or a target that are modelled, or that no rollout concerns.
var runs = []string{"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "PodTemplate", "HorizontalPodAutoscaler"}

// deciders lists the fields of a workload that decide about its rollout and are not modelled.
func (c *Check) deciders(o api.Object) (list []string) {
	spec := api.TemplateOf(o).Spec
	for _, g := range spec.ReadinessGates {
		if !c.input.Policy.saysGates() {
			list = append(list, "Readiness gate "+g.ConditionType+" decides when a pod is ready; say how long it takes with images: [{match: \"*\", gate: 10s}] in the policy.")
		}
	}
	scenario.NotModelled(o, func(_, text string) { list = append(list, text) })
	for _, m := range c.around() {
		if q, ok := m.Object.(*api.ResourceQuota); ok && q.Namespace == o.Key().Namespace {
			list = append(list, uncounted(q, o)...)
		}
	}
	if name := c.limitRange(o.Key().Namespace); name != "" {
		list = append(list, name+" sets what pods request, or refuses them; it is not modelled.")
	}
	if c.assumed == 0 {
		list = append(list, Devices(spec)...)
	}
	return list
}

// around lists the new manifests, and what an apply of them leaves.
func (c *Check) around() []scenario.Manifest {
	list := slices.Clone(c.now.Objects)
	for _, m := range c.was.Objects {
		if c.now.Object(m.Object.Key()) == nil {
			list = append(list, m)
		}
	}
	return list
}

// created are the objects beside pods that a rollout creates, as quotas count them.
var created = map[api.Kind]string{api.KindDeployment: "count/replicasets.apps", api.KindStatefulSet: "count/controllerrevisions.apps",
	api.KindDaemonSet: "count/controllerrevisions.apps"}

// ofClaims finds what quotas count of claims, also of a StorageClass.
var ofClaims = regexp.MustCompile(`^requests\.storage$|persistentvolumeclaims$|\.storageclass\.storage\.k8s\.io/`)

// uncounted lists what a quota counts of a workload, and the simulation does not.
func uncounted(q *api.ResourceQuota, o api.Object) (list []string) {
	spec := api.TemplateOf(o).Spec
	counted := apiserver.UsageOf(spec)
	set, _ := o.(*api.StatefulSet)
	for _, resource := range slices.Sorted(maps.Keys(q.Spec.Hard)) {
		takes := func(x api.Container) bool {
			return !x.Resources.Limits[strings.TrimPrefix(resource, "requests.")].IsZero()
		}
		_, known := counted[resource]
		claims := set != nil && len(set.Spec.VolumeClaimTemplates) > 0 && ofClaims.MatchString(resource)
		if claims || resource == created[o.Key().Kind] || !known && slices.ContainsFunc(spec.Containers, takes) {
			list = append(list, "ResourceQuota "+q.Name+" limits "+resource+", which is not modelled.")
		}
	}
	if spec.Affinity != nil && strings.Contains(string(api.JSON(q.Spec)), "CrossNamespacePodAffinity") {
		list = append(list, "ResourceQuota "+q.Name+" limits pods with an affinity to those of other namespaces, which is not modelled.")
	}
	return list
}

// Devices names requested resources that nodes have in numbers the simulation does not count.
func Devices(spec *api.PodSpec) (list []string) {
	for i := range spec.Containers {
		for name := range spec.Containers[i].Resources.Limits {
			if strings.Contains(name, "/") && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	for i, name := range list {
		list[i] = "The resource " + name + " decides where pods fit; it is not modelled."
	}
	return list
}

// documentsOf reads the documents of a text.
func documentsOf(text string) []api.Fields { return mapped(yamltext.Split(text), treeOf) }

// treeOf reads a document, nil if it cannot be read: the scenario's reader has judged it.
func treeOf(d *yamltext.Document) api.Fields {
	v, _ := d.Value()
	tree, _ := v.(map[string]any)
	return tree
}

// replicasOf returns the replicas that the manifest of a workload sets, -1 if it sets none.
func replicasOf(text string, key api.Key) int64 {
	for _, d := range documentsOf(text) {
		if n := d.Object("spec")["replicas"]; keyOf(d) == key && n != nil {
			return number(n)
		}
	}
	return -1
}
