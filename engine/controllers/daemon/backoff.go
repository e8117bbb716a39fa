package daemon

import (
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// How long a failed pod stays, in ms (DS-8): a second, doubled with each pod that failed on the node before.
const (
	backoffBase = 1000
	backoffMax  = 15 * 60 * 1000
)

// backoff knows of the pods that failed on each node. A node is forgiven after twice the longest delay.
type backoff map[backoffKey]*backoffEntry

// backoffKey is a node as one generation of a DaemonSet sees it: a change of the spec starts anew.
type backoffKey struct {
	uid        string
	generation int64
	node       string
}

type backoffEntry struct {
	failures int // before the one that set the delay
	delay    sim.Time
	since    sim.Time
}

// current returns the entry of a node that is in its delay, else nil.
func (b backoff) current(key backoffKey, now sim.Time) *backoffEntry {
	if e := b[key]; e != nil && now-e.since < e.delay {
		return e
	}
	return nil
}

// next counts one more failed pod, whose deletion begins the next delay.
func (b backoff) next(key backoffKey, now sim.Time) *backoffEntry {
	e := &backoffEntry{since: now, delay: backoffBase}
	if was := b[key]; was != nil && now-was.since <= 2*backoffMax {
		e.failures, e.delay = was.failures+1, min(2*was.delay, backoffMax)
	}
	b[key] = e
	return e
}

// explain returns the sum behind the delay.
func (e *backoffEntry) explain() *sim.Explain {
	return why.Sum("DS-8", controllerGo+"podsShouldBeOnNode",
		"min(base * 2 ^ failures, longest)", e.delay, backoffBase, int64(min(e.failures, 20)), backoffMax).
		Noting("a failed pod is deleted, and a pod that fails on the same node before so many ms are over must wait")
}
