package diagnosis

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/kubectl/print"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/words"
)

// statusWhere returns the first container status of a pod, init containers first, that a function accepts.
func statusWhere(pod *api.Pod, is func(*api.ContainerStatus) bool) *api.ContainerStatus {
	for _, list := range [][]api.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range list {
			if is(&list[i]) {
				return &list[i]
			}
		}
	}
	return nil
}

func lacksImage(s *api.ContainerStatus) bool {
	return past.ContainerState(&s.State) == past.PodImageError
}
func hasEnded(s *api.ContainerStatus) bool { return past.ContainerState(&s.State) == past.PodCrashLoop }

// statusOf returns the status of a container of a pod, nil if it has none yet.
func statusOf(pod *api.Pod, name string) *api.ContainerStatus {
	if pod == nil {
		return nil
	}
	return statusWhere(pod, func(s *api.ContainerStatus) bool { return s.Name == name })
}

// happened counts how often something came to be so for a container of a pod, and when first and last.
type happened struct {
	times       int
	first, last int64
}

// count asks the pod's versions so far.
func (p *patient) count(pod *api.Pod, name string, is func(*api.ContainerStatus) bool) happened {
	h := happened{first: unknown, last: unknown}
	p.life(pod, func(before, now *api.Pod, at int64) {
		was, s := statusOf(before, name), statusOf(now, name)
		if s == nil || !is(s) || was != nil && is(was) {
			return
		}
		if h.times++; h.first == unknown {
			h.first = at
		}
		h.last = at
	})
	return h
}

// backOff is how long the kubelet waits after so many failures in a row, in ms (G-6, G-11).
func backOff(failures int) int64 {
	const first, most = int64(10_000), int64(300_000)
	if failures < 1 {
		return 0
	}
	return min(first<<min(failures-1, 5), most)
}

// earliest returns the smaller one of two moments, of which none does not count.
func earliest(a, b int64) int64 {
	if a == unknown || b != unknown && b < a {
		return b
	}
	return a
}

// inWords writes when something comes: "in 12s", or "at any moment".
func (p *patient) inWords(at int64) string {
	if at <= p.t {
		return "at any moment"
	}
	return "in " + p.left(at)
}

// checkImages finds pods whose images cannot be had (G-5 to G-7).
func (p *patient) checkImages() {
	pods := p.podsIn(past.PodImageError)
	if len(pods) == 0 {
		return
	}
	first := statusWhere(pods[0].Pod, lacksImage)
	since, next := int64(unknown), int64(unknown)
	for _, pod := range pods {
		s := statusWhere(pod.Pod, lacksImage)
		failed := p.count(pod.Pod, s.Name, func(s *api.ContainerStatus) bool { return s.State.Reason == "ErrImagePull" })
		since = earliest(since, failed.first)
		if failed.times > 0 {
			next = earliest(next, failed.last+backOff(failed.times))
		}
	}
	s := &symptom{gravity: stuck, since: since, title: "the image cannot be pulled"}
	s.ID, s.Rule, s.Fix = "bad-image", "G-6", p.undo()
	s.Text = fmt.Sprintf("%s %s for image %s: %s", podsOfAny(pods), words.Verb(len(pods), "waits", "wait"),
		first.Image, first.State.Reason)
	switch {
	case next == unknown:
		s.title = "the image is not there"
		s.Text += ". It is not on the node, and imagePullPolicy Never forbids to pull it."
	case next <= p.t:
		s.Text += "; it is being tried again."
	default:
		s.Text += fmt.Sprintf("; the next try is in %s.", p.left(next))
	}
	s.Next = p.unlessMended("")
	if next != unknown {
		s.Next = p.unlessMended("The image is tried again for ever, at most 5m apart.")
	}
	if s.Fix == nil {
		s.Fix = p.otherImage(first.Name, first.Image)
	}
	p.find(s)
}

