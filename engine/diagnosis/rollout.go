package diagnosis

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/words"
)

// unlessFixed describes the future of a stuck rollout: the retries, and when the deadline is reported, one second after it has
// passed (D-66).
func (p *patient) unlessFixed(retries string) string {
	if retries != "" {
		retries += " "
	}
	if p.d == nil {
		return retries + "A " + string(p.key.Kind) + " has no deadline, and nothing is rolled back."
	}
	c := api.FindCondition(p.d.Status.Conditions, "Progressing")
	switch {
	case c == nil || *p.d.Spec.ProgressDeadlineSeconds == math.MaxInt32 || c.Reason == "DeploymentPaused":
		return retries + "No deadline runs, and nothing is rolled back."
	case c.Reason == "ProgressDeadlineExceeded":
		return retries + "The deadline has passed, and nothing is rolled back."
	case c.Reason == "NewReplicaSetAvailable":
		return retries + "No deadline runs once a rollout has been complete, and nothing is rolled back."
	}
	at := c.LastUpdateTime.Milli() + 1000*int64(*p.d.Spec.ProgressDeadlineSeconds) + 1000
	when := "In " + p.left(at)
	if at <= p.t {
		when = "At any moment"
	}
	return retries + when + " Progressing becomes False/ProgressDeadlineExceeded; nothing is rolled back."
}

// checkDeadline finds that the deadline has passed (D-64).
func (p *patient) checkDeadline(s *symptom) bool {
	c := api.FindCondition(p.d.Status.Conditions, "Progressing")
	if c == nil || c.Reason != "ProgressDeadlineExceeded" || p.d.Status.ObservedGeneration < p.d.Generation {
		return false // or it concerns an earlier spec
	}
	s.slow, s.since = true, p.segment("Progressing").From
	s.Text = fmt.Sprintf("There was no progress for %ds (progressDeadlineSeconds): %d of %d are updated, %d available.",
		*p.d.Spec.ProgressDeadlineSeconds, p.updated, p.desired, p.available)
	s.Next = "This is only a report: nothing is rolled back, and the rollout still succeeds once the cause is gone."
	s.Fix = p.undo()
	return true
}

// checkPaused finds a pause, which blocks a new template (D-25).
func (p *patient) checkPaused(s *symptom) bool {
	if !p.d.Spec.Paused {
		return false
	}
	s.Next = "Until it is resumed, it only scales; no deadline runs (D-24)."
	s.Fix = []Fix{{"Resume it", p.command("rollout resume deployment/%s", p.key.Name)}}
	if x := p.segment("Progressing"); x != nil && x.Reason == "DeploymentPaused" {
		s.since = x.From
	}
	switch {
	case len(p.sets) == 0:
		s.Text = "The Deployment was created paused: it has no ReplicaSet, and no pods."
	case p.current == nil:
		s.Text = "The Deployment is paused, and a new template waits: it has no ReplicaSet yet."
	case p.rolling():
		s.Text = fmt.Sprintf("The Deployment is paused in the middle of a rollout: %d of %s are updated.",
			p.updated, words.Plural(p.total, "pod"))
	default:
		s.gravity, s.Text = noted, "The Deployment is paused: a new template would wait; scaling still works."
	}
	return true
}

// checkStaleNote finds the trap of D-27: a ReplicaSet has the right size, but its annotation names another one. Then every
// sync only scales, and a new template is never rolled out. Scaled by hand from 1 to 2 before its Deployment, a ReplicaSet
// keeps desired-replicas 1: as its size is 2 already, no sync writes the annotation.
func (p *patient) checkStaleNote(s *symptom) bool {
	sized := slices.DeleteFunc(slices.Clone(p.sets), func(rs *generation) bool { return rs.size == 0 })
	if len(sized) != 1 {
		return false
	}
	only, desired := sized[0], *p.d.Spec.Replicas
	if only.size != int(desired) || p.d.Spec.Paused || p.d.Status.ObservedGeneration < p.d.Generation {
		return false
	}
	note := only.Set.Annotations[api.DesiredReplicasAnnotation]
	if n, err := strconv.ParseUint(note, 10, 31); err != nil || int32(n) == desired {
		return false
	}
	s.Next = "Nothing happens on its own."
	s.Text = fmt.Sprintf("ReplicaSet %s has size %d, which is right, but its annotation %s says %s. While the two differ, "+
		"every sync only scales; the size is right, so it does nothing, and a new template never rolls out.",
		only.Name, desired, api.DesiredReplicasAnnotation, note)
	s.Fix = []Fix{
		{fmt.Sprintf("Scale to another size, %d, which rewrites the annotation", desired+1), p.scale(desired + 1)},
		{"Fix the annotation", p.command("annotate rs/%s %s=%d --overwrite", only.Name, api.DesiredReplicasAnnotation, desired)}}
	if only == p.current {
		s.gravity, s.title = noted, "but a stale annotation would block a new template"
	}
	return true
}

// checkTermination finds that Recreate waits for the last old pod to be gone (D-59).
func (p *patient) checkTermination(s *symptom) bool {
	if p.d.Spec.Strategy.Type != api.Recreate || p.updated > 0 {
		return false
	}
	old, last := 0, int64(unknown)
	for _, pod := range p.pods {
		if pod.set != p.current {
			if p.lost(pod) != nil {
				return false // nobody knows when it is gone
			}
			if old++; pod.Terminating() {
				last = max(last, pod.DeletionTimestamp.Milli()+1000) // a timestamp has whole seconds
			}
		}
	}
	if old == 0 || last == unknown {
		return false
	}
	s.Text = fmt.Sprintf("%s %s still terminating. Recreate starts no new pod until the last old one is gone, %s at the latest: then their grace period ends.",
		words.Plural(old, "old pod"), words.Verb(old, "is", "are"), p.inWords(last))
	return true
}

// checkRoom says why a rolling update does not take its next step: no pod can be added (D-52), and none removed (D-53).
func (p *patient) checkRoom(s *symptom) bool {
	if p.current == nil || p.d.Spec.Strategy.Type != api.RollingUpdate || p.d.Spec.Paused || !p.rolling() {
		return false
	}
	desired := int(*p.d.Spec.Replicas)
	surge, unavailable := deployment.Bounds(p.d)
	upper, lower := desired+int(surge), desired-int(unavailable)
	missing := p.current.size - p.current.ready
	if p.sizes() < upper && p.current.size < desired || p.sizes()-lower-missing > 0 {
		return false
	}
	s.Next = "The next new pod that becomes available makes room."
	s.Text = fmt.Sprintf("No pod can be added: the ReplicaSets add up to %d of at most %d. None can be removed: "+
		"%d − %d that must be available − %d new, not yet available = %d.",
		p.sizes(), upper, p.sizes(), lower, missing, p.sizes()-lower-missing)
	return true
}
