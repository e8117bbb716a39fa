package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

// play prints the trace of a scenario.
func play(args []string, c console) error {
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	format := fs.String("o", "text", "text or json")
	names, err := parse(fs, args, 1)
	if err != nil {
		return err
	}
	write, err := writer(*format)
	if err != nil {
		return err
	}
	text, err := read(names[0], c.in)
	if err != nil {
		return err
	}
	r, diagnostics := engine.Start(engine.Recording{Scenario: text})
	report(c.err, names[0], diagnostics)
	if r == nil {
		return fmt.Errorf("%s cannot be played", names[0])
	}
	return write(c.out, r.Finish())
}

// writer returns the engine's printer of a format.
func writer(format string) (func(io.Writer, *engine.Run) error, error) {
	switch format {
	case "text":
		return engine.WriteText, nil
	case "json":
		return engine.WriteJSON, nil
	default:
		return nil, fmt.Errorf("%w: run: -o is text or json, not %q", errUsage, format)
	}
}

// read returns the text of a scenario: standard input for -, else a file, else a shipped scenario. A file comes
// before a shipped scenario of the same name, because the person can see it.
func read(name string, in io.Reader) (string, error) {
	if name == "-" {
		b, err := io.ReadAll(in)
		return string(b), err
	}
	b, err := os.ReadFile(name)
	if err == nil {
		return string(b), nil
	}
	if !os.IsNotExist(err) {
		return "", err
	}
	if text := scenarios.Text(name); text != "" {
		return text, nil
	}
	return "", fmt.Errorf("there is no file and no scenario %q; the scenarios are: %s", name, strings.Join(scenarios.Names(), ", "))
}

// report prints diagnostics, one to a line.
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
