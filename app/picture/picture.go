// Package picture draws a run as a picture, with its cursor at a moment or in motion: the posters of the site, and the files that
// people save of their own runs. It needs no browser, so the page and the command make the same bytes. Only a PNG differs: the
// browser draws its own from the SVG with its fonts; the command paints rectangles and writes with Go's fonts, or with -font.
//
// The animated SVG has no script: a lid over the chart moves to the right and carries the same grid, so only the curves seem to
// come; numbers and captions are below each other behind a window, and keyframes move them. The cursor rests at captions, because
// several often fall into a tenth of a second. It plays three times and rests on the finished chart, which is also the picture for
// readers who prefer less motion. A file has at most 60 kB; longer runs get a coarser grid.
package picture

import (
	"cmp"
	"slices"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Picture is the chart of a workload, with the cursor at a moment.
type Picture struct {
	Title    scenario.Text
	workload string
	captions []scenario.Caption
	frames   []engine.Frame   // the state at the end of each ms with a change
	at       int              // the one at the cursor
	when     int64            // the cursor, in virtual ms
	written  past.WorkloadRow // what the manifest says about the bounds at that moment
	outages  []chart.Span     // no pod was available
	commands []chart.Mark     // of the person and the scenario, after time zero: those at zero create the initial state
	budgets  []past.Budget    // for the pods of the workload
	sets     []chart.Set      // of the frames, in the order of their colours
	begin    int64            // of the time axis, in virtual ms
	end      int64            // of the time axis
	high     int              // the end of the count axis
	step     int              // of the count axis
}

// Telling means the most telling moment of a run.
const Telling = -1

// New makes the picture of a workload of a run, "" for the first one, with the cursor at a virtual ms. It is nil for a run without
// that workload.
func New(run *engine.Run, workload string, at int64) *Picture {
	if all := run.Workloads(); workload == "" && len(all) > 0 {
		workload = all[0]
	}
	frames := run.Frames(workload)
	if len(frames) == 0 {
		return nil
	}
	p := &Picture{Title: run.Scenario().Title, workload: workload}
	if p.Title.En == "" {
		p.Title = lang.Messages["share-untitled"]
	}
	p.captions = captionsOf(run)
	p.frames = chart.Settle(frames, 1)
	p.commands = commands(run)
	p.budgets = run.Past().Budgets(p.workload)
	p.end = max(p.busyEnd(run.Now()), at)
	p.begin = p.busyBegin()
	if at >= 0 {
		p.begin = min(p.begin, at)
	}
	p.frames = from(p.frames, p.begin)
	p.sets = slices.DeleteFunc(new(chart.Sets).Of(run, workload), func(set chart.Set) bool {
		return !slices.ContainsFunc(p.frames, func(f engine.Frame) bool { return f.ReplicaSet(set.Name) != nil })
	})
	p.outages = chart.Outages(p.frames, run.Now())
	p.look(at)
	p.written, _ = run.Past().Workload(p.workload, p.moment().Record)
	counts := chart.CountAxis(chart.Highest(p.frames), 6)
	p.high, p.step = int(counts.Max), int(counts.Step)
	return p
}

// captionsOf returns the captions before the person's first command. Later ones may no longer say what happens.
func captionsOf(run *engine.Run) []scenario.Caption {
	all := run.Scenario().Captions
	for _, c := range run.Recording().Commands {
		if i := slices.IndexFunc(all, func(x scenario.Caption) bool { return x.At >= c.At }); i >= 0 {
			all = all[:i]
		}
	}
	return all
}

// look puts the cursor at a virtual ms, or at the telling moment.
func (p *Picture) look(at int64) {
	if at < 0 {
		p.at = telling(p.frames, p.commands)
		p.when = p.frames[p.at].T
		return
	}
	n, _ := slices.BinarySearchFunc(p.frames, at+1, func(f engine.Frame, t int64) int { return cmp.Compare(f.T, t) })
	p.at, p.when = max(n-1, 0), max(at, p.frames[0].T)
}

// from drops the frames that no longer apply at a virtual ms.
func from(frames []engine.Frame, t int64) []engine.Frame {
	for len(frames) > 1 && frames[1].T <= t {
		frames = frames[1:]
	}
	return frames
}

// commands returns the commands after time zero, as the chart marks them.
func commands(run *engine.Run) (all []chart.Mark) {
	for i := range run.Len() {
		if run.Past().Kind(i) == engine.Input && run.Past().At(i) > 0 {
			r := run.Record(i)
			all = append(all, chart.Mark{Kind: "command", T: r.T, Line: r.Command, Failed: r.Failed})
		}
	}
	return all
}

// telling returns the index of the frame that differs most from the desired state: missing pods, extra pods and terminating
// pods. There a rollout uses its bounds fully, which is the subject of every scenario, and the lines of the chart lie apart.
// With 10 desired, 13 pods, 8 available and 5 terminating that is 2 + 3 + 5 = 10. Of equals the first counts. Frames before
// the first command do not count: a new Deployment has no pods yet, which teaches nothing.
func telling(frames []engine.Frame, commands []chart.Mark) int {
	var first int64
	if len(commands) > 0 {
		first = commands[0].T
	}
	best, most := len(frames)-1, -1
	for i := range frames {
		f := &frames[i]
		d := max(0, f.Desired-f.Available) + max(0, f.Total-f.Desired) + f.Terminating
		if f.T >= first && d > most {
			best, most = i, d
		}
	}
	return best
}

// busyEnd is the end of the stretch that is worth drawing, as on the page.
func (p *Picture) busyEnd(end int64) int64 {
	last := p.frames[len(p.frames)-1].T
	if n := len(p.commands); n > 0 {
		last = max(last, p.commands[n-1].T)
	}
	return chart.TimeAxis(chart.BusyEnd(last, end))
}

// busyBegin leaves out most of the time before the first command, because telling ignores it.
func (p *Picture) busyBegin() int64 {
	if len(p.commands) == 0 {
		return 0
	}
	first := p.commands[0].T
	return max(0, first-(p.end-first)/4)
}

// timeStep returns the distance of the ticks of a time axis: a round number of ms, for at most eight ticks.
func timeStep(end int64) int64 {
	for _, s := range [...]int64{1, 2, 5, 10, 15, 30, 60, 120, 300} {
		if end <= s*1000*8 {
			return s * 1000
		}
	}
	return 600_000
}

// moment returns the frame at the cursor.
func (p *Picture) moment() *engine.Frame { return &p.frames[p.at] }
