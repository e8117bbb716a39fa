package recorded

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/sim"
)

// setUp is the actor that fills the store before a sync.
const setUp = "recording"

// ReplayPair repeats one recorded sync with our Deployment controller and returns the differences. A conflict needs no
// model: it comes from the controller's own earlier write, in ours as in the real one.
func ReplayPair(p *Pair) []string {
	k, s := newServer(p.T)
	c := deployment.New(s)
	put(s, &p.Pre, templates{})
	deliver(s)
	setClock(k, p.T*1000)
	from := len(s.Store.Log)

	err := c.Sync(deploymentKey)

	got := stateOf(s)
	d := differ{names: renamer(&p.Post, &got)}
	if got := errorText(err, d.names); got != p.Err && (p.Err != "" || failed(p.Writes) != (err != nil)) {
		d.add("error", p.Err, got)
	}
	if want, have := accepted(p.Writes), writes(s, from, d.names); !slices.Equal(want, have) {
		d.add("writes", want, have)
	}
	if want, have := p.Events, events(k, d.names); !slices.Equal(want, have) {
		d.add("events", want, have)
	}
	return append(d.found, compareStates(&p.Post, &got)...)
}

// put stores a recorded state. The controller only looks at pods under Recreate.
func put(s *apiserver.Server, state *State, t templates) {
	s.Store.Put(t.deployment(state.Deployment), sim.Record{Actor: setUp})
	for i := range state.ReplicaSets {
		rs := t.replicaSet(&state.ReplicaSets[i])
		s.Store.Put(rs, sim.Record{Actor: setUp})
		if state.Deployment.Strategy == api.Recreate {
			for _, p := range podsOf(rs, state.ReplicaSets[i].Pods) {
				s.Store.Put(p, sim.Record{Actor: setUp})
			}
		}
	}
}

// failed says whether a write failed. Recordings of real queues hold no errors of syncs, since a worker does not report
// them; a failed write is the only sign of one.
func failed(list []Write) bool {
	return slices.ContainsFunc(list, func(w Write) bool { return w.Error != "" })
}

// errorText returns an error as text, with recorded names.
func errorText(err error, names *strings.Replacer) string {
	if err == nil {
		return ""
	}
	return names.Replace(err.Error())
}

// accepted returns the writes that succeeded. A failed one shows in the sync's error.
func accepted(list []Write) (out []Write) {
	for _, w := range list {
		if w.Error == "" {
			out = append(out, w)
		}
	}
	return out
}

// writes returns the writes since an index of the store's log, in the form of the recordings.
func writes(s *apiserver.Server, from int, names *strings.Replacer) (out []Write) {
	for i := range s.Store.Log[from:] {
		c := &s.Store.Log[from+i]
		resource, _, _ := strings.Cut(kinds.Of(c.Object().Key().Kind).Resource(), ".")
		w := Write{Verb: "update", Resource: resource, Name: names.Replace(c.Object().Key().Name)}
		switch {
		case c.Type == sim.Added:
			w.Verb = "create"
		case c.Type == sim.Deleted:
			w.Verb = "delete"
		case isStatusWrite(c):
			w.Subresource = "status"
		}
		out = append(out, w)
	}
	return out
}

// isStatusWrite says whether a change came through the status subresource. A write of a Deployment's status may change
// annotations, but never the generation; an update of a ReplicaSet never changes the status.
func isStatusWrite(c *sim.Change) bool {
	if c.Object().Key().Kind == api.KindDeployment {
		return c.Old.Meta().Generation == c.New.Meta().Generation
	}
	return !api.StatusEqual(c.New, c.Old)
}

// events returns the Kubernetes events of a trace, in the form of the recordings.
func events(k *sim.Kernel, names *strings.Replacer) []Event {
	out := []Event{}
	for _, r := range k.Trace.Records {
		if r.Kind == sim.Notice {
			out = append(out, Event{Object: string(r.Object.Kind) + "/" + r.Object.Name, Type: r.Type, Reason: r.Reason,
				Message: names.Replace(r.What)})
		}
	}
	return out
}
