package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/words"
)

// checkForcedRollback finds the trap of S-22: the template is fixed, but a pod of the broken one is never Ready, so its ordinal
// blocks all others, and the StatefulSet does not replace it.
func (p *patient) checkForcedRollback(s *symptom) bool {
	set := p.o.(*api.StatefulSet)
	if !p.ordered() {
		return false
	}
	for _, pod := range p.pods {
		if pod.set == p.current || !p.hopeless(pod) {
			continue
		}
		if _, ordinal := past.OrdinalOf(pod.Name); p.held(set)+set.Start() > ordinal {
			continue // it would be created again from the same template
		}
		s.Text = fmt.Sprintf("Pod %s is of %s and was never Ready, but the StatefulSet wants %s. OrderedReady touches no other pod "+
			"until this one is Ready (S-14), and does not replace it either.", pod.Name, pod.set.revisionName(), p.current.revisionName())
		s.Next = "Nothing happens until somebody deletes the pod."
		s.Fix = []Fix{{"Delete the pod; it is created again from the new template", p.command("delete pod %s", pod.Name)}}
		return true
	}
	return false
}

// hopeless says whether a pod of a StatefulSet was never Ready and cannot become Ready by itself, as far as anybody can see. For one
// that fits no node, a new one is no better unless the present template asks for something else.
func (p *patient) hopeless(pod podOf) bool {
	_, ended := crashes(pod.Pod)
	homeless := unschedulable(pod.Pod) != nil && !asksAlike(pod.set.Template().Spec, api.TemplateOf(p.o).Spec)
	return (pod.state == past.PodImageError || ended > 1 || homeless || p.unreadyOf(pod.Pod).late) &&
		!pod.Terminating() && p.count(pod.Pod, func(_, now *api.Pod, _ int64) bool { return now.IsReady() }).times == 0
}

// lost returns the condition that says that the node of a pod is lost, nil if it is not (G-41).
func (p *patient) lost(pod podOf) *api.Condition {
	node, ok := p.past.ObjectAt(api.Key{Kind: api.KindNode, Name: pod.NodeName}, p.record).(*api.Node)
	if !ok {
		return nil
	}
	if c := api.FindCondition(node.Status.Conditions, "Ready"); c != nil && c.Status == "Unknown" {
		return c
	}
	return nil
}

// checkLostNodes finds pods on nodes whose kubelets have stopped reporting (G-41): they count as not Ready; their
// future depends on the kind of the workload (G-43, G-44).
func (p *patient) checkLostNodes(s *symptom) bool {
	var names []string
	pods := 0
	for _, o := range p.past.Objects(api.KindNode, p.record) {
		node := o.Meta().Name
		if on := p.podsWhere(func(pod podOf) bool { return pod.NodeName == node && p.lost(pod) != nil }); len(on) > 0 {
			pods += len(on)
			names = append(names, node)
			s.since = earliest(s.since, p.lost(on[0]).LastTransitionTime.Milli())
		}
	}
	if pods == 0 {
		return false
	}
	s.Text = fmt.Sprintf("%s %s on %s, whose kubelet has stopped reporting: %s not Ready, whatever the containers do (G-42).",
		words.Plural(pods, "pod"), words.Verb(pods, "is", "are"), strings.Join(names, ", "), words.Verb(pods, "it counts as", "they count as"))
	switch p.key.Kind {
	case api.KindDeployment:
		s.Next = "After tolerationSeconds, 300 by default, the pods are deleted and replaced at once (G-43, G-44)."
		if p.d.Spec.Strategy.Type == api.Recreate && p.updated == 0 {
			s.gravity = stuck
			s.Next = "Recreate starts no new pod until they are gone (D-59): even when they are deleted, they stay until the node is back or gone (G-44)."
			s.Fix = []Fix{{"Remove the node, if it will not come back", p.command("delete node %s", names[0])}}
		}
	case api.KindStatefulSet:
		s.gravity = stuck
		s.Next = "After tolerationSeconds the pod is marked for deletion, but it keeps its name until the node is back or gone: no replacement comes (S-23)."
		s.Fix = []Fix{{"Remove the node, if it will not come back", p.command("delete node %s", names[0])}}
	case api.KindDaemonSet:
		s.gravity = noted
		s.Next = "Daemon pods stay on a lost node (DS-5), and the node does not count until it is back (DS-6)."
		if p.heldUp(pods) {
			s.gravity = stuck
			s.Next = "These pods count as unavailable, and no more may be: no old pod is deleted until the node is back or gone (DS-10)."
			s.Fix = []Fix{{"Remove the node, if it will not come back", p.command("delete node %s", names[0])}}
		}
	}
	return true
}

// heldUp says whether the pods on lost nodes are as many as may be unavailable: then an update of a DaemonSet deletes nothing more.
func (p *patient) heldUp(lost int) bool {
	i := past.FrameAfter(p.past.Frames(p.key.String()), p.record)
	if i < 0 || p.onDelete() || p.updated >= p.desired {
		return false
	}
	f := &p.past.Frames(p.key.String())[i]
	return f.Upper == f.Desired && lost >= f.Desired-f.Lower
}

