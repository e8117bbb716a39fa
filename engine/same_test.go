package engine

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/scenario"
)

// wholeTrace returns all that a run says of itself, records and frames, as JSON.
func wholeTrace(t testing.TB, run *Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteJSON(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sameAgain computes a finished run again, as the page does after a person has acted: from a library that has read texts
// before, after another run that was left half computed, and in uneven slices. The bytes must be the same.
func sameAgain(t testing.TB, run *Run) {
	t.Helper()
	rec := run.Recording()
	var library scenario.Library
	left := Recording{Scenario: rec.Scenario, Commands: rec.Commands[:len(rec.Commands)/2]}
	if unfinished, _ := StartIn(&library, left); unfinished != nil {
		unfinished.Advance(run.Len() / 4)
	}
	again, diagnostics := StartIn(&library, rec)
	if again == nil {
		t.Fatalf("computed again it does not start: %v", diagnostics)
	}
	for slice := 1; !again.Advance(slice); slice = slice*2 + 1 {
	}
	want, got := wholeTrace(t, run), wholeTrace(t, again)
	if bytes.Equal(want, got) {
		return
	}
	was, is := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] {
			t.Fatalf("computed again, line %d is\n%s\nnot\n%s\n%s\n%+v", i+1, is[i], was[i], rec.Scenario, rec.Commands)
		}
	}
	t.Fatalf("computed again it has %d lines, not %d\n%s\n%+v", len(is), len(was), rec.Scenario, rec.Commands)
}

// randomData returns bytes that depend on a seed only.
func randomData(seed uint64, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		seed = seed*6364136223846793005 + 1442695040888963407
		data[i] = byte(seed >> 56)
	}
	return data
}

// randomRecordings are Deployments and clusters with random commands.
func randomRecordings(n uint64) (list []Recording) {
	for seed := range n {
		text, commands := texts.Fuzz(seed, randomData(seed, 60))
		list = append(list, Recording{Scenario: text, Commands: commands})
		text, commands = fuzzCluster(seed, randomData(seed, 60))
		list = append(list, Recording{Scenario: text, Commands: commands})
	}
	return list
}

const (
	tracesOf     = "ROLLPLAY_TEST_TRACES" // set in the second process
	recordingsOf = 12
)

// TestSameInAnotherProcess is SIM-5 where it is hardest: another process has another seed for its maps, and starts with
// nothing read or computed before. Here each run follows all the others, twice.
func TestSameInAnotherProcess(t *testing.T) {
	hashes := func() string {
		var b strings.Builder
		for _, rec := range randomRecordings(recordingsOf) {
			if run, _ := Start(rec); run != nil {
				fmt.Fprintf(&b, "%x\n", sha256.Sum256(wholeTrace(t, run.Finish())))
			}
		}
		return b.String()
	}
	here := hashes()
	if os.Getenv(tracesOf) != "" {
		fmt.Print("traces:" + here + ":traces")
		return
	}
	if again := hashes(); again != here {
		t.Errorf("after other runs the traces differ:\n%s\n%s", here, again)
	}
	if n := strings.Count(here, "\n"); n < recordingsOf {
		t.Fatalf("only %d recordings run", n)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := exec.Command(program, "-test.run=^TestSameInAnotherProcess$")
	other.Env = append(os.Environ(), tracesOf+"=1")
	out, err := other.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, there, _ := strings.Cut(string(out), "traces:")
	if there, _, _ = strings.Cut(there, ":traces"); there != here {
		t.Errorf("another process has the traces\n%swant\n%s", there, here)
	}
}

// TestRandomRuns checks the laws in a few random runs; the fuzz targets try more.
func TestRandomRuns(t *testing.T) {
	for _, rec := range randomRecordings(recordingsOf) {
		run, _ := Start(rec)
		if run == nil {
			continue // both bounds are 0
		}
		if broken := brokenLaws(run.Finish()); len(broken) > 0 {
			t.Error(report(broken, rec))
		}
		sameAgain(t, run)
	}
}
