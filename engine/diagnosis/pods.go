package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/print"
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

// happened counts how often something happened to a pod, and when first and last.
type happened struct {
	times       int
	first, last int64
}

// count counts the versions of a pod so far in which something happened. The first version has none before it.
func (p *patient) count(pod *api.Pod, happens func(before, now *api.Pod, at int64) bool) happened {
	h := happened{first: unknown, last: unknown}
	for _, record := range p.past.Writes(pod.Key()) {
		if int(record) > p.record {
			break
		}
		c := p.past.Change(int(record))
		before, _ := c.Old.(*api.Pod)
		if now, _ := c.New.(*api.Pod); now == nil || now.UID != pod.UID || !happens(before, now, c.At) {
			continue
		}
		if h.times++; h.first == unknown {
			h.first = c.At
		}
		h.last = c.At
	}
	return h
}

// begins says whether a container begins to satisfy a function.
func begins(name string, is func(*api.ContainerStatus) bool) func(before, now *api.Pod, at int64) bool {
	return func(before, now *api.Pod, _ int64) bool {
		was, s := statusOf(before, name), statusOf(now, name)
		return s != nil && is(s) && (was == nil || !is(was))
	}
}

// backOff returns how long the kubelet waits after n consecutive failures, in ms: 10 s, 20, 40, 80, 160, then 300 (G-6, G-11).
func backOff(failures int) int64 {
	const first, most = int64(10_000), int64(300_000)
	if failures < 1 {
		return 0
	}
	return min(first<<min(failures-1, 5), most)
}

// earliest returns the smaller of two moments, ignoring an unknown one.
func earliest(a, b int64) int64 {
	if a == unknown || b != unknown && b < a {
		return b
	}
	return a
}

// inWords writes when something happens: "in 12s", or "at any moment".
func (p *patient) inWords(at int64) string {
	if at <= p.t {
		return "at any moment"
	}
	return "in " + p.left(at)
}

// shownAfter returns how long after a failed pull its status may show that, in ms: at the next relist, or when the pod is synced again (G-14, G-15).
func shownAfter(times int) int64 {
	if times > 1 {
		return 15_000
	}
	return 1000
}

// checkImages finds pods whose images can't be pulled (G-5 to G-7).
func (p *patient) checkImages(s *symptom) bool {
	pods := p.podsIn(past.PodImageError)
	if len(pods) == 0 {
		return false
	}
	first := statusWhere(pods[0].Pod, lacksImage)
	next := int64(unknown)
	for _, pod := range pods {
		c := statusWhere(pod.Pod, lacksImage)
		failed := p.count(pod.Pod, begins(c.Name, func(s *api.ContainerStatus) bool { return s.State.Reason == "ErrImagePull" }))
		s.since = earliest(s.since, failed.first)
		if failed.times > 0 {
			next = earliest(next, failed.last-shownAfter(failed.times)+backOff(failed.times))
		}
	}
	s.Fix = p.undo(pods...)
	s.Text = fmt.Sprintf("%s %s for image %s: %s", podsOfAny(pods), words.Verb(len(pods), "waits", "wait"),
		first.Image, first.State.Reason)
	switch {
	case first.State.Reason == "InvalidImageName":
		s.title, s.Rule = "the name of the image is not valid", "G-9"
		s.Text += fmt.Sprintf(". No kubelet can read this name: %v.", api.CheckImage(first.Image))
	case next == unknown:
		s.title = "the image is missing"
		s.Text += ". It is not on the node, and imagePullPolicy Never forbids pulling it."
	case next <= p.t:
		s.Text += "; the kubelet is retrying."
	default:
		s.Text += fmt.Sprintf("; the next attempt is in %s at the earliest.", p.left(next))
	}
	s.Next = p.unlessFixed("")
	if next != unknown {
		s.Next = p.unlessFixed("The kubelet keeps retrying the pull, at most 5m apart.")
	}
	if s.Fix == nil {
		s.Fix = p.otherImage(pods[0], first.Name, first.Image)
	}
	return true
}

