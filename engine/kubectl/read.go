package kubectl

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/sim"
)

// read carries out a reading command of a timeline. The answer has the lines of this very moment, because a record of the trace is
// complete when it is made: get -w lists and does not watch, rollout status says how far the rollout is. Only wait continues, see waiter.
func (k *Kubectl) read(c *command) {
	trace := k.store.Kernel.Trace.Records
	r := read.Reader{Cluster: stored{k.store}, Now: k.store.Kernel.Now(), Trace: trace, Record: len(trace) - 1, Load: k.Load, Config: k.Config, File: k.file}
	c.answer = r.Answer(&c.Command)
	c.answer.Open = false
}

// edit names the object that is to be opened; Run puts it into the answer.
func (k *Kubectl) edit(c *command) error {
	key, err := read.Edited(stored{k.store}, &c.Command)
	if err == nil {
		c.print(line.ResourceName(key) + " opens in the editor; what is changed there is applied")
	}
	return err
}

// stored is the cluster as it is stored now.
type stored struct{ store *sim.Store }

// Get returns an object, nil if there is none of that name.
func (s stored) Get(key api.Key) api.Object { return s.store.Get(key) }

// All lists the objects of a kind by namespace and name: the store has them in the order of their creation.
func (s stored) All(kind api.Kind) []api.Object {
	return slices.SortedFunc(s.store.Table(kind).All(), api.ByName)
}

// later is a command that continues after it has answered: what it prints then becomes records of its own.
type later struct {
	kubectl *Kubectl
	cause   int32 // the record of the command
}

// waiter is a kubectl wait of a timeline.
type waiter struct {
	*read.Wait
	later
	first int  // where what happens after its command begins in the log of changes
	woken bool // it has a turn in this moment
}

// wait begins to wait, in the cluster as it is.
func (k *Kubectl) wait(c *command) {
	kernel := k.store.Kernel
	r := read.Reader{Cluster: stored{k.store}, Now: kernel.Now(), End: kernel.Now()}
	w := &waiter{Wait: r.Begin(&c.Command), later: later{k, kernel.Cause()}, first: len(k.store.Log)}
	c.answer = w.Answer()
	if c.answer.Open {
		if k.waiters == nil {
			k.store.Follow(k)
		}
		k.waiters = append(k.waiters, w)
		kernel.Schedule(sim.Event{At: w.Until, To: w})
		w.scheduleLook()
	}
}

// scheduleLook comes back for the next look for objects that are to be created.
func (w *waiter) scheduleLook() {
	if at, ok := w.NextLook(); ok {
		w.kubectl.store.Kernel.Schedule(sim.Event{At: at, To: w})
	}
}

// Observe gives commands that wait for an object a turn, after everything else in this moment.
func (k *Kubectl) Observe(c *sim.Change) {
	for _, w := range k.waiters {
		if !w.woken && w.WaitsFor(c.Object().Key()) {
			w.woken = true
			k.store.Kernel.Schedule(sim.Event{At: k.store.Kernel.Now(), To: w})
		}
	}
}

// Handle continues with what has happened by now.
func (w *waiter) Handle(sim.Event) {
	w.woken = false
	if !w.Answer().Open {
		return
	}
	printed := len(w.Answer().Lines)
	before, _ := w.NextLook()
	w.Advance(w.kubectl.store.Log[w.first:], w.kubectl.store.Kernel.Now())
	if after, _ := w.NextLook(); after != before {
		w.scheduleLook()
	}
	w.say(w.Answer(), printed, w.About)
}

// say makes a record of what was printed now, behind some lines.
func (l *later) say(answer *read.Reading, printed int, about api.Key) {
	news := read.Reading{Lines: answer.Lines[printed:]}
	if len(news.Lines) == 0 {
		return
	}
	k, kernel := l.kubectl, l.kubectl.store.Kernel
	kernel.SetCause(l.cause)
	k.outputs[len(kernel.Trace.Records)] = news.Lines
	kernel.Add(sim.Record{Kind: sim.Output, Actor: actor, Object: about, What: news.Text(), Failed: answer.Failed})
}

// Output returns the lines that a command has printed in a later record, with what went to stderr; nil for any other record.
func (k *Kubectl) Output(record int) []read.Line { return k.outputs[record] }
