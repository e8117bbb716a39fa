package read

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// logStreams is how many pods logs -f follows.
const logStreams = 5

// logs prints when containers start, get SIGTERM and exit (logs.go:RunLogs). No program runs in them, so every line is marked.
func (r *reading) logs() error {
	pods, err := r.loggingPods()
	if err != nil {
		return err
	}
	if len(pods) > logStreams && r.On("follow") {
		return fmt.Errorf("you are attempting to follow %d log streams, but maximum allowed concurrency is %d, "+
			"use --max-log-requests to increase the limit", len(pods), logStreams)
	}
	for _, pod := range pods {
		names, err := r.loggingContainers(pod)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := r.logsOf(pod, name); err != nil {
				return err
			}
		}
	}
	sort.SliceStable(r.answer.Lines, func(i, k int) bool { return r.answer.Lines[i].T < r.answer.Lines[k].T })
	return nil
}

// loggingPods returns the pods of the command: the named one, one of a workload, or all that a selector matches.
func (r *reading) loggingPods() (pods []*api.Pod, err error) {
	if r.BadSelector != nil {
		return nil, line.NotSelectable(api.KindPod, r.Flags, r.BadSelector)
	}
	if r.Selector != nil {
		pods = api.Pick(slices.Values(r.selected(api.KindPod)), func(*api.Pod) bool { return true })
		if pods == nil {
			r.complain(r.NoneFound(false))
		}
		return pods, nil
	}
	for _, key := range r.Targets {
		switch o := r.Cluster.Get(key).(type) {
		case nil:
			return nil, fmt.Errorf("error from server (NotFound): %w in namespace %q", line.Missing(r.Cluster, key), key.Namespace)
		case *api.Pod:
			pods = append(pods, o)
		default: // a workload, or a Job, which has no pods here
			w, _ := o.(api.Workload)
			pod := r.firstPod(w)
			if pod == nil {
				return nil, errTimedOut
			}
			pods = append(pods, pod)
		}
	}
	return pods, nil
}

// firstPod chooses among the pods of a workload (polymorphichelpers.GetFirstPod). Of several that are as good, Go's sort.Sort decides.
func (r *reading) firstPod(w api.Workload) *api.Pod {
	pods := api.Pick(slices.Values(r.Cluster.All(api.KindPod)), func(pod *api.Pod) bool {
		return w != nil && pod.Namespace == w.Meta().Namespace && w.Selector().Matches(pod.Labels)
	})
	if len(pods) == 0 {
		return nil
	}
	sort.Slice(pods, func(i, k int) bool {
		breath.Often()
		return slices.Compare(toLog(pods[i]), toLog(pods[k])) < 0
	})
	if len(pods) > 1 {
		r.complain(fmt.Sprintf("Found %d pods, using pod/%s", len(pods), pods[0].Name))
	}
	return pods[0]
}

// toLog returns the numbers by which pods are chosen, the smallest first: pods on a node before others, running ones, those ready for
// longest (in full seconds), and those with the most restarts (podutils.ByLogging).
func toLog(pod *api.Pod) []int64 {
	unassigned, ready, restarts, sidecars := int64(0), int64(math.MaxInt64), int64(0), int64(0)
	if pod.NodeName == "" {
		unassigned = 1
	}
	if c := pod.ReadyCondition(); c != nil {
		ready = c.LastTransitionTime.Milli() / 1000
	}
	for _, s := range pod.Status.ContainerStatuses {
		restarts = max(restarts, int64(s.RestartCount))
	}
	for i, s := range pod.Status.InitContainerStatuses {
		if pod.Spec.InitContainers[i].IsSidecar() {
			sidecars = max(sidecars, int64(s.RestartCount))
		}
	}
	phase := map[string]int64{"Unknown": 1, "Pending": 2}[pod.Status.Phase]
	return []int64{unassigned, phase, ready, -restarts, -sidecars, pod.CreationTimestamp.Milli() / 1000}
}

