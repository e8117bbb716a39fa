package terminal

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

// runOf computes the first scenario with more commands.
func runOf(t *testing.T, commands ...engine.Command) *engine.Run {
	t.Helper()
	run, diags := engine.Start(engine.Recording{Scenario: scenarios.Text("first-rollout"), Commands: commands})
	if run == nil {
		t.Fatalf("does not start: %v", diags)
	}
	run.Finish()
	return run
}

// at is the screen of a terminal at a moment of a run.
func at(terminal *Terminal, run *engine.Run, number int, ms int64) Screen {
	return Screen{Terminal: terminal, Run: run, Number: number, Cursor: cursor.Place{T: ms, Record: run.Past().Find(ms)}, Lang: lang.English}
}

func TestHistory(t *testing.T) {
	var terminal Terminal
	for n := range historyMax + 5 {
		terminal.Remember(fmt.Sprintf("get rs -l n=%d", n))
		terminal.Remember(fmt.Sprintf("get rs -l n=%d", n))
	}
	h := terminal.History()
	if len(h) != historyMax || h[len(h)-1] != "get rs -l n=204" || h[len(h)-2] != "get rs -l n=203" {
		t.Errorf("%d lines, the last %q", len(h), h[len(h)-2:])
	}
	terminal.Remember(strings.Repeat("x", terminalMost-10))
	if len(terminal.History()) != 1 {
		t.Errorf("%d lines beside a huge one", len(terminal.History()))
	}
}

func TestOnlyTheLastLinesAreKept(t *testing.T) {
	var terminal Terminal
	run := runOf(t)
	for n := range typedMax + 3 {
		at(&terminal, run, 1, int64(10_000-n)).Note("kubectl get deploy nginx-deployment -o name", "", false)
	}
	if list := terminal.typed; len(list) != typedMax || list[len(list)-1].T != 10_000-3 || list[0].T != 10_000-typedMax-2 {
		t.Errorf("%d lines from %d to %d", len(list), list[0].T, list[len(list)-1].T)
	}
}

// TestWhatWasPrintedBeforeAForkStays: it is not asked for again, and what comes after the fork is.
func TestWhatWasPrintedBeforeAForkStays(t *testing.T) {
	var terminal Terminal
	run, fork := runOf(t), runOf(t, engine.Command{At: 12_000, Run: "kubectl scale deployment/nginx-deployment --replicas=4"})
	at(&terminal, run, 1, 5000).Note("kubectl get rs", "", false)
	at(&terminal, run, 1, 15_000).Note("kubectl get deploy", "", false)
	at(&terminal, run, 1, run.Now()).Lines()
	early, late := terminal.typed[0].answer, terminal.typed[1].answer
	if early == nil || late == nil {
		t.Fatal("nothing was printed")
	}
	at(&terminal, fork, 2, fork.Now()).Lines()
	if terminal.typed[0].answer != early {
		t.Error("what was printed before the fork was asked for again")
	}
	if terminal.typed[1].answer == late {
		t.Error("what was printed after the fork was not asked for again")
	}
}
