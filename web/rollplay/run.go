package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/scenarios"
)

// play prints the trace of a scenario.
func play(args []string, c console) error {
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	format := fs.String("o", "text", "text or json")
	line := fs.String("kubectl", "", "print the answer of this kubectl command instead of the trace")
	at := fs.Duration("at", -time.Second, "the moment of the command; by default the start for a watch, the end for others")
	check := fs.Bool("check", false, "compare the run with the expectations of the scenario instead of printing the trace")
	names, err := parse(fs, args, 1)
	if err != nil {
		return err
	}
	write, err := writer(*format)
	if err != nil {
		return err
	}
	r, _, err := begin(names[0], c)
	if err != nil {
		return err
	}
	if *line != "" {
		return ask(c, r.Finish(), *line, at.Milliseconds())
	}
	if *check {
		return compare(c, names[0], r.Finish())
	}
	err = write(c.out, r.Finish())
	if cut := r.Cut(); cut != "" {
		fmt.Fprintln(c.err, cut)
	}
	return err
}

// compare reports where a run differs from the expectations of its scenario. An exercise with the learner's commands is judged by its
// goals: its expectations are about the run without them.
func compare(c console, name string, r *engine.Run) error {
	if len(r.Scenario().Goals) > 0 && len(r.Recording().Commands) > 0 {
		return compareGoals(c, name, r)
	}
	if wrong := r.Check(); len(wrong) > 0 {
		report(c.err, name, wrong)
		return errSaid
	}
	fmt.Fprintf(c.out, "%s: %d of %d expectations hold\n", name, len(r.Scenario().Expects), len(r.Scenario().Expects))
	return nil
}

// compareGoals reports which goals of an exercise the learner's run meets.
func compareGoals(c console, name string, r *engine.Run) error {
	goals, met := r.Scenario().Goals, 0
	for i, state := range r.Goals(r.Now()) {
		if state == engine.GoalMet {
			met++
		}
		fmt.Fprintf(c.out, "%-6s  %s\n", state, goals[i].Text.En)
	}
	fmt.Fprintf(c.out, "%s: %d of %d goals are met\n", name, met, len(goals))
	if met < len(goals) {
		return errSaid
	}
	return nil
}

// ask prints the answer of a reading kubectl command at a moment of a run, and its later lines if it watches. A negative
// moment means the start for a command that watches, the end for others.
func ask(c console, r *engine.Run, line string, at int64) error {
	asked := past.Parse(line)
	if at < 0 {
		at = r.Now()
		if begun, ok := r.Past().Read(asked, r.Past().Find(0), 0); ok && streams(begun) {
			at = 0
		}
	}
	reading, ok := r.Past().Read(asked, r.Past().Find(at), at)
	if answer, refused := asked.Refused(); !ok && refused {
		return fmt.Errorf("%q is not supported here: %s", line, strings.TrimPrefix(answer, "error: "))
	}
	if !ok {
		return fmt.Errorf("%q writes to the cluster; put it into the timeline of the scenario", line)
	}
	for _, l := range reading.Lines {
		out := c.out
		if l.Stderr {
			out = c.err
		}
		fmt.Fprintln(out, l.Text)
	}
	if reading.Failed {
		return errSaid
	}
	return nil
}

// streams says whether a command given at time zero prints lines later.
func streams(reading *past.Reading) bool {
	n := len(reading.Lines)
	return reading.Open || n > 0 && reading.Lines[n-1].T > 0
}

// writer returns the engine's printer for a format.
func writer(format string) (func(io.Writer, *engine.Run) error, error) {
	switch format {
	case "text":
		return engine.WriteText, nil
	case "json":
		return export.Trace, nil
	default:
		return nil, notFormat("run", format, "text", "json")
	}
}

// notFormat is the error for a format that a command does not have: "-o is table, json or csv, not \"xml\"".
func notFormat(command, format string, formats ...string) error {
	last := len(formats) - 1
	return fmt.Errorf("%w: %s: -o is %s or %s, not %q", errUsage, command, strings.Join(formats[:last], ", "), formats[last], format)
}

// read returns the text of a scenario: standard input for -, else a file, else a shipped scenario. A file hides a shipped
// scenario of the same name, because people see their own files.
func read(name string, in io.Reader) (string, error) {
	if name == "-" {
		return readText("standard input", in)
	}
	f, err := os.Open(name)
	if err == nil {
		defer f.Close()
		return readText(name, f)
	}
	if !os.IsNotExist(err) {
		return "", err
	}
	if text := scenarios.Text(name); text != "" {
		return text, nil
	}
	return "", fmt.Errorf("there is no file and no scenario %q; the scenarios are: %s", name, strings.Join(scenarios.Names(), ", "))
}

// readText reads at most what the engine reads: a file may be endless, like /dev/zero, or larger than the memory.
func readText(name string, r io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(r, limits.Text+1))
	if err == nil && len(b) > limits.Text {
		err = fmt.Errorf("%s is larger than 1 MiB, which is the longest text that rollplay reads", name)
	}
	return string(b), err
}

// report prints one diagnostic per line.
func report(w io.Writer, name string, diagnostics []engine.Diagnostic) {
	for _, d := range diagnostics {
		kind := "error"
		if d.Warning {
			kind = "warning"
		}
		message := d.Message
		if d.Field != "" && !strings.HasPrefix(message, d.Field) { // the API server's texts begin with the field
			message = d.Field + ": " + message
		}
		fmt.Fprintf(w, "%s: %s: document %d, line %d: %s\n", name, kind, d.Document, d.Line, message)
	}
}
