package main

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/must"
)

type sweepOptions struct {
	console
	columns, rows, of, base string
	output, color           *choice
	paired                  bool
}

func sweepCommand(c console) *cobra.Command {
	o := sweepOptions{console: c}
	cmd := fileCommand("sweep", deciding, "compare many settings of an update, such as maxSurge and maxUnavailable", o.sweep)
	o.output = output(cmd, "table", "json", "csv", "svg")
	o.color = choose(cmd, "color", "", "duration", "the figure that colours the cells of the SVG", measureNames()...)
	f := cmd.Flags()
	f.StringVarP(&o.columns, "columns", "x", "", "the `setting` of the columns (default maxSurge; partition for a StatefulSet)")
	f.StringVarP(&o.rows, "rows", "y", "maxUnavailable", "the `setting` of the rows")
	f.BoolVar(&o.paired, "paired", false, "give corresponding pods the same random numbers in every cell")
	workloadFlag(f, &o.of)
	baseFlag(f, &o.base)
	shardFlag(cmd, c)
	return watched(cmd, c)
}

func measureNames() (names []string) {
	for i := range forecast.Measures {
		names = append(names, forecast.Measures[i].Name)
	}
	return names
}

func (o *sweepOptions) sweep(name string) {
	plan := planOf(name, o.of, o.console)
	if o.paired {
		must.Do(plan.Pair())
	}
	grid := makeGrid(o.watch.library(), plan, o.columns, o.rows)
	for i := range grid.Cells {
		grid.Cells[i].Outcome = sweep.Unplayed
	}
	o.watch.results(len(grid.Cells), grid.Run, func(i int) any { return &grid.Cells[i] })
	if o.watch.shard.part() {
		o.watch.shard.write(o.out)
		return
	}
	grid.Rank()
	model := modelOf(grid.Cells, func(c *sweep.Cell) *forecast.Rollout { return &c.Rollout })
	mustKnowTraffic(model != "" || o.color.value != "failedRequests", name)
	w := &gridWriter{o.console, grid, forecast.MeasureOf(o.color.value), o.base, model}
	switch o.output.value {
	case "json":
		w.json()
	case "csv":
		must.Do(csv.NewWriter(o.out).WriteAll(tableOf(w.cellColumns(), grid.Cells).lines()))
	case "svg":
		w.svg()
	default:
		valid := slices.ContainsFunc(grid.Cells, func(c sweep.Cell) bool { return c.Problem != sweep.Invalid })
		wrongIf(!valid, "no %s and %s suit %s: %s", grid.X.Name, grid.Y.Name, shortName(plan.Workload), grid.Cells[0].Reason)
		w.table()
	}
}

func makeGrid(library *scenario.Library, plan *sweep.Plan, xText, yText string) *sweep.Grid {
	if xText == "" {
		xText = "maxSurge"
		if strings.HasPrefix(plan.Workload, "StatefulSet/") {
			xText = "partition"
		}
	}
	x, err := sweep.ParseAxis(xText)
	wrongIf(err != nil, "-x: %v", err)
	y, err := sweep.ParseAxis(yText)
	wrongIf(err != nil, "-y: %v", err)
	wrongIf(x.Name == y.Name, "-x and -y are both %s", x.Name)
	return must.Have(plan.NewGrid(library, x, y))
}

// planOf reads the rollout that a file, a shipped scenario or a link is about. It says which one where a person could mean another.
func planOf(name, workload string, c console) *sweep.Plan {
	r, _ := begin(name, c)
	plan := must.Have(sweep.PlanOf(r.Finish(), workload))
	warn(c, name, append(r.Failures(), devicesOf(c, plan)...))
	var others []string
	for _, w := range plan.Others {
		others = append(others, strconv.Quote(shortName(w)))
	}
	if others != nil {
		fmt.Fprintf(c.err, "%s: this is about %s; choose another with --of: %s\n", name, shortName(plan.Workload), words.Some(others))
	}
	return plan
}

// devicesOf says which devices the pods of a plan request, on nodes that the text describes: none of them is modelled.
func devicesOf(c console, plan *sweep.Plan) []string {
	s, _ := scenario.Parse(plan.Recording.Scenario)
	template := api.TemplateOf(s.Object(past.ParseKey(plan.Workload)))
	if _, assumed := plan.Nodes(c.watch.library()); assumed || template == nil {
		return nil
	}
	return check.Devices(template.Spec)
}

// dependsOn says of a rollout that finds no room, for some reason, that the nodes are assumed; "" if the text describes them.
func dependsOn(c console, plan *sweep.Plan, reason string) string {
	n, assumed := plan.Nodes(c.watch.library())
	if !assumed || !strings.Contains(reason, " no node: ") {
		return ""
	}
	return fmt.Sprintf("It depends on the %d nodes, which are assumed; nodes: in a document of kind: Scenario describes yours.\n", n)
}

// gridWriter prints the cells of a sweep.
type gridWriter struct {
	console
	grid  *sweep.Grid
	color *forecast.Measure
	base  string
	model string // see modelOf
}

