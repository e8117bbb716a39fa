package traffic

import (
	"slices"
	"sort"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// step is what becomes of the requests that reach a pod from a moment on.
type step struct {
	at     int64
	target *target
	answer Outcome
}

// app is the app in a pod: in the container that answers on the port of its endpoint. It listens from a moment on, stops listening, and ends.
type app struct {
	*target
	ports                []api.EndpointPort
	up, signalled, ready bool
	stays                int64 // after its deletion, unless it crashes
	serves               int   // the step of listening, from 1; 0 if there is none
	deaf, ends           int64 // of this start of the container
}

// walk makes the steps of all pods from the changes of the run.
type walk struct {
	of     scenario.Traffic
	images []scenario.ImageBehaviour
	steps  []step
}

// stepsOf returns the pods that were ever a target, by UID, and their steps in order of time. A pod without a step refuses.
func stepsOf(p *past.Past, r *Report, ports map[string][]api.EndpointPort) (map[string]*target, []step) {
	w := walk{of: r.Of, images: p.Scenario().Images}
	apps, targets := map[string]*app{}, map[string]*target{}
	for _, c := range p.ChangesAfter(-1) {
		breath.Often()
		pod, ok := c.Object().(*api.Pod)
		if ok {
			_, ok = ports[pod.UID]
		}
		if !ok {
			continue
		}
		a := apps[pod.UID]
		if a == nil {
			a = &app{target: &target{name: pod.Name, answer: Early}, ports: ports[pod.UID], deaf: never, ends: never}
			if a.set = slices.Index(r.Sets, past.SetOf(pod)); a.set < 0 {
				a.set, r.Sets = len(r.Sets), append(r.Sets, past.SetOf(pod))
			}
			apps[pod.UID], targets[pod.UID] = a, a.target
			main, _ := pod.Spec.Serving(a.ports)
			r.Drains = min(r.Drains, w.drains(main.Image))
		}
		w.follow(a, &c, pod)
	}
	sort.SliceStable(w.steps, func(i, k int) bool { return w.steps[i].at < w.steps[k].at })
	return targets, w.steps
}

// waits returns how long the app of an image needs until it listens: as long as until it answers a readiness probe.
//
// Simplified: of a range it takes the longest.
func (w *walk) waits(image string) int64 {
	switch b := kubelet.BehaviourOf(image, w.images); {
	case b.NeverReady:
		return never / 2
	case b.Ready != nil:
		return b.Ready.Max
	}
	return 0
}

// stops is the time that a container takes to end after SIGTERM if nothing is said of its image (SIM-6), in ms.
const stops = 1000

// stop returns how long a container of an image takes at least to end after SIGTERM.
func (w *walk) stop(image string) int64 {
	if b := kubelet.BehaviourOf(image, w.images); b.Stop != nil {
		return b.Stop.Min
	}
	return stops
}

// drains returns how long the app of an image has at least for its requests in flight, unless its grace period ends before.
func (w *walk) drains(image string) int64 {
	has := w.stop(image)
	return min(has, map[string]int64{scenario.Drains: w.of.Drain, scenario.Ignores: has}[w.of.OnTerm])
}

func (w *walk) step(a *app, at int64, o Outcome) { w.steps = append(w.steps, step{at, a.target, o}) }

// follow makes the steps of a pod that follow from a change of it.
func (w *walk) follow(a *app, c *past.Change, pod *api.Pod) {
	running, ready := false, false
	main, _ := pod.Spec.Serving(a.ports)
	for _, list := range [][]api.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range list {
			if s := &list[i]; c.New != nil && s.Name == main.Name {
				running, ready = s.State.Kind == api.Running, s.Ready && (main.ReadinessProbe != nil || main.StartupProbe != nil)
			}
		}
	}
	if running && !a.up {
		a.up, a.ready, a.deaf, a.ends = true, false, never, never
		w.step(a, c.At+w.waits(main.Image), Served)
		a.serves = len(w.steps)
	}
	if ready && a.up && !a.ready { // it has answered the probe, so it listens
		a.ready = true
		w.steps[a.serves-1].at = min(w.steps[a.serves-1].at, c.At)
	}
	if pod.Terminating() && !a.signalled {
		a.signalled = true
		signal := c.At + past.WatchLatency + w.signal(pod, main)
		a.stays = min(signal+w.drains(main.Image), c.At+1000*pod.DeletionGracePeriodSeconds)
		deaf, ends := signal, signal
		switch w.of.OnTerm {
		case scenario.Drains:
			ends += w.of.Drain
		case scenario.Ignores:
			deaf, ends = never, never
		}
		beside := func(x api.Container) bool { return x.IsSidecar() }
		if len(pod.Spec.Containers) > 1 || slices.ContainsFunc(pod.Spec.InitContainers, beside) { // they may outlast the app
			deaf, ends = min(deaf, a.stays), min(ends, a.stays)
		}
		w.end(a, deaf, ends, Reset)
	}
	if !running && a.up {
		a.up = false
		removed := c.New == nil && !pod.Terminating()
		if c.At < a.stays || !removed && !pod.Terminating() {
			w.end(a, min(c.At, a.deaf), min(c.At, a.ends), Crashed)
			return
		}
		w.end(a, min(c.At, a.deaf), min(c.At, a.ends), Reset)
		w.step(a, c.At, map[bool]Outcome{false: Gone, true: Removed}[removed])
	}
}

// end makes the steps of an app that stops listening at a moment and ends at another: a request that comes later than its own length
// before the end gets no answer.
func (w *walk) end(a *app, deaf, ends int64, why Outcome) {
	if deaf >= a.deaf && ends >= a.ends {
		return
	}
	first := int64(0)
	if a.serves > 0 {
		if s := &w.steps[a.serves-1]; s.at >= deaf {
			s.at = never // it never gets to listen
			first = never
		} else {
			first = s.at + 1
		}
	}
	last := min(deaf, a.deaf)
	if in := max(first, last-w.of.Unanswered(ends-last)); in < last {
		w.step(a, in, why)
	}
	if deaf < a.deaf {
		w.step(a, deaf, map[Outcome]Outcome{Reset: Late, Crashed: Down}[why])
	}
	a.deaf, a.ends = deaf, ends
}

// signal returns how long after the deletion of its pod a container gets SIGTERM, in ms. The hooks of all containers run at once; a sidecar
// waits for what stops before it (G-30d).
func (w *walk) signal(pod *api.Pod, of *api.Container) (ms int64) {
	hook := func(c *api.Container) int64 {
		if l := c.Lifecycle; l != nil && l.PreStop != nil {
			return 1000 * min(l.PreStop.SleepSeconds, pod.DeletionGracePeriodSeconds)
		}
		return 0
	}
	turn := int64(0)
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		if c == of {
			return hook(c)
		}
		turn = max(turn, hook(c)+w.stop(c.Image))
	}
	for i := len(pod.Spec.InitContainers) - 1; i >= 0; i-- {
		c := &pod.Spec.InitContainers[i]
		if ms = max(turn, hook(c)); c == of {
			break
		}
		if c.IsSidecar() {
			turn = ms + w.stop(c.Image)
		}
	}
	return min(ms, 1000*pod.DeletionGracePeriodSeconds)
}