// loggingContainers returns the containers of the command: the named one, all, or the first.
func (r *reading) loggingContainers(pod *api.Pod) (names []string, err error) {
	var inits, shown []string
	for i := range pod.Spec.Containers {
		names = append(names, pod.Spec.Containers[i].Name)
	}
	shown = slices.Clone(names)
	for i := range pod.Spec.InitContainers {
		inits = append(inits, pod.Spec.InitContainers[i].Name)
		shown = append(shown, inits[i]+" (init)")
	}
	switch name := r.Flags["container"]; {
	case r.On("all-containers"):
		return append(inits, names...), nil
	case name == "":
		if len(shown) > 1 {
			r.complain(fmt.Sprintf("Defaulted container %q out of: %s", names[0], strings.Join(shown, ", ")))
		}
		return names[:1], nil
	case slices.Contains(names, name) || slices.Contains(inits, name):
		return []string{name}, nil
	default:
		return nil, fmt.Errorf("container %s is not valid for pod %s out of: %s", name, pod.Name, strings.Join(shown, ", "))
	}
}

// logsOf prints the log of a container, and with -f what it says until it ends.
func (r *reading) logsOf(pod *api.Pod, name string) error {
	run, err := loggedRun(pod, name, r.On("previous"))
	if err != nil {
		return err
	}
	texts := logOf(pod, name, run)
	shown := len(texts)
	if n := r.Int("tail", -1); n >= 0 {
		texts = texts[max(0, len(texts)-int(n)):]
	}
	for _, text := range texts {
		r.print(text)
	}
	if !r.On("follow") || run.Kind == api.Terminated {
		return nil
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		if c.Object().Key() != pod.Key() || c.Object().Meta().UID != pod.UID {
			continue
		}
		later, isPod := c.New.(*api.Pod)
		if !isPod { // removed, with no word about how its containers ended
			r.answer.Print(c.At, logLine(api.TimeAt(c.At), name, "stops"))
			return nil
		}
		run, err := loggedRun(later, name, false)
		if err != nil {
			return nil
		}
		for texts := logOf(later, name, run); shown < len(texts); shown++ {
			r.answer.Print(c.At, texts[shown])
		}
		if run.Kind == api.Terminated {
			return nil
		}
	}
	r.answer.Open = true
	return nil
}

// loggedRun returns the run of a container that a log is about: the current one or, while it waits, the last
// (kubelet_pods.go:validateContainerLogStatus).
func loggedRun(pod *api.Pod, name string, previous bool) (run api.ContainerState, err error) {
	refuse := func(text string) (api.ContainerState, error) {
		return run, &api.StatusError{Reason: api.ReasonBadRequest, Message: text}
	}
	list := slices.Concat(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses)
	i := slices.IndexFunc(list, func(s api.ContainerStatus) bool { return s.Name == name })
	waits := fmt.Sprintf("container %q in pod %q is waiting to start: ", name, pod.Name)
	switch {
	case pod.NodeName == "":
		return refuse("pod " + pod.Name + " does not have a host assigned")
	case i < 0:
		return refuse(waits + "ContainerCreating")
	case previous && list[i].LastState.Kind != api.Terminated:
		return refuse(fmt.Sprintf("previous terminated container %q in pod %q not found", name, pod.Name))
	case list[i].State.Kind != api.Waiting && !previous:
		return list[i].State, nil
	case list[i].LastState.Kind == api.Terminated:
		return list[i].LastState, nil
	}
	reason := list[i].State.Reason
	return refuse(waits + cmp.Or(map[string]string{"ErrImagePull": "image can't be pulled", "ImagePullBackOff": "trying and failing to pull image"}[reason], reason))
}

// logOf returns the lines of a run.
//
// Simplified: an app says nothing about its probes.
func logOf(pod *api.Pod, name string, run api.ContainerState) (texts []string) {
	add := func(at api.Time, text string) { texts = append(texts, logLine(at, name, text)) }
	add(run.StartedAt, "starts")
	asked := pod.DeletionTimestamp - api.Time(pod.DeletionGracePeriodSeconds)
	if pod.Terminating() && (run.Kind == api.Running || run.FinishedAt >= asked) {
		add(asked, "gets SIGTERM")
	}
	if run.Kind == api.Terminated {
		add(run.FinishedAt, fmt.Sprintf("exits with code %d", run.ExitCode))
	}
	return texts
}

func logLine(at api.Time, container, text string) string {
	return print.TimeText(at) + " [simulated] " + container + ": " + text
}
