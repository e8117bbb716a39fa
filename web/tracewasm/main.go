// Command tracewasm prints the traces of every shipped scenario, as text and as JSON. Its test runs it natively and
// as wasm, and the two must not differ by a byte.
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/must"
)

func main() {
	w := bufio.NewWriter(os.Stdout)
	if err := writeAll(w); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// writeAll plays each scenario in small slices, so that a run that depended on them would differ.
func writeAll(w *bufio.Writer) (err error) {
	defer must.Caught(&err)
	for _, name := range scenarios.Names() {
		fmt.Fprintf(w, "-- %s --\n", name)
		r, diagnostics := engine.Start(engine.Recording{Scenario: scenarios.Text(name)})
		must.Be(r != nil, "%s: %v", name, diagnostics)
		for !r.Advance(100) {
		}
		must.Do(engine.WriteText(w, r))
		must.Do(engine.WriteJSON(w, r))
	}
	return w.Flush()
}