// checkCrashes finds containers that keep ending (G-10 to G-13).
func (p *patient) checkCrashes(s *symptom) bool {
	var worst podOf
	var ended *api.ContainerStatus
	most := 0
	var crashing []podOf
	next := int64(unknown)
	for _, pod := range p.pods {
		c, n := crashes(pod.Pod)
		if pod.set != p.focus && p.d != nil || pod.state == past.PodTerminating || n == 0 || pod.state == past.PodAvailable && n < 2 {
			continue
		}
		ends := p.count(pod.Pod, begins(c.Name, hasEnded))
		if pod.state != past.PodCrashLoop && p.t-ends.last > 600_000 {
			continue // the kubelet has reset its back-off (G-10)
		}
		crashing = append(crashing, pod)
		s.since = earliest(s.since, ends.first)
		if pod.state == past.PodCrashLoop {
			next = earliest(next, lastEnd(c).FinishedAt.Milli()+backOff(n-1))
		}
		if n > most {
			worst, ended, most = pod, c, n
		}
	}
	count := len(crashing)
	if count == 0 {
		return false
	}
	s.Fix = p.undo(crashing...)
	s.Text = fmt.Sprintf("%s %s: container %s of pod %s has ended %s, last with exit code %d", podsOfAny(crashing),
		words.Verb(count, "crashes", "crash"), ended.Name, worst.Name, words.Times(most), lastEnd(ended).ExitCode)
	switch {
	case next == unknown:
		s.Text += "; it is running again."
	case next <= p.t:
		s.Text += "; the next start is at any moment."
	default: // up to half of the back-off later (G-15)
		s.Text += "; the next start is in " + p.left(next) + " at the earliest."
	}
	s.Next = p.unlessFixed("The kubelet keeps restarting it, at most 5m apart.")
	if p.complete {
		s.title = "but a container has crashed " + words.Times(most)
	}
	if most < 2 {
		s.gravity, s.title, s.Fix = moving, "a container has ended and is being restarted", nil
		s.Next = "The first restart is immediate; only later ones are delayed."
	}
	return true
}

// crashes returns the container of a pod that has ended most often, with the number of times.
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

// lastEnd returns how a container ended last.
func lastEnd(s *api.ContainerStatus) api.ContainerState {
	if s.State.Kind == api.Terminated {
		return s.State
	}
	return s.LastState
}

// unready is why a pod runs and is not ready: a container that does not pass a probe.
type unready struct {
	c     *api.Container
	kind  string
	probe *api.Probe // nil if no container waits for one
	began int64      // when the container started
	lost  int64      // when it ceased to be ready, unknown if it never was
	late  bool       // the probe has had time to fail
}

// unreadyOf returns why a pod is not ready. A probe has had time to fail when readiness is lost; otherwise its first run is at most a second
// and a period after initialDelaySeconds (G-21), so after 5 + 1 + 3*10 = 36 s for a delay of 5 s and the defaults.
func (p *patient) unreadyOf(pod *api.Pod) (u unready) {
	status := statusWhere(pod, func(s *api.ContainerStatus) bool { return s.State.Kind == api.Running && !s.Ready })
	if status == nil {
		return u
	}
	u.c, u.kind, u.probe = probeOf(pod, status)
	if u.probe == nil {
		return u
	}
	u.began, u.lost = status.State.StartedAt.Milli(), unknown
	u.late = p.t > u.began+1000*int64(u.probe.InitialDelaySeconds+1+u.probe.FailureThreshold*u.probe.PeriodSeconds)
	ready := api.FindCondition(pod.Status.Conditions, "ContainersReady")
	if u.kind == "readiness" && ready != nil && ready.LastTransitionTime.Milli() > u.began {
		u.lost, u.late = ready.LastTransitionTime.Milli(), true
	}
	return u
}

