package read

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/sim"
)

const (
	createPolls = 500                // ms between two looks whether objects are there that are to be created
	cacheFills  = 100                // ms until kubectl looks whether an object has come into the cache that it makes for it
	waitTimeout = 30_000             // ms that it waits without --timeout
	waitWeek    = 7 * 24 * 3_600_000 // with a negative one
)

// ErrDeadline ends the wait for a deletion after --timeout.
var ErrDeadline = errors.New("context deadline exceeded")

// Wait is kubectl wait (kubectl/pkg/cmd/wait/wait.go): it waits for one object after the other, and for each of them for
// one condition after the other, until its time is over. It can be continued when more changes are known, so that a wait
// of a timeline and a wait at the prompt are the same.
//
// For each condition of an object kubectl fills a cache, and goes through what has come into it only when it is there after 100 ms: of
// several objects, a later one may have changed by its turn. A change at the moment of the timeout is too late.
//
// Simplified: kubectl receives a change at the moment of the change, as in watch, and no manifest (-f) names the objects.
type Wait struct {
	follower
	conditions []waitCondition
	work       limits.Meter // of all looks at paths
	deleting   bool
	once       bool  // --timeout=0: one look
	Until      int64 // when the time is over

	creating bool  // the objects are not there yet
	look     int64 // the next look for them, or into the cache

	targets   []waitTarget // the first is waited for
	condition int          // which of its conditions
	cache     cacheState   // of the condition
	visited   int          // how many objects were waited for
	About     api.Key      // the last of them
	errs      []error
}

// cacheState is how far the cache of a condition is.
type cacheState uint8

const (
	noCache cacheState = iota
	filling
	filled
)

// follower goes through the changes after a command.
type follower struct {
	*reading
	changes int                    // how many of them have happened by now
	latest  map[api.Key]api.Object // what they changed, as it is now; nil for what is gone
}

func follow(r *reading) follower { return follower{reading: r, latest: map[api.Key]api.Object{}} }

func (f *follower) see() *sim.Change {
	c := &f.Changes[f.changes]
	f.changes++
	f.latest[c.Object().Key()] = c.New
	return c
}

func (f *follower) more(end int64) bool {
	return f.changes < len(f.Changes) && f.Changes[f.changes].At < end
}

// waitTarget is an object that is waited for, or a type whose objects are listed when it is their turn.
type waitTarget struct {
	key    api.Key
	listed bool // it comes from a list and is not named in the line
}

func (r *reading) wait() error {
	r.beginWait().advance()
	return nil
}

// beginWait begins to wait at the present moment.
func (r *reading) beginWait() *Wait {
	timeout := r.Timeout(waitTimeout)
	if timeout < 0 {
		timeout = waitWeek
	}
	w := &Wait{follower: follow(r), Until: timeout + r.now, once: timeout == 0, look: r.now}
	var wrong error
	for _, c := range r.Conditions {
		condition := waitCondition{WaitCondition: c}
		if c.What == line.WaitPath && wrong == nil {
			condition.path, _, wrong = print.ReadPath(c.Path)
		}
		w.conditions = append(w.conditions, condition)
		w.deleting = w.deleting || c.What == line.WaitDeleted
		w.creating = w.creating || c.What == line.WaitCreated
	}
	for _, kind := range r.Kinds { // what the cluster has by now is remembered: the cluster of a timeline changes
		w.targets = append(w.targets, waitTarget{key: api.Key{Kind: kind}})
		for _, o := range r.Cluster.All(kind) {
			w.latest[o.Key()] = o
		}
	}
	for _, key := range r.Targets {
		w.targets = append(w.targets, waitTarget{key: key})
		w.latest[key] = r.Cluster.Get(key)
	}
	if w.About = w.targets[0].key; wrong != nil {
		w.giveUp(wrong)
	}
	return w
}

// advance continues through the known changes. The answer stays open if the wait has not ended by then, and else has its errors.
func (w *Wait) advance() {
	if w.answer.Open = !w.created() || !w.visit(); w.answer.Open {
		return
	}
	if w.visited == 0 && !w.deleting && len(w.errs) == 0 {
		w.errs = []error{errors.New("no matching resources found")}
	}
	w.fail(w.errs...) // of several, only those of the server have a word in front
}

