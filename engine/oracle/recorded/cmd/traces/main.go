// Traces replays recordings of the real controllers through ours and prints every difference:
//
//	go run ./engine/oracle/recorded/cmd/traces [DIR]
//
// DIR has a subdirectory for each kind of workload; the default is the directory that the tests use. The last line says how
// much was compared, how much of it differs, and which files were skipped. The exit code is 1 if anything differs, and 2 if
// nothing could be read.
package main

import (
	"fmt"
	"os"

	"github.com/rollplay/rollplay/engine/oracle/recorded"
)

func main() {
	dir := "engine/oracle/recorded/testdata"
	switch len(os.Args) {
	case 1:
	case 2:
		dir = os.Args[1]
	default:
		fail(fmt.Errorf("usage: traces [DIR]"))
	}
	report, err := recorded.Replay(os.DirFS(dir), func(d recorded.Difference) { fmt.Println(d) })
	if err != nil {
		fail(fmt.Errorf("%s: %w", dir, err))
	}
	for i := range report.Files {
		fmt.Println(&report.Files[i])
	}
	fmt.Println(report)
	if _, different := report.Total(); different > 0 {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "traces:", err)
	os.Exit(2)
}