// checkOnDelete finds old pods that the strategy OnDelete leaves to the user (S-16, DS-14).
func (p *patient) checkOnDelete(s *symptom) bool {
	s.Rule = "S-16"
	if p.key.Kind == api.KindDaemonSet {
		s.Rule = "DS-14"
	}
	i := slices.IndexFunc(p.pods, func(pod podOf) bool { return pod.set != p.current && pod.state != past.PodTerminating })
	if !p.onDelete() || i < 0 {
		return false
	}
	old := p.total - p.updated
	s.since, s.Next = p.specSince(), "Nothing happens until a pod is deleted."
	s.Text = fmt.Sprintf("%s %s an earlier template. Under OnDelete, a pod gets the new one only after it is deleted.",
		words.Plural(old, "pod"), words.Verb(old, "has", "have"))
	s.Fix = []Fix{{"Delete one of them", p.command("delete pod %s", p.pods[i].Name)}}
	return true
}

// checkPartition says where an update stops on purpose (S-17).
func (p *patient) checkPartition(s *symptom) bool {
	set := p.o.(*api.StatefulSet)
	if p.held(set) == 0 || p.updated == p.total || p.current == nil {
		return false
	}
	s.Text = fmt.Sprintf("partition is %d: pods from %s-%d up get the new template; those below keep the earlier one, even if "+
		"they are deleted (S-21).", set.Partition(), p.key.Name, set.Partition()+set.Start())
	s.Next = "Nothing more happens until the partition is lowered."
	s.Fix = []Fix{{"Update all", p.command(`patch statefulset %s -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}'`, p.key.Name)}}
	return true
}

// leaving returns the pods that will soon be gone.
func (p *patient) leaving() []podOf {
	return p.podsWhere(func(pod podOf) bool { return pod.state == past.PodTerminating && p.lost(pod) == nil })
}

// checkTurn finds the pod that must be gone before its replacement can be created.
func (p *patient) checkTurn(s *symptom) bool {
	pods := p.leaving()
	if p.d != nil || len(pods) == 0 {
		return false
	}
	why := "its replacement has the same name and waits until it is gone"
	if p.key.Kind == api.KindDaemonSet {
		s.Rule, why = "DS-8", "its node gets a new pod when it is gone"
	}
	if p.total >= p.desired {
		why = "no new pod waits for that"
	}
	if p.complete {
		s.title = "a pod is still terminating"
	}
	s.Text = fmt.Sprintf("Pod %s is terminating: %s. Its grace period ends %s.", pods[0].Name, why,
		p.inWords(pods[0].DeletionTimestamp.Milli()+1000))
	return true
}

// checkBudgets finds each budget that allows no eviction, so that a drain would wait (P-12).
func (p *patient) checkBudgets(usual *symptom) bool {
	budgets := p.past.Budgets(p.key.String())
	if p.checkSeveralBudgets(budgets, usual) {
		return false
	}
	for _, b := range budgets {
		now, ok := b.At(p.record)
		if !ok || now.Allowed > 0 || now.Expected == 0 {
			continue
		}
		s := *usual
		pdb := p.budget(b.Name)
		what := "no eviction"
		if policy := pdb.Spec.UnhealthyPodEvictionPolicy; policy != nil && *policy == api.AlwaysAllow {
			what = "no eviction of a Ready pod"
		}
		s.Text = fmt.Sprintf("PodDisruptionBudget %s allows %s: %d healthy − %d that must be = %d.", b.Name, what, now.Current, now.Desired,
			now.Current-now.Desired)
		s.Next = "A drain tries again every 5s (P-21); rollouts do not ask the budget (P-14)."
		if now.Current >= max(now.Expected, p.desired) && p.key.Kind != api.KindDaemonSet { // a number expects what exists (P-3)
			s.Next = "Even with every pod healthy it allows none, so a drain never finishes. " + s.Next
			s.Fix = p.allowEvictions(pdb)
		}
		p.find(&s)
	}
	return false
}

// checkSeveralBudgets finds that pods have more than one budget. A drain leaves those of a DaemonSet alone.
func (p *patient) checkSeveralBudgets(budgets []past.Budget, usual *symptom) bool {
	var names []string
	for _, b := range budgets {
		now, ok := b.At(p.record)
		if ok && now.Expected > 0 && p.budget(b.Name).Spec.Selector.Matches(api.TemplateOf(p.o).Labels) {
			names = append(names, b.Name)
		}
	}
	if len(names) < 2 || p.key.Kind == api.KindDaemonSet {
		return false
	}
	s := *usual
	s.Text = fmt.Sprintf("PodDisruptionBudgets %s select the same pods.", strings.Join(names, ", "))
	s.Next = "A drain fails at once (P-10); rollouts do not ask the budget (P-14)."
	s.Fix = []Fix{{"Keep one budget", p.command("delete pdb %s", strings.Join(names[1:], " "))}}
	p.find(&s)
	return true
}

// budget returns a PodDisruptionBudget beside the workload.
func (p *patient) budget(name string) *api.PodDisruptionBudget {
	key := api.Key{Kind: api.KindPodDisruptionBudget, Namespace: p.key.Namespace, Name: name}
	pdb, _ := p.past.ObjectAt(key, p.record).(*api.PodDisruptionBudget)
	return pdb
}

// allowEvictions returns the fixes for a budget that allows no eviction even if every pod is healthy: one more pod than it demands, or
// a budget that demands one less. Both keep the budget.
func (p *patient) allowEvictions(pdb *api.PodDisruptionBudget) (fixes []Fix) {
	spec := `{"spec":{"maxUnavailable":1}}`
	if least := pdb.Spec.MinAvailable; least != nil {
		spec = `{"spec":{"minAvailable":null,"maxUnavailable":1}}`
		if !least.IsString && !p.sized() {
			fixes = append(fixes, Fix{"Run one more pod than the budget demands", p.scale(least.Int + 1)})
		}
	}
	return append(fixes, Fix{"Let one pod be missing", p.command("patch pdb %s -p '%s'", pdb.Name, spec)})
}
