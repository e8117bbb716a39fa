package sweep

import (
	"cmp"
	"encoding/json"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
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
	Cell           // of a seed, only its Outcome
	Record int     // of the rollout, which its own JSON does not have
	Line   []point `json:",omitempty"` // of a seed
}

// Task returns the grid as a text, for a Hand.
func (g *Grid) Task() string { return g.Plan.task(task{X: g.X, Y: g.Y}) }

// Task returns the seeds as a text, for a Hand.
func (s *Seeds) Task() string { return s.Plan.task(task{Seeds: len(s.Outcomes)}) }

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
	var a answer
	known := ""
	if h.grid != nil {
		h.grid.Run(i, &h.library)
		c := &h.grid.Cells[i]
		a.Cell, known = *c, c.Text
		*c = Cell{X: c.X, Y: c.Y}
	} else {
		h.seeds.Run(i, &h.library)
		a.Outcome, a.Line, known = h.seeds.Outcomes[i], h.seeds.lines[i], h.seeds.text.Text(i)
		h.seeds.Outcomes[i], h.seeds.lines[i] = Outcome{}, nil
	}
	if a.Record = a.Rollout.Record; a.Recording.Scenario == known {
		a.Recording.Scenario = "" // whoever reads the answer knows it, unless the run was given more time
	}
	return string(api.JSON(a))
}

// Take takes a Hand's answer about a cell.
func (g *Grid) Take(i int, text string) error {
	a, err := readAnswer(text)
	if err != nil {
		return err
	}
	c := &g.Cells[i]
	a.X, a.Y, a.Front = c.X, c.Y, c.Front // which the grid decides
	a.Recording.Scenario = cmp.Or(a.Recording.Scenario, a.Text)
	*c = a.Cell
	return nil
}

// Take takes a Hand's answer about a seed.
func (s *Seeds) Take(i int, text string) error {
	a, err := readAnswer(text)
	if err != nil {
		return err
	}
	a.Recording.Scenario = cmp.Or(a.Recording.Scenario, s.text.Text(i))
	if s.Outcomes[i] = a.Outcome; s.lines != nil {
		s.lines[i] = a.Line
	}
	return nil
}

func readAnswer(text string) (a answer, err error) {
	err = json.Unmarshal([]byte(text), &a)
	a.Rollout.Record = a.Record
	return a, err
}
