package statefulset

import (
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
)

const utilsGo = "pkg/controller/statefulset/stateful_set_utils.go:"

// parentAndOrdinal splits the name of a pod into that of its StatefulSet and its number. The name is empty if that of the
// pod does not end in a number; a number that is too large is -1 (S-11).
func parentAndOrdinal(name string) (parent string, ordinal int) {
	dash := strings.LastIndexByte(name, '-')
	if dash < 0 || dash == len(name)-1 {
		return "", -1
	}
	for _, digit := range []byte(name[dash+1:]) {
		if digit < '0' || digit > '9' {
			return "", -1
		}
		if ordinal = ordinal*10 + int(digit-'0'); ordinal > math.MaxInt32 {
			return name[:dash], -1
		}
	}
	return name[:dash], ordinal
}

// ordinalOf returns the number of a pod, -1 if it has none.
func ordinalOf(pod *api.Pod) int {
	_, ordinal := parentAndOrdinal(pod.Name)
	return ordinal
}

// podName returns the name of the pod with a number (S-5).
func podName(set *api.StatefulSet, ordinal int) string { return set.Name + "-" + strconv.Itoa(ordinal) }

// inRange says whether a StatefulSet shall have a pod with this number.
func inRange(set *api.StatefulSet, ordinal int) bool {
	return ordinal >= set.Start() && ordinal < set.Start()+int(*set.Spec.Replicas)
}

// identityMatches says whether a pod has the name and the label that its number gives it (S-14 step 7).
func identityMatches(set *api.StatefulSet, pod *api.Pod) bool {
	parent, ordinal := parentAndOrdinal(pod.Name)
	if ordinal < 0 || parent != set.Name || pod.Labels[api.StatefulSetPodNameLabel] != pod.Name {
		return false
	}
	digits := pod.Name[len(parent)+1:]
	return len(digits) == 1 || digits[0] != '0'
}

// withIdentity returns labels with those two that a pod's number gives it (S-5).
func withIdentity(labels map[string]string, name string, ordinal int) map[string]string {
	c := make(map[string]string, len(labels)+3) // one more is the revision's
	maps.Copy(c, labels)
	c[api.StatefulSetPodNameLabel] = name
	c[api.PodIndexLabel] = strconv.Itoa(ordinal)
	return c
}

// newPod returns the pod of a number, made from a revision (S-5).
//
// Simplified: the volumes of its claims are not written into its spec, which all pods of a template share.
func newPod(set *api.StatefulSet, revision *api.ControllerRevision, ordinal int) *api.Pod {
	template := &revision.Template
	name := podName(set, ordinal)
	labels := withIdentity(template.Labels, name, ordinal)
	labels[api.ControllerRevisionHashLabel] = revision.Name
	return &api.Pod{
		ObjectMeta: api.ObjectMeta{
			Name:            name,
			GenerateName:    set.Name + "-",
			Namespace:       set.Namespace,
			Labels:          labels,
			Annotations:     template.Annotations,
			OwnerReferences: []api.OwnerReference{apiserver.ControllerRef(set)},
		},
		NodeName:  template.Spec.NodeName,
		Hostname:  name,
		Subdomain: set.Spec.ServiceName,
		Spec:      template.Spec,
		Status:    api.PodStatus{Phase: api.PodPending},
	}
}

// revisionOf returns the name of the revision that a pod was made from, empty if it does not say.
func revisionOf(pod *api.Pod) string { return pod.Labels[api.ControllerRevisionHashLabel] }

// isRunningAndReady says whether a pod runs and is Ready.
func isRunningAndReady(pod *api.Pod) bool { return pod.Status.Phase == api.PodRunning && pod.IsReady() }

// maxUnavailable returns how many pods a rolling update may take away at a time: a percentage is rounded down, but it is
// at least one (S-18).
func maxUnavailable(set *api.StatefulSet) int {
	if r := set.Spec.UpdateStrategy.RollingUpdate; r != nil && r.MaxUnavailable != nil {
		return max(1, int(r.MaxUnavailable.Scaled(*set.Spec.Replicas, false)))
	}
	return 1
}
