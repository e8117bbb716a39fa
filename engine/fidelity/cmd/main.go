// Command cmd writes FIDELITY.md and engine/fidelity/inventory.txt: which rules of Kubernetes the engine follows, and where
// each is implemented and tested. Run it in the root of the project, or with make fidelity.
package main

import (
	"fmt"
	"os"

	"github.com/rollplay/rollplay/engine/fidelity"
	"github.com/rollplay/rollplay/engine/fidelity/scan"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fidelity:", err)
		os.Exit(1)
	}
}

func run() error {
	files, report, err := scan.Generate(os.DirFS("."))
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, status := range fidelity.Statuses {
		n := 0
		for i := range report.Sections {
			n += report.Sections[i].Count(status)
		}
		fmt.Printf("%4d %s\n", n, status)
	}
	return nil
}
