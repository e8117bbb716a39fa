package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/daemon"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/controllers/statefulset"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Grid is the cells of two axes, row by row: a row for each value of Y, in it a cell for each value of X. Values that mean the
// same, such as 3 and 25% of ten replicas, are one column or row.
type Grid struct {
	Plan  *Plan
	X, Y  Axis
	Cells []Cell

	current string // the resolved bounds of the text itself
	row     int    // the row that was written last
	rowText string // its text
}

// Cell is one combination.
type Cell struct {
	X, Y    string // the values, all that mean the same: "3 (25%, 30%)"
	Text    string // the scenario with the first of them
	Surge   int    // resolved; -1 if the text is refused
	Down    int    // maxUnavailable, resolved
	Current bool   // it has the settings of the text itself
	Other   bool   // a command of the recording gave the workload other bounds before the rollout
	Front   bool   // no other cell is better in requests, time, availability and pods alike; see Rank
	Outcome
}

// NewGrid writes the texts of the cells, of all unless the library is over. Nothing is run yet.
func (p *Plan) NewGrid(library *scenario.Library, x, y Axis) (*Grid, error) {
	g, err := p.Outline(x, y)
	for i := 0; err == nil && i < len(g.Cells) && !library.Over(); i++ {
		err = g.write(i, library)
	}
	return g, err
}

// Outline returns the grid with its axes. The texts of the cells are written when they are measured: together they take as long as a
// quarter of the runs, which is too much for one turn of a browser.
func (p *Plan) Outline(x, y Axis) (*Grid, error) {
	library := new(scenario.Library)
	var err error
	if x, err = p.distinct(library, x, y.Name); err != nil {
		return nil, err
	}
	if y, err = p.distinct(library, y, x.Name); err != nil {
		return nil, err
	}
	return p.gridOf(library, x, y), nil
}

// gridOf returns a grid of axes whose values all have different meanings.
func (p *Plan) gridOf(library *scenario.Library, x, y Axis) *Grid {
	g := &Grid{Plan: p, X: x, Y: y, current: p.resolve(library, p.Recording.Scenario).key, row: -1}
	for _, yv := range y.Values {
		for _, xv := range x.Values {
			g.Cells = append(g.Cells, Cell{X: xv, Y: yv})
		}
	}
	return g
}

// write writes the text of a cell. The cells of a row have that row's text in common.
func (g *Grid) write(i int, library *scenario.Library) (err error) {
	c := &g.Cells[i]
	if row := i / len(g.X.Values); g.row != row {
		if g.rowText, err = g.Y.write(g.Plan, g.Plan.Recording.Scenario, first(c.Y)); err != nil {
			return err
		}
		g.row = row
	}
	if c.Text, err = g.X.write(g.Plan, g.rowText, first(c.X)); err != nil {
		return err
	}
	b := g.Plan.resolve(library, c.Text)
	c.Surge, c.Down, c.Current = b.surge, b.down, b.key == g.current && b.key != ""
	return nil
}

// first returns the first of some values with the same meaning: 3 of "3 (25%, 30%)".
func first(value string) string {
	value, _, _ = strings.Cut(value, " ")
	return value
}

// distinct joins the values of an axis that mean the same number of pods: 25% and 3 of ten become "3 (25%)". They do not if the
// other axis changes how many pods there are. A share of which no pod is left is not 0: beside another 0, only 0 is refused (D-20).
func (p *Plan) distinct(library *scenario.Library, a Axis, other string) (Axis, error) {
	out := Axis{Name: a.Name}
	bound := (a.Name == "maxSurge" || a.Name == "maxUnavailable") && other != "replicas" && other != "nodes"
	is := p.resolve(library, p.Recording.Scenario)
	total := is.desired
	if a.usual && bound {
		own := is.surge
		if a.Name == "maxUnavailable" {
			own = is.down
		}
		a.Values = p.join(a, own, total)
	}
	var means []string
	var same [][]string
	for _, v := range a.Values {
		if _, err := a.write(p, p.Recording.Scenario, v); err != nil {
			return out, err
		}
		number, mean := v, v
		if bound {
			number = p.pods(a.Name, v, total)
			mean = number
		}
		if number == "0" && strings.Trim(v, "0%") != "" {
			number, mean = v, "0%"
		}
		i := slices.Index(means, mean)
		if i < 0 {
			i, means, out.Values, same = len(same), append(means, mean), append(out.Values, number), append(same, nil)
		}
		if v != out.Values[i] {
			same[i] = append(same[i], v)
		}
	}
	for i, values := range same {
		if len(values) > 0 {
			out.Values[i] += " (" + strings.Join(values, ", ") + ")"
		}
	}
	return out, nil
}

