package traffic

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
)

// Between returns what became of the requests that arrived between two moments, and when the first and the last failed. Of an interval
// that is cut it takes the part.
func (r *Report) Between(from, to int64) (c Counts, first, last int64) {
	first, last = never, 0
	for k := range r.Intervals {
		i := &r.Intervals[k]
		a, b := max(i.From, from), min(i.To, to)
		if a >= b {
			continue
		}
		part := i.Counts
		for o := range part {
			part[o] = part[o] * (b - a) / (i.To - i.From)
		}
		if c.add(&part); i.Failed() > 0 {
			first, last = min(first, a), b
		}
	}
	return c, first, last
}

// Ended returns what became of the requests that ended between two moments. Those in flight when their pod ended count at its end: the
// first of them had just arrived when the time began that a request takes.
func (r *Report) Ended(from, to int64) (c Counts, first, last int64) {
	c, first, last = r.Between(from, to)
	for _, o := range inFlight {
		c[o] = 0
	}
	for i := range r.Losses {
		l := &r.Losses[i]
		if end := l.From + r.Of.Takes.Max; slices.Contains(inFlight, l.Outcome) && from < end && end <= to {
			c[l.Outcome] += l.Requests
			first, last = min(first, end), max(last, end)
		}
	}
	return c, first, last
}

// Verdict says in one sentence what the users of a Service notice of what happens between two moments; see Tell.
func (r *Report) Verdict(from, to int64) string { return r.Tell(r.Between(from, to)) }

// Tell says in one sentence what the users of a Service notice of these requests, "" without requests. It names the route that they come
// through.
func (r *Report) Tell(c Counts, first, last int64) string {
	text := tell(c, first, last)
	if route := &r.Of.Route; route.Name != "" && text != "" {
		return fmt.Sprintf("Through %s %s: %s", route.Kind, route.Name, text)
	}
	return text
}

func tell(c Counts, first, last int64) string {
	cause := about[c.Worst()].because
	switch failed := c.Failed(); {
	case c.All() == 0:
		return ""
	case failed == 0 && c.Worst() == Crowded:
		return fmt.Sprintf("No request fails, but %s of %s are slow: %s.", number(c.Slow()), number(c.All()), cause)
	case failed == 0 && c.Slow() > 0:
		return fmt.Sprintf("No request fails, but %s of %s are tried again: %s.", number(c.Slow()), number(c.All()), cause)
	case failed == 0:
		return "Your users won't notice."
	default:
		return fmt.Sprintf("About %s of %s requests fail within %d s: %s.", number(failed), number(c.All()), (last-first+999)/1000, cause)
	}
}

// Worst returns the cause of most losses between two moments; ok is false if there is no loss.
func (r *Report) Worst(from, to int64) (o Outcome, ok bool) {
	c, _, _ := r.Between(from, to)
	return c.Worst(), c.All() > c[Served]
}

// Outcomes says how many requests had each outcome, by the names that the outcomes have for people.
func (r *Report) Outcomes() string {
	return "model: " + words.Join(r.Total.ByName(), ", ", func(of Named) string { return number(of.Requests) + " " + of.Name })
}

// Model says what was assumed, by the scenario or by us.
func (r *Report) Model() string {
	does := map[string]string{scenario.Stops: "ends at once", scenario.Drains: "drains", scenario.Ignores: "goes on"}[r.Of.OnTerm]
	takes, via := spell(r.Of.Takes), r.Of.Via
	if route := &r.Of.Route; route.Name != "" {
		via += fmt.Sprintf(" (%s %s)", route.Kind, route.Name)
	}
	switch {
	case r.Of.Assumed:
		return fmt.Sprintf("Assumed: %s requests/s of %s, sent by %s; on SIGTERM the app %s.", number(r.Of.Rate), takes, via, does)
	case r.Of.Users > 0:
		return fmt.Sprintf("Model: %s users with requests of %s, each %s after the last, sent by %s; on SIGTERM the app %s.",
			number(r.Of.Users), takes, duration(r.Of.Pause), via, does) + r.connections()
	}
	return fmt.Sprintf("Model: %s requests/s of %s, sent by %s; on SIGTERM the app %s.", number(r.Of.Rate), takes, via, does)
}

