package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/words"
)

// assumptions lists the assumptions behind the figures.
func (c *Check) assumptions() (list []string) {
	if len(c.input.Policy.Images) == 0 {
		list = append(list, "images are pulled in 1 to 3 s, start in 0.3 s and stop 1 s after SIGTERM; say otherwise with images: in the policy")
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
		list = append(list, "the update rolls out no new pods of "+words.Some(mapped(names, api.Key.Title))+", but changes what the next one depends on: "+
			"the next one is judged, with new images")
	}
	var unprobed, users []string
	graces, models := map[int64][]string{}, map[string][]string{}
	for _, key := range c.updated {
		spec, name := api.TemplateOf(c.object(key)).Spec, key.Title()
		if c.assumed > 0 && len(spec.TopologySpreadConstraints) > 0 {
			list = append(list, name+" spreads over a node label: they have three values of it")
		}
		if !slices.ContainsFunc(spec.Containers, func(x api.Container) bool { return x.ReadinessProbe != nil }) {
			unprobed = append(unprobed, name)
		}
		if uses(map[string]any(spec.Tree())) {
			users = append(users, name)
		}
		graces[spec.TerminationGracePeriodSeconds] = append(graces[spec.TerminationGracePeriodSeconds], name)
		if model := c.modelOf(key); model != "" {
			models[model] = append(models[model], name)
		}
	}
	for _, model := range slices.Sorted(maps.Keys(models)) {
		names := models[model]
		list = append(list, words.Some(names)+words.Verb(len(names), " gets ", " get ")+model)
	}
	for _, grace := range slices.Sorted(maps.Keys(graces)) {
		list = append(list, fmt.Sprintf("a pod is killed %d s after its deletion, if it has not stopped by then: %s", grace, words.Some(graces[grace])))
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
