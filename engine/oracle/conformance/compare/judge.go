package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
	"github.com/rollplay/rollplay/engine/sim"
)

// judge runs the real controllers beside the engine's. Their caches receive the same changes at the same moments, and
// whenever one of the engine's controllers reconciles a key, the real one does so first, on the same caches and the same
// stored objects. The judge compares what the two queue, write, send as events and return; the engine then continues with
// its own result. So every decision is judged on its own, in every state that the engine reaches.
type judge struct {
	kernel    *sim.Kernel
	store     *sim.Store
	server    *upstream.Server
	converter *convert.Converter
	real      *upstream.Controllers
	loops     []string // the engine's loops that are compared, in the order in which they receive a change

	queued    map[string][]string   // by the engine's loops, since the last comparison
	queues    map[string]*workQueue // of the engine's loops
	delivered map[api.Kind]int      // how much of the log of changes the caches have seen
	records   int                   // where the records of the current reconcile begin
	handled   int                   // where the records of event handlers may begin
	err       error                 // of the real reconcile

	evictions evictions

	syncs, wakes int
	first        *Difference // the first difference; nothing is compared after it
}

// newJudge attaches the real controllers to a world before its first event.
func newJudge(k *sim.Kernel, store *sim.Store) *judge {
	j := unattached(k, store)
	loops := make([]string, len(k.Loops))
	for i, l := range k.Loops {
		loops[i] = l.Name
	}
	j.real = upstream.Start(j.server, loops)
	j.loops = slices.DeleteFunc(loops, func(loop string) bool { return !j.real.Have(loop) })
	for _, name := range j.loops {
		j.queues[name] = newWorkQueue()
	}
	for _, kind := range upstream.Kinds {
		store.Informer(kind).AddHandler(j)
	}
	k.LoopObserver = j
	return j
}

// unattached returns a judge of a store without the real controllers.
func unattached(k *sim.Kernel, store *sim.Store) *judge {
	c := convert.New(store)
	s := upstream.NewServer(store, c)
	return &judge{kernel: k, store: store, converter: c, server: s, queued: map[string][]string{},
		queues: map[string]*workQueue{}, delivered: map[api.Kind]int{},
		evictions: evictions{store: store, server: s, converter: c, budgets: s.Budgets()}}
}

// catchUp moves the clock of the current bubble to a kernel's.
func catchUp(k *sim.Kernel) {
	if ahead := time.Until(convert.WallTime(k.Now())); ahead > 0 {
		time.Sleep(ahead)
	}
}

// OnChange brings the real caches up to date and compares which keys the handlers of both sides have queued.
func (j *judge) OnChange(c *sim.Change) {
	if j.first != nil {
		return
	}
	j.advance()
	j.checkStored(c)
	j.server.TakeActions()
	j.real.Deliver(c.Object().Key().Kind, j.form(c.Old), j.form(c.New), j.versionOf(c))
	j.wakes += len(j.loops)
	j.compareQueues("receives " + c.Object().Key().String())
	j.compareHandlers(c)
}

// compareHandlers compares the Kubernetes events that event handlers send; only the disruption controller's do.
func (j *judge) compareHandlers(c *sim.Change) {
	if slices.Contains(j.loops, upstream.DisruptionLoop) {
		var ours []upstream.Action
		for _, r := range j.kernel.Trace.Records[j.handled:] {
			if r.Actor == disruptionEvents && r.Kind == sim.Notice {
				ours = append(ours, upstream.Action{What: "event", About: r.Object, Text: upstream.EventText(r.Type, r.Reason, r.What)})
			}
		}
		j.compareActions(fmt.Sprintf("%s receives %s", upstream.DisruptionLoop, c.Object().Key()), api.Key{}, ours, j.server.TakeActions())
	}
	j.handled = len(j.kernel.Trace.Records)
}

// form returns the real form of an object.
func (j *judge) form(o api.Object) convert.Object {
	if o == nil {
		return nil
	}
	return j.converter.Convert(o)
}

// versionOf returns the resourceVersion of a delivered change, which is the next one of its kind in the log.
func (j *judge) versionOf(c *sim.Change) int64 {
	kind := c.Object().Key().Kind
	for i := j.delivered[kind]; i < len(j.store.Log); i++ {
		if j.store.Log[i].Object().Key().Kind == kind {
			j.delivered[kind] = i + 1
			return int64(i + 1)
		}
	}
	panic("conformance: a change is not in the log")
}

