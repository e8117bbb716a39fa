// Package numbers compares settings before anybody deploys them: it plays the next update of a workload with each combination of
// two settings and shows what each one costs.
//
// It measures in Web Workers: the same program, with the code that the page has compiled. A task and its answers travel as texts
// (sweep/elsewhere.go), so the cells are the same as on the page. Until a worker is ready, and where a browser refuses them, the
// page measures in its frames, and a large cell gives the thread back at each breath. A worker takes about 16 MB and twice its run,
// together they get 512 MB, and they end with the dialog. Cells are coloured by rank, not by value: one very slow cell would make
// all others look the same.
package numbers

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/traffic"
)

// Panel is the state of the dialog.
type Panel struct {
	s       *session.Session
	open    bool
	library scenario.Library
	axes    [2]string // names: the columns', the rows'
	color   int       // index of figures; at first the failed requests if they are known, else the lowest availability
	colored bool      // by a person
	works   int       // how many there have been
	crew    bool      // workers are ready
	given   int       // the id of the work that they have

	measuring
}

// measuring is one grid, and how far it is measured.
type measuring struct {
	of      [3]any // what the grid was made for: the run, the workload and the axes
	grid    *sweep.Grid
	cells   *work
	wrong   string
	ranked  bool
	stopped bool // by a person
	cut     bool // see good
	asks    bool // a Service selects the workload, so requests are known
	chosen  int  // a cell
	picked  bool // by a person

	seeds *sweep.Seeds // of one cell, nil until a person wants them
	about string       // the cell
	draws *work
}

// New returns the dialog of a session, closed.
func New(s *session.Session) *Panel { return &Panel{s: s, color: lowest} }

// Open opens the dialog, and begins to measure unless the numbers are there.
func (p *Panel) Open() {
	p.open = true
	p.fitAxes()
	p.begin()
	p.hire()
}

// Close closes it. What is measured stays.
func (p *Panel) Close() {
	p.open = false
	p.dismiss()
}

// SetAxis chooses the setting of the columns, 0, or of the rows, 1. If it is the other one's, the two change places.
func (p *Panel) SetAxis(i int, name string) {
	if !slices.Contains(sweep.AxisNames(), name) || i < 0 || i > 1 {
		return
	}
	if p.axes[1-i] == name {
		p.axes[1-i] = p.axes[i]
	}
	p.axes[i] = name
	p.begin()
}

// Color chooses the figure that colours the cells.
func (p *Panel) Color(i int) {
	if i >= 0 && i < len(figures) {
		p.color, p.colored = i, true
	}
}

// Choose chooses a cell.
func (p *Panel) Choose(i int) {
	if p.grid != nil && i >= 0 && i < len(p.grid.Cells) {
		p.chosen, p.picked = i, true
	}
}

// begin prepares the grid for the run that there is.
func (p *Panel) begin() {
	now := [...]any{p.s.Computed.Started, p.s.Workload(), p.axes}
	if p.of == now {
		return
	}
	p.measuring = measuring{of: now}
	run := p.s.Run()
	p.asks = run != nil && len(traffic.For(run.Past(), p.s.Workload())) > 0
	if !p.colored || !p.shows(p.color) {
		p.color = lowest
		if p.asks {
			p.color = failed
		}
	}
	grid, err := p.newGrid()
	if err != nil {
		p.wrong = err.Error()
		return
	}
	p.grid, p.cells = grid, p.newWork(grid, len(grid.Cells))
	p.handOver()
}

// current is the cell of the present settings, -1 if none has them.
func (p *Panel) current() int {
	return slices.IndexFunc(p.grid.Cells, func(c sweep.Cell) bool { return c.Current })
}

func (p *Panel) newGrid() (*sweep.Grid, error) {
	plan, _, err := sweep.NewPlan(new(scenario.Library), p.good(), p.s.Workload())
	if err != nil {
		return nil, err
	}
	x, wrong := sweep.ParseAxis(p.axes[0])
	y, err := sweep.ParseAxis(p.axes[1])
	if err = cmp.Or(wrong, err); err != nil {
		return nil, err
	}
	return plan.Outline(x, y)
}

