package kubectl

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/read"
)

// mirrorAnnotation marks a pod that only mirrors one that its kubelet has from a file.
const mirrorAnnotation = "kubernetes.io/config.mirror"

// podsToGo lists the pods of the node that is being emptied, by namespace and name, that must go; the warning is about
// them and others. With an error, the node cannot be emptied.
func (d *drain) podsToGo() (pods []*api.Pod, warning string, errs []error) {
	warnings, fatals := map[string][]string{}, map[string][]string{}
	for _, o := range (stored{d.kubectl.store}).All(api.KindPod) {
		pod := o.(*api.Pod)
		if pod.NodeName != d.nodes[0].Name || !d.podSelector.Matches(pod.Labels) {
			continue
		}
		goes, warning, fatal := d.judge(pod)
		if goes {
			pods = append(pods, pod)
		}
		name := pod.Namespace + "/" + pod.Name
		switch {
		case fatal != "":
			fatals[fatal] = append(fatals[fatal], name)
		case warning != "":
			warnings[warning] = append(warnings[warning], name)
		}
	}
	for _, text := range texts(fatals) {
		errs = append(errs, errors.New("cannot delete "+text))
	}
	return pods, strings.Join(texts(warnings), "; "), errs
}

// texts lists each remark with its pods, sorted; kubectl prints them in random order.
func texts(pods map[string][]string) (list []string) {
	for what, names := range pods {
		list = append(list, what+": "+strings.Join(names, ", "))
	}
	sort.Strings(list)
	return list
}

// skips says whether a pod has been terminating for too long to wait for it.
func (d *drain) skips(pod *api.Pod) bool {
	return d.skipWait > 0 && pod.Terminating() && (d.kernel.Now()-pod.DeletionTimestamp.Milli())/1000 > d.skipWait
}

// judge decides about a pod, with drain's words if it does not simply evict it (P-20, filters.go:makeFilters): what it warns of, or why
// the node cannot be drained. A DaemonSet would replace its pods immediately, on a cordoned node too. Upstream forgets what it warns of
// if a later filter lets the pod go.
func (d *drain) judge(pod *api.Pod) (goes bool, warning, fatal string) {
	owner, finished, force := pod.ControllerOf(), pod.Finished(), d.On("force")
	if d.skips(pod) {
		return false, "", ""
	}
	if owner != nil && owner.Kind == api.KindDaemonSet && !finished {
		switch _, err := d.kubectl.client.Get(api.Key{Kind: owner.Kind, Namespace: pod.Namespace, Name: owner.Name}); {
		case err != nil && !force:
			return false, "", err.Error()
		case err == nil && !d.On("ignore-daemonsets"):
			return false, "", "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)"
		case err == nil:
			return false, "ignoring DaemonSet-managed Pods", ""
		}
	}
	_, mirror := pod.Annotations[mirrorAnnotation]
	local := slices.ContainsFunc(pod.Spec.Volumes, func(v api.Volume) bool { return v.EmptyDir != nil })
	switch {
	case mirror:
		return false, "", ""
	case finished:
		return true, "", ""
	case local && !d.On("delete-emptydir-data"):
		return false, "", "Pods with local storage (use --delete-emptydir-data to override)"
	case owner != nil:
		return true, "", ""
	case !force:
		return false, "", "Pods that declare no controller (use --force to override)"
	}
	return true, "deleting Pods that declare no controller", ""
}

// joined combines errors into one, nil if there are none. A lone deadline stays as it is.
func joined(errs []error) error {
	switch {
	case len(errs) == 0:
		return nil
	case len(errs) == 1 && errs[0] == read.ErrDeadline: // deletions are waited for together, and fail with one error
		return errs[0]
	}
	return api.Errors(errs)
}

// durationText writes ms as Go does: 5s, 1m30s.
func durationText(ms int64) string { return fmt.Sprint(time.Duration(ms) * time.Millisecond) }
