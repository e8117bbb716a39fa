package diagnosis

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/words"
)

// unschedulable returns the condition that says that a pod fits no node, nil if the pod has none (G-32).
func unschedulable(pod *api.Pod) *api.Condition {
	c := api.FindCondition(pod.Status.Conditions, "PodScheduled")
	if c == nil || c.Status != "False" || c.Reason != "Unschedulable" || pod.Terminating() {
		return nil
	}
	return c
}

// checkNodes finds pods that fit no node.
func (p *patient) checkNodes(s *symptom) bool {
	pods := p.podsWhere(func(pod podOf) bool { return unschedulable(pod.Pod) != nil })
	if len(pods) == 0 {
		return false
	}
	why := unschedulable(pods[0].Pod)
	s.since = why.LastTransitionTime.Milli()
	s.Text = podsOfAny(pods) + " " + words.Verb(len(pods), "fits", "fit") + " no node: " + why.Message
	s.Next = p.unlessFixed("The scheduler retries when a pod is gone or a node changes (G-33).")
	s.Fix = p.undoUpdate(pods...)
	if p.fit(pods) {
		s.Fix = append(s.Fix, p.scaleTo(p.total-len(pods))...)
	}
	return true
}

// fit says whether for each of some pods there is one on a node that asks the scheduler for the same.
func (p *patient) fit(pods []podOf) bool {
	placed := specsOf(p.podsWhere(func(pod podOf) bool { return pod.NodeName != "" }))
	return !slices.ContainsFunc(specsOf(pods), func(s *api.PodSpec) bool {
		return !slices.ContainsFunc(placed, func(o *api.PodSpec) bool { return asksAlike(o, s) })
	})
}

// specsOf lists the specs of some pods once: those of one template share theirs.
func specsOf(pods []podOf) (specs []*api.PodSpec) {
	seen := map[*api.PodSpec]bool{}
	for _, pod := range pods {
		if !seen[pod.Spec] {
			specs, seen[pod.Spec] = append(specs, pod.Spec), true
		}
	}
	return specs
}

// asksAlike says whether two pods ask the scheduler for the same.
func asksAlike(a, b *api.PodSpec) bool {
	asks := func(s *api.PodSpec) []any { return []any{s.Needs(), s.NodeSelector, s.Affinity, s.Tolerations} }
	return a == b || reflect.DeepEqual(asks(a), asks(b))
}

// checkCreation finds that the API server rejects pods, usually because of a quota. StatefulSets and DaemonSets have no such
// condition (S-32, DS-9): their last events tell.
func (p *patient) checkCreation(s *symptom) bool {
	if p.d == nil {
		message, soon := "", len(p.leaving()) > 0 // they may make room in the quota
		for _, r := range slices.Backward(p.past.Records()[:p.record+1]) {
			if p.total >= p.desired || soon || r.Object == p.key && r.Reason != "" && r.Reason != "FailedCreate" {
				break
			}
			if r.Object == p.key && r.Reason != "" {
				s.since, message = r.At, cmp.Or(message, r.What)
			}
		}
		return message != "" && p.rejected(s, p.key.Kind, p.key.Name, p.total, p.desired, message)
	}
	for _, rs := range p.sets {
		c := api.FindCondition(rs.Set.Status.Conditions, "ReplicaFailure")
		if c == nil || c.Status != "True" {
			continue
		}
		s.since = c.LastTransitionTime.Milli()
		if x := p.segment("ReplicaFailure"); x != nil && x.Status == "True" {
			s.since = x.From
		}
		own := p.podsWhere(func(pod podOf) bool { return pod.set == rs && pod.state != past.PodTerminating })
		s.Fix = p.undoUpdate()
		return p.rejected(s, api.KindReplicaSet, rs.Name, len(own), rs.size, c.Message)
	}
	return false
}

// rejected completes the symptom of an owner whose pods are rejected.
func (p *patient) rejected(s *symptom, kind api.Kind, owner string, has, size int, message string) bool {
	s.Text = fmt.Sprintf("%s %s has %d of its %s: %s", kind, owner, has, words.Plural(size, "pod"), message)
	s.Next = p.unlessFixed(fmt.Sprintf("The %s controller retries with growing delays, up to 16m40s (H-5); it is not notified when the cause is gone (R-23).", kind))
	name := quotaIn(message)
	if name == "" {
		return true
	}
	s.ID, s.title, s.Rule = "quota", "quota "+name+" is used up", "G-50"
	without := p.withoutQuota(name)
	if len(s.Fix) > 0 && len(without) > 0 && p.total < p.desired { // an undo needs pods, too
		s.Fix = without
	} else {
		s.Fix = append(append(s.Fix, p.scaleTo(p.total)...), without...)
	}
	return true
}

// withoutQuota returns the command that removes a quota, nil if it is gone already. Nobody tells the ReplicaSet controller, but it
// sees the ReplicaSets that a restart changes. A restart of others would replace every pod: they try again.
func (p *patient) withoutQuota(name string) []Fix {
	if !slices.ContainsFunc(p.quotas, func(q *api.ResourceQuota) bool { return q.Name == name }) {
		return nil
	}
	line := p.command("delete resourcequota %s", name)
	if p.d == nil || p.paused() {
		return []Fix{{"Remove the quota", line}}
	}
	return []Fix{{"Remove the quota and restart", line + " && " + p.command("rollout restart %s", p.target())}}
}

// quotaIn returns the quota that an error message names, "" if it is about something else.
func quotaIn(message string) string {
	_, rest, _ := strings.Cut(message, "exceeded quota: ")
	name, _, _ := strings.Cut(rest, ",")
	return name
}

// checkRefused finds that the last command was rejected: nothing has changed, which is easy to overlook.
func (p *patient) checkRefused(s *symptom) bool {
	i := p.past.LastInput(p.record)
	if i < 0 {
		return false
	}
	rec := p.past.Records()[i]
	names := func(word string) bool { return word == p.key.Name || strings.HasSuffix(word, "/"+p.key.Name) }
	if !rec.Failed || !strings.HasPrefix(rec.Command, "kubectl apply") && !slices.ContainsFunc(strings.Fields(rec.Command), names) {
		return false
	}
	s.since, s.Next = rec.At, "Nothing has changed."
	for j := i + 1; j <= p.record && p.past.At(j) == rec.At; j++ {
		if wrote := p.past.Records()[j].Object; p.past.Cause(j) == i && p.past.LastWrite(wrote.String(), j) == j {
			if wrote == p.key {
				return false // it was about something else
			}
			s.Next = "The rest of it was done."
		}
	}
	s.Text = fmt.Sprintf("%s ago this was rejected: %s\n%s", p.ago(rec.At), rec.Command, withoutWarnings(rec.What))
	switch {
	case strings.Contains(rec.What, "spec.selector") && strings.Contains(rec.What, "field is immutable"):
		s.Rule = "D-16"
		s.Next += " The selector of a Deployment is immutable. To change it, delete the Deployment and apply it again, " +
			"which causes an outage. No single command does that."
	case strings.Contains(rec.What, "may not be 0 when `maxSurge` is 0"):
		s.Rule = "D-8"
		s.Next += " With no pod extra and no pod missing, a rollout could never move: set one of the two to at least 1."
	}
	return true
}

// withoutWarnings returns an answer of kubectl without its leading warnings.
func withoutWarnings(answer string) string {
	for strings.HasPrefix(answer, "Warning: ") {
		_, rest, more := strings.Cut(answer, "\n")
		if !more {
			break
		}
		answer = rest
	}
	return answer
}
