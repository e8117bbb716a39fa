package traffic

import (
	"cmp"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// step is what becomes of the requests that reach a pod from a moment on.
type step struct {
	at     int64
	target *target
	answer Outcome
}

// app is the app in a pod: the first container. It listens from a moment on, stops listening, and ends.
type app struct {
	*target
	up, signalled, ready bool
	serves               int   // the step of listening, from 1; 0 if there is none
	deaf, ends           int64 // of this start of the container
}

// walk makes the steps of all pods from the changes of the run.
type walk struct {
	of    scenario.Traffic
	waits func(image string) int64 // ms until an app listens
	tries int
	steps []step
}

// stepsOf returns the pods that were ever a target, by UID, and their steps in order of time. A pod without a step refuses.
func stepsOf(p *past.Past, r *Report, uids map[string]bool) (map[string]*target, []step) {
	w := walk{of: r.Of, tries: paths[r.Of.Via].tries, waits: waits(p.Scenario())}
	apps, targets := map[string]*app{}, map[string]*target{}
	for _, c := range p.ChangesAfter(-1) {
		breath.Often()
		pod, ok := c.Object().(*api.Pod)
		if !ok || !uids[pod.UID] {
			continue
		}
		a := apps[pod.UID]
		if a == nil {
			a = &app{target: &target{name: pod.Name, answer: w.refused(Early)}, deaf: never, ends: never}
			if a.set = slices.Index(r.Sets, past.SetOf(pod)); a.set < 0 {
				a.set, r.Sets = len(r.Sets), append(r.Sets, past.SetOf(pod))
			}
			apps[pod.UID], targets[pod.UID] = a, a.target
		}
		w.follow(a, &c, pod)
	}
	slices.SortStableFunc(w.steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	return targets, w.steps
}

// waits returns how long the app of an image needs until it listens: as long as until it answers a readiness probe.
//
// Simplified: of a range it takes the longest.
func waits(s *scenario.Scenario) func(image string) int64 {
	return func(image string) int64 {
		for i := range s.Images {
			if b := &s.Images[i]; b.Matches(image) {
				if b.NeverReady {
					return never / 2
				}
				if b.Ready != nil {
					return b.Ready.Max
				}
				return 0
			}
		}
		return 0
	}
}

// refused is the outcome of a request that a pod refuses: a proxy may try another one.
func (w *walk) refused(o Outcome) Outcome {
	if w.tries > 1 {
		return Slow
	}
	return o
}

func (w *walk) step(a *app, at int64, o Outcome) { w.steps = append(w.steps, step{at, a.target, o}) }

// follow makes the steps of a pod that follow from a change of it.
func (w *walk) follow(a *app, c *past.Change, pod *api.Pod) {
	running, ready := false, false
	if s := pod.Status.ContainerStatuses; c.New != nil && len(s) > 0 {
		running, ready = s[0].State.Kind == api.Running, s[0].Ready && pod.Spec.Containers[0].ReadinessProbe != nil
	}
	if running && !a.up {
		a.up, a.ready, a.deaf, a.ends = true, false, never, never
		w.step(a, c.At+w.waits(pod.Spec.Containers[0].Image), Served)
		a.serves = len(w.steps)
	}
	if ready && a.up && !a.ready { // it has answered the probe, so it listens
		a.ready = true
		w.steps[a.serves-1].at = min(w.steps[a.serves-1].at, c.At)
	}
	if pod.Terminating() && !a.signalled {
		a.signalled = true
		switch signal := c.At + past.WatchLatency + preStop(pod); w.of.OnTerm {
		case scenario.Stops:
			w.end(a, signal, signal, Reset)
		case scenario.Drains:
			w.end(a, signal, signal+w.of.Drain, Reset)
		}
	}
	if !running && a.up {
		a.up = false
		why := Crashed
		if pod.Terminating() {
			why = Reset // its grace period is over
		}
		w.end(a, min(c.At, a.deaf), min(c.At, a.ends), why)
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
	if in := max(first, ends-w.of.Takes); in < min(deaf, a.deaf) {
		w.step(a, in, why)
	}
	if deaf < a.deaf {
		if why != Crashed {
			why = Late
		}
		w.step(a, deaf, w.refused(why))
	}
	a.deaf, a.ends = deaf, ends
}

// preStop returns how long the hook of a pod delays SIGTERM, in ms.
func preStop(pod *api.Pod) (ms int64) {
	for i := range pod.Spec.Containers {
		if l := pod.Spec.Containers[i].Lifecycle; l != nil && l.PreStop != nil {
			ms = max(ms, 1000*min(l.PreStop.SleepSeconds, pod.DeletionGracePeriodSeconds))
		}
	}
	return ms
}
