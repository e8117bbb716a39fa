package kubelet

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

var (
	whyReady = why.Note("G-22", "pkg/kubelet/prober/worker.go:doProbe",
		"the readiness probe has succeeded successThreshold times in a row")
	whyUnready = why.Note("G-25", "pkg/kubelet/prober/worker.go:doProbe",
		"the readiness probe has failed failureThreshold times in a row")
	whyStartedUp = why.Rule("G-20", "pkg/kubelet/prober/worker.go:doProbe")
)

// probeKind is one of a container's probes.
type probeKind uint8

const (
	startup probeKind = iota
	readiness
	liveness
)

// result is what a probe says about a run.
type result uint8

const (
	unprobed result = iota
	unknown         // before the first result of a startup probe
	success
	failure
)

// prober probes a container (prober/worker.go): its ticks come in the probe's period, and only those that change something are events.
type prober struct {
	kind   probeKind
	spec   *api.Probe // nil: the container has no such probe, or has none any more
	timers int64
	base   sim.Time // when its ticker began
	ticked sim.Time // its last tick that was an event
	early  bool     // a relist began the sync of base
	lags   bool     // its ticks come after the syncs of their ms, since a probe of its reset's ms came before the reset
	run    int32    // the run that it has seen
	result result   // of that
	news   bool     // it has not been told
	last   result   // of the last probe
	count  int64    // equal results in a row
	hold   bool     // until there is a new run
	told   bool     // an event says that it fails
	due    sim.Time // the first tick that is counted later, or never
	good   bool     // what it and those that follow find
}

// beginProbes creates the workers of a container's probes.
func (c *container) beginProbes(now sim.Time) {
	specs := [...]*api.Probe{c.spec.StartupProbe, c.spec.ReadinessProbe, c.spec.LivenessProbe}
	if c.init || specs == [3]*api.Probe{} {
		return
	}
	c.probes = make([]prober, len(specs))
	for kind, spec := range specs {
		c.probes[kind] = prober{kind: probeKind(kind), spec: spec, base: now, ticked: now, due: never}
	}
}

// result returns what a probe says about the last run of a container.
func (c *container) result(kind probeKind) result {
	if c.probes == nil || c.probes[kind].run != c.run {
		return unprobed
	}
	return c.probes[kind].result
}

func (c *container) failed(kind probeKind) bool { return c.result(kind) == failure }

// next returns the first tick at or after a moment (G-21). With a ticker that began at 0 and a period of 10 s, the first tick after 12 s is
// at 20 s.
func (w *prober) next(from sim.Time) sim.Time {
	return w.base + max(1, (from-w.base+w.period()-1)/w.period())*w.period()
}

func (w *prober) period() sim.Time { return 1000 * int64(w.spec.PeriodSeconds) }

// from returns when initialDelaySeconds is over. It counts from the start as a status shows it, in whole seconds
// (status_manager.go:normalizeStatus): with a delay of 2 s and a start at 5.188 s, from 7 s on (G-21).
func (w *prober) from(c *container) sim.Time {
	return c.startedAt/1000*1000 + 1000*int64(w.spec.InitialDelaySeconds)
}

// succeedsFrom returns from when on a probe succeeds, until the process ends.
func (c *container) succeedsFrom(kind probeKind) sim.Time {
	if kind == readiness && c.broken || c.answersFrom >= c.endsAt || c.lacksPort(&c.probes[kind]) {
		return never
	}
	return c.answersFrom
}

// answers says whether a probe succeeds at a moment. A relist comes first in its ms, and so does all that it begins: a run that began otherwise
// becomes ready, and ends unless somebody crashes it, after a probe of that ms.
func (c *container) answers(w *prober, at sim.Time) bool {
	if w.early && !c.early && c.endCause < 0 {
		at--
	}
	return c.succeedsFrom(w.kind) <= at && at < c.endsAt
}

// lacksPort says whether a probe names a port that the container does not declare. Its results are unknown, and do not count (G-28,
// prober/worker.go:doProbe): readiness stays a failure, and liveness a success.
func (c *container) lacksPort(w *prober) bool { return c.spec.LacksPort(w.spec) }

// gated says whether a probe waits for something other than time: for a new run, or for the startup probe, or until it is no longer needed.
func (w *prober) gated(started bool) bool { return w.hold || started == (w.kind == startup) }

// late says whether a sync has reset a worker's ticker: where it ticks in the ms of others, that is after what they have told, as that sync was.
func (c *container) late(w *prober) bool { return w.base != c.probes[startup].base }

