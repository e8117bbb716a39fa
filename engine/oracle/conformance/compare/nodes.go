package compare

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
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
)

// acceptNodes accepts nodes that differ between the two sides. During a rolling update upstream walks its nodes in the order
// of a Go map, takes the candidates in that order and stops when the budget is used up; how many it takes does not depend on
// the order. So our choice is as good as upstream's if it has the same size and all nodes in which the two differ are
// candidates of the same sort. There are four sorts:
//
//   - without surge: nodes whose only pod is old and available; the pod is deleted.
//   - with surge: such nodes that should run a pod; a new pod is created there.
//   - with surge: nodes that should run a pod and whose only pod is old and not available; a new pod is always created
//     there. But pods are created in parallel, in batches: where a quota stops that, chance decides which of these two
//     sorts got a pod.
//   - with surge: such nodes that should not run a pod any more; the pod is deleted.
//
// A fifth sort, nodes that no longer exist, ends the update (acceptLost).
//
// Then upstream's choice is renamed to ours. Its expectations are numbers, which stay the same.
func (j *judge) acceptNodes(key api.Key, ours, theirs []upstream.Action) {
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

// acceptLost accepts the node at which an update with surge ends: the first node in the order of a Go map that no longer
// exists, so any such node is right.
func (j *judge) acceptLost(d *appsv1.DaemonSet, ours, theirs []upstream.Action) {
	mine, yours := lostNode(ours), lostNode(theirs)
	if mine != yours && interchangeable(j.candidates(d), []string{mine, yours}) {
		last := &theirs[len(theirs)-1]
		last.Text = strings.ReplaceAll(last.Text, strconv.Quote(yours), strconv.Quote(mine))
	}
}

// outOfQuota says whether a quota stopped the creation of pods.
func outOfQuota(actions []upstream.Action) bool {
	return slices.ContainsFunc(actions, func(a upstream.Action) bool {
		return a.What == "error" && strings.Contains(a.Text, " exceeded quota: ")
	})
}

// lostNode returns the node whose absence ended a sync, empty if something else did.
func lostNode(actions []upstream.Action) string {
	if len(actions) == 0 || actions[len(actions)-1].What != "error" {
		return ""
	}
	rest, ok := strings.CutPrefix(actions[len(actions)-1].Text, `couldn't get node for nodeName "`)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, `"`)
	return name
}

// chosen returns the nodes whose pods were deleted, or on which pods were created, with the actions.
func chosen(actions []upstream.Action, what string) map[string]*upstream.Action {
	nodes := map[string]*upstream.Action{}
	for i := range actions {
		if pod, ok := actions[i].Object.(*corev1.Pod); ok && actions[i].What == what {
			if name, err := daemonutil.GetTargetNodeName(pod); err == nil {
				nodes[name] = &actions[i]
			}
		}
	}
	return nodes
}

// lacking returns the keys of a that b lacks, sorted.
func lacking(a, b map[string]*upstream.Action) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if b[name] == nil {
			names = append(names, name)
		}
	}
	return names
}

// interchangeable says whether all nodes are candidates of one sort.
func interchangeable(candidates map[string]string, nodes []string) bool {
	for _, n := range nodes {
		if candidates[n] == "" || candidates[n] != candidates[nodes[0]] {
			return false
		}
	}
	return true
}

// candidates returns the nodes between which a rolling update may choose, with what it would do there.
func (j *judge) candidates(d *appsv1.DaemonSet) map[string]string {
	pods := map[string][]*corev1.Pod{}
	selector, err := metav1.LabelSelectorAsSelector(d.Spec.Selector)
	if err != nil {
		panic("conformance: " + err.Error())
	}
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

// shouldRun asks upstream whether a node should run a pod of a DaemonSet.
func shouldRun(node *corev1.Node, d *appsv1.DaemonSet) bool {
	run, _ := daemon.NodeShouldRunDaemonPod(klog.Background(), node, d)
	return run
}

// currentHash returns the hash of the newest revision of a DaemonSet's current template.
func (j *judge) currentHash(d *appsv1.DaemonSet) (hash string) {
	newest := int64(-1)
	for o := range j.store.Informer(api.KindControllerRevision).Cache.OwnedBy(string(d.UID)) {
		r := j.form(o).(*appsv1.ControllerRevision)
		if same, err := daemon.Match(d, r); err == nil && same && r.Revision >= newest {
			newest, hash = r.Revision, r.Labels[appsv1.ControllerRevisionHashLabelKey]
		}
	}
	if newest < 0 {
		return j.hashesOf(convert.KeyOf(d))[0].Ours // this reconcile has just made it
	}
	return hash
}

// rename moves an action, and the event about it, from one node to another.
func rename(actions []upstream.Action, what string, a, like *upstream.Action, to string) {
	was := a.About.Name
	if what == "create" {
		pod := a.Object.DeepCopyObject().(*corev1.Pod)
		pod.Spec.Affinity = daemonutil.ReplaceDaemonSetPodNodeNameNodeAffinity(pod.Spec.Affinity, to)
		a.Object = pod
		return
	}
	a.About, a.Object = like.About, like.Object
	for i := range actions {
		if strings.HasSuffix(actions[i].Text, fmt.Sprintf("Deleted pod: %s", was)) {
			actions[i].Text = strings.TrimSuffix(actions[i].Text, was) + like.About.Name
		}
	}
}
