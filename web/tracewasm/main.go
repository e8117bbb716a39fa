// Command tracewasm prints the traces of every shipped scenario, as text and as JSON. Its test runs it natively and
// as wasm, and the two must not differ by a byte.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

func main() {
	w := bufio.NewWriter(os.Stdout)
	if err := writeAll(w); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func writeAll(w *bufio.Writer) error {
	for _, name := range scenarios.Names() {
		fmt.Fprintf(w, "-- %s --\n", name)
		if err := write(w, name); err != nil {
			return err
		}
	}
	return w.Flush()
}

// write plays a scenario in small slices, so that a run that depended on them would differ.
func write(w io.Writer, name string) error {
	r, diagnostics := engine.Start(engine.Recording{Scenario: scenarios.Text(name)})
	if r == nil {
		return fmt.Errorf("%s: %v", name, diagnostics)
	}
	for !r.Advance(100) {
	}
	if err := engine.WriteText(w, r); err != nil {
		return err
	}
	return engine.WriteJSON(w, r)
}
