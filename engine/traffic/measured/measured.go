// Package measured puts published measurements of requests during a rollout beside what the model says of the same settings.
//
// A measurement that names all that decides must be within the range of the model over its seeds; the others say what their source
// leaves open, and what is assumed instead.
package measured

import (
	_ "embed" // the table
	"fmt"
	"strings"
	"text/template"

	"sigs.k8s.io/yaml"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/traffic"
)

// Measurement is one published figure, with the settings under which it was measured.
type Measurement struct {
	Source, URL string
	Did         scenario.Text // what was measured
	Failed, All int64
	Found       scenario.Text // in words, where the source has no numbers
	Open        scenario.Text // what the source leaves open, and what is assumed; empty if it is complete
	AtLeast     bool          // Failed is the most that a test accepts
	Workload    setup
	From, To    int64 // ms, between which requests are counted
}

// setup is what differs between the scenarios: values of YAML fields.
type setup struct {
	DaemonSet          bool
	Replicas, Nodes    int
	Strategy           string
	Grace, PreStop     int    // s; no preStop is 0
	Probe, Start, Stop string // Stop is how long an app takes to end after SIGTERM, by default no time
	Traffic            string
	Updates, Every, At int // a restart at a moment, and further ones at intervals, in seconds
}

// All are the published measurements. The applications differ in when they listen after their start, which only some sources say.
var All = func() (all []Measurement) {
	if err := yaml.UnmarshalStrict([]byte(table), &all); err != nil {
		panic("measured: " + err.Error())
	}
	return all
}()

//go:embed table.yaml
var table string

// Complete reports whether the source names all that decides, so that the model must contain its figure.
func (m *Measurement) Complete() bool { return m.Open == scenario.Text{} }

// Scenario returns the text of the scenario.
func (m *Measurement) Scenario() string {
	var b strings.Builder
	if err := scenarioOf.Execute(&b, m); err != nil {
		panic("measured: " + err.Error())
	}
	return b.String()
}

//go:embed scenario.yaml
var scenarioText string

var scenarioOf = template.Must(template.New("").Funcs(template.FuncMap{
	"seconds": func(ms int64) int64 { return (ms + 999) / 1000 },
	"at":      func(w setup, i int) int { return w.At + i*w.Every },
}).Parse(scenarioText))

// Seeds is over how many seeds the ranges of the site are.
const Seeds = 10

// Range is how many requests fail in the model, over some seeds, and how many there are in the first.
type Range struct{ Lowest, Highest, All int64 }

// Contains reports whether a published figure is in the range.
func (r Range) Contains(m *Measurement) bool {
	if m.AtLeast {
		return r.Highest*m.All <= m.Failed*r.All
	}
	return r.Lowest <= m.Failed && m.Failed <= r.Highest
}

// Model computes the range over seeds from 1 on.
func (m *Measurement) Model(seeds int) (r Range, err error) {
	for seed := 1; seed <= seeds; seed++ {
		text, err := sweep.SetSeed(m.Scenario(), uint64(seed))
		if err != nil {
			return r, err
		}
		run, diagnostics := engine.Start(engine.Recording{Scenario: text})
		if run == nil {
			return r, fmt.Errorf("%s: %v", m.Source, diagnostics)
		}
		for !run.Advance(1 << 10) {
		}
		report := traffic.Of(run.Past(), run.Scenario().Traffic[0])
		counts, _, _ := report.Between(m.From, m.To)
		if failed := counts.Failed(); seed == 1 {
			r = Range{failed, failed, counts.All()}
		} else {
			r.Lowest, r.Highest = min(r.Lowest, failed), max(r.Highest, failed)
		}
	}
	return r, nil
}
