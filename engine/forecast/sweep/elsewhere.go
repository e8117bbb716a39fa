package sweep

import (
	"encoding/json"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// A browser computes on several processors only in programs that share no memory. So a task travels as a text, and so does each answer.
// The page then has the same cells and seeds as if it had computed them itself.

// task is a grid or seeds.
type task struct {
	Recording engine.Recording
	Workload  string
	Added     bool
	X, Y      Axis // as an Outline has them
	Seeds     int  // 0 for a grid
}

// answer is the result of one cell or seed.
type answer struct {
	Text                  string `json:",omitempty"` // of a cell
	Surge, Down           int
	Current, Other        bool
	Scenario              string `json:",omitempty"` // that was run, if it isn't Text
	Commands              []engine.Command
	Rollout               forecast.Rollout
	Record                int // of the rollout, which its own JSON does not have
	Problem               Problem
	Reason                string
	Begun                 bool
	BeganSurge, BeganDown int
	Line                  [][3]int64 // of a seed: ms, available, total
}

// Task returns the grid as a text, for a Hand.
func (g *Grid) Task() string {
	return g.Plan.task(task{X: g.X, Y: g.Y})
}

// Task returns the seeds as a text, for a Hand.
func (s *Seeds) Task() string {
	return s.Plan.task(task{Seeds: len(s.Outcomes)})
}

func (p *Plan) task(t task) string {
	t.Recording, t.Workload, t.Added = p.Recording, p.Workload, p.Added
	return string(api.JSON(t))
}

// Hand runs parts of a task.
type Hand struct {
	library scenario.Library
	grid    *Grid
	seeds   *Seeds
}

// NewHand reads a task.
func NewHand(text string) (*Hand, error) {
	var t task
	if err := json.Unmarshal([]byte(text), &t); err != nil {
		return nil, err
	}
	p := &Plan{Recording: t.Recording, Workload: t.Workload, Added: t.Added, key: past.ParseKey(t.Workload)}
	h := &Hand{}
	if t.Seeds == 0 {
		h.grid = p.gridOf(&h.library, t.X, t.Y)
		return h, nil
	}
	var err error
	if h.seeds, err = p.NewSeeds(t.Seeds); err == nil {
		h.seeds.Watch()
	}
	return h, err
}

// Run runs the i-th cell or seed, and returns the answer for Take.
func (h *Hand) Run(i int) string {
	if h.grid != nil {
		h.grid.Run(i, &h.library)
		c := &h.grid.Cells[i]
		a := answer{Text: c.Text, Surge: c.Surge, Down: c.Down, Current: c.Current, Other: c.Other}
		a.put(&c.Outcome, c.Text)
		*c = Cell{X: c.X, Y: c.Y}
		return string(api.JSON(a))
	}
	h.seeds.Run(i, &h.library)
	var a answer
	a.put(&h.seeds.Outcomes[i], h.seeds.text.Text(i))
	for _, p := range h.seeds.lines[i] {
		a.Line = append(a.Line, [...]int64{p.at, p.available, p.total})
	}
	h.seeds.Outcomes[i], h.seeds.lines[i] = Outcome{}, nil
	return string(api.JSON(a))
}

// Take takes a Hand's answer about a cell.
func (g *Grid) Take(i int, text string) error {
	var a answer
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return err
	}
	c := &g.Cells[i]
	c.Text, c.Surge, c.Down, c.Current, c.Other = a.Text, a.Surge, a.Down, a.Current, a.Other
	c.Outcome = a.outcome(c.Text)
	return nil
}

// Take takes a Hand's answer about a seed.
func (s *Seeds) Take(i int, text string) error {
	var a answer
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return err
	}
	s.Outcomes[i] = a.outcome(s.text.Text(i))
	if s.lines != nil {
		for _, p := range a.Line {
			s.lines[i] = append(s.lines[i], point{p[0], p[1], p[2]})
		}
	}
	return nil
}

// put writes an outcome. Its text is known to whoever reads the answer, unless the run was given more time.
func (a *answer) put(o *Outcome, text string) {
	if o.Recording.Scenario != text {
		a.Scenario = o.Recording.Scenario
	}
	a.Commands, a.Rollout, a.Record = o.Recording.Commands, o.Rollout, o.Rollout.Record
	a.Problem, a.Reason, a.Begun, a.BeganSurge, a.BeganDown = o.Problem, o.Reason, o.begun, o.surge, o.down
}

func (a *answer) outcome(text string) Outcome {
	o := Outcome{Recording: engine.Recording{Scenario: text, Commands: a.Commands}, Rollout: a.Rollout, Problem: a.Problem, Reason: a.Reason,
		begun: a.Begun, surge: a.BeganSurge, down: a.BeganDown}
	if a.Scenario != "" {
		o.Recording.Scenario = a.Scenario
	}
	o.Rollout.Record = a.Record
	return o
}