// created looks twice a second whether all the objects are there. It says whether there is nothing more to look for.
func (w *Wait) created() bool {
	for w.creating && w.End >= w.look {
		for w.more(w.look) {
			w.see()
		}
		w.now = w.look
		found, missing := w.lookForAll()
		switch {
		case w.look == w.Until && !w.once:
			w.giveUp(errTimedOut)
		case found:
			w.creating = false
		case len(missing) > 1: // upstream takes only a single answer of this kind for one to wait on
			w.giveUp(missing...)
		case w.once:
			w.giveUp(errTimedOut)
		default:
			w.look = min(w.look+createPolls, w.Until)
		}
	}
	return !w.creating
}

func (w *Wait) giveUp(errs ...error) { w.creating, w.targets, w.errs = false, nil, errs }

// lookForAll says whether all named objects are there, or any that is selected, and which are missing.
func (w *Wait) lookForAll() (found bool, missing []error) {
	for _, t := range w.targets {
		switch {
		case t.key.Name == "":
			found = found || len(w.list(t.key.Kind)) > 0
		case w.latest[t.key] == nil:
			missing = append(missing, kinds.NotFound(t.key))
		default:
			found = true
		}
	}
	return found && missing == nil, missing
}

// visit waits for one object after the other. It says whether that was the last one.
func (w *Wait) visit() bool {
	for len(w.targets) > 0 {
		t := w.targets[0]
		if t.key.Name == "" {
			w.targets = append(w.list(t.key.Kind), w.targets[1:]...)
			continue
		}
		if !w.waitForAll(t) {
			return false
		}
		w.targets, w.condition, w.cache = w.targets[1:], 0, noCache
	}
	return true
}

// waitForAll waits for the conditions of an object. It says whether that is over, in one way or the other.
func (w *Wait) waitForAll(t waitTarget) bool {
	if w.condition == 0 && w.cache == noCache {
		if !t.listed && w.latest[t.key] == nil {
			w.wrong(kinds.NotFound(t.key))
			return true
		}
		w.visited, w.About = w.visited+1, t.key
	}
	for w.condition < len(w.conditions) {
		met, err := w.waitFor(t.key, &w.conditions[w.condition])
		switch {
		case err != nil:
			w.wrong(err)
			return true
		case !met:
			return false
		}
		w.print(line.ResourceName(t.key) + " condition met")
		w.condition, w.cache = w.condition+1, noCache
	}
	return true
}

// waitFor waits until an object meets a condition. What is neither met nor an error is still open.
func (w *Wait) waitFor(key api.Key, c *waitCondition) (met bool, err error) {
	if c.What == line.WaitCreated {
		return true, nil
	}
	if w.cache == noCache {
		if met, err := w.begin(key, c); met || err != nil {
			return met, err
		}
		w.cache, w.look = filling, w.now+cacheFills
	}
	if w.cache == filling && w.look < w.Until {
		if w.End < w.look {
			return false, nil
		}
		w.cache = filled
		if met, err := w.lookIntoCache(key, c); met || err != nil {
			return met, err
		}
	}
	for w.cache == filled && w.more(w.Until) {
		change := w.see()
		if change.Object().Key() != key {
			continue
		}
		w.now = change.At
		if met, err := c.holds(change.New, &w.work); met || err != nil {
			return met, err
		}
	}
	if w.changes < len(w.Changes) && w.cache == filled || w.End >= w.Until {
		w.now = w.Until
		return false, timedOut(key)
	}
	return false, nil
}

func timedOut(key api.Key) error {
	return errors.New(errTimedOut.Error() + " on " + line.PluralName(key))
}

// begin asks for an object before its cache is filled. After the time is over nothing is asked for any more.
func (w *Wait) begin(key api.Key, c *waitCondition) (met bool, err error) {
	for w.more(w.now + 1) {
		w.see()
	}
	o := w.latest[key]
	switch expired := !w.once && w.now >= w.Until; {
	case expired && c.What == line.WaitDeleted:
		return false, ErrDeadline
	case expired:
		return false, timedOut(key)
	case o == nil && c.What == line.WaitDeleted:
		return true, nil
	case !w.once:
		return false, nil
	case o == nil:
		return false, kinds.NotFound(key)
	}
	met, err = c.holds(o, &w.work)
	if err == nil && !met {
		err = errors.New("condition not met for " + line.PluralName(key))
	}
	return met, err
}