// join adds the text's own bound, in pods, to the usual values, in front of the first larger one.
func (p *Plan) join(a Axis, own, total int) []string {
	at := 0
	for ; at < len(a.Values); at++ {
		if n, _ := strconv.Atoi(p.pods(a.Name, a.Values[at], total)); n == own {
			return a.Values
		} else if n > own {
			break
		}
	}
	return append(append(slices.Clone(a.Values[:at]), strconv.Itoa(own)), a.Values[at:]...)
}

// pods returns how many pods a bound means, or the bound if it is refused. Only a Deployment rounds maxUnavailable down (D-20, S-2, DS-12).
func (p *Plan) pods(bound, value string, total int) string {
	v := api.Str(value)
	if share, ok := v.Percent(); !ok || share > 100 && bound == "maxUnavailable" {
		return value
	}
	up := bound == "maxSurge" || p.key.Kind != api.KindDeployment
	return strconv.Itoa(int(v.Scaled(int32(total), up)))
}

// bounds are the size and the bounds of the workload in a text, in pods.
type bounds struct {
	desired, surge, down int
	key                  string // everything that the axes can change
}

// resolve reads the bounds of a text.
func (p *Plan) resolve(library *scenario.Library, text string) bounds {
	b := bounds{surge: -1, down: -1}
	s, _ := library.Read(text).Scenario()
	if s == nil {
		return b
	}
	o, ofNone := s.Object(p.key), false // a share of which no pod is left, see distinct
	switch o := o.(type) {
	case *api.Deployment:
		surge, down := deployment.Bounds(o)
		if u := o.Spec.Strategy.RollingUpdate; u != nil && u.MaxUnavailable != nil {
			share, _ := u.MaxUnavailable.Percent()
			ofNone = share > 0 && u.MaxUnavailable.Scaled(*o.Spec.Replicas, false) == 0
		}
		b.desired, b.surge, b.down = int(*o.Spec.Replicas), int(surge), int(down)
	case *api.StatefulSet:
		b.desired, b.surge, b.down = int(*o.Spec.Replicas), 0, statefulset.Bound(o, s.Minor)
	case *api.DaemonSet:
		for _, n := range s.Nodes {
			if run, _ := daemon.NodeShouldRunDaemonPod(o, n); run {
				b.desired++
			}
		}
		b.surge, b.down = daemon.Bounds(o, b.desired)
	default:
		return b
	}
	spec := api.TemplateOf(o).Spec
	settings := []any{b.desired, b.surge, b.down, ofNone, api.MinReadySecondsOf(o), spec.TerminationGracePeriodSeconds, len(s.Nodes)}
	if set, ok := o.(*api.StatefulSet); ok {
		settings = append(settings, set.Partition())
	}
	for i := range spec.Containers {
		if probe := spec.Containers[i].ReadinessProbe; probe != nil {
			settings = append(settings, probe.PeriodSeconds)
		}
		if l := spec.Containers[i].Lifecycle; l != nil && l.PreStop != nil {
			settings = append(settings, " stop ", l.PreStop.SleepSeconds)
		}
	}
	for i := range s.Images {
		if start := s.Images[i].Start; start != nil {
			settings = append(settings, *start)
		}
	}
	b.key = fmt.Sprint(settings...)
	return b
}

// Run measures a cell. Cells are independent: they may be run in any order, each worker with a library of its own. Of an Outline it
// also writes the cell's text, so there one worker runs them all.
func (g *Grid) Run(i int, library *scenario.Library) {
	c := &g.Cells[i]
	if c.Text == "" {
		if err := g.write(i, library); err != nil {
			c.Outcome = Outcome{Problem: Invalid, Reason: err.Error()}
			return
		}
	}
	c.Outcome = g.Plan.Measure(library, c.Text)
	c.Other = c.Begun && (c.BeganSurge != c.Surge && g.Plan.key.Kind != api.KindStatefulSet || c.BeganDown != c.Down)
}

// Rank marks the Pareto front: the cells than which no other is at least as good in all of failed requests, duration, lowest availability
// and peak of pods, and better in one. Requests count in doublings, durations in tenths of a second: less is chance.
func (g *Grid) Rank() {
	for i := range g.Cells {
		c := &g.Cells[i]
		c.Front = c.Problem == Fine && c.Rollout.Result == forecast.Complete && !slices.ContainsFunc(g.Cells, func(o Cell) bool {
			return o.Problem == Fine && o.Rollout.Result == forecast.Complete && o.beats(c)
		})
	}
}

// merits are the figures that decide which cell is better; less is better.
func (c *Cell) merits() [4]int64 {
	return [...]int64{c.Rollout.Requests.Rough(), (c.Rollout.Duration() + 50) / 100, -int64(c.Rollout.LowestPercent()), int64(c.Rollout.PeakPods)}
}

func (c *Cell) beats(o *Cell) bool {
	mine, other := c.merits(), o.merits()
	for i := range mine {
		if mine[i] > other[i] {
			return false
		}
	}
	return mine != other
}
