package describe

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

func (d *description) deployment(o *api.Deployment) {
	d.head(o)
	d.line("CreationTimestamp:\t%s", date(o.CreationTimestamp))
	d.labelled(o)
	d.line("Selector:\t%s", print.SelectorText(o.Spec.Selector))
	s := &o.Status
	d.line("Replicas:\t%d desired | %d updated | %d total | %d available | %d unavailable",
		print.Given(o.Spec.Replicas), s.UpdatedReplicas, s.Replicas, s.AvailableReplicas, s.UnavailableReplicas)
	d.line("StrategyType:\t%s", o.Spec.Strategy.Type)
	d.line("MinReadySeconds:\t%d", o.Spec.MinReadySeconds)
	if u := o.Spec.Strategy.RollingUpdate; u != nil {
		d.line("RollingUpdateStrategy:\t%s max unavailable, %s max surge", u.MaxUnavailable, u.MaxSurge)
	}
	d.template(&o.Spec.Template)
	d.progress(s.Conditions)
	d.replicaSets(o)
}

// replicaSets adds the old ReplicaSets of a Deployment and the new one, the oldest that has its template (D-32).
func (d *description) replicaSets(o *api.Deployment) {
	sets := OwnedSets(d.Cluster, o)
	if len(sets) == 0 {
		return
	}
	var newSet, oldSets []string
	for _, rs := range sets {
		text := fmt.Sprintf("%s (%d/%d replicas created)", rs.Name, rs.Status.Replicas, print.Given(rs.Spec.Replicas))
		if newSet == nil && rs.Spec.Template.EqualIgnoreHash(&o.Spec.Template) {
			newSet = []string{text}
		} else {
			oldSets = append(oldSets, text)
		}
	}
	d.line("OldReplicaSets:\t%s", print.OrNone(strings.Join(oldSets, ", ")))
	d.line("NewReplicaSet:\t%s", print.OrNone(strings.Join(newSet, ", ")))
}

// OwnedSets returns the ReplicaSets that a Deployment controls, the oldest first.
func OwnedSets(c Cluster, d *api.Deployment) []*api.ReplicaSet {
	sets := api.Pick(slices.Values(c.All(api.KindReplicaSet)), func(rs *api.ReplicaSet) bool {
		return rs.Namespace == d.Namespace && rs.IsControlledBy(d.UID)
	})
	sort.SliceStable(sets, func(i, j int) bool { return deployment.ByCreation(sets[i], sets[j]) < 0 })
	return sets
}

func (d *description) replicaSet(o *api.ReplicaSet) {
	d.head(o)
	d.line("Selector:\t%s", print.SelectorText(o.Spec.Selector))
	d.labelled(o)
	d.controller(&o.ObjectMeta)
	d.line("Replicas:\t%d current / %d desired", o.Status.Replicas, print.Given(o.Spec.Replicas))
	d.podsStatus(&o.ObjectMeta, o.Spec.Selector)
	d.template(&o.Spec.Template)
	d.progress(o.Status.Conditions)
}

// podsStatus adds how many pods of a controller there are in which phase.
func (d *description) podsStatus(m *api.ObjectMeta, selector *api.LabelSelector) {
	phases := map[string]int{}
	for _, p := range d.All(api.KindPod) {
		if pod := p.(*api.Pod); pod.Namespace == m.Namespace && pod.IsControlledBy(m.UID) && selector.Matches(pod.Labels) {
			phases[pod.Status.Phase]++
		}
	}
	d.line("Pods Status:\t%d Running / %d Waiting / %d Succeeded / %d Failed",
		phases[api.PodRunning], phases[api.PodPending], phases[api.PodSucceeded], phases[api.PodFailed])
}

// controller adds the controller of an object, if it has one.
func (d *description) controller(m *api.ObjectMeta) {
	if ref := m.ControllerOf(); ref != nil {
		d.line("Controlled By:\t%s/%s", ref.Kind, ref.Name)
	}
}

// progress adds the conditions of a Deployment or a ReplicaSet.
func (d *description) progress(list []api.Condition) {
	d.conditions("Conditions:\n  Type\tStatus\tReason\n  ----\t------\t------", list, func(c *api.Condition) {
		d.line("  %s \t%s\t%s", c.Type, c.Status, c.Reason)
	})
}
