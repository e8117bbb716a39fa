// Package measured puts published measurements of requests during a rollout beside what the model says of the same settings.
//
// A measurement that names all that decides must be within the range of the model over its seeds; the others say what their source
// leaves open, and what is assumed instead.
package measured

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/traffic"
)

// Measurement is one published figure, with the settings under which it was measured.
type Measurement struct {
	Source, URL  string
	Did          scenario.Text // what was measured
	Failed, All  int64
	Found        scenario.Text // in words, where the source has no numbers
	Open         scenario.Text // what the source leaves open, and what is assumed; empty if it is complete
	AtLeast      bool          // Failed is the most that a test accepts
	Workload     setup
	requestsFrom int64 // ms, when the counting begins
	requestsTo   int64
}

// Complete reports whether the source names all that decides, so that the model must contain its figure.
func (m *Measurement) Complete() bool { return m.Open == scenario.Text{} }

// setup is what differs between the scenarios: values of YAML fields.
type setup struct {
	daemonSet          bool
	replicas, nodes    int
	strategy           string
	grace, preStop     int    // s; no preStop is 0
	probe, start, stop string // stop is how long an app takes to end after SIGTERM, by default no time
	traffic            string
	updates, every, at int // a restart at a moment, and more of them each so many seconds later
}

// Scenario returns the text of the scenario.
func (m *Measurement) Scenario() string {
	w := &m.Workload
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  duration: %ds\n  nodes: {count: %d}\n", (m.requestsTo+999)/1000, w.nodes)
	fmt.Fprintf(&b, "  images:\n  - {match: \"*\", pull: 1ms, start: %s, stop: %s}\n  traffic:\n  - {service: web, %s}\n  timeline:\n", w.start, cmp.Or(w.stop, "0s"), w.traffic)
	kind := "Deployment"
	if w.daemonSet {
		kind = "DaemonSet"
	}
	for i := range w.updates {
		fmt.Fprintf(&b, "  - {at: %ds, run: kubectl rollout restart %s/web}\n", w.at+i*w.every, strings.ToLower(kind))
	}
	fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  selector: {app: web}\n  ports: [{port: 80, targetPort: 8080}]\n")
	fmt.Fprintf(&b, "---\napiVersion: apps/v1\nkind: %s\nmetadata: {name: web}\nspec:\n", kind)
	if w.daemonSet {
		fmt.Fprintf(&b, "  updateStrategy: {rollingUpdate: %s}\n", w.strategy)
	} else {
		fmt.Fprintf(&b, "  replicas: %d\n  strategy: {rollingUpdate: %s}\n", w.replicas, w.strategy)
	}
	fmt.Fprintf(&b, "  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      terminationGracePeriodSeconds: %d\n", w.grace)
	b.WriteString("      containers:\n      - name: web\n        image: web:1\n")
	if w.probe != "" {
		fmt.Fprintf(&b, "        readinessProbe: {httpGet: {path: /, port: 8080}, %s}\n", w.probe)
	}
	if w.preStop > 0 {
		fmt.Fprintf(&b, "        lifecycle: {preStop: {exec: {command: [sleep, \"%d\"]}}}\n", w.preStop)
	}
	return b.String()
}

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
		counts, _, _ := report.Between(m.requestsFrom, m.requestsTo)
		if failed := counts.Failed(); seed == 1 {
			r = Range{failed, failed, counts.All()}
		} else {
			r.Lowest, r.Highest = min(r.Lowest, failed), max(r.Highest, failed)
		}
	}
	return r, nil
}