// good is the recording without a first update that is broken, whatever its settings are, and without what follows: the plan adds an update
// that works.
func (p *Panel) good() engine.Recording {
	rec, run := p.s.Recording(), p.s.Run()
	if run == nil {
		return rec
	}
	x := sweep.Update(p.s.Reading.Forecast(run).Rollouts(p.s.Workload()))
	broken := []string{"bad-image", "crash-loop", "not-ready", "flapping"}
	p.cut = x != nil && (x.Result == forecast.Superseded || x.Result != forecast.Complete && slices.Contains(broken, diagnosis.Reason(run.Past(), p.s.Workload()).ID))
	if text, err := scenario.DropSpec(rec.Scenario, "timeline"); p.cut && err == nil {
		rec.Scenario = text
		rec.Commands = slices.DeleteFunc(slices.Clone(rec.Commands), func(c engine.Command) bool { return c.At >= x.Start })
	}
	return rec
}

// Cell returns the chosen cell, nil if it is not measured yet.
func (p *Panel) Cell() *sweep.Cell {
	if p.grid == nil || !p.cells.have[p.chosen] {
		return nil
	}
	return &p.grid.Cells[p.chosen]
}

// usable is the chosen cell, nil unless it is measured and the API server accepts its settings.
func (p *Panel) usable() *sweep.Cell {
	if c := p.Cell(); c != nil && c.Problem != sweep.Invalid {
		return c
	}
	return nil
}

// Follow opens the run of the chosen cell, and closes the dialog.
func (p *Panel) Follow() {
	if c := p.usable(); c != nil {
		p.Close()
		p.s.OpenRun(c.Recording)
	}
}

// Use writes the settings of the chosen cell into the manifest and plays the same run from the start.
func (p *Panel) Use() {
	if c := p.usable(); c != nil {
		p.Close()
		rec := p.s.Recording()
		if rec.Scenario = c.Text; p.cut {
			rec = c.Recording
		}
		p.s.OpenRun(rec)
	}
}

func (p *Panel) lang() lang.Lang { return p.s.Lang() }

// Budget is how long a frame measures settings: the page has nothing else to do while the dialog covers it. A cell is measured as a
// whole, so a frame measures several small ones.
const Budget = 20 * time.Millisecond

// Handlers are the actions of the dialog.
func (p *Panel) Handlers() parts.Handlers {
	return parts.Handlers{
		act.Numbers: p.onOpen, act.NumbersCell: p.onCell, act.NumbersHeard: p.onHeard, act.NumbersDo: parts.Changed(p.onDo),
		act.NumbersClosed: parts.Changed(func(any) { p.Close() }),
		act.NumbersAxis:   parts.Changed(func(axis act.Axis) { p.SetAxis(axis.Index, axis.Name) }),
		act.NumbersColor:  parts.Changed(p.Color),
	}
}

func (p *Panel) onOpen(ctx app.Context, _ any) bool {
	if p.s.Cursor.Playing {
		p.s.Cursor.Pause()
	}
	p.Open()
	ctx.Defer(func(app.Context) { browser.OpenDialog("numbers") })
	return true
}

// onCell looks at a cell, which the keys may have reached.
func (p *Panel) onCell(ctx app.Context, v any) bool {
	p.Choose(v.(int))
	ctx.Defer(func(app.Context) { browser.FocusOn(`[data-act="cell-` + strconv.Itoa(v.(int)) + `"]`) })
	return false
}

// onHeard takes a report of the workers. The next frame draws the result: frames continue while something is measured.
func (p *Panel) onHeard(ctx app.Context, v any) bool {
	p.Hear(v.(string))
	ctx.PreventUpdate()
	return false
}

// onDo varies the seed of the cell, opens its run or the worst of those seeds, takes over its settings,
// or stops or continues measuring.
func (p *Panel) onDo(do string) {
	switch do {
	case "seeds":
		p.Vary()
		return
	case "stop":
		p.Stop()
		return
	case "worst":
		p.FollowWorst()
	case "use-it":
		p.UseIt()
	case "use":
		p.Use()
	default:
		p.Follow()
	}
	browser.CloseDialog("numbers")
}
