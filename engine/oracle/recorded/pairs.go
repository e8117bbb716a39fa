package recorded

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/sim"
)

// setUp is the actor of what is in the store before a sync.
const setUp = "recording"

// ReplayPair does one recorded sync with our Deployment controller and returns in what it differs. A conflict needs no
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
	if got := errorText(err, d.names); got != p.Err && (p.Err != "" || refused(p.Writes) != (err != nil)) {
		d.add("error", p.Err, got)
	}
	if want, have := accepted(p.Writes), writes(s, from, d.names); !slices.Equal(want, have) {
		d.add("writes", want, have)
	}
	if want, have := p.Events, events(k, d.names); !slices.Equal(want, have) {
		d.add("events", want, have)
	}
	for i := range p.Post.ReplicaSets {
		p.Post.ReplicaSets[i].Pods = nil // a Deployment's sync does not touch them
	}
	return append(d.found, compareStates(&p.Post, &got)...)
}

// put stores a recorded state. Pods are only looked at under Recreate.
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

// refused says whether a write was refused. The recordings of real queues have no errors of syncs, since a worker keeps
// them to itself; there only this tells of one.
func refused(list []Write) bool {
	return slices.ContainsFunc(list, func(w Write) bool { return w.Error != "" })
}

func errorText(err error, names *strings.Replacer) string {
	if err == nil {
		return ""
	}
	return names.Replace(err.Error())
}

// accepted returns the writes that were not refused. What a refusal leads to is seen in the sync's error.
func accepted(list []Write) (out []Write) {
	for _, w := range list {
		if w.Error == "" {
			out = append(out, w)
		}
	}
	return out
}

// writes returns what has been written since an index of the store's log, in the words of the recordings.
func writes(s *apiserver.Server, from int, names *strings.Replacer) (out []Write) {
	for i := range s.Store.Log[from:] {
		c := &s.Store.Log[from+i]
		resource, _, _ := strings.Cut(c.Object().Key().Kind.Resource(), ".")
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

// isStatusWrite says whether a change came through the status subresource: that of a Deployment may bring annotations,
// but no new generation, and a ReplicaSet's own update leaves the status alone.
func isStatusWrite(c *sim.Change) bool {
	if c.Object().Key().Kind == api.KindDeployment {
		return c.Old.Meta().Generation == c.New.Meta().Generation
	}
	return !c.New.StatusEqual(c.Old)
}

// events returns the Kubernetes events of a trace, in the words of the recordings.
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
