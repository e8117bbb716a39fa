// Package tries has recorded tries of the exercises: of each a solution, and a wrong try that looks right. The tests play them, without
// a browser and in one.
package tries

import (
	_ "embed"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
)

//go:embed tries.txt
var text string

// Try is what somebody did in an exercise.
type Try struct {
	Exercise string // the name of its scenario
	Solves   bool
	Commands []engine.Command
}

// All returns the tries in the order of the text.
func All() (all []Try) {
	for part := range strings.SplitSeq(text, "\n\n") {
		head, lines, _ := strings.Cut(strings.TrimSpace(part), "\n")
		name, kind, ok := strings.Cut(head, " ")
		if strings.HasPrefix(head, "#") || !ok {
			continue
		}
		try := Try{Exercise: name, Solves: kind == "solution"}
		for line := range strings.Lines(lines) {
			at, run, _ := strings.Cut(strings.TrimSpace(line), " ")
			ms, err := scenario.ParseDuration(at)
			if err != nil {
				panic("tries: " + line + ": " + err.Error())
			}
			command := engine.Command{At: ms, Run: run}
			if deed, ok := strings.CutPrefix(run, "do "); ok {
				command = engine.Command{At: ms, Do: deed}
			}
			try.Commands = append(try.Commands, command)
		}
		all = append(all, try)
	}
	return all
}