// Queued notes what a loop of the engine queues.
func (j *judge) Queued(l *sim.Loop, key api.Key, delay sim.Time) {
	if !j.real.Have(l.Name) || j.first != nil {
		return
	}
	j.advance()
	after := time.Duration(delay) * time.Millisecond
	j.queued[l.Name] = append(j.queued[l.Name], upstream.Call(keyText(key), after))
	j.queues[l.Name].queue.AddAfter(keyText(key), after)
}

// keyText prints a key as client-go does.
func keyText(key api.Key) string {
	if key.Namespace == "" {
		return key.Name
	}
	return key.Namespace + "/" + key.Name
}

// SyncBegins lets the real controller reconcile the key first.
func (j *judge) SyncBegins(l *sim.Loop, key api.Key) {
	if !j.real.Have(l.Name) || j.first != nil {
		return
	}
	j.advance()
	if wrong := j.queues[l.Name].take(keyText(key)); wrong != "" {
		j.differ(l.Name+" syncs "+key.String(), "queues", "taken now", wrong)
		return
	}
	j.server.Begin(j.hashesOf(key)...)
	j.err = j.real.Sync(l.Name, keyText(key))
	j.records = len(j.kernel.Trace.Records)
}

// SyncEnds compares what both have done.
func (j *judge) SyncEnds(l *sim.Loop, key api.Key, err error) {
	if !j.real.Have(l.Name) || j.first != nil {
		return
	}
	j.syncs++
	j.queues[l.Name].queue.Done(keyText(key))
	where := fmt.Sprintf("%s syncs %s", l.Name, key)
	theirs := j.server.TakeActions()
	if j.err != nil {
		theirs = append(theirs, upstream.Action{What: "error", About: key, Text: j.server.Translate(j.err.Error())})
	}
	ours := j.ourActions(l.Name)
	if err != nil {
		ours = append(ours, upstream.Action{What: "error", About: key, Text: err.Error()})
	}
	j.compareActions(where, key, ours, theirs)
	if j.unordered(key) { // which write got which resourceVersion depends on their order: that of the engine counts for both
		j.real.ForgetWritten(l.Name, key)
		j.rewrite(l.Name, key)
	}
	j.compareQueues(strings.TrimPrefix(where, l.Name+" "))
	j.handled = len(j.kernel.Trace.Records)
}

// rewrite lets the real controller wait for what the engine's has stored: new pods and claims, the status of the object, and whatever a StatefulSet's
// has changed.
func (j *judge) rewrite(loop string, key api.Key) {
	owner := j.store.Get(key)
	if owner == nil {
		return
	}
	for _, r := range j.kernel.Trace.Records[j.records:] {
		if r.Kind != sim.Write || r.Actor != loop {
			continue
		}
		c := &j.store.Log[r.Change]
		if c.New != nil && (c.Old == nil || c.New.Key() == key || key.Kind == api.KindStatefulSet && !c.New.Meta().Terminating()) {
			j.real.Wrote(loop, owner, c.New)
		}
	}
}

// EvictionBegins lets the real handler of evictions decide first.
func (j *judge) EvictionBegins(pod api.Key, opts apiserver.EvictOptions) {
	if j.first == nil {
		j.advance()
		j.evictions.begins(pod, opts)
	}
}

// EvictionEnds compares what both have decided.
func (j *judge) EvictionEnds(pod api.Key, err error) {
	if j.first != nil {
		return
	}
	if what, ours, theirs := j.evictions.ends(err); what != "" {
		j.differ("eviction of "+pod.String(), what, ours, theirs)
	}
}

// compareQueues compares the queued keys. How often a key was queued does not matter, nor does the order within a moment.
func (j *judge) compareQueues(where string) {
	for _, name := range j.loops {
		ours, theirs := distinct(j.queued[name]), distinct(j.real.TakeQueued(name))
		j.queued[name] = nil
		if name == upstream.NodeLoop && j.store.Informer(api.KindDaemonSet).Cache.Len() == 0 {
			continue // the engine queues no nodes while there is no DaemonSet
		}
		if !slices.Equal(ours, theirs) {
			j.differ(name+" "+where, "queued keys", fmt.Sprint(ours), fmt.Sprint(theirs))
		}
	}
}

func distinct(calls []string) []string {
	slices.Sort(calls)
	return slices.Compact(calls)
}

// differ notes a difference, if it is the first one.
func (j *judge) differ(where, what, ours, theirs string) {
	if j.first == nil {
		j.first = &Difference{At: j.kernel.Now(), Where: where, What: what, Ours: ours, Theirs: theirs}
	}
}
