package kubectl

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// waiter is a kubectl wait of a timeline. It goes on after its command has answered; what it prints later are records of
// their own.
type waiter struct {
	*waiting
	kubectl *Kubectl
	first   int   // where what happens after its command begins in the log of changes
	record  int32 // of the command
	printed int   // how many of its lines are in the trace
	woken   bool  // it has a turn in this moment
}

// wait begins to wait, in the cluster as it is.
func (k *Kubectl) wait(c *command) (string, error) {
	kernel := k.store.Kernel
	r := Reader{Cluster: k.snapshot(c), Now: kernel.Now(), End: kernel.Now()}
	waiting, err := (&reading{Reader: &r, command: c, now: r.Now}).beginWait()
	if err != nil {
		return "", err
	}
	w := &waiter{waiting: waiting, kubectl: k, first: len(k.store.Log), record: kernel.Cause()}
	w.goOn()
	w.printed = len(w.answer.Lines)
	if w.answer.Open {
		if k.waiters == nil {
			k.store.Follow(k)
		}
		k.waiters = append(k.waiters, w)
		kernel.Schedule(sim.Event{At: w.until, To: w})
		w.scheduleLook()
	}
	text := w.answer.Text()
	if w.answer.Failed {
		return "", &partial{done: []string{text}}
	}
	return text, nil
}

// snapshot is what a command is about as it is now.
type snapshot map[api.Key]api.Object

func (k *Kubectl) snapshot(c *command) snapshot {
	s := snapshot{}
	for _, key := range k.objects(c) {
		if o := k.store.Get(key); o != nil {
			s[key] = o
		}
	}
	return s
}

// Get returns an object, nil if there is none of that name.
func (s snapshot) Get(key api.Key) api.Object { return s[key] }

// All lists the objects of a kind, in no order.
func (s snapshot) All(kind api.Kind) (objects []api.Object) {
	for key, o := range s {
		if key.Kind == kind {
			objects = append(objects, o)
		}
	}
	return objects
}

// scheduleLook comes back for the next look for objects that are to be created.
func (w *waiter) scheduleLook() {
	if w.creating && w.look < w.until {
		w.kubectl.store.Kernel.Schedule(sim.Event{At: w.look, To: w})
	}
}

// Observe gives those who wait for an object a turn, after what else happens in this moment.
func (k *Kubectl) Observe(c *sim.Change) {
	for _, w := range k.waiters {
		if w.answer.Open && !w.creating && !w.woken && c.Object().Key() == w.targets[0].key {
			w.woken = true
			k.store.Kernel.Schedule(sim.Event{At: k.store.Kernel.Now(), To: w})
		}
	}
}

// Handle goes on with what has happened by now.
func (w *waiter) Handle(sim.Event) {
	w.woken = false
	if !w.answer.Open {
		return
	}
	kernel := w.kubectl.store.Kernel
	w.Changes, w.End = w.kubectl.store.Log[w.first:], kernel.Now()
	looked := w.look
	w.goOn()
	if w.look != looked {
		w.scheduleLook()
	}
	w.say()
}

// say makes a record of what was printed now.
func (w *waiter) say() {
	news := Reading{Lines: w.answer.Lines[w.printed:]}
	if len(news.Lines) == 0 {
		return
	}
	w.printed = len(w.answer.Lines)
	kernel := w.kubectl.store.Kernel
	kernel.SetCause(w.record)
	kernel.Add(sim.Record{Kind: sim.Output, Actor: actor, Object: w.about, What: news.Text(), Failed: w.answer.Failed})
}
