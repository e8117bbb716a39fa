package main

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/forecast"
)

// figure is a number of a scorecard, with its name in options and tables.
type figure struct {
	name    string
	of      func(*forecast.Rollout) int64
	text    func(int64) string
	highest bool // more is better
}

// figures are the numbers of a scorecard that can be compared.
var figures = []figure{
	{"duration", func(r *forecast.Rollout) int64 { return r.Duration() }, seconds, false},
	{"lowestPercent", func(r *forecast.Rollout) int64 { return int64(r.LowestPercent()) }, percent, true},
	{"belowDesired", func(r *forecast.Rollout) int64 { return r.BelowDesired }, seconds, false},
	{"belowBound", func(r *forecast.Rollout) int64 { return r.BelowBound }, seconds, false},
	{"atZero", func(r *forecast.Rollout) int64 { return r.AtZero }, seconds, false},
	{"peakPods", func(r *forecast.Rollout) int64 { return int64(r.PeakPods) }, number, false},
	{"peakCPU", func(r *forecast.Rollout) int64 { return r.PeakCPU }, cores, false},
	{"peakMemory", func(r *forecast.Rollout) int64 { return r.PeakMemory }, bytesText, false},
	{"extraPodMs", func(r *forecast.Rollout) int64 { return r.ExtraPodMs }, seconds, false},
	{"created", func(r *forecast.Rollout) int64 { return int64(r.Created) }, number, false},
	{"refused", func(r *forecast.Rollout) int64 { return int64(r.Refused) }, number, false},
}

func number(n int64) string { return fmt.Sprint(n) }

func percent(n int64) string { return fmt.Sprintf("%d%%", n) }

// figureOf returns the figure of a name, nil if there is none.
func figureOf(name string) *figure {
	for i := range figures {
		if figures[i].name == name {
			return &figures[i]
		}
	}
	return nil
}

func figureNames() string {
	var names []string
	for i := range figures {
		names = append(names, figures[i].name)
	}
	return strings.Join(names, ", ")
}