// checkReadiness finds pods that run but are not ready. They are stuck once their probe has had time to fail. On a lost node nobody probes.
func (p *patient) checkReadiness(s *symptom) bool {
	pods := slices.DeleteFunc(p.podsIn(past.PodRunning), func(pod podOf) bool { return p.lost(pod) != nil })
	for _, pod := range pods {
		u := p.unreadyOf(pod.Pod)
		if u.probe == nil {
			continue
		}
		if s.Text == "" || u.late && s.gravity == moving {
			s.Text = p.notReadyText(pods, &u)
		}
		if u.late {
			s.gravity, s.slow, s.title = stuck, true, "the "+u.kind+" probe fails"
			s.Fix, s.since = p.undo(pods...), earliest(s.since, max(u.began, u.lost))
			s.Next = p.unlessFixed("The probe repeats every " + print.Age(1000*int64(u.probe.PeriodSeconds)) +
				"; a failing readiness probe does not restart a pod (G-25).")
			switch {
			case u.c.LacksPort(u.probe):
				s.slow, s.title, s.Rule = false, "the "+u.kind+" probe names no port of its container", "G-28"
				s.Next = p.unlessFixed("Such a probe has no result, whatever the container does.")
			case u.kind == "startup":
				s.Next = p.unlessFixed("The container is killed and restarted.")
			}
		}
	}
	return s.Text != ""
}

// gatePatience is how long the wait for a readiness gate looks usual, in ms: no load balancer's first health check takes longer.
const gatePatience = 60_000

// checkGates finds pods whose containers are ready, and that wait for others to set a readiness gate.
func (p *patient) checkGates(s *symptom) bool {
	var waiting []podOf
	gate, since := "", int64(unknown)
	for _, pod := range p.podsIn(past.PodRunning) {
		containers := api.FindCondition(pod.Status.Conditions, "ContainersReady")
		if containers == nil || containers.Status != "True" {
			continue
		}
		gates := pod.Gates()
		if i := slices.IndexFunc(gates, func(c api.Condition) bool { return c.Status != "True" }); i >= 0 {
			waiting, gate = append(waiting, pod), gates[i].Type
			since = earliest(since, containers.LastTransitionTime.Milli())
		}
	}
	if len(waiting) == 0 {
		return false
	}
	s.Next = "It continues when the condition is set."
	s.Text = fmt.Sprintf("%s %s running, but not Ready: the wait for the condition %s, which something outside the cluster sets, has lasted %s.",
		podsOfAny(waiting), words.Verb(len(waiting), "is", "are"), gate, p.ago(since))
	if p.t > since+gatePatience {
		s.gravity, s.slow, s.since, s.title, s.Fix = stuck, true, since, "nobody has set the readiness gate "+gate, p.undo(waiting...)
		s.Next = p.unlessFixed(s.Next)
	}
	return true
}

func (p *patient) notReadyText(pods []podOf, u *unready) string {
	if u.c.LacksPort(u.probe) {
		return fmt.Sprintf("%s %s running but not Ready: the %s probe of container %s names the port %s, which the container does not declare.",
			podsOfAny(pods), words.Verb(len(pods), "is", "are"), u.kind, u.c.Name, u.probe.PortName)
	}
	looks := "every " + print.Age(1000*int64(u.probe.PeriodSeconds))
	if u.probe.InitialDelaySeconds > 0 {
		looks = print.Age(1000*int64(u.probe.InitialDelaySeconds)) + " after the start and then " + looks
	}
	what := "has not succeeded"
	if u.lost != unknown {
		what = fmt.Sprintf("failed %s ago, after it had succeeded", p.ago(u.lost))
	}
	return fmt.Sprintf("%s %s running but not Ready: container %s has run for %s, and its %s probe (%s) %s. It probes %s.",
		podsOfAny(pods), words.Verb(len(pods), "is", "are"), u.c.Name, p.ago(u.began), u.kind, u.probe.Kind, what, looks)
}