// connections says how long users keep their connections, if they do.
func (r *Report) connections() string {
	of, text := &r.Of, ""
	switch {
	case !r.keeps():
		return ""
	case of.PerConnection == 0 && of.MaxAge == 0:
		text = "Each user keeps one connection."
	case of.MaxAge == 0:
		text = fmt.Sprintf("Each user sends %s requests on one connection.", number(of.PerConnection))
	case of.PerConnection == 0:
		text = fmt.Sprintf("Each user keeps a connection for at most %s.", duration(of.MaxAge))
	default:
		text = fmt.Sprintf("Each user sends %s requests on one connection, in at most %s.", number(of.PerConnection), duration(of.MaxAge))
	}
	return " " + text
}

// keeping names what keeps the pods of a workload while it is updated.
func keeping(workload api.Object) string {
	switch w := workload.(type) {
	case *api.StatefulSet:
		return "One replica more"
	case *api.Deployment:
		if w.Spec.Strategy.Type == api.Recreate {
			return "Strategy RollingUpdate with maxSurge 1 and maxUnavailable 0"
		}
	}
	return "maxSurge 1 with maxUnavailable 0"
}

// keeps says whether the strategy of a Deployment keeps all pods until new ones are available.
func keeps(d *api.Deployment) bool {
	r := d.Spec.Strategy.RollingUpdate
	return r != nil && r.MaxSurge.Scaled(d.Replicas(), true) > 0 && r.MaxUnavailable.Scaled(d.Replicas(), false) == 0
}

// Helps says which setting of a workload ends the losses of a cause.
func (r *Report) Helps(o Outcome, workload api.Object) string {
	if r.published && (o == Early || o == Late || o == Reset && !r.onConnections()) {
		return "Remove publishNotReadyAddresses: it keeps pods in the Service that start or stop."
	}
	switch o {
	case Early:
		return "A readiness probe keeps requests away until the app listens."
	case Crashed:
		return "No setting of the rollout helps: the app ends by itself."
	case Long:
		return "No setting of the rollout helps: a request takes longer than a user waits."
	case Crowded:
		if n := r.MinReady(); n > 0 {
			return fmt.Sprintf("%s pods have room for the requests. %s and minReadySeconds %d keeps them.", number(r.Needs()), keeping(workload), n)
		}
		return fmt.Sprintf("%s pods have room for the requests. %s keeps them.", number(r.Needs()), keeping(workload))
	case NoTarget:
		return fmt.Sprintf("minReadySeconds %d keeps old pods until the load balancer has found new ones healthy; so does its readiness gate.", r.MinReady())
	case NoEndpoint:
		if w, ok := workload.(api.Scalable); ok && w.Replicas() == 0 {
			return "With 0 replicas there is no pod to send to."
		}
		if d, ok := workload.(*api.Deployment); ok && keeps(d) {
			return "No setting of the rollout helps: its strategy already keeps a pod."
		}
		return keeping(workload) + " keeps a pod that serves."
	case Unselected:
		return "Its selector and targetPort must fit pods that are ready."
	}
	if o == Reset && r.onConnections() {
		return "Only an app that drains on SIGTERM helps: users stay with a pod until it closes their connections."
	}
	_, _, sum := r.PreStop()
	return sum + "."
}

// onConnections says whether users send to a pod until it ends, although the proxies no longer do: it closes no connection, or does not wait
// for the requests in flight.
func (r *Report) onConnections() bool {
	return r.keeps() && (r.Of.OnTerm == scenario.Ignores || r.Drains < r.Of.Takes.Max)
}