// checkCrashes finds containers that end again and again (G-10 to G-13).
func (p *patient) checkCrashes() {
	var worst podOf
	var ended *api.ContainerStatus
	most := 0
	var crashing []podOf
	since, next := int64(unknown), int64(unknown)
	for _, pod := range p.pods {
		s, n := crashes(pod.Pod)
		if pod.set != p.focus && p.d != nil || pod.state == past.PodTerminating || n == 0 || pod.state == past.PodAvailable && n < 2 {
			continue
		}
		ends := p.count(pod.Pod, s.Name, hasEnded)
		if pod.state != past.PodCrashLoop && p.t-ends.last > 600_000 {
			continue // the kubelet has forgotten it (G-10)
		}
		crashing = append(crashing, pod)
		since = earliest(since, ends.first)
		if pod.state == past.PodCrashLoop {
			next = earliest(next, ends.last+backOff(n-1))
		}
		if n > most {
			worst, ended, most = pod, s, n
		}
	}
	count := len(crashing)
	if count == 0 {
		return
	}
	s := &symptom{gravity: stuck, since: since, title: "its containers crash again and again"}
	s.ID, s.Rule, s.Fix = "crash-loop", "G-11", p.undo()
	s.Text = fmt.Sprintf("%s %s: container %s of pod %s has ended %s, last with exit code %d", podsOfAny(crashing),
		words.Verb(count, "crashes", "crash"), ended.Name, worst.Name, words.Times(most), exitCode(ended))
	if next == unknown {
		s.Text += "; it runs again."
	} else {
		s.Text += "; the next start is " + p.inWords(next) + "."
	}
	s.Next = p.unlessMended("It is started again for ever, at most 5m apart.")
	if p.complete {
		s.title = "but a container has crashed " + words.Times(most)
	}
	if most < 2 {
		s.gravity, s.title, s.Fix = moving, "a container has ended and is started again", nil
		s.Next = "The first restart comes at once; only the next ones are put off."
	}
	p.find(s)
}

// crashes returns the container of a pod that has ended most often, and how often.
func crashes(pod *api.Pod) (worst *api.ContainerStatus, most int) {
	for i := range pod.Status.ContainerStatuses {
		s := &pod.Status.ContainerStatuses[i]
		n := int(s.RestartCount)
		if hasEnded(s) {
			n++
		}
		if n > most {
			worst, most = s, n
		}
	}
	return worst, most
}

// exitCode returns how a container ended last.
func exitCode(s *api.ContainerStatus) int32 {
	if s.State.Kind == api.Terminated {
		return s.State.ExitCode
	}
	return s.LastState.ExitCode
}

// checkReadiness finds pods that run and are not ready. They are given the time that their probe may take before that is
// called stuck.
func (p *patient) checkReadiness() {
	pods := p.podsIn(past.PodRunning)
	if len(pods) == 0 {
		return
	}
	s := &symptom{gravity: moving, since: unknown, Finding: Finding{ID: "not-ready", Rule: "G-22", Next: goesOn}}
	for _, pod := range pods {
		status := statusWhere(pod.Pod, func(s *api.ContainerStatus) bool { return s.State.Kind == api.Running && !s.Ready })
		if status == nil {
			continue
		}
		kind, probe := probeOf(pod.Pod, status)
		if probe == nil {
			continue
		}
		began := status.State.StartedAt.Milli()
		patience := 1000 * int64(probe.InitialDelaySeconds+(probe.FailureThreshold-1)*probe.PeriodSeconds)
		late := p.t > began+patience && p.t-began >= 1000
		if s.Text == "" || late && s.gravity == moving {
			s.title, s.Text = "its pods are not Ready yet", p.notReadyText(pods, status, kind, probe, began)
		}
		if late {
			s.gravity, s.title, s.Fix, s.since = stuck, "the "+kind+" probe fails", p.undo(), earliest(s.since, began)
			s.Next = p.unlessMended("The probe goes on every " + print.Age(1000*int64(probe.PeriodSeconds)) +
				"; a pod is not restarted because it is not Ready (G-25).")
			if kind == "startup" {
				s.Next = p.unlessMended("The container is killed and started again.")
			}
		}
	}
	if s.Text != "" {
		p.find(s)
	}
}

func (p *patient) notReadyText(pods []podOf, s *api.ContainerStatus, kind string, probe *api.Probe, began int64) string {
	looks := "every " + print.Age(1000*int64(probe.PeriodSeconds))
	if probe.InitialDelaySeconds > 0 {
		looks = print.Age(1000*int64(probe.InitialDelaySeconds)) + " after the start and then " + looks
	}
	return fmt.Sprintf("%s %s, but %s not Ready: container %s has run for %s, and its %s probe (%s) has not succeeded. It looks %s.",
		podsOfAny(pods), words.Verb(len(pods), "runs", "run"), words.Verb(len(pods), "is", "are"), s.Name, p.ago(began), kind, probe.Kind, looks)
}

