package scheduler

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
)

// schedule binds a pod to a node, or returns the message why it fits none; before is the message of the last try. It returns ""
// if nothing is left to do for the pod.
func (s *Scheduler) schedule(key api.Key, before string) (message string) {
	pod, ok := s.store.Get(key).(*api.Pod)
	if !ok || pod.NodeName != "" || pod.Terminating() || pod.Finished() {
		return ""
	}
	p := s.ledger.candidate(pod)
	n := s.ledger.choose(p)
	if n == nil {
		message = s.ledger.whyNot(p)
		if message != before {
			s.refuse(pod, message)
		}
		return message
	}
	s.client.Must(nil, s.client.Bind(key, n.object.Name, n.bound, whyBound))
	s.ledger.take(pod, n.object.Name)
	s.client.Event(key, "Normal", "Scheduled", "Successfully assigned "+pod.Namespace+"/"+pod.Name+" to "+n.object.Name)
	return ""
}

// refuse reports that a pod fits no node (G-32).
//
// Simplified: a retry that fails for the same reason sends no other event.
func (s *Scheduler) refuse(pod *api.Pod, message string) {
	c := pod.CopyForStatus()
	c.Status.Conditions = api.SetPodCondition(c.Status.Conditions,
		api.Condition{Type: "PodScheduled", Status: "False", Reason: "Unschedulable", Message: message}, s.client.Timestamp())
	s.client.Must(s.client.UpdateStatus(c, "fits no node", whyUnschedulable))
	s.client.Event(pod.Key(), "Warning", "FailedScheduling", message)
}

// choose returns the best node that fits, nil if there is none (G-34): the one with the highest score, of equal ones the first by name.
func (l *ledger) choose(p *candidate) *node {
	fit := l.fit[:0]
	for _, n := range l.named(p) {
		breath.Often()
		if reasons, _ := l.refusals(p, n); len(reasons) == 0 {
			fit = append(fit, n)
		}
	}
	if l.fit = fit; len(fit) == 0 {
		return nil
	}
	best := 0
	if len(fit) > 1 {
		scores := l.scores(p, fit)
		for i := range scores {
			if scores[i] > scores[best] {
				best = i
			}
		}
	}
	return fit[best]
}

// named returns the nodes that a candidate may go to by their names, in the order of the names: of a DaemonSet's pod it is one.
func (l *ledger) named(p *candidate) []*node {
	if len(p.names) != 1 {
		return l.nodes()
	}
	if n := l.byName[p.names[0]]; n != nil && n.present {
		return []*node{n}
	}
	return nil
}

// enough says whether a need fits into what is left. A need of 0 always fits, also into an overcommitted node.
func enough(has, used, need int64) bool { return has == 0 || need == 0 || used+need <= has }
