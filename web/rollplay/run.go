package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/traffic"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/must"
)

type runOptions struct {
	console
	output *choice
	line   string
	at     time.Duration
	check  bool
	ask    bool
}

func runCommand(c console) *cobra.Command {
	o := runOptions{console: c}
	cmd := fileCommand("run", playing, "play a scenario and print its trace, or what kubectl prints", o.run)
	o.output = output(cmd, "text", "json")
	f := cmd.Flags()
	f.StringVar(&o.line, "kubectl", "", "print the answer of this kubectl `line` instead of the trace")
	f.DurationVar(&o.at, "at", -time.Second, "the moment of the line; by default the start for a watch, the end for others")
	f.BoolVar(&o.check, "check", false, "compare the run with the expectations of the scenario instead of printing the trace")
	f.BoolVar(&o.ask, "requests", false, "say what becomes of the requests (traffic) instead of printing the trace")
	noDefault(f, "at")
	return watched(cmd, c)
}

func (o *runOptions) run(name string) {
	r, _ := begin(name, o.console)
	switch r.Finish(); {
	case o.line != "":
		answer(o.console, r, o.line, o.at.Milliseconds())
		return
	case o.check:
		compare(o.console, name, r)
		return
	case o.ask:
		mustKnowTraffic(writeTraffic(o.console, r), name)
	case o.output.value == "json":
		must.Do(export.Trace(o.out, r))
	default:
		must.Do(engine.WriteText(o.out, r))
	}
	whole(r, o.console)
}

// mustKnowTraffic ends the command if nothing is known of the requests of a scenario.
func mustKnowTraffic(known bool, name string) {
	must.Be(known, "%s has no traffic: add a Service that selects a workload, or traffic: [{service: web, rate: 100}] to the Scenario", name)
}

// writeTraffic says for each Service or route with traffic what its users notice, and then what is assumed, once for all with the same
// model. It says nothing for others.
func writeTraffic(c console, r *engine.Run) bool {
	type modelled struct{ model, name string }
	var all []modelled
	told := map[api.Key]bool{}
	for _, w := range r.Workloads() {
		for _, of := range traffic.For(r.Past(), w) {
			key := of.Object()
			if told[key] {
				continue
			}
			told[key] = true
			until := r.Past().Now()
			if r.Scenario().Duration == 0 { // nothing happens any more, but requests may still be sent to the last pod that has ended
				until += traffic.After([]scenario.Traffic{of})
			}
			report, name := traffic.Upto(r.Past(), of, until), key.Namespace+"/"+key.Name
			_, _, sum := report.PreStop()
			says := cmp.Or(report.Verdict(0, report.Until), "It never has an endpoint, so no requests are counted.")
			fmt.Fprintf(c.out, "%s: %s\n%s\n", name, says, report.Outcomes())
			all = append(all, modelled{report.Model() + "\n" + sum + "\n", name})
		}
	}
	models := grouped(all, func(x modelled) string { return x.model })
	for _, same := range models {
		if len(models) > 1 {
			fmt.Fprintf(c.out, "%s:\n", words.Join(same, ", ", func(x modelled) string { return x.name }))
		}
		fmt.Fprint(c.out, same[0].model)
	}
	return len(told) > 0
}

// whole ends the command with an error if the run ended early, because what is computed of it may change.
func whole(r *engine.Run, c console) {
	if cut := r.Cut(); cut != "" {
		fmt.Fprintln(c.err, cut)
		must.Do(errUnknown)
	}
}

// compare reports where a run differs from the expectations of its scenario. An exercise with the learner's commands is judged by its
// goals: its expectations are about the run without them.
func compare(c console, name string, r *engine.Run) {
	whole(r, c)
	if len(r.Scenario().Goals) > 0 && len(r.Recording().Commands) > 0 {
		compareGoals(c, name, r)
		return
	}
	if wrong := r.Check(); len(wrong) > 0 {
		report(c.err, name, wrong)
		must.Do(errSaid)
	}
	fmt.Fprintf(c.out, "%s: %d of %d expectations hold\n", name, len(r.Scenario().Expects), len(r.Scenario().Expects))
}

// compareGoals reports which goals of an exercise the learner's run meets.
func compareGoals(c console, name string, r *engine.Run) {
	goals, met := r.Scenario().Goals, 0
	for i, state := range r.Goals(r.Now()) {
		if state == engine.GoalMet {
			met++
		}
		fmt.Fprintf(c.out, "%-6s  %s\n", state, goals[i].Text.En)
	}
	fmt.Fprintf(c.out, "%s: %d of %d goals are met\n", name, met, len(goals))
	if met < len(goals) {
		must.Do(errSaid)
	}
}

// answer prints the answer of a reading kubectl command at a moment of a run, and its later lines if it watches. A negative
// moment means the start for a command that watches, the end for others.
func answer(c console, r *engine.Run, line string, at int64) {
	command := past.Parse(line)
	if at < 0 {
		at = r.Now()
		begun, ok := r.Past().Read(command, r.Past().Find(0), 0)
		if ok && (begun.Open || slices.ContainsFunc(begun.Lines, func(l past.ReadLine) bool { return l.T > 0 })) { // it prints lines later
			at = 0
		}
	}
	reading, ok := r.Past().Read(command, r.Past().Find(at), at)
	why, refused := command.Refused()
	must.Be(ok || !refused, "%q is not supported here: %s", line, strings.TrimPrefix(why, "error: "))
	must.Be(ok, "%q does not only read; put it into the timeline of the scenario", line)
	for _, l := range reading.Lines {
		out := c.out
		if l.Stderr {
			out = c.err
		}
		fmt.Fprintln(out, l.Text)
	}
	if reading.Failed {
		must.Do(errSaid)
	}
}

// read returns the text of a scenario: standard input for -, else a file, else a shipped scenario. A file hides a shipped
// scenario of the same name, because people see their own files.
func read(name string, c console) string {
	text, err := readFile(name, limits.Text, c)
	if os.IsNotExist(err) {
		if text, err = scenarios.Text(name), nil; text == "" {
			err = fmt.Errorf("there is no file and no scenario %q; the scenarios are: %s", name, strings.Join(scenarios.Names(), ", "))
		}
	}
	must.Do(err)
	return text
}

func tooLong(name string, size, most int) error {
	if size <= most {
		return nil
	}
	return fmt.Errorf("%s is larger than %d MiB, which is the longest text that rollplay reads", name, most>>20)
}

// report prints one diagnostic per line, but one line for all objects that are not simulated, of which a chart has dozens.
func report(w io.Writer, name string, diagnostics []engine.Diagnostic) {
	inert := map[string]int{}
	for _, d := range diagnostics {
		kind := "error"
		if d.Warning {
			kind = "warning"
		}
		if d.Inert {
			of, _, _ := strings.Cut(d.Message, " ")
			inert[of]++
		} else {
			fmt.Fprintf(w, "%s: %s: document %d, line %d: %s\n", name, kind, d.Document, d.Line, withField(d))
		}
	}
	if len(inert) > 0 {
		list := words.Join(slices.Sorted(maps.Keys(inert)), ", ", func(kind string) string { return fmt.Sprintf("%d %s", inert[kind], kind) })
		fmt.Fprintf(w, "%s: warning: not simulated, and without effect here: %s\n", name, list)
	}
}

// withField is the message of a diagnostic with its field.
func withField(d engine.Diagnostic) string {
	if d.Field == "" || strings.HasPrefix(d.Message, d.Field) { // the API server's texts begin with the field
		return d.Message
	}
	return d.Field + ": " + d.Message
}
