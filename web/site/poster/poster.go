// Package poster draws the chart of a scenario as a picture, SVG for pages and PNG for previews, without a browser.
package poster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Ceiling is the largest size of an SVG in bytes, before compression: many hosts do not compress images.
const Ceiling = 15_000

// Poster is the chart of a scenario's first workload, with the cursor at the most telling moment.
type Poster struct {
	Title    scenario.Text
	workload string
	frames   []engine.Frame   // the state at the end of each ms with a change
	at       int              // the telling one
	written  past.WorkloadRow // what the manifest says about the bounds at that moment
	outages  []chart.Span     // no pod was available
	commands []engine.Record
	images   map[string]string // of each ReplicaSet
	begin    int64             // of the time axis, in virtual ms
	end      int64             // of the time axis
	high     int               // the end of the count axis
	step     int               // of the count axis
}

// New plays a scenario.
func New(name, text string) (*Poster, error) {
	run, diagnostics := engine.Start(engine.Recording{Scenario: text})
	if run == nil {
		return nil, fmt.Errorf("scenario %s: %s", name, diagnostics[0].Message)
	}
	run.Finish()
	if len(run.Workloads()) == 0 {
		return nil, fmt.Errorf("scenario %s has no workload to draw", name)
	}
	p := &Poster{Title: run.Scenario().Title, workload: run.Workloads()[0], images: map[string]string{}}
	p.Title.En = cmp.Or(p.Title.En, name)
	p.frames = chart.Settle(run.Frames(p.workload), 1)
	p.commands = inputs(run)
	for _, f := range p.frames {
		p.findImages(run, f)
	}
	p.end = p.busyEnd(run.Now())
	p.begin = p.busyBegin()
	p.frames = from(p.frames, p.begin)
	p.outages = chart.Outages(p.frames, run.Now())
	p.at = telling(p.frames, p.commands)
	p.written, _ = run.Past().Workload(p.workload, p.moment().Record)
	counts := chart.CountAxis(chart.Highest(p.frames), 6)
	p.high, p.step = int(counts.Max), int(counts.Step)
	return p, nil
}

// from drops the frames that no longer apply at a virtual ms.
func from(frames []engine.Frame, t int64) []engine.Frame {
	for len(frames) > 1 && frames[1].T <= t {
		frames = frames[1:]
	}
	return frames
}

// inputs returns the commands after time zero. The commands at zero create the initial state.
func inputs(run *engine.Run) []engine.Record {
	var all []engine.Record
	for i := range run.Len() {
		if r := run.Record(i); r.Kind == engine.Input && r.T > 0 {
			all = append(all, r)
		}
	}
	return all
}

// telling returns the index of the frame that differs most from the desired state: missing pods, extra pods and terminating
// pods. There a rollout uses its bounds fully, which is the subject of every scenario, and the lines of the chart lie apart.
// With 10 desired, 13 pods, 8 available and 5 terminating that is 2 + 3 + 5 = 10. Of equals the first counts. Frames before
// the first command do not count: a new Deployment has no pods yet, which teaches nothing.
func telling(frames []engine.Frame, commands []engine.Record) int {
	var first int64
	if len(commands) > 0 {
		first = commands[0].T
	}
	best, most := len(frames)-1, -1
	for i, f := range frames {
		if d := difference(f); f.T >= first && d > most {
			best, most = i, d
		}
	}
	return best
}

func difference(f engine.Frame) int {
	return max(0, f.Desired-f.Available) + max(0, f.Total-f.Desired) + f.Terminating
}

// findImages looks up the images of new ReplicaSets, because a frame has only their names.
func (p *Poster) findImages(run *engine.Run, f engine.Frame) {
	known := !slices.ContainsFunc(f.ReplicaSets, func(rs *engine.RSFrame) bool { _, ok := p.images[rs.Name]; return !ok })
	if known {
		return
	}
	for _, rs := range f.ReplicaSets {
		p.images[rs.Name] = chart.Label(0, run.Past().Images(f.Workload, rs.Name))
	}
}

// busyEnd is the end of the stretch that is worth drawing, as on the page.
func (p *Poster) busyEnd(end int64) int64 {
	last := p.frames[len(p.frames)-1].T
	if n := len(p.commands); n > 0 {
		last = max(last, p.commands[n-1].T)
	}
	return chart.TimeAxis(chart.BusyEnd(last, end))
}

// busyBegin leaves out most of the time before the first command, because telling ignores it.
func (p *Poster) busyBegin() int64 {
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

// moment returns the telling frame.
func (p *Poster) moment() engine.Frame { return p.frames[p.at] }

// sentence describes the telling moment, also for people who do not see the picture.
func (p *Poster) sentence(lang string) string {
	f := p.moment()
	s := app.PageText(lang, "poster-moment", chart.Seconds(f.T), f.Desired, pods(lang, f.Total), f.Available)
	if f.Terminating > 0 {
		s += app.PageText(lang, "poster-terminating", f.Terminating)
	}
	return s
}

// bounds describes the bounds at the telling moment. It is "" if there are none, after a Deployment has been deleted.
func (p *Poster) bounds(lang string) string {
	f := p.moment()
	var parts []string
	if f.Upper > 0 {
		parts = append(parts, app.PageText(lang, "poster-at-most", pods(lang, f.Upper), f.Desired, f.Upper-f.Desired))
	}
	if f.Lower > 0 {
		parts = append(parts, app.PageText(lang, "poster-at-least", f.Lower, f.Desired, f.Desired-f.Lower))
	}
	return strings.Join(parts, app.PageText(lang, "poster-and"))
}

// Description describes the whole poster in words.
func (p *Poster) Description(lang string) string {
	say := func(key string, args ...any) string { return app.PageText(lang, key, args...) }
	parts := []string{say("poster-pods", p.workload, chart.Seconds(p.begin), chart.Seconds(p.end)), say("poster-at", p.sentence(lang))}
	if b := p.bounds(lang); b != "" {
		parts = append(parts, say("poster-bounds", b))
	}
	for _, rs := range p.moment().ReplicaSets {
		parts = append(parts, say("poster-revision", rs.Revision, p.images[rs.Name], pods(lang, rs.Replicas)))
	}
	for _, c := range p.commands {
		parts = append(parts, say("poster-command", chart.Seconds(c.T), c.Command))
	}
	return strings.Join(parts, say("poster-stop")) + strings.TrimSpace(say("poster-stop"))
}

func pods(lang string, n int) string {
	if n == 1 {
		return app.PageText(lang, "one-pod")
	}
	return app.PageText(lang, "n-pods", n)
}

// replicaSets returns the names in order of appearance, which is the order of their colours.
func (p *Poster) replicaSets() []string {
	var names []string
	for _, f := range p.frames {
		for _, rs := range f.ReplicaSets {
			if !slices.Contains(names, rs.Name) {
				names = append(names, rs.Name)
			}
		}
	}
	return names
}

// replicaSet returns a ReplicaSet's part of a frame, or the zero value.
func replicaSet(f engine.Frame, name string) engine.RSFrame {
	i := slices.IndexFunc(f.ReplicaSets, func(rs *engine.RSFrame) bool { return rs.Name == name })
	if i < 0 {
		return engine.RSFrame{}
	}
	return *f.ReplicaSets[i]
}

// revision returns the number of a ReplicaSet at the telling moment, or else at its first appearance.
func (p *Poster) revision(name string) int {
	seen := 0
	for _, f := range p.frames {
		seen = cmp.Or(seen, replicaSet(f, name).Revision)
	}
	return cmp.Or(replicaSet(p.moment(), name).Revision, seen)
}