// lookIntoCache says whether an object that is there by now has met a condition since its cache was made (until.go:UntilWithSync).
func (w *Wait) lookIntoCache(key api.Key, c *waitCondition) (met bool, err error) {
	versions := []api.Object{w.latest[key]}
	for w.more(w.look) {
		if change := w.see(); change.Object().Key() == key {
			versions = append(versions, change.New)
		}
	}
	w.now = w.look
	if w.latest[key] == nil && c.What != line.WaitDeleted {
		return false, kinds.NotFound(key)
	}
	for _, o := range versions {
		if met, err = c.holds(o, &w.work); met || err != nil {
			break
		}
	}
	return met, err
}

// list returns the objects of a kind that the command selects now, by namespace and name.
func (w *Wait) list(kind api.Kind) (targets []waitTarget) {
	found := api.Pick(maps.Values(w.latest), func(o api.Object) bool { return o.Key().Kind == kind && w.selects(o) })
	slices.SortFunc(found, api.ByName)
	for _, o := range found {
		targets = append(targets, waitTarget{o.Key(), true})
	}
	return targets
}

// wrong keeps an error for the end. A wait for a deletion accepts what does not exist.
func (w *Wait) wrong(err error) {
	if !w.deleting || !api.IsReason(err, api.ReasonNotFound) {
		w.errs = append(w.errs, err)
	}
}

// Begin starts a wait of a timeline in the cluster of the moment. Advance passes later changes to it.
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

func (w *Wait) Answer() *Reading { return &w.answer }

// NextLook returns when to look again for objects that are to be created, or into a cache; it is false if there is no such look.
func (w *Wait) NextLook() (at int64, ok bool) {
	return w.look, (w.creating || w.cache == filling) && w.look < w.Until
}

// WaitsFor says whether a change of an object may end the wait for it.
func (w *Wait) WaitsFor(key api.Key) bool {
	return w.answer.Open && !w.creating && key == w.targets[0].key
}

// waitCondition is a condition with the path that was read from it.
type waitCondition struct {
	line.WaitCondition
	path print.JSONPath
}

// holds says whether a version of an object meets the condition. An object that is gone is nil; but for its deletion, that
// means waiting for another one of its name.
func (c *waitCondition) holds(o api.Object, work *limits.Meter) (bool, error) {
	switch {
	case c.What == line.WaitDeleted:
		return o == nil, nil
	case o == nil:
		return false, nil
	case c.What == line.WaitPath:
		return c.pathMet(print.Served(o), work)
	}
	return c.statusMet(print.Served(o)), nil
}

// statusMet says whether a condition of the status has the value, and is about the present spec: a condition of an older
// generation does not count (condition.go:checkCondition).
func (c *waitCondition) statusMet(tree api.Fields) bool {
	status := tree.Object("status")
	for _, condition := range status.Items("conditions") {
		value, ok := condition["status"].(string)
		if !ok || !strings.EqualFold(condition.Text("type"), c.Name) {
			continue
		}
		generation, counted := tree.Object("metadata")["generation"].(float64)
		observed, known := condition["observedGeneration"].(float64)
		if !known {
			observed, known = status["observedGeneration"].(float64)
		}
		return (!counted || !known || observed >= generation) && strings.EqualFold(value, c.Value)
	}
	return false
}

// pathMet says whether there is something at the path, and whether it is the value that is waited for (json.go).
func (c *waitCondition) pathMet(tree any, work *limits.Meter) (bool, error) {
	found, err := c.path.Of(work, tree)
	switch {
	case err != nil || len(found) == 0:
		return false, err
	case len(found) > 1:
		return false, errors.New("given jsonpath expression matches more than one value")
	case c.Value == "":
		return true, nil
	}
	switch found[0].(type) {
	case map[string]any, []any:
		return false, errors.New("jsonpath leads to a nested object or list which is not supported")
	}
	return strings.TrimSpace(print.Scalar(found[0])) == strings.TrimSpace(c.Value), nil
}