// probeOf returns a container and the probe that it waits for.
func probeOf(pod *api.Pod, s *api.ContainerStatus) (c *api.Container, kind string, probe *api.Probe) {
	for _, list := range [][]api.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range list {
			switch c := &list[i]; {
			case c.Name != s.Name:
			case !s.Started && c.StartupProbe != nil:
				return c, "startup", c.StartupProbe
			default:
				return c, "readiness", c.ReadinessProbe
			}
		}
	}
	return nil, "", nil
}

// checkFlapping finds pods that become Ready and lose readiness before they are available (G-13).
func (p *patient) checkFlapping(s *symptom) bool {
	minReady := p.minReady()
	if minReady == 0 {
		return false
	}
	lost := 0
	var pods []podOf
	var worst string
	for _, pod := range p.podsIn(past.PodReady, past.PodRunning, past.PodCrashLoop) {
		flaps := p.flaps(pod)
		if flaps.times == 0 {
			continue
		}
		pods = append(pods, pod)
		s.since = earliest(s.since, flaps.first)
		if flaps.times > lost {
			lost, worst = flaps.times, pod.Name
		}
	}
	if len(pods) == 0 {
		return false
	}
	s.Fix = p.undo(pods...)
	s.Text = fmt.Sprintf("%s %s Ready and %s readiness before minReadySeconds (%s) have passed: pod %s %s so far.",
		podsOfAny(pods), words.Verb(len(pods), "becomes", "become"), words.Verb(len(pods), "loses", "lose"), print.Age(1000*int64(minReady)),
		worst, words.Times(lost))
	s.Next = p.unlessFixed("The deadline restarts each time more pods are Ready (D-63).")
	if lost < 2 {
		s.gravity = waiting
	}
	return true
}

// flaps counts how often a pod was Ready for too short a time.
func (p *patient) flaps(pod podOf) happened {
	return p.count(pod.Pod, func(before, now *api.Pod, at int64) bool {
		return before != nil && before.IsReady() && !now.IsReady() && !before.IsAvailable(pod.set.minReady, at)
	})
}

// checkMinReady finds pods that are Ready and must stay Ready for a while.
func (p *patient) checkMinReady(s *symptom) bool {
	var pods []podOf
	first, last := int64(unknown), int64(unknown)
	for _, pod := range p.podsIn(past.PodReady) {
		if p.flaps(pod).times > 0 {
			continue
		}
		pods = append(pods, pod)
		at, _ := pod.AvailableAt(pod.set.minReady)
		first, last = earliest(first, at), max(last, at)
		s.since = earliest(s.since, pod.ReadyCondition().LastTransitionTime.Milli())
	}
	if len(pods) == 0 {
		return false
	}
	s.Text = fmt.Sprintf("%s %s Ready and must stay Ready for %ds (minReadySeconds): available in %s", podsOfAny(pods),
		words.Verb(len(pods), "is", "are"), p.minReady(), p.left(first))
	if p.left(last) != p.left(first) {
		s.Text += ", the last one in " + p.left(last)
	}
	s.Text += "."
	return true
}

// checkStart finds pods that are starting.
func (p *patient) checkStart(s *symptom) bool {
	var what []string
	counts := map[string]int{}
	var starting []podOf
	for _, pod := range p.podsIn(past.PodPending, past.PodCreating) {
		if unschedulable(pod.Pod) != nil || p.lost(pod) != nil {
			continue
		}
		starting = append(starting, pod)
		status := print.PodStatus(pod.Pod)
		if counts[status]++; counts[status] == 1 {
			what = append(what, status)
		}
	}
	if len(starting) == 0 {
		return false
	}
	for i, status := range what {
		what[i] = fmt.Sprintf("%d %s", counts[status], status)
	}
	s.Text = podsOfAny(starting) + " " + words.Verb(len(starting), "is", "are") + " starting: " + strings.Join(what, ", ") + ". Nothing is wrong."
	return true
}

// minReady returns the minReadySeconds of the pods that decide.
func (p *patient) minReady() int32 {
	switch {
	case p.d == nil:
		return api.MinReadySecondsOf(p.o)
	case p.focus == nil:
		return 0
	}
	return p.focus.minReady
}
