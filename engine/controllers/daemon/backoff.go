package daemon

import (
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// A failed pod stays for 1 s, 2 s, 4 s … 512 s, 900 s (DS-8), longer with each pod that failed on the node before. In ms.
const (
	backoffBase = 1000
	backoffMax  = 15 * 60 * 1000
)

// backoff records failed pods by node. A node starts over after twice the longest delay: 30 minutes.
type backoff map[backoffKey]*backoffEntry

// backoffKey is a node and a generation of a DaemonSet: a change of the spec starts over.
type backoffKey struct {
	uid        string
	generation int64
	node       string
}

type backoffEntry struct {
	failures int // earlier ones, without the failure that set the delay
	delay    sim.Time
	since    sim.Time
}

// current returns the entry of a node whose delay is not over, nil for other nodes.
func (b backoff) current(key backoffKey, now sim.Time) *backoffEntry {
	if e := b[key]; e != nil && now-e.since < e.delay {
		return e
	}
	return nil
}

// next records a failed pod, whose deletion starts the next delay.
func (b backoff) next(key backoffKey, now sim.Time) *backoffEntry {
	e := &backoffEntry{since: now, delay: backoffBase}
	if was := b[key]; was != nil && now-was.since <= 2*backoffMax {
		e.failures, e.delay = was.failures+1, min(2*was.delay, backoffMax)
	}
	b[key] = e
	return e
}

// explain explains the delay.
func (e *backoffEntry) explain() *sim.Explain {
	return why.Sum("DS-8", controllerGo+"podsShouldBeOnNode",
		"min(base * 2 ^ failures, longest)", e.delay, backoffBase, int64(min(e.failures, 20)), backoffMax).
		Noting("a failed pod is deleted; a pod that fails on the same node within this many ms has to wait")
}
