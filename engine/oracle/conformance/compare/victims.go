package compare

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/controller"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
)

// acceptTies accepts victims that differ between the two sides. Upstream's sort is unstable, many pods are equal to it, and
// its order even has cycles (pods of about the same age are ordered by UID, those of exactly the same age by something
// else). So our choice is as good as upstream's if a sort could have put our victim first. Then upstream's victims are
// renamed to ours, also in its controller's expectations.
func (j *judge) acceptTies(key api.Key, ours, theirs []upstream.Action) {
	mine, yours := victims(ours), victims(theirs)
	onlyOurs, onlyTheirs := minus(mine, yours), minus(yours, mine)
	if len(onlyOurs) == 0 || len(onlyOurs) != len(onlyTheirs) {
		return
	}
	pods := j.ranked(key)
	for _, stays := range onlyTheirs {
		for _, goes := range onlyOurs {
			if !mayPrecede(pods, goes.Name, stays.Name) {
				return
			}
		}
	}
	names := map[string]string{}
	for i, pod := range onlyTheirs {
		names[pod.Name] = onlyOurs[i].Name
	}
	for i := range theirs {
		a := &theirs[i]
		if to := names[a.About.Name]; a.What == "delete" && to != "" {
			a.About.Name = to
		}
		if name, ok := strings.CutPrefix(a.Text, "Normal SuccessfulDelete: Deleted pod: "); ok && names[name] != "" {
			a.Text = "Normal SuccessfulDelete: Deleted pod: " + names[name]
		}
	}
	j.real.ExpectDeletions(keyText(key), mine)
}

// victims returns the deleted pods.
func victims(actions []upstream.Action) (pods []*corev1.Pod) {
	for i := range actions {
		if pod, ok := actions[i].Object.(*corev1.Pod); ok && actions[i].What == "delete" {
			pods = append(pods, pod)
		}
	}
	return pods
}

// minus returns the pods of a that are not in b.
func minus(a, b []*corev1.Pod) (out []*corev1.Pod) {
	names := map[string]bool{}
	for _, pod := range b {
		names[pod.Name] = true
	}
	for _, pod := range a {
		if !names[pod.Name] {
			out = append(out, pod)
		}
	}
	return out
}

// ranked returns the active pods of a ReplicaSet in the form that upstream's order of deletion sorts.
func (j *judge) ranked(key api.Key) controller.ActivePodsWithRanks {
	count := j.podsOnNodes(key)
	pods := controller.ActivePodsWithRanks{Now: metav1.Now()}
	self := j.store.Informer(api.KindReplicaSet).Cache.Get(key)
	cache := &j.store.Informer(api.KindPod).Cache
	for _, owner := range []string{self.Meta().UID, ""} { // orphans may be adopted in this reconcile
		for o := range cache.OwnedBy(owner) {
			if pod := o.(*api.Pod); pod.Active() {
				pods.Pods = append(pods.Pods, j.converter.Convert(pod).(*corev1.Pod))
				pods.Rank = append(pods.Rank, count[pod.NodeName])
			}
		}
	}
	return pods
}

// hidden says whether the numbers of victims differ because one side picked a pod that is in the cache but no longer in the
// store, or terminating there: nobody sees its deletion. Then the victims cannot be compared, and upstream's controller gets
// the expectations of the engine's.
func (j *judge) hidden(key api.Key, ours, theirs []upstream.Action) bool {
	mine := victims(ours)
	if len(mine) == len(victims(theirs)) {
		return false
	}
	pods := j.ranked(key)
	gone := slices.ContainsFunc(pods.Pods, func(pod *corev1.Pod) bool {
		o := j.store.Get(api.Key{Kind: api.KindPod, Namespace: pod.Namespace, Name: pod.Name})
		return o == nil || o.Meta().Terminating() && !slices.ContainsFunc(mine, func(v *corev1.Pod) bool { return v.Name == pod.Name })
	})
	if gone {
		j.real.ExpectDeletions(keyText(key), mine)
	}
	return gone
}

// mayPrecede says whether a path leads from one pod to another on which upstream's order never puts the next pod before the
// last.
func mayPrecede(pods controller.ActivePodsWithRanks, from, to string) bool {
	seen := make([]bool, len(pods.Pods))
	var list []int
	for i, pod := range pods.Pods {
		if pod.Name == from {
			list, seen[i] = append(list, i), true
		}
	}
	for len(list) > 0 {
		i := list[0]
		list = list[1:]
		if pods.Pods[i].Name == to {
			return true
		}
		for k := range pods.Pods {
			if !seen[k] && !pods.Less(k, i) {
				list, seen[k] = append(list, k), true
			}
		}
	}
	return false
}

// podsOnNodes counts the active pods that some ReplicaSet with the same owner selects, by node.
func (j *judge) podsOnNodes(key api.Key) map[string]int {
	sets := &j.store.Informer(api.KindReplicaSet).Cache
	selectors := []*api.LabelSelector{}
	if ref := sets.Get(key).Meta().ControllerOf(); ref != nil {
		for o := range sets.OwnedBy(ref.UID) {
			selectors = append(selectors, o.(*api.ReplicaSet).Spec.Selector)
		}
	}
	count := map[string]int{}
	for o := range j.store.Informer(api.KindPod).Cache.All() {
		pod := o.(*api.Pod)
		if pod.Active() && slices.ContainsFunc(selectors, func(s *api.LabelSelector) bool { return s.Matches(pod.Labels) }) {
			count[pod.NodeName]++
		}
	}
	return count
}
