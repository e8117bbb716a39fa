package past

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/words"
)

// Sync describes a reconcile.
type Sync struct {
	Wakes  []Wake // what woke it, at most three
	Woken  int    // how often its key was queued since the previous reconcile
	Last   int    // index of its last record; its own if it has no other
	Writes int    // how many of its records are writes
}

// Wake is one reason why a key was queued.
type Wake struct {
	Record int    // the write that it received, or the reconcile that requested a retry or delay, or paused; -1 without either
	Text   string // Pod/default/web-x was modified
}

// Sync describes the reconcile that begins at record i, nil if none begins there.
func (p *Past) Sync(i int) *Sync {
	s := p.Records()[i].Sync
	if s == nil {
		return nil
	}
	out := &Sync{Woken: s.Woken, Last: s.Last, Writes: s.Writes}
	for _, w := range s.Causes() {
		out.Wakes = append(out.Wakes, Wake{Record: int(w.Record), Text: p.wakeText(w)})
	}
	return out
}

func (p *Past) wakeText(w sim.Wake) string {
	if w.Record < 0 {
		return "it existed from the start"
	}
	cause := p.Records()[w.Record]
	switch w.Kind {
	case sim.WakeDelay:
		return fmt.Sprintf("a delay set at %s s has passed", words.Seconds(cause.At))
	case sim.WakeRetry:
		return fmt.Sprintf("the sync at %s s requested a retry", words.Seconds(cause.At))
	case sim.WakeToken:
		return fmt.Sprintf("the sync at %s s waited for its client", words.Seconds(cause.At))
	}
	change := [...]string{"added", "modified", "deleted"}[p.Change(int(w.Record)).Type]
	return fmt.Sprintf("%s was %s", cause.Object, change)
}

// SyncOf returns the index of the record that begins the reconcile of record i, -1 if it belongs to none.
func (p *Past) SyncOf(i int) int {
	records := p.Records()
	for j := i; j >= 0 && records[j].At == records[i].At; j-- {
		if s := records[j].Sync; s != nil {
			if i <= s.Last {
				return j
			}
			return -1
		}
	}
	return -1
}

// Cause returns the index of the record that caused record i, -1 if none did: for a write of kubectl its command, for a
// record of a reconcile that reconcile, for a reconcile the write that first woke it, and for what a kubelet does on its
// own the previous write of the same object.
func (p *Past) Cause(i int) int {
	rec := p.Records()[i]
	if rec.Sync != nil {
		return int(rec.Sync.Wakes[0].Record)
	}
	if rec.Cause >= 0 || rec.Kind != sim.Write {
		return int(rec.Cause)
	}
	return p.lastWrite(rec.Object, i-1)
}

// Chain returns the cause of record i, the cause of that, and so on, back to a record without a cause, at most max records.
func (p *Past) Chain(i, max int) []int {
	var chain []int
	for i = p.Cause(i); i >= 0 && len(chain) < max; i = p.Cause(i) {
		chain = append(chain, i)
	}
	return chain
}

// Explanation returns the index of the record that explains record i: the record itself if it carries its sum, or else the
// command that made it. It is -1 for commands and reconciles, which need no explanation.
func (p *Past) Explanation(i int) int {
	rec := p.Records()[i]
	switch rec.Kind {
	case sim.Input, sim.Reconcile:
		return -1
	case sim.Write, sim.Decision:
		if rec.Why != nil {
			return i
		}
	}
	return int(rec.Cause)
}