// keeps says whether users send several requests on one connection, which stays with its pod.
func (r *Report) keeps() bool { return r.Of.PerConnection != 1 && !paths[r.Of.Via].each }

// Needs is how many pods have room for all requests if each has room for some at once.
func (r *Report) Needs() int64 {
	of := &r.Of
	busy, room := of.Rate*of.Mean(), 1000*of.Capacity // in thousandths of requests that are answered at a time
	if of.Users > 0 {
		busy, room = of.Users*of.Mean(), (of.Mean()+of.Pause)*of.Capacity
	}
	return max(1, (busy+room-1)/max(1, room))
}

// Story tells what happened to the requests of a loss.
func (r *Report) Story(l *Loss) string {
	at := func(ms int64) string { return words.Seconds(ms) + " s" }
	switch l.Outcome {
	case SlowEarly, SlowLate, SlowDown, SlowLast:
		return fmt.Sprintf("%s to %s: %s refuses %s requests, and other pods serve them.", at(l.From), at(l.To), l.Pod, number(l.Requests))
	case Early:
		return fmt.Sprintf("%s: the proxies know %s. %s: it listens. Between the two it refuses %s requests.", at(l.From), l.Pod, at(l.To), number(l.Requests))
	case Late:
		return fmt.Sprintf("%s: %s stops listening. %s: the proxies know. Between the two they send it %s requests.", at(l.From), l.Pod, at(l.To), number(l.Requests))
	case NoEndpoint, Unselected:
		return fmt.Sprintf("%s to %s: there is no pod to send to. %s requests fail.", at(l.From), at(l.To), number(l.Requests))
	case NoTarget:
		return fmt.Sprintf("%s to %s: the load balancer has found no pod healthy yet. %s requests fail.", at(l.From), at(l.To), number(l.Requests))
	case Gone, Removed:
		return fmt.Sprintf("%s: %s has ended. %s: the proxies know. Between the two they send it %s requests, which nobody answers until they time out.",
			at(l.From), l.Pod, at(l.To), number(l.Requests))
	case LastLate, LastGone, LastReset:
		return fmt.Sprintf("%s to %s: no pod is ready, so %s gets requests until it ends. %s of them fail.", at(l.From), at(l.To), l.Pod, number(l.Requests))
	case SlowCrowded:
		return fmt.Sprintf("%s to %s: %s answers as many requests at once as it can, and %s wait.", at(l.From), at(l.To), l.Pod, number(l.Requests))
	case Crowded:
		return fmt.Sprintf("%s to %s: %s answers as many requests at once as it can, and %s wait until they time out.",
			at(l.From), at(l.To), l.Pod, number(l.Requests))
	case Long:
		return fmt.Sprintf("%s to %s: %s requests to %s time out, because their users do not wait so long.", at(l.From), at(l.To), number(l.Requests), l.Pod)
	case Crashed, Down:
		return fmt.Sprintf("%s to %s: %s crashes, and %s requests get no answer.", at(l.From), at(l.To), l.Pod, number(l.Requests))
	}
	return fmt.Sprintf("%s: %s ends. %s requests that came since %s get no answer.", at(max(l.To, l.From)), l.Pod, number(l.Requests), at(l.From))
}

// retry is how much later a slice is written when an EndpointSlice controller has not seen its last write yet (E-4), in ms.
const retry = 1000

