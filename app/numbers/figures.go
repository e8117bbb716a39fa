package numbers

import (
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
)

// figure is a number of a rollout that a person compares.
type figure struct {
	name lang.Message
	of   func(*forecast.Rollout) int64
	text func(int64) string
	more bool // is better
}

var figures = []figure{
	{"numbers-duration", func(r *forecast.Rollout) int64 { return r.Duration() }, chart.Seconds, false},
	{"numbers-lowest", func(r *forecast.Rollout) int64 { return int64(r.LowestPercent()) }, percent, true},
	{"numbers-outage", func(r *forecast.Rollout) int64 { return r.AtZero }, chart.Seconds, false},
	{"numbers-peak", func(r *forecast.Rollout) int64 { return int64(r.PeakPods) }, count, false},
	{"numbers-extra", func(r *forecast.Rollout) int64 { return r.ExtraPodMs }, chart.Seconds, false},
}

func count(n int64) string   { return strconv.FormatInt(n, 10) }
func percent(n int64) string { return count(n) + " %" }

// shades is how many shades the cells have, from the best to the worst.
const shades = 5

// shade is where a cell lies among the different values of all that are measured: 0 is the best. One very slow cell among fifty
// would otherwise make all others look the same.
func (p *Panel) shade(i int) int {
	f := &figures[p.color]
	var all []int64
	for k := range p.done {
		if c := &p.grid.Cells[k]; c.Problem == sweep.Fine {
			all = append(all, f.of(&c.Rollout))
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) == 1 {
		return 0
	}
	at, _ := slices.BinarySearch(all, f.of(&p.grid.Cells[i].Rollout))
	s := at * (shades - 1) / (len(all) - 1)
	if f.more {
		return shades - 1 - s
	}
	return s
}
