package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/must"
)

type capacityOptions struct {
	console
	output *choice
	seeds  int // 0: as many as its pods need
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
	f.Var(between{&o.seeds, 1, 10_000}, "seeds", "the number of runs that have room (default 20, and fewer for more than 125 pods)")
	workloadFlag(f, &o.of)
	return watched(cmd, c)
}

func (o *capacityOptions) capacity(name string) {
	plan := planOf(name, o.of, o.console)
	if source, _ := scenario.Parse(plan.Recording.Scenario); source != nil {
		o.seeds = cmp.Or(o.seeds, sweep.SeedsFor(source))
	}
	need, err := plan.Capacity(o.watch.spread, o.seeds)
	switch {
	case errors.Is(err, sweep.ErrUnknown):
		fmt.Fprintln(o.err, err)
		must.Do(errUnknown)
	case errors.Is(err, sweep.ErrStuck):
		fmt.Fprintln(o.err, err)
		must.Do(errSaid)
	}
	must.Do(err)
	own := &need.Own.Outcomes[need.Own.Worst()]
	wait := need.Wait()
	line := capacityLine{Kind: "capacity", Workload: plan.Workload, Seeds: o.seeds, CPU: need.CPU, Memory: need.Memory, Needs: need.Extra,
		Slots: need.Slots, Waits: wait.For != "", WaitsAt: wait.At, Waiting: need.Waiting(), Problem: own.Problem, Reason: own.Reason, Failed: need.Own.Failed(),
		Pods: need.Pods, PeakCPU: need.PeakCPU, PeakMem: need.PeakMemory,
		Free: slices.MaxFunc(need.Free.Outcomes, func(a, b sweep.Outcome) int { return cmp.Compare(a.Rollout.PeakPods, b.Rollout.PeakPods) }).Rollout, Own: own.Rollout}
	var fleet *sweep.Fleet
	if o.size != nil {
		fleet = must.Have(plan.Fleet(o.watch.spread, o.size, need.Free))
		line.Nodes, line.Fast = fleet.Fewest, fleet.Fast
	}
	if o.output.value == "json" {
		must.Do(export.Lines(o.out, []capacityLine{line}))
	} else {
		writeCapacity(o.console, plan, need, fleet)
	}
	if fleet != nil && fleet.Fewest == 0 {
		must.Do(errSaid) // no number of such nodes is enough
	}
}

func writeCapacity(c console, plan *sweep.Plan, need *sweep.Capacity, fleet *sweep.Fleet) {
	took := need.Free.Durations()
	seconds := forecast.Millis.Text(took.Min)
	if longest := forecast.Millis.Text(took.Max); longest != seconds {
		seconds += " to " + longest
	}
	fmt.Fprintf(c.out, "%s, with room for everything: %s with %s, %s at most.\n", shortName(plan.Workload), seconds,
		words.Plural(len(need.Waits), "seed"), words.Plural(need.Pods, "pod"))
	fmt.Fprintf(c.out, "It needs %s%s", words.Plural(need.Extra, "free slot"), requests(need.CPU, need.Memory))
	switch {
	case need.Slots < 0:
		fmt.Fprintln(c.out, unlimited(need))
	default:
		fmt.Fprintf(c.out, "; you have %d%s\n", need.Slots, consequence(need))
	}
	fmt.Fprintf(c.out, "A quota that holds none of them up has pods %d%s: terminating pods count.\n", need.Pods, quotaRequests(need))
	if fleet != nil {
		writeFleet(c, fleet)
	}
}

// with says with how many seeds something happens, if it does not with all.
func with(n int, need *sweep.Capacity) string {
	if n == len(need.Waits) {
		return ""
	}
	return fmt.Sprintf(" with %d of %d seeds", n, len(need.Waits))
}

