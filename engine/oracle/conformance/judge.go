package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// judge runs the real controllers beside the engine's. Their caches get the same changes at the same moments, and
// whenever one of the engine's controllers reconciles a key, the real one does so first, on the same caches and the same
// stored objects. What the two queue, write, send as events and return is compared; the engine then goes on with its
// own. So every decision is judged by itself, in every state that the engine comes into.
type judge struct {
	kernel    *sim.Kernel
	store     *sim.Store
	server    *server
	converter *converter
	upstream  *upstream
	loops     []string // of the engine that are compared, in the order in which they hear of a change

	queued    map[string][]string // by the engine's loops, since the last comparison
	delivered map[api.Kind]int    // how far the log of changes has come to the caches
	records   int                 // where the present reconcile's records begin
	heard     int                 // where the records begin that event handlers may have made

	evictions evictions

	syncs, wakes int
	first        *difference // what was different first; after it nothing is compared
}

// difference is a disagreement between the engine and upstream.
type difference struct {
	At           sim.Time
	Where        string // for example: sync of Deployment/default/web
	What         string // what differs: actions, error, queue, or the path of a field
	Ours, Theirs string
}

// actorOf and pathOf say what sort of difference it is, without names and numbers.
func actorOf(where string) string { return strings.Join(strings.Fields(where)[:2], " ") }

func pathOf(what string) string {
	return numbers.ReplaceAllString(strings.Split(what, " of the stored")[0], "")
}

var numbers = regexp.MustCompile(`[0-9]+`)

func (d *difference) String() string {
	return fmt.Sprintf("%.3f s, %s: %s differ\n    ours: %s\n  theirs: %s", float64(d.At)/1000, d.Where, d.What, d.Ours, d.Theirs)
}

// newJudge attaches the real controllers to a world that has not begun yet.
func newJudge(k *sim.Kernel, store *sim.Store) *judge {
	c := newConverter(store)
	j := &judge{kernel: k, store: store, converter: c, server: &server{store: store, converter: c},
		queued: map[string][]string{}, delivered: map[api.Kind]int{}}
	j.server.gate.arrived = make(chan struct{}, 1)
	j.server.begin()
	for _, l := range k.Loops {
		if start[l.Name] != nil || minor[l.Name] {
			j.loops = append(j.loops, l.Name)
		}
	}
	j.upstream = newUpstream(j.server, j.loops)
	j.evictions = evictions{store: store, server: j.server, budgets: j.upstream.client.PolicyV1()}
	j.upstream.informers[api.KindReplicaSet].cache.alias = j.server.translate
	for _, kind := range watched {
		store.Informer(kind).AddHandler(j)
	}
	k.LoopObserver = j
	return j
}

// watched are the kinds that the controllers watch.
var watched = []api.Kind{api.KindDeployment, api.KindReplicaSet, api.KindStatefulSet, api.KindDaemonSet, api.KindControllerRevision,
	api.KindPod, api.KindNode, api.KindPersistentVolumeClaim, api.KindPodDisruptionBudget}

// advance moves the bubble's clock to the kernel's.
func (j *judge) advance() { catchUp(j.kernel) }

// catchUp moves the clock of the bubble that it is called in to a kernel's.
func catchUp(k *sim.Kernel) {
	if ahead := time.Until(wallTime(k.Now())); ahead > 0 {
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
	j.server.actions = nil
	j.upstream.informers[c.Object().Key().Kind].deliver(j.form(c.Old), j.form(c.New), j.versionOf(c))
	j.wakes += len(j.loops)
	j.compareQueues("hears of " + c.Object().Key().String())
	j.compareHeard(c)
}

// compareHeard compares the events that handlers have sent; only the disruption controller's do.
func (j *judge) compareHeard(c *sim.Change) {
	if slices.Contains(j.loops, disruptionLoop) {
		var ours []action
		for _, r := range j.kernel.Trace.Records[j.heard:] {
			if r.Actor == disruptionEvents && r.Kind == sim.Notice {
				ours = append(ours, action{what: "event", about: r.Object, text: eventText(r.Type, r.Reason, r.What)})
			}
		}
		j.compareActions(fmt.Sprintf("%s hears of %s", disruptionLoop, c.Object().Key()), api.Key{}, ours, j.server.actions)
	}
	j.heard = len(j.kernel.Trace.Records)
}

func (j *judge) form(o api.Object) object {
	if o == nil {
		return nil
	}
	return j.converter.convert(o)
}

// versionOf returns the resourceVersion of a change that is delivered: that of the next one of its kind in the log.
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
	if j.upstream.workers[l.Name] != nil {
		j.queued[l.Name] = append(j.queued[l.Name], call(keyText(key), time.Duration(delay)*time.Millisecond))
	}
}

func keyText(key api.Key) string {
	if key.Namespace == "" {
		return key.Name
	}
	return key.Namespace + "/" + key.Name
}

// SyncBegins lets the real controller reconcile the key first.
func (j *judge) SyncBegins(l *sim.Loop, key api.Key) {
	w := j.upstream.workers[l.Name]
	if w == nil || j.first != nil {
		return
	}
	j.advance()
	j.server.begin()
	j.server.hashes = j.hashesOf(key)
	j.upstream.client.ClearActions()
	w.work(j.server, keyText(key))
	j.records = len(j.kernel.Trace.Records)
}

// SyncEnds compares what both have done.
func (j *judge) SyncEnds(l *sim.Loop, key api.Key, err error) {
	w := j.upstream.workers[l.Name]
	if w == nil || j.first != nil {
		return
	}
	j.syncs++
	where := fmt.Sprintf("%s syncs %s", l.Name, key)
	theirs := j.server.actions
	if w.err != nil {
		theirs = append(theirs, action{what: "error", about: key, text: j.server.translate(w.err.Error())})
	}
	ours := j.ourActions(l.Name)
	if err != nil {
		ours = append(ours, action{what: "error", about: key, text: err.Error()})
	}
	j.compareActions(where, key, ours, theirs)
	j.forgetVersions(l.Name, key)
	j.compareQueues(strings.TrimPrefix(where, l.Name+" "))
	j.heard = len(j.kernel.Trace.Records)
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

// forgetVersions drops the resourceVersions that a controller has written in parallel and waits to see (H-9): which of its
// writes got which number depends on their order, which is not compared. In the engine's time they are seen before the next
// reconcile in any case.
func (j *judge) forgetVersions(loop string, key api.Key) {
	if store := j.upstream.written[loop]; store != nil && j.unordered(key) {
		store.Clear(types.NamespacedName{Namespace: key.Namespace, Name: key.Name}, "")
	}
}

// compareQueues compares the keys that were queued. How often does not matter, and neither does the order of one moment.
func (j *judge) compareQueues(where string) {
	for _, name := range j.loops {
		ours, theirs := distinct(j.queued[name]), distinct(j.upstream.workers[name].queue.take())
		j.queued[name] = nil
		if name == nodeLoop && j.store.Informer(api.KindDaemonSet).Cache.Len() == 0 {
			continue // the engine does not queue nodes as long as no DaemonSet could be interested
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
		j.first = &difference{At: j.kernel.Now(), Where: where, What: what, Ours: ours, Theirs: theirs}
	}
}
