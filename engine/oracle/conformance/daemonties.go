package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/klog/v2"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/controller/daemon"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"

	"github.com/rollplay/rollplay/engine/api"
)

// acceptNodes deals with nodes that are not the same on both sides. During a rolling update upstream goes through its nodes
// in the order of a Go map, takes the candidates in that order and stops when the budget is used up; how many it takes does
// not depend on the order. So nothing has to be done to upstream: another choice is as right as its own if it is of the
// same size and every node in which the two differ is a candidate of the same sort. There are four sorts:
//
//   - without surge: nodes whose only pod is old and available; the pod is deleted.
//   - with surge: such nodes that should run a pod; a new one is created there.
//   - with surge: nodes that should run a pod and whose only pod is old and not available; a new one is created there in any
//     case. But pods are created in parallel, in batches, so where a quota stops that, it is chance which of both sorts got one.
//   - with surge: such nodes that should run none any more; the pod is deleted.
//
// A fifth, nodes that are gone, ends the update (acceptLost).
//
// Then their choice is renamed to ours. What they expect to see are numbers, which are the same.
func (j *judge) acceptNodes(key api.Key, ours, theirs []action) {
	d, ok := j.form(j.store.Informer(api.KindDaemonSet).Cache.Get(key)).(*appsv1.DaemonSet)
	if !ok {
		return
	}
	for _, sort := range []string{"delete", "create"} {
		mine, yours := chosen(ours, sort), chosen(theirs, sort)
		onlyOurs, onlyTheirs := lacking(mine, yours), lacking(yours, mine)
		if len(onlyOurs) == 0 || len(onlyOurs) != len(onlyTheirs) {
			continue
		}
		candidates := j.candidates(d)
		if outOfQuota(ours) && outOfQuota(theirs) {
			for n, sort := range candidates {
				if sort == "replace" {
					candidates[n] = "create"
				}
			}
		}
		if !interchangeable(candidates, append(onlyOurs, onlyTheirs...)) {
			continue
		}
		for i, node := range onlyTheirs {
			rename(theirs, sort, yours[node], mine[onlyOurs[i]], onlyOurs[i])
		}
	}
	j.acceptLost(d, ours, theirs)
}

// acceptLost deals with an update with surge that ends at a node that is gone. It ends at the first such node in the order of
// a Go map, so the name of each is as right as that of another.
func (j *judge) acceptLost(d *appsv1.DaemonSet, ours, theirs []action) {
	mine, yours := lostNode(ours), lostNode(theirs)
	if mine != yours && interchangeable(j.candidates(d), []string{mine, yours}) {
		last := &theirs[len(theirs)-1]
		last.text = strings.ReplaceAll(last.text, strconv.Quote(yours), strconv.Quote(mine))
	}
}

// outOfQuota says whether a quota stopped the creation of pods.
func outOfQuota(actions []action) bool {
	return slices.ContainsFunc(actions, func(a action) bool { return a.what == "error" && strings.Contains(a.text, " exceeded quota: ") })
}

// lostNode returns the node whose absence ended a sync, empty if something else did.
func lostNode(actions []action) string {
	if len(actions) == 0 || actions[len(actions)-1].what != "error" {
		return ""
	}
	rest, ok := strings.CutPrefix(actions[len(actions)-1].text, `couldn't get node for nodeName "`)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// chosen returns the nodes whose pods were deleted, or on which pods were created, with the actions.
func chosen(actions []action, what string) map[string]*action {
	nodes := map[string]*action{}
	for i := range actions {
		if pod, ok := actions[i].object.(*corev1.Pod); ok && actions[i].what == what {
			if name, err := daemonutil.GetTargetNodeName(pod); err == nil {
				nodes[name] = &actions[i]
			}
		}
	}
	return nodes
}

// lacking returns what the second map lacks, in a fixed order.
func lacking(a, b map[string]*action) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if b[name] == nil {
			names = append(names, name)
		}
	}
	return names
}

func interchangeable(candidates map[string]string, nodes []string) bool {
	for _, n := range nodes {
		if candidates[n] == "" || candidates[n] != candidates[nodes[0]] {
			return false
		}
	}
	return true
}

// candidates returns the nodes between which a rolling update may choose, with what would be done there.
func (j *judge) candidates(d *appsv1.DaemonSet) map[string]string {
	pods := map[string][]*corev1.Pod{}
	selector, err := metav1.LabelSelectorAsSelector(d.Spec.Selector)
	must(err)
	for _, owner := range []string{string(d.UID), ""} { // orphans are adopted in this reconcile
		for o := range j.store.Informer(api.KindPod).Cache.OwnedBy(owner) {
			pod := j.form(o).(*corev1.Pod)
			node, err := daemonutil.GetTargetNodeName(pod)
			if err == nil && pod.DeletionTimestamp == nil && selector.Matches(labels.Set(pod.Labels)) {
				pods[node] = append(pods[node], pod)
			}
		}
	}
	list, hash := map[string]string{}, j.currentHash(d)
	for name, on := range pods {
		if len(on) != 1 || daemonutil.IsPodUpdated(on[0], hash, nil) {
			continue
		}
		available := podutil.IsPodAvailable(on[0], d.Spec.MinReadySeconds, metav1.Now())
		node, ok := j.form(j.store.Informer(api.KindNode).Cache.Get(api.Key{Kind: api.KindNode, Name: name})).(*corev1.Node)
		switch {
		case !ok && daemonutil.AllowsSurge(d):
			list[name] = "lost"
		case !available && ok && daemonutil.AllowsSurge(d) && shouldRun(node, d):
			list[name] = "replace"
		case !available:
		case !daemonutil.AllowsSurge(d):
			list[name] = "delete"
		case ok && shouldRun(node, d):
			list[name] = "create"
		case ok:
			list[name] = "remove"
		}
	}
	return list
}

func shouldRun(node *corev1.Node, d *appsv1.DaemonSet) bool {
	run, _ := daemon.NodeShouldRunDaemonPod(klog.Background(), node, d)
	return run
}

// currentHash returns the hash of the newest revision of a DaemonSet's present template.
func (j *judge) currentHash(d *appsv1.DaemonSet) (hash string) {
	newest := int64(-1)
	for o := range j.store.Informer(api.KindControllerRevision).Cache.OwnedBy(string(d.UID)) {
		r := j.form(o).(*appsv1.ControllerRevision)
		if same, err := daemon.Match(d, r); err == nil && same && r.Revision >= newest {
			newest, hash = r.Revision, r.Labels[appsv1.ControllerRevisionHashLabelKey]
		}
	}
	if newest < 0 {
		return j.server.hashes[0].ours // it has just been made
	}
	return hash
}

// rename makes an action upon one node, and the event about it, one upon another.
func rename(actions []action, what string, a, like *action, to string) {
	was := a.about.Name
	if what == "create" {
		pod := a.object.DeepCopyObject().(*corev1.Pod)
		pod.Spec.Affinity = daemonutil.ReplaceDaemonSetPodNodeNameNodeAffinity(pod.Spec.Affinity, to)
		a.object = pod
		return
	}
	a.about, a.object = like.about, like.object
	for i := range actions {
		if strings.HasSuffix(actions[i].text, fmt.Sprintf("Deleted pod: %s", was)) {
			actions[i].text = strings.TrimSuffix(actions[i].text, was) + like.about.Name
		}
	}
}
