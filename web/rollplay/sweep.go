package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/scenario"
)

// sweepFile measures one rollout with many settings.
func sweepFile(args []string, c console) error {
	fs := flag.NewFlagSet("sweep", flag.ContinueOnError)
	xText := fs.String("x", "", "the setting of the columns; maxSurge by default, partition for a StatefulSet")
	yText := fs.String("y", "maxUnavailable", "the setting of the rows")
	of := fs.String("of", "", "the workload")
	format := fs.String("o", "table", "table, json, csv or svg")
	color := fs.String("color", "duration", "the figure that colours the cells of the SVG")
	paired := fs.Bool("paired", false, "give corresponding pods the same random numbers in every cell")
	base := fs.String("base", "", "the address of the playground, for links")
	names, err := parse(fs, args, 1)
	if err != nil {
		return err
	}
	write := map[string]func(*gridWriter) error{"table": (*gridWriter).table, "json": (*gridWriter).json, "csv": (*gridWriter).csv, "svg": (*gridWriter).svg}[*format]
	switch {
	case write == nil:
		return notFormat("sweep", *format, "table", "json", "csv", "svg")
	case forecast.MeasureOf(*color) == nil:
		return fmt.Errorf("%w: sweep: -color is one of %s, not %q", errUsage, measureNames(), *color)
	}
	plan, err := planOf(names[0], *of, c)
	if err != nil {
		return err
	}
	if *paired {
		if err := plan.Pair(); err != nil {
			return err
		}
	}
	grid, err := makeGrid(plan, *xText, *yText)
	if err != nil {
		return err
	}
	spread(len(grid.Cells), func(library *scenario.Library, i int) { grid.Run(i, library) })
	grid.Rank()
	return write(&gridWriter{c.out, grid, forecast.MeasureOf(*color), *base})
}

// makeGrid reads the axes.
func makeGrid(plan *sweep.Plan, xText, yText string) (*sweep.Grid, error) {
	if xText == "" {
		xText = "maxSurge"
		if strings.HasPrefix(plan.Workload, "StatefulSet/") {
			xText = "partition"
		}
	}
	x, err := sweep.ParseAxis(xText)
	if err != nil {
		return nil, fmt.Errorf("%w: sweep: -x: %v", errUsage, err)
	}
	y, err := sweep.ParseAxis(yText)
	if err != nil {
		return nil, fmt.Errorf("%w: sweep: -y: %v", errUsage, err)
	}
	if x.Name == y.Name {
		return nil, fmt.Errorf("%w: sweep: -x and -y are both %s", errUsage, x.Name)
	}
	return plan.NewGrid(x, y)
}

// planOf reads the rollout that a file, a shipped scenario or a link is about.
func planOf(name, workload string, c console) (*sweep.Plan, error) {
	l, err := readLink(name, c)
	if err != nil {
		return nil, err
	}
	plan, diagnostics, err := sweep.NewPlan(l.Recording, workload)
	report(c.err, name, diagnostics)
	return plan, err
}

// spread runs n independent pieces of work on all processors. Each worker has a library, because the runs share most of their
// text.
func spread(n int, run func(library *scenario.Library, i int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		workers.Go(func() {
			library := new(scenario.Library)
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				run(library, i)
			}
		})
	}
	workers.Wait()
}

// gridWriter prints the cells of a sweep.
type gridWriter struct {
	out   io.Writer
	grid  *sweep.Grid
	color *forecast.Measure
	base  string
}

// table prints a row for each value of y: duration, lowest availability and peak of pods of each cell.
func (w *gridWriter) table() error {
	g := w.grid
	fmt.Fprintf(w.out, "%s: time, lowest availability, most pods\n\n", shortName(g.Plan.Workload))
	t := tabwriter.NewWriter(w.out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, g.Y.Name+" \\ "+g.X.Name+"\t"+strings.Join(g.X.Values, "\t"))
	var notes []string
	for row, y := range g.Y.Values {
		fmt.Fprint(t, y)
		for column := range g.X.Values {
			c := &g.Cells[row*len(g.X.Values)+column]
			text := ""
			switch {
			case c.Problem != sweep.Fine:
				text = noteOf(&notes, c)
			default:
				text = fmt.Sprintf("%s %d%% %d", seconds(c.Rollout.Duration()), c.Rollout.LowestPercent(), c.Rollout.PeakPods)
			}
			fmt.Fprint(t, "\t"+text+marks(c))
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w.out, "\n* what the text says now   + no other cell is better in time, availability and pods alike")
	for i, note := range notes {
		fmt.Fprintf(w.out, "[%d] %s\n", i+1, note)
	}
	for i := range g.Cells {
		if g.Cells[i].Other {
			fmt.Fprintln(w.out, "A command changes replicas, maxSurge or maxUnavailable before the rollout, so some cells do not show what their row and column say.")
			break
		}
	}
	return nil
}

// noteOf returns the number of a cell's reason below the table.
func noteOf(notes *[]string, c *sweep.Cell) string {
	for i, n := range *notes {
		if n == c.Reason {
			return fmt.Sprintf("%s [%d]", c.Problem, i+1)
		}
	}
	*notes = append(*notes, c.Reason)
	return fmt.Sprintf("%s [%d]", c.Problem, len(*notes))
}

func marks(c *sweep.Cell) string {
	m := ""
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
	Duration       int64             `json:"duration"`
	LowestPercent  int               `json:"lowestPercent"`
	Rollout        *forecast.Rollout `json:"rollout,omitempty"`
	Link           string            `json:"link,omitempty"`
}

func (w *gridWriter) json() error {
	lines := make([]cellLine, len(w.grid.Cells))
	for i := range w.grid.Cells {
		c := &w.grid.Cells[i]
		lines[i] = cellLine{Kind: "cell", X: c.X, Y: c.Y, MaxSurge: c.Surge, MaxUnavailable: c.Down, Current: c.Current, Front: c.Front, Other: c.Other,
			Problem: c.Problem, Reason: c.Reason, Link: linkOf(w.base, c.Recording)}
		if c.Rollout.Workload != "" {
			lines[i].Rollout, lines[i].Duration, lines[i].LowestPercent = &c.Rollout, c.Rollout.Duration(), c.Rollout.LowestPercent()
		}
	}
	return export.Lines(w.out, lines)
}

// linkOf returns the link of a run, "" if it is too long for one.
func linkOf(base string, rec engine.Recording) string {
	fragment, err := link.Encode(link.Link{Recording: rec})
	if err != nil {
		return ""
	}
	return base + "#" + fragment
}

func (w *gridWriter) csv() error {
	out := csv.NewWriter(w.out)
	head := []string{w.grid.X.Name, w.grid.Y.Name, "surge pods", "unavailable pods", "current", "front", "problem"}
	for i := range forecast.Measures {
		head = append(head, forecast.Measures[i].Name)
	}
	if err := out.Write(head); err != nil {
		return err
	}
	for i := range w.grid.Cells {
		c := &w.grid.Cells[i]
		row := []string{c.X, c.Y, strconv.Itoa(c.Surge), strconv.Itoa(c.Down), strconv.FormatBool(c.Current), strconv.FormatBool(c.Front), string(c.Problem)}
		for k := range forecast.Measures {
			row = append(row, strconv.FormatInt(forecast.Measures[k].Of(&c.Rollout), 10))
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