// PreStop returns the shortest preStop hook, in seconds, after which no proxy sends requests to a pod any more and, if the app does not
// wait for those in flight, none is. Grace is the shortest grace period in which the other requests in flight end, too. The sum has the terms of both.
func (r *Report) PreStop() (seconds, grace int64, sum string) {
	p, t := pathOf(&r.Of), &r.Of
	longest := t.Takes.Max
	reach := p.takes + p.delay + p.leaves
	all, terms := retry+p.runner.Min+reach, fmt.Sprintf("%s (slice) + %s (proxy) + %s (%s)", duration(retry), duration(p.runner.Min), duration(reach), t.Via)
	if r.Drains < longest && !r.keeps() {
		seconds = (all + longest + 999) / 1000
		return seconds, seconds, fmt.Sprintf("preStop ≥ %d s = %s + %s (longest request); grace ≥ %d s", seconds, terms, duration(longest), seconds)
	}
	seconds = (all + 999) / 1000
	grace = seconds + (longest+999)/1000
	return seconds, grace, fmt.Sprintf("preStop ≥ %d s = %s; grace ≥ %d s = %d s + %s (longest request)", seconds, terms, grace, seconds, duration(longest))
}

// MinReady is the shortest minReadySeconds that is over only when a load balancer sends to a pod, 0 without health checks.
func (r *Report) MinReady() int64 {
	p := pathOf(&r.Of)
	if p.joins == 0 {
		return 0
	}
	return (retry + p.runner.Min + p.takes + p.delay + p.joins + 999) / 1000
}

// Repair is what ends the losses of a cause: a field with its value, of the containers but for minReadySeconds, and the shortest grace period
// that goes with it. The field is empty if none does.
func (r *Report) Repair(cause Outcome) (field, value string, grace int64) {
	switch {
	case r.published: // only a change of the Service helps
	case cause == Late, cause == Removed, cause == Reset && !r.onConnections():
		seconds, grace, _ := r.PreStop()
		return "lifecycle", fmt.Sprintf("{preStop: {sleep: {seconds: %d}}}", seconds), grace
	case cause == NoTarget:
		return "minReadySeconds", strconv.FormatInt(r.MinReady(), 10), 0
	case cause == Early:
		return "readinessProbe", "{tcpSocket: {port: 80}, periodSeconds: 1}", 0
	}
	return "", "", 0
}

func duration(ms int64) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) + " s" }

// spell writes how long requests take: 0.1 s, or 0.1–0.2 s.
func spell(r kubelet.Range) string {
	if r.Min == r.Max {
		return duration(r.Max)
	}
	return strconv.FormatFloat(float64(r.Min)/1000, 'f', -1, 64) + "–" + duration(r.Max)
}

func number(n int64) string { return words.Thousands(int(n)) }

// Of is Upto as far as the run is computed.
func Of(p *past.Past, t scenario.Traffic) Report { return Upto(p, t, p.Now()) }

// Reports returns what becomes of the requests of some entries up to a moment.
func Reports(p *past.Past, asked []scenario.Traffic, until int64) []Report {
	list := make([]Report, len(asked))
	for i, t := range asked {
		list[i] = Upto(p, t, until)
	}
	return list
}

// Worst returns the report of which the largest share of requests fails, of those that end between two moments, with these requests; nil
// if there are none. What is in flight when an update begins may fail because of it, so requests count by their end, as In says.
func Worst(list []Report, from, until int64) (worst *Report, c Counts) {
	for i := range list {
		n, _, _ := list[i].Between(list[i].In(from, until))
		if all := n.All(); all > 0 && (worst == nil || float64(n.Failed())*float64(c.All()) > float64(c.Failed())*float64(all)) {
			worst, c = &list[i], n
		}
	}
	return worst, c
}

// In returns when the requests begin that end between two moments.
func (r *Report) In(from, until int64) (first, last int64) {
	return from - r.Of.Takes.Max, until - r.Of.Takes.Max
}

// afterwards is how long requests still count after the last pod has changed, in ms, unless the way to the proxies takes longer.
const afterwards = 10_000

// After returns how long after their last pod has ended requests still count, in ms: until whatever sends them knows. It is 0 for no requests.
func After(asked []scenario.Traffic) (ms int64) {
	for _, t := range asked {
		p := pathOf(&t)
		ms = max(ms, afterwards, retry+p.runner.Min+p.takes+p.delay+max(p.joins, p.leaves))
	}
	return ms
}