// probeOf returns the probe that a container waits for.
func probeOf(pod *api.Pod, s *api.ContainerStatus) (kind string, probe *api.Probe) {
	for _, list := range [][]api.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range list {
			switch c := &list[i]; {
			case c.Name != s.Name:
			case !s.Started && c.StartupProbe != nil:
				return "startup", c.StartupProbe
			default:
				return "readiness", c.ReadinessProbe
			}
		}
	}
	return "", nil
}

// checkFlapping finds pods that become Ready, and lose it before they are available (G-13).
func (p *patient) checkFlapping() {
	minReady := p.minReady()
	if minReady == 0 {
		return
	}
	lost, since := 0, int64(unknown)
	var pods []podOf
	var worst string
	for _, pod := range p.podsIn(past.PodReady, past.PodRunning, past.PodCrashLoop) {
		n, first := p.flaps(pod)
		if n == 0 {
			continue
		}
		pods = append(pods, pod)
		since = earliest(since, first)
		if n > lost {
			lost, worst = n, pod.Name
		}
	}
	if len(pods) == 0 {
		return
	}
	s := &symptom{gravity: stuck, since: since, title: "its pods never stay Ready long enough"}
	s.ID, s.Rule, s.Fix = "flapping", "G-13", p.undo()
	s.Text = fmt.Sprintf("%s %s Ready and %s it again before minReadySeconds (%s) have passed: pod %s %s so far.",
		podsOfAny(pods), words.Verb(len(pods), "becomes", "become"), words.Verb(len(pods), "loses", "lose"), print.Age(1000*int64(minReady)),
		worst, words.Times(lost))
	s.Next = p.unlessMended("Each time that more pods are Ready the deadline begins anew (D-63).")
	if lost < 2 {
		s.gravity = waiting
	}
	p.find(s)
}

// flaps counts how often a pod was Ready for too short a time.
func (p *patient) flaps(pod podOf) (n int, first int64) {
	first = unknown
	p.life(pod.Pod, func(before, now *api.Pod, at int64) {
		if before != nil && before.IsReady() && !now.IsReady() && !before.IsAvailable(pod.set.minReady, at) {
			if n++; first == unknown {
				first = at
			}
		}
	})
	return n, first
}

// checkMinReady finds pods that are Ready and only have to stay so.
func (p *patient) checkMinReady() {
	var pods []podOf
	first, last, since := int64(unknown), int64(unknown), int64(unknown)
	for _, pod := range p.podsIn(past.PodReady) {
		if n, _ := p.flaps(pod); n > 0 {
			continue
		}
		pods = append(pods, pod)
		at, _ := pod.AvailableAt(pod.set.minReady)
		first, last = earliest(first, at), max(last, at)
		since = earliest(since, pod.ReadyCondition().LastTransitionTime.Milli())
	}
	if len(pods) == 0 {
		return
	}
	s := &symptom{gravity: waiting, since: since, title: "its pods have to stay Ready"}
	s.ID, s.Rule, s.Next = "slow", "R-16", goesOn
	s.Text = fmt.Sprintf("%s %s Ready and must be for %ds (minReadySeconds): available in %s", podsOfAny(pods),
		words.Verb(len(pods), "is", "are"), p.minReady(), p.left(first))
	if p.left(last) != p.left(first) {
		s.Text += ", the last one in " + p.left(last)
	}
	s.Text += "."
	p.find(s)
}

// checkStart finds pods that are about to run.
func (p *patient) checkStart() {
	var what []string
	counts := map[string]int{}
	pods := 0
	var starting []podOf
	for _, pod := range p.podsIn(past.PodPending, past.PodCreating) {
		if unschedulable(pod.Pod) != nil {
			continue
		}
		pods++
		starting = append(starting, pod)
		status := print.PodStatus(pod.Pod)
		if counts[status]++; counts[status] == 1 {
			what = append(what, status)
		}
	}
	if pods == 0 {
		return
	}
	for i, status := range what {
		what[i] = fmt.Sprintf("%d %s", counts[status], status)
	}
	p.find(&symptom{gravity: moving, since: unknown, title: "its pods are starting", Finding: Finding{ID: "starting", Rule: "G-1", Next: goesOn,
		Text: podsOfAny(starting) + " " + words.Verb(pods, "is", "are") + " starting: " + strings.Join(what, ", ") + ". Nothing is wrong."}})
}

// minReady is for how long the pods that decide must be Ready.
func (p *patient) minReady() int32 {
	switch {
	case p.d == nil:
		return frames.MinReadySecondsOf(p.o)
	case p.focus == nil:
		return 0
	}
	return p.focus.minReady
}