// tickSaw says whether a container had started in the status that a tick of this ms reads: workers that tick together read it before one of them
// changes it.
func (c *container) tickSaw(w *prober, now sim.Time) bool {
	return c.status.Started != (c.startedTold == now && !c.late(w))
}

// planAll schedules the next ticks of a container's probes.
func (k *Kubelet) planAll(c *container) {
	for kind := range c.probes {
		k.plan(c, &c.probes[kind])
	}
}

// plan schedules the next tick that changes something.
func (k *Kubelet) plan(c *container, w *prober) {
	now := k.kernel.Now()
	k.cancel(&w.timers)
	if w.settle(now); w.spec == nil || c.shownRun == 0 {
		return
	}
	from, op := max(now, w.ticked+1), opStartup+uint8(w.kind)
	switch at := w.next(from); {
	case w.run != c.shownRun, at == c.startedTold:
		k.at(c, at, op)
	case c.status.State.Kind != api.Running:
		if !w.hold && w.result != failure {
			k.at(c, at, op)
		}
	case !w.gated(c.status.Started):
		w.due = w.next(max(from, w.from(c)))
		w.good = c.answers(w, w.due)
		k.at(c, w.changes(c), op)
	}
}

// changes returns the first tick from due on that changes something: a result that comes often enough in a row (G-22, G-24), the first failure, or
// another result.
func (w *prober) changes(c *container) (at sim.Time) {
	find, threshold, turn := failure, w.spec.FailureThreshold, c.succeedsFrom(w.kind)
	if w.good {
		find, threshold, turn = success, w.spec.SuccessThreshold, c.endsAt
	} else if c.endsAt <= w.due {
		turn = never
	}
	if at = never; turn < never {
		at = w.next(max(w.due, turn))
	}
	switch {
	case !w.good && !w.told:
		return w.due
	case c.lacksPort(w):
		return never
	}
	if w.result != find {
		left := int64(threshold)
		if w.last == find {
			left -= w.count
		}
		at = min(at, w.due+(max(1, left)-1)*w.period())
	}
	return at
}

// settle counts the ticks before a moment that were not events.
func (w *prober) settle(now sim.Time) {
	if w.due < now && w.spec != nil {
		w.add(w.good, (now-1-w.due)/w.period()+1)
	}
	w.due = never
}

// add counts equal results.
func (w *prober) add(good bool, n int64) {
	find := failure
	if good {
		find, w.told = success, false
	}
	if w.last != find {
		w.last, w.count = find, 0
	}
	w.count += n
}

// trigger probes the containers that are not ready, as each sync of their pod does, and resets their tickers: with a delay of 5 s and a period of
// 10 s, a sync 0.9 s after the start is too early, and the next probe is at 10.9 s (G-21, prober_manager.go:UpdatePodStatus). The results come
// after what the sync does at once.
func (k *Kubelet) trigger(p *pod) {
	if p.gone {
		return
	}
	for _, c := range p.containers {
		if c.triggers {
			c.triggers = false
			w, now := &c.probes[readiness], k.kernel.Now()
			w.settle(now)
			if w.ticked < now && w.next(now) == now && !w.lags {
				k.probe(c, w, c.tickSaw(w, now)) // a tick at the same time
				k.tell(c, w)
			}
			w.base, w.early, w.lags = now, p.early, w.ticked == now
			k.probe(c, w, true)
			k.tell(c, w)
		}
		k.planAll(c)
	}
}

// triggered says whether a sync triggers the container's readiness probe.
func (c *container) triggered() bool {
	return c.probes != nil && c.probes[readiness].spec != nil && c.status.State.Kind == api.Running && c.status.Started && !c.status.Ready
}

// tick is a tick of probes of which one changes something.
func (k *Kubelet) tick(p *pod) {
	if !p.terminated { // its workers have not ended
		k.tickTogether(p, false)
		k.tickTogether(p, true)
	}
}

// tickTogether is the tick of those workers of a pod that are late, or of the others: those that see a new run say so first. A worker whose
// container does not run has a result at once, so that a sync begins before a probe has ended; all probes have a result before the first of these
// leads to a sync.
func (k *Kubelet) tickTogether(p *pod, late bool) {
	now := k.kernel.Now()
	probe := func(c *container, w *prober) { w.settle(now); k.probe(c, w, c.tickSaw(w, now)) }
	tell := func(c *container, w *prober) { k.tell(c, w); k.plan(c, w) }
	for _, do := range []func(*container, *prober){
		k.see,
		func(c *container, w *prober) {
			if c.status.State.Kind != api.Running {
				probe(c, w)
				tell(c, w)
			}
		},
		func(c *container, w *prober) {
			if w.ticked < now {
				probe(c, w)
			}
		},
		tell,
	} {
		for _, c := range p.containers {
			for kind := range c.probes {
				if w := &c.probes[kind]; w.spec != nil && w.next(now) == now && c.late(w) == late {
					do(c, w)
				}
			}
		}
	}
}

