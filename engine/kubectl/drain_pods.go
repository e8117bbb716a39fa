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

// verdict is the decision of a filter about a pod. The last filter counts.
type verdict struct {
	goes  bool   // the pod is deleted
	fatal bool   // the node is not drained because of it
	what  string // the error, or the warning
}

// podsToGo lists the pods of the node that is being emptied, by namespace and name, that must go; the warning is about
// them and others. With an error, the node cannot be emptied.
func (d *drain) podsToGo() (pods []*api.Pod, warning string, errs []error) {
	warnings, fatals := map[string][]string{}, map[string][]string{}
	for _, o := range (stored{d.kubectl.store}).All(api.KindPod) {
		pod := o.(*api.Pod)
		if pod.NodeName != d.nodes[0].Name || !d.podSelector.Matches(pod.Labels) {
			continue
		}
		v := d.judge(pod)
		if v.goes {
			pods = append(pods, pod)
		}
		name := pod.Namespace + "/" + pod.Name
		switch {
		case v.fatal:
			fatals[v.what] = append(fatals[v.what], name)
		case v.what != "":
			warnings[v.what] = append(warnings[v.what], name)
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

// judge applies the filters in order until one keeps the pod, with drain's words about pods that it does not simply evict
// (P-20, filters.go:makeFilters).
func (d *drain) judge(pod *api.Pod) (v verdict) {
	for _, filter := range [...]func(*drain, *api.Pod) verdict{
		(*drain).filterDeleted, (*drain).filterDaemonSet, (*drain).filterMirror, (*drain).filterLocalStorage, (*drain).filterUnmanaged,
	} {
		if v = filter(d, pod); !v.goes {
			return v
		}
	}
	return v
}

// skips says whether a pod has been terminating for too long to wait for it.
func (d *drain) skips(pod *api.Pod) bool {
	return d.skipWait > 0 && pod.Terminating() && (d.kernel.Now()-pod.DeletionTimestamp.Milli())/1000 > d.skipWait
}

func (d *drain) filterDeleted(pod *api.Pod) verdict { return verdict{goes: !d.skips(pod)} }

// filterDaemonSet keeps the pods of DaemonSets: the controller would replace them immediately, on a cordoned node too.
func (d *drain) filterDaemonSet(pod *api.Pod) verdict {
	ref := pod.ControllerOf()
	if ref == nil || ref.Kind != api.KindDaemonSet || pod.Finished() {
		return verdict{goes: true}
	}
	if _, err := d.kubectl.client.Get(api.Key{Kind: ref.Kind, Namespace: pod.Namespace, Name: ref.Name}); err != nil {
		force := d.On("force")
		return verdict{goes: force, fatal: !force, what: err.Error()}
	}
	if !d.On("ignore-daemonsets") {
		return verdict{fatal: true, what: "DaemonSet-managed Pods (use --ignore-daemonsets to ignore)"}
	}
	return verdict{what: "ignoring DaemonSet-managed Pods"}
}

func (d *drain) filterMirror(pod *api.Pod) verdict {
	_, mirror := pod.Annotations[mirrorAnnotation]
	return verdict{goes: !mirror}
}

// filterLocalStorage keeps pods with an emptyDir. Its warning is lost, because the verdict of the next filter replaces it.
func (d *drain) filterLocalStorage(pod *api.Pod) verdict {
	local := slices.ContainsFunc(pod.Spec.Volumes, func(v api.Volume) bool { return v.EmptyDir != nil })
	switch {
	case !local || pod.Finished():
		return verdict{goes: true}
	case !d.On("delete-emptydir-data"):
		return verdict{fatal: true, what: "Pods with local storage (use --delete-emptydir-data to override)"}
	}
	return verdict{goes: true, what: "deleting Pods with local storage"}
}

// filterUnmanaged keeps pods that no controller would replace.
func (d *drain) filterUnmanaged(pod *api.Pod) verdict {
	switch {
	case pod.Finished() || pod.ControllerOf() != nil:
		return verdict{goes: true}
	case !d.On("force"):
		return verdict{fatal: true, what: "Pods that declare no controller (use --force to override)"}
	}
	return verdict{goes: true, what: "deleting Pods that declare no controller"}
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
