package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/must"
)

type capacityOptions struct {
	console
	output *choice
	of     string
	size   sweep.Size // of a node; nil if it is not given
}

func capacityCommand(c console) *cobra.Command {
	o := capacityOptions{console: c}
	cmd := fileCommand("capacity", deciding, "say which free slots, quota and nodes an update needs", o.capacity)
	o.output = output(cmd, "text", "json")
	f := cmd.Flags()
	f.Func("node", "the size of a node: `cpu=4,memory=8Gi,pods=110`", func(text string) (err error) {
		o.size, err = sweep.ParseSize(text)
		return err
	})
	workloadFlag(f, &o.of)
	return watched(cmd, c)
}

func (o *capacityOptions) capacity(name string) {
	plan := planOf(name, o.of, o.console)
	library := o.watch.library()
	need, err := plan.Capacity(library)
	if errors.Is(err, sweep.ErrStuck) && !o.watch.enough.Load() {
		fmt.Fprintln(o.err, err)
		must.Do(errSaid)
	}
	must.Do(err)
	line := capacityLine{Kind: "capacity", Workload: plan.Workload, CPU: need.CPU, Memory: need.Memory, Needs: need.Extra,
		Slots: need.Slots, Waits: need.Waits, WaitsAt: need.WaitsAt, Problem: need.Own.Problem, Reason: need.Own.Reason,
		Free: need.Free.Rollout, Own: need.Own.Rollout}
	var fleet *sweep.Fleet
	if o.size != nil {
		fleet = must.Have(plan.Fleet(library, o.size, &need.Free.Rollout))
		line.Nodes, line.Fast = fleet.Fewest, fleet.Fast
	}
	if o.output.value == "json" {
		must.Do(export.Lines(o.out, []capacityLine{line}))
		return
	}
	writeCapacity(o.console, plan, need, fleet)
}

func writeCapacity(c console, plan *sweep.Plan, need *sweep.Capacity, fleet *sweep.Fleet) {
	free, own := &need.Free.Rollout, &need.Own
	each := requests(need.CPU, need.Memory)
	fmt.Fprintf(c.out, "%s, with room for everything: %s, %s at most.\n", shortName(plan.Workload), forecast.Millis.Text(free.Duration()),
		words.Plural(free.PeakPods, "pod"))
	fmt.Fprintf(c.out, "It needs %s%s", words.Plural(need.Extra, "free slot"), each)
	switch {
	case need.Slots < 0 && own.Problem == sweep.Fine:
		fmt.Fprintln(c.out, "; the nodes have no limits.")
	case need.Slots < 0:
		fmt.Fprintf(c.out, ". It does not finish: %s\n", own.Reason)
	default:
		fmt.Fprintf(c.out, "; you have %d%s\n", need.Slots, consequence(need))
	}
	fmt.Fprintf(c.out, "A quota that never holds it up has pods %d%s: terminating pods count.\n", free.PeakPods, quotaRequests(free))
	if fleet != nil {
		writeFleet(c, fleet)
	}
}

// consequence describes what the free slots mean for the rollout.
func consequence(need *sweep.Capacity) string {
	own := &need.Own
	switch {
	case own.Problem != sweep.Fine && need.Waits:
		return fmt.Sprintf(": it stalls at %s: %s", forecast.Millis.Text(need.WaitsAt), own.Reason)
	case own.Problem != sweep.Fine:
		return fmt.Sprintf(". It does not finish: %s", own.Reason)
	case need.Waits && own.Rollout.Duration() <= need.Free.Rollout.Duration():
		return fmt.Sprintf(": a pod waits at %s, but it takes no longer.", forecast.Millis.Text(need.WaitsAt))
	case need.Waits:
		return fmt.Sprintf(": pods wait from %s on, and it takes %s instead of %s.", forecast.Millis.Text(need.WaitsAt),
			forecast.Millis.Text(own.Rollout.Duration()), forecast.Millis.Text(need.Free.Rollout.Duration()))
	}
	return ": no pod waits."
}

func writeFleet(c console, f *sweep.Fleet) {
	nodes := words.Plural(f.Fewest, "node") + " of " + f.Size.String() + words.Verb(f.Fewest, " is", " are")
	took := forecast.Millis.Text(f.Outcome.Rollout.Duration())
	switch {
	case f.Fewest == 0:
		fmt.Fprintf(c.out, "No number of nodes of %s is enough: %s\n", f.Size, f.Reason)
		return
	case f.Fast == f.Fewest:
		fmt.Fprintf(c.out, "%s enough.\n", nodes)
	case f.Fast == 0:
		fmt.Fprintf(c.out, "%s enough; it takes %s.\n", nodes, took)
	default:
		fmt.Fprintf(c.out, "%s enough; it takes %s. With %d, no pod waits long.\n", nodes, took, f.Fast)
	}
	if f.Reason != "" {
		fmt.Fprintf(c.out, "With one less: %s\n", f.Reason)
	}
}

// requests writes the requests of one pod: " of 500m cpu and 256Mi memory".
func requests(cpu, memory int64) string {
	var list []string
	if cpu > 0 {
		list = append(list, forecast.MilliCPU.Text(cpu)+" cpu")
	}
	if memory > 0 {
		list = append(list, forecast.Bytes.Text(memory)+" memory")
	}
	if len(list) == 0 {
		return ""
	}
	return " of " + strings.Join(list, " and ")
}

func quotaRequests(r *forecast.Rollout) (text string) {
	if r.PeakCPU > 0 {
		text += ", requests.cpu " + forecast.MilliCPU.Text(r.PeakCPU)
	}
	if r.PeakMemory > 0 {
		text += ", requests.memory " + words.Bytes(r.PeakMemory)
	}
	return text
}

// capacityLine is the result as a line of JSON. Scripts rely on the field names: add fields, never remove one.
type capacityLine struct {
	Kind     string           `json:"kind"` // capacity
	Workload string           `json:"workload"`
	CPU      int64            `json:"cpu"` // that one pod requests
	Memory   int64            `json:"memory"`
	Needs    int              `json:"needs"` // free slots
	Slots    int              `json:"slots"` // that are free; -1 for no limit
	Waits    bool             `json:"waits"`
	WaitsAt  int64            `json:"waitsAt,omitempty"`
	Problem  sweep.Problem    `json:"problem,omitempty"`
	Reason   string           `json:"reason,omitempty"`
	Free     forecast.Rollout `json:"free"` // with room for everything
	Own      forecast.Rollout `json:"own"`
	Nodes    int              `json:"nodes,omitempty"`     // of the given size that are enough
	Fast     int              `json:"fastNodes,omitempty"` // with which no pod waits long
}