// probe looks at a container once (prober/worker.go:doProbe), which had started or not as the worker has read in its status.
func (k *Kubelet) probe(c *container, w *prober, started bool) {
	now := k.kernel.Now()
	if w.ticked = now; c.shownRun == 0 {
		return
	}
	k.see(c, w)
	switch {
	case w.hold:
		return
	case c.status.State.Kind != api.Running:
		w.take(c, failure)
		return
	case now < w.from(c) || w.gated(started):
		return
	}
	good := c.answers(w, now)
	switch w.add(good, 1); {
	case c.lacksPort(w):
		k.unhealthy(c, w)
	case good:
		if w.count >= int64(w.spec.SuccessThreshold) {
			w.take(c, success)
		}
	default:
		k.unhealthy(c, w)
		if w.count >= int64(w.spec.FailureThreshold) {
			w.take(c, failure)
		}
	}
}

// see takes notice of a new run.
func (k *Kubelet) see(c *container, w *prober) {
	if shown := c.shownRun; shown != 0 && w.run != shown {
		w.run, w.result, w.hold = shown, unprobed, false
		w.take(c, [...]result{unknown, failure, success}[w.kind])
		k.tell(c, w)
	}
}

// take takes a result.
func (w *prober) take(c *container, r result) {
	if probed := w.kind == startup && r >= success || w.kind == liveness && r == failure; probed && c.status.State.Kind == api.Running {
		w.hold, w.count = true, 0
	}
	w.news = w.news || w.result != r
	w.result = r
}

// tell tells a new result, which leads to a sync of the pod (kubelet.go:syncLoopIteration).
func (k *Kubelet) tell(c *container, w *prober) {
	good, news, before := w.result == success, w.news, c.status
	w.news = false
	switch {
	case !news, w.kind == liveness && good:
		return
	case w.kind == readiness:
		c.status.Ready = good
	case w.kind == startup && before.Started != good:
		c.status.Started, c.startedTold = good, k.kernel.Now()
		k.planAll(c)
	}
	if c.status != before {
		what, because := c.news(&before)
		k.writeStatus(c.pod, what, because)
	}
	k.ask(c.pod)
}

// unhealthy sends the event of a failed probe.
//
// Simplified: only for the first failure in a row, and for the first after another event of the container.
func (k *Kubelet) unhealthy(c *container, w *prober) {
	if !w.told {
		w.told = true
		text := " probe failed: " + output(w.spec)
		if c.lacksPort(w) {
			text = fmt.Sprintf(" probe errored and resulted in unknown state: port %q not found", w.spec.PortName)
		}
		k.event(c, "Warning", "Unhealthy", [...]string{"Startup", "Readiness", "Liveness"}[w.kind]+text)
	}
}

// tellAgain lets the next failures of a container's probes be events.
func (k *Kubelet) tellAgain(c *container) {
	for kind := range c.probes {
		if w := &c.probes[kind]; w.told {
			w.told = false
			k.plan(c, w)
		}
	}
}

// output returns the output of a failed probe [?]. Only the texts for grpc and HTTP come from upstream's prober; the others depend on
// the system.
func output(probe *api.Probe) string {
	switch probe.Kind {
	case "tcpSocket":
		return "dial tcp: connect: connection refused"
	case "exec":
		return "command terminated with exit code 1"
	case "grpc":
		return `service unhealthy (responded with "NOT_SERVING")`
	}
	return "HTTP probe failed with statuscode: 503"
}

// kill stops a container that is restarted: its image is another one (G-13), or its probe has failed too often (G-24).
func (k *Kubelet) kill(c *container) {
	what, probe := " definition changed", &api.Probe{}
	switch {
	case c.changed() && !(c.sidecar && c.failed(startup)):
	case c.failed(liveness):
		what, probe = " failed liveness probe", c.spec.LivenessProbe
	default:
		what, probe = " failed startup probe", c.spec.StartupProbe
	}
	text := "Container " + c.spec.Name + what + ", will be restarted"
	if c.sidecar {
		text = "Init container " + c.spec.Name + what
	}
	k.event(c, "Normal", "Killing", text)
	grace := c.pod.told.spec.TerminationGracePeriodSeconds
	if probe.TerminationGracePeriodSeconds != nil {
		grace = *probe.TerminationGracePeriodSeconds
	}
	k.stop(c, grace)
}