// unlimited says what becomes of the rollout on nodes without limits: their number and a quota may still decide.
func unlimited(need *sweep.Capacity) string {
	own, nodes := &need.Own.Outcomes[need.Own.Worst()], "your nodes"
	if need.Assumed > 0 {
		nodes = words.Plural(need.Assumed, "node") + ", which are assumed"
	}
	switch {
	case own.Problem != sweep.Fine:
		return fmt.Sprintf(". On %s, it does not finish%s: %s", nodes, with(need.Own.Failed(), need), own.Reason)
	case longest(need.Own) > longest(need.Free)+sweep.Slack:
		return "; the nodes have no limits, but with the quotas and nodes of the text it takes up to " + forecast.Millis.Text(longest(need.Own)) + "."
	}
	return "; the nodes have no limits."
}

// consequence describes what the free slots mean for the rollout.
func consequence(need *sweep.Capacity) string {
	own, wait := &need.Own.Outcomes[need.Own.Worst()], need.Wait()
	after, waiting := forecast.Millis.Text(wait.After)+" after the update", with(need.Waiting(), need)
	switch failed := with(need.Own.Failed(), need); {
	case own.Problem != sweep.Fine && wait.For != "":
		return fmt.Sprintf(": it stalls %s%s: %s", after, failed, own.Reason)
	case own.Problem != sweep.Fine:
		return fmt.Sprintf(". It does not finish%s: %s", failed, own.Reason)
	case wait.For != "" && longest(need.Own) <= longest(need.Free):
		return fmt.Sprintf(": a pod waits %s%s, but it takes no longer.", after, waiting)
	case wait.For != "":
		return fmt.Sprintf(": pods wait from %s on%s, and it takes up to %s instead of %s.", after, waiting,
			forecast.Millis.Text(longest(need.Own)), forecast.Millis.Text(longest(need.Free)))
	}
	return ": no pod waits."
}

// longest is the longest duration of some seeds, in ms.
func longest(s *sweep.Seeds) int64 { return s.Durations().Max }

func writeFleet(c console, f *sweep.Fleet) {
	nodes := words.Plural(f.Fewest, "node") + " of " + f.Size.String() + words.Verb(f.Fewest, " is", " are")
	if f.Fewest == 0 {
		fmt.Fprintf(c.out, "No number of nodes of %s is enough: %s\n", f.Size, f.Reason)
		return
	}
	took := forecast.Millis.Text(longest(f.Seeds))
	switch {
	case f.Fast == f.Fewest:
		fmt.Fprintf(c.out, "%s enough.\n", nodes)
	case f.Fast == 0:
		fmt.Fprintf(c.out, "%s enough; it takes up to %s.\n", nodes, took)
	default:
		fmt.Fprintf(c.out, "%s enough; it takes up to %s. With %d, it is usually as fast as with room for everything.\n", nodes, took, f.Fast)
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

func quotaRequests(need *sweep.Capacity) (text string) {
	if need.PeakCPU > 0 {
		text += ", requests.cpu " + forecast.MilliCPU.Text(need.PeakCPU)
	}
	if need.PeakMemory > 0 {
		text += ", requests.memory " + words.Bytes(need.PeakMemory)
	}
	return text
}

// capacityLine is the result as a line of JSON. Scripts rely on the field names: add fields, never remove one.
type capacityLine struct {
	Kind     string           `json:"kind"` // capacity
	Workload string           `json:"workload"`
	Seeds    int              `json:"seeds"`
	CPU      int64            `json:"cpu"` // that one pod requests
	Memory   int64            `json:"memory"`
	Needs    int              `json:"needs"` // free slots
	Pods     int              `json:"peakPods"`
	PeakCPU  int64            `json:"peakCPU"`
	PeakMem  int64            `json:"peakMemory"`
	Slots    int              `json:"slots"` // that are free; -1 for no limit
	Waits    bool             `json:"waits"`
	WaitsAt  int64            `json:"waitsAt,omitempty"`
	Waiting  int              `json:"waitingSeeds"`
	Problem  sweep.Problem    `json:"problem,omitempty"`
	Reason   string           `json:"reason,omitempty"`
	Failed   int              `json:"failedSeeds"`
	Free     forecast.Rollout `json:"free"`                // of a seed with the most pods, if everything fits
	Own      forecast.Rollout `json:"own"`                 // of the worst seed
	Nodes    int              `json:"nodes,omitempty"`     // of the given size that are enough
	Fast     int              `json:"fastNodes,omitempty"` // enough for the usual speed of a rollout for which everything fits
}