// table prints a row for each value of y: duration, lowest availability, peak of pods and, if they are known, failed requests of each cell.
func (w *gridWriter) table() {
	g, requests, in := w.grid, "", ""
	if w.model != "" {
		requests, in = ", failed requests", "requests, "
	}
	fmt.Fprintf(w.out, "%s: time, lowest availability, most pods%s\n%s\n", shortName(g.Plan.Workload), requests, w.model)
	t := table{heading: append([]string{g.Y.Name + " \\ " + g.X.Name}, g.X.Values...)}
	var notes []string
	other, late := false, false
	for row, y := range g.Y.Values {
		line := []string{y}
		for column := range g.X.Values {
			c := &g.Cells[row*len(g.X.Values)+column]
			line = append(line, w.cellText(c, &notes)+marks(c))
			other, late = other || c.Other, late || overdue(&c.Outcome)
		}
		t.rows = append(t.rows, line)
	}
	t.writeText(w.out)
	fmt.Fprintf(w.out, "\n* what the text says now   + no other cell is better in %stime, availability and pods alike   Each cell is one run, with the same seed.\n", in)
	if late {
		fmt.Fprintln(w.out, "! it exceeds its progress deadline before it finishes, so kubectl rollout status fails")
	}
	for i, note := range notes {
		fmt.Fprintf(w.out, "[%d] %s\n", i+1, note)
	}
	fmt.Fprint(w.out, dependsOn(w.console, g.Plan, strings.Join(notes, " ")))
	if other {
		fmt.Fprintln(w.out, "A command changes replicas, maxSurge or maxUnavailable before the rollout, "+
			"so some cells do not show what their row and column say.")
	}
}

// cellText writes the figures of a cell, or its problem with the number of its reason below the table.
func (w *gridWriter) cellText(c *sweep.Cell, notes *[]string) string {
	if c.Problem == sweep.Fine {
		text := fmt.Sprintf("%s %d%% %d", forecast.Millis.Text(c.Rollout.Duration()), c.Rollout.LowestPercent(), c.Rollout.PeakPods)
		if w.model != "" {
			text += " " + forecast.MeasureOf("failedRequests").Text(&c.Rollout)
		}
		return text
	}
	if !slices.Contains(*notes, c.Reason) {
		*notes = append(*notes, c.Reason)
	}
	return fmt.Sprintf("%s [%d]", c.Problem, slices.Index(*notes, c.Reason)+1)
}

// overdue reports whether a rollout finishes after its progress deadline.
func overdue(o *sweep.Outcome) bool { return o.Problem == sweep.Fine && o.Rollout.Deadline >= 0 }

func marks(c *sweep.Cell) string {
	m := ""
	if overdue(&c.Outcome) {
		m += " !"
	}
	if c.Front {
		m += " +"
	}
	if c.Current {
		m += " *"
	}
	return m
}

// cellLine is a cell as a line of JSON. Scripts rely on the field names: add fields, never remove one.
type cellLine struct {
	Kind           string            `json:"kind"` // cell
	X              string            `json:"x"`
	Y              string            `json:"y"`
	MaxSurge       int               `json:"maxSurge"` // in pods
	MaxUnavailable int               `json:"maxUnavailable"`
	Current        bool              `json:"current"`
	Front          bool              `json:"front"`
	Other          bool              `json:"other,omitempty"` // a command changed the bounds before the rollout
	Problem        sweep.Problem     `json:"problem,omitempty"`
	Reason         string            `json:"reason,omitempty"`
	Duration       *int64            `json:"duration"` // null if the rollout did not begin
	LowestPercent  *int              `json:"lowestPercent"`
	Rollout        *forecast.Rollout `json:"rollout,omitempty"`
	Link           string            `json:"link,omitempty"`
}

func (w *gridWriter) json() {
	lines := make([]cellLine, len(w.grid.Cells))
	for i := range w.grid.Cells {
		c := &w.grid.Cells[i]
		lines[i] = cellLine{Kind: "cell", X: c.X, Y: c.Y, MaxSurge: c.Surge, MaxUnavailable: c.Down,
			Current: c.Current, Front: c.Front, Other: c.Other, Problem: c.Problem, Reason: c.Reason, Link: linkOf(w.base, c.Recording)}
		if c.Rollout.Workload != "" {
			duration, lowest := c.Rollout.Duration(), c.Rollout.LowestPercent()
			lines[i].Rollout, lines[i].Duration, lines[i].LowestPercent = &c.Rollout, &duration, &lowest
		}
	}
	must.Do(export.Lines(w.out, lines))
}

// linkOf returns the link of a run, "" if it is too long for one.
func linkOf(base string, rec engine.Recording) string {
	fragment, err := link.Encode(link.Link{Recording: rec})
	if err != nil {
		return ""
	}
	return base + "#" + fragment
}

// cellColumns are the columns of the CSV. Spreadsheets rely on the headings: add columns at the end, never remove one.
func (w *gridWriter) cellColumns() []column[sweep.Cell] {
	columns := []column[sweep.Cell]{
		{w.grid.X.Name, func(c *sweep.Cell) string { return c.X }},
		{w.grid.Y.Name, func(c *sweep.Cell) string { return c.Y }},
		{"surge pods", func(c *sweep.Cell) string { return strconv.Itoa(c.Surge) }},
		{"unavailable pods", func(c *sweep.Cell) string { return strconv.Itoa(c.Down) }},
		{"current", func(c *sweep.Cell) string { return strconv.FormatBool(c.Current) }},
		{"front", func(c *sweep.Cell) string { return strconv.FormatBool(c.Front) }},
		{"problem", func(c *sweep.Cell) string { return string(c.Problem) }},
	}
	add := func(name string, of func(*forecast.Rollout) int64) {
		columns = append(columns, column[sweep.Cell]{name, func(c *sweep.Cell) string {
			if c.Rollout.Workload == "" {
				return "" // it did not begin, so it has no figures
			}
			return strconv.FormatInt(of(&c.Rollout), 10)
		}})
	}
	for _, m := range forecast.Known(w.model != "") {
		add(m.Name, m.Of)
	}
	if w.model != "" {
		add("requests", func(r *forecast.Rollout) int64 { return r.Requests.All })
	}
	return columns
}
