package scheduler

import "github.com/rollplay/rollplay/engine/api"

// schedule binds a pod to a node, or says in the API's words why it cannot, and that it could not before. It returns
// "" if there is nothing more to do for the pod.
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
	if err := s.client.Bind(key, n.object.Name, n.bound, whyBound); err != nil {
		panic("scheduler: " + err.Error()) // the pod was read in this very moment
	}
	s.ledger.take(pod, n.object.Name, owner)
	s.client.Event(key, "Normal", "Scheduled", "Successfully assigned "+pod.Namespace+"/"+pod.Name+" to "+n.object.Name)
	return ""
}

// refuse tells a pod that no node fits (G-32).
//
// Simplified: a retry that fails for the same reason sends no further event.
func (s *Scheduler) refuse(pod *api.Pod, message string) {
	c := pod.CopyForStatus()
	c.Status.Conditions = api.SetPodCondition(c.Status.Conditions,
		api.Condition{Type: "PodScheduled", Status: "False", Reason: "Unschedulable", Message: message}, s.client.Timestamp())
	if _, err := s.client.UpdateStatus(c, "fits no node", whyUnschedulable); err != nil {
		panic("scheduler: " + err.Error()) // the pod was read in this very moment
	}
	s.client.Event(pod.Key(), "Warning", "FailedScheduling", message)
}

// choose returns the best node that fits, nil if none does (G-34).
func (l *ledger) choose(p *candidate, owner string) *node {
	spread := l.spread(owner)
	var best *node
	for _, n := range l.nodes {
		if l.fits(p, n) && (best == nil || n.before(best, spread)) {
			best = n
		}
	}
	return best
}

// before says whether a node is a better choice than one whose name is smaller.
func (n *node) before(best *node, owner *spread) bool {
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

// enough says whether something fits that is needed; nothing needed always fits.
func enough(has, used, need int64) bool { return has == 0 || need == 0 || used+need <= has }
