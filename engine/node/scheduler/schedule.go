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
	owner := s.owner(pod)
	p := s.ledger.candidate(pod)
	n := s.ledger.choose(p, owner)
	if n == nil {
		message = s.ledger.whyNot(p)
		if message != before {
			s.refuse(pod, message)
		}
		return message
	}
	reason := whyBound
	if p.marks.any() {
		reason = whyScored
	}
	s.client.Must(nil, s.client.Bind(key, n.object.Name, n.bound, reason))
	s.ledger.take(pod, n.object.Name, owner)
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

// choose returns the best node that fits, nil if there is none (G-34): the one with the highest score for spread constraints and
// preferred pods, if the candidate has any, then the one with the fewest pods of the same owner, then with the smallest part of its
// cpu requested, then by name. For a pod of web:
//
//	a  2 of web, cpu 1 of 4     no, the second pod of web counts more than any cpu
//	b  1 of web, cpu 3 of 4     no, 3/4 of the cpu
//	c  1 of web, cpu 1 of 2     yes, 1/2
//	d  1 of web, cpu 2 of 4     no, 1/2 as well, but later by name
func (l *ledger) choose(p *candidate, owner string) *node {
	if l.mark(p); p.marks.any() {
		return l.chooseByScore(p, owner)
	}
	spread := l.spread(owner)
	var best *node
	for _, n := range l.named(p) {
		breath.Often()
		if l.fits(p, n) && (best == nil || n.betterThan(best, spread)) {
			best = n
		}
	}
	return best
}

// chooseByScore is choose for a candidate with marks.
func (l *ledger) chooseByScore(p *candidate, owner string) *node {
	var fit []*node
	for _, n := range l.named(p) {
		breath.Often()
		if l.fits(p, n) {
			fit = append(fit, n)
		}
	}
	spread, scores := l.spread(owner), p.marks.scores(fit)
	best := -1
	for i, n := range fit {
		if best < 0 || scores[i] > scores[best] || scores[i] == scores[best] && n.betterThan(fit[best], spread) {
			best = i
		}
	}
	if best < 0 {
		return nil
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

// betterThan says whether a node is better than the best of those before it by name.
func (n *node) betterThan(best *node, owner *spread) bool {
	if a, b := owner.on(n), owner.on(best); a != b {
		return a < b
	}
	return n.cpuFraction() < best.cpuFraction()
}

func (n *node) cpuFraction() float64 {
	if n.has.cpu == 0 {
		return 0
	}
	return float64(n.used.cpu) / float64(n.has.cpu)
}

func (n *node) roomFor(need amounts) bool {
	return enough(n.has.pods, n.used.pods, need.pods) && enough(n.has.cpu, n.used.cpu, need.cpu) &&
		enough(n.has.memory, n.used.memory, need.memory)
}

// enough says whether a need fits into what is left. A need of 0 always fits, also into an overcommitted node.
func enough(has, used, need int64) bool { return has == 0 || need == 0 || used+need <= has }
