package read

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/sim"
)

// Begin starts a kubectl wait that continues with the cluster: a wait of a timeline. The reader's cluster is that of
// the moment; Advance tells it what happens afterwards.
func (r *Reader) Begin(c *line.Command) *Wait {
	w := newReading(r, c).beginWait()
	w.advance()
	return w
}

// Advance continues with all changes since the wait began, up to a moment.
func (w *Wait) Advance(changes []sim.Change, now int64) {
	w.Changes, w.End = changes, now
	w.advance()
}

// Answer returns what was printed so far.
func (w *Wait) Answer() *Reading { return &w.answer }

// About returns the object that the wait is at, or was at last.
func (w *Wait) About() api.Key { return w.about }

// Until returns when the time of the wait is over.
func (w *Wait) Until() int64 { return w.until }

// NextLook returns when to look again for objects that are to be created; it is false if there is no such look.
func (w *Wait) NextLook() (at int64, ok bool) { return w.look, w.creating && w.look < w.until }

// WaitsFor says whether a change of an object may end the wait for it.
func (w *Wait) WaitsFor(key api.Key) bool {
	return w.answer.Open && !w.creating && key == w.targets[0].key
}
