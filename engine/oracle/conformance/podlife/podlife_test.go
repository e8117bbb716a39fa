package podlife

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
	"github.com/rollplay/rollplay/engine/scenario"
)

var update = flag.Bool("known", false, "write the lists of known differences")

func TestMain(m *testing.M) {
	flag.Parse()
	upstream.Quiet()
	os.Exit(m.Run())
}

const (
	quickSeed = 1
	quick     = 20  // scenarios
	judged    = 140 // for the mutants, with -known
)

// TestRandomScenarios compares a small sample; `go run . -kind kubelet -n 200` compares a large one. testdata/known.txt has exactly the
// differences that there are: a new one fails, and so does one that is gone. The file only shrinks.
func TestRandomScenarios(t *testing.T) {
	var found, equal strings.Builder
	entries := 0
	one := func(k int) {
		v := Scenario(t, Draw(quickSeed, k))
		entries += v.Entries
		if v.Difference != nil {
			fmt.Fprintf(&found, "%d %s\n", k, v.Difference.Sort)
			t.Logf("scenario %d: %s", k, v.Difference.Text)
			return
		}
		fmt.Fprintln(&equal, k, sum(Draw(quickSeed, k)))
	}
	for k := range quick {
		one(k)
	}
	if entries < 5*quick {
		t.Errorf("only %d entries were compared", entries)
	}
	checkKnown(t, "testdata/known.txt", found.String())
	if *update {
		for k := quick; k < judged; k++ {
			one(k)
		}
		checkKnown(t, "testdata/judged.txt", equal.String())
	}
}

// TestJudged: the engine does in the scenarios of testdata/judged.txt what it did when it was compared with the real kubelet, and nothing
// differed. This test runs no real kubelet, so that it can judge many mutants.
func TestJudged(t *testing.T) {
	for _, file := range []string{"testdata/judged.txt", "testdata/judged-images.txt"} {
		judged, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(judged)) {
			name, want, _ := strings.Cut(strings.TrimSpace(line), " ")
			text := changed[name]
			if k, err := strconv.Atoi(name); err == nil {
				text = Draw(quickSeed, k)
			}
			if got := sum(text); got != want {
				t.Errorf("scenario %s: the timelines of the engine have the sum %s, judged was %s", name, got, want)
			}
		}
	}
}

// sum is a short name for what is compared of the engine's timelines of a scenario.
func sum(text string) string {
	h := sha256.New()
	for _, c := range Chances {
		ours := Ours(text, c)
		for _, pod := range podsOf([]Timeline{ours}) {
			for _, word := range []string{"status", "event"} {
				fmt.Fprintln(h, shown(ours.of(pod, word)))
			}
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// checkKnown compares what differs with a list of what may.
func checkKnown(t *testing.T, file, found string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(found), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	known, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(known) != found {
		t.Errorf("%s lists\n%sbut these differ:\n%s", file, known, found)
	}
}

// TestSame: two real runs of the same chance are equal, whatever happens in them.
func TestSame(t *testing.T) {
	for k := range 3 {
		s, _ := scenario.Parse(Draw(quickSeed, k))
		for _, c := range Chances[:2] {
			if d, _ := Compare(Real(t, s, c), Real(t, s, c)); d != nil {
				t.Errorf("scenario %d: two real runs differ: %s", k, d.Text)
			}
		}
	}
}

// TestTurns: the engine says whose image is pulled first where two are asked for in one ms. A real run with the other order is noticed.
func TestTurns(t *testing.T) {
	text := table[len(table)-1].scenario // two pods, whose images are asked for at once
	s, _ := scenario.Parse(text)
	c, ours := Chances[0], Ours(text, Chances[0])
	other := map[pull]int{}
	for p, turn := range ours.turns() {
		other[p] = 1 - turn
	}
	if c.turns = ours.turns(); len(c.turns) != 2 {
		t.Fatalf("pulls %v", c.turns)
	}
	if d, _ := Compare(Real(t, s, c), ours); d != nil {
		t.Error(d.Text)
	}
	c.turns = other
	if d, _ := Compare(Real(t, s, c), ours); d == nil {
		t.Error("not noticed: the other order")
	}
}

// TestTies: what a relist begins may end before or after another relist of its ms, so ours does what one shifted real run does. Two ms more or less
// are noticed.
func TestTies(t *testing.T) {
	const images = "  - {match: \"*\", pull: %s, start: 0s, stop: 10s}\n"
	spec := "  initContainers:\n  - {name: init-1, image: \"i:1\"}\n  - {name: side-2, image: \"s:2\", restartPolicy: Always}\n" + plain1c
	tie := pod(fmt.Sprintf(images, "1s"), "", "30", spec)
	s, _ := scenario.Parse(tie)
	if v := inChance(t, s, tie, Chances[0]); v.Difference != nil || !v.Shifted {
		t.Errorf("a tie: shifted %v, difference %v", v.Shifted, v.Difference)
	}
	for _, pull := range []string{"998ms", "1002ms"} {
		if v := inChance(t, s, pod(fmt.Sprintf(images, pull), "", "30", spec), Chances[0]); v.Difference == nil {
			t.Errorf("not noticed: a pull takes %s", pull)
		}
	}
}

// TestTeeth changes a real run in many ways. Compare must notice each.
func TestTeeth(t *testing.T) {
	s, diagnostics := scenario.Parse(sidecars)
	if s == nil {
		t.Fatal(diagnostics)
	}
	real := Real(t, s, Chances[0])
	noticed := func(what string, change func(Timeline) Timeline) {
		if d, _ := Compare(real, change(slices.Clone(real))); d == nil {
			t.Errorf("not noticed: %s", what)
		}
	}
	left := append(shown(real.of("p", "status")), shown(real.of("p", "event"))...)
	for _, e := range left {
		i := slices.Index(real, e)
		if i < 0 {
			continue // another text stands for it
		}
		what := fmt.Sprintf("%d %s", e.At, e.Text)
		noticed("without "+what, func(l Timeline) Timeline { return slices.Delete(l, i, i+1) })
		noticed("another text at "+what, func(l Timeline) Timeline { l[i].Text += "x"; return l })
		noticed("twice "+what, func(l Timeline) Timeline {
			return slices.Insert(l, i, Entry{e.At - 5, e.Pod, strings.Replace(e.Text, " ", " x", 1)})
		})
		noticed("2 ms later: "+what, func(l Timeline) Timeline { l[i].At += 2; return l })
		noticed("2 ms earlier: "+what, func(l Timeline) Timeline { l[i].At -= 2; return l })
	}
	noticed("another exit code", func(l Timeline) Timeline {
		for i := range l {
			l[i].Text = strings.ReplaceAll(l[i].Text, "Completed(0)", "Completed(1)")
		}
		return l
	})
}
