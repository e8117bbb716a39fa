// Package past gives views of the computed part of a run: the cluster at a cursor, lives of pods, lanes, work queues, causes,
// differences, tables, and the answers of reading kubectl commands. It never changes the run.
//
// A view of the cluster moves along the log of changes in both directions, because each change also holds the previous version.
// It leaves a checkpoint (lists of pointers) every 2,048 changes, so a seek passes at most about a thousand changes, however
// long the run.
package past

import (
	"math"
	"sort"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/sim"
)

// Record is an entry of the trace, Change the effect of a write on the store. Observers (judge, diagnosis) see nothing else of
// the kernel.
type (
	Record = sim.Record
	Change = sim.Change
)

const (
	Write        = sim.Write        // the kind of a record whose object changed
	WatchLatency = sim.WatchLatency // ms from a write until the controllers receive it
)

// Past is the computed part of a run. It grows with the run; its contents never change.
type Past struct {
	source Source

	view    *view
	history history
	queues  []*queueReplay
	strips  map[api.Key]*strips
	inputs  []int32 // the records of commands
	looked  int     // at how many records, for inputs
	tiled   tiled
}

// Source is the input of a Past: the parts of a run.
type Source struct {
	Scenario *scenario.Scenario
	Kernel   *sim.Kernel // its trace and its loops
	Store    *sim.Store
	Counts   *frames.Counter
	Answers  map[int]*Answer              // to the commands, by record
	Output   func(record int) []read.Line // the later output of a command that continues, by its record; nil for other records
	Now      func() int64                 // the virtual ms that the run is computed to
}

// New returns the past of a run that has just begun.
func New(s Source) *Past {
	return &Past{source: s, view: &view{store: s.Store, state: state{kinds: map[api.Kind][]api.Object{}}, checkpoints: []state{{}}, printed: map[api.Object][]string{}},
		strips: map[api.Key]*strips{}}
}

// Scenario returns the scenario of the run.
func (p *Past) Scenario() *scenario.Scenario { return p.source.Scenario }

// Now returns the virtual ms up to which the run is computed.
func (p *Past) Now() int64 { return p.source.Now() }

// Records returns the records so far. The list only grows; callers must not change it.
func (p *Past) Records() []*Record { return p.source.Kernel.Trace.Records }

// Len is the number of records so far.
func (p *Past) Len() int { return len(p.Records()) }

// At returns the virtual ms of the i-th record.
func (p *Past) At(i int) int64 { return p.Records()[i].At }

// Find returns the index of the last record at or before a virtual ms, -1 if there is none.
func (p *Past) Find(t int64) int {
	records := p.Records()
	return sort.Search(len(records), func(i int) bool { return records[i].At > t }) - 1
}

// Kind returns the kind of the i-th record.
func (p *Past) Kind(i int) sim.RecordKind { return p.Records()[i].Kind }

// IsIdle says whether record i begins a reconcile without further records: it found nothing to do.
func (p *Past) IsIdle(i int) bool {
	s := p.Records()[i].Sync
	return s != nil && s.Last == i
}

// SameReason says whether two records report the same for the same reason, as do ten pods created by one decision.
func (p *Past) SameReason(i, j int) bool {
	a, b := p.Records()[i], p.Records()[j]
	return a.Why == b.Why && a.What == b.What
}

// Change returns the change that record i, a write, made to the store.
func (p *Past) Change(i int) *Change { return &p.log()[p.Records()[i].Change] }

// log returns the changes of the store so far.
func (p *Past) log() []Change { return p.source.Store.Log }

// ChangesAfter returns the changes after record i, as far as the run is computed.
func (p *Past) ChangesAfter(i int) []Change { return p.log()[p.changesAfter(i):] }

// Workloads returns the names of all workloads that ever existed, in order of appearance: "Deployment/default/web".
func (p *Past) Workloads() []string { return p.source.Counts.Names() }

// Frames returns the frames of a workload so far, in order; consecutive frames differ. The slice only grows.
func (p *Past) Frames(workload string) []frames.Frame { return p.source.Counts.Frames(workload) }

// FrameAfter returns the index of the frame that holds after a record, -1 if the first frame comes later.
func FrameAfter(frames []frames.Frame, record int) int { return FrameAt(frames, record, math.MaxInt64) }

// FrameAt returns the index of the frame that holds after a record at a moment, -1 if the workload is not there yet. A pod that has
// been Ready for minReadySeconds is available without a record: its frame has the record before it, and comes later.
func FrameAt(frames []frames.Frame, record int, t int64) int {
	return sort.Search(len(frames), func(k int) bool { return frames[k].Record > record || frames[k].T > t }) - 1
}

// StateAfter returns the cluster after record i. It is valid until the next call.
func (p *Past) StateAfter(i int) *view {
	p.view.seek(p.changesAfter(i))
	return p.view
}

// changesAfter returns how many changes there were after record i.
func (p *Past) changesAfter(i int) int {
	log := p.log()
	return sort.Search(len(log), func(k int) bool { return log[k].Record > i })
}

// Objects lists the objects of a kind after a record, by namespace and name. The list is valid until the next call of any
// view.
func (p *Past) Objects(kind api.Kind, record int) []api.Object { return p.StateAfter(record).All(kind) }
