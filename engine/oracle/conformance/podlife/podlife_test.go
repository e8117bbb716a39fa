package podlife

import (
	"flag"
	"fmt"
	"os"
	"slices"
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
	quick     = 10 // scenarios
)

// TestRandomScenarios compares a small sample; `go run . -kind kubelet -n 200` compares a large one. testdata/known.txt has exactly the
// differences that there are: a new one fails, and so does one that is gone. The file only shrinks.
func TestRandomScenarios(t *testing.T) {
	var found strings.Builder
	entries := 0
	for k := range quick {
		v := Scenario(t, Draw(quickSeed, k))
		entries += v.Entries
		if v.Difference != nil {
			fmt.Fprintf(&found, "%d %s\n", k, v.Difference.Sort)
			t.Logf("scenario %d: %s", k, v.Difference.Text)
		}
	}
	if entries < 5*quick {
		t.Errorf("only %d entries were compared", entries)
	}
	checkKnown(t, "testdata/known.txt", found.String())
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

// TestSame: a real run lies within what the real runs span, whatever happens in it.
func TestSame(t *testing.T) {
	for k := range 3 {
		s, _ := scenario.Parse(Draw(quickSeed, k))
		real := realRuns(t, s)
		for i, r := range real {
			if d, _ := Compare(real, r); d != nil {
				t.Errorf("scenario %d: real run %d is not like itself: %s", k, i, d.Text)
			}
		}
	}
}

func realRuns(t *testing.T, s *scenario.Scenario) (runs []Timeline) {
	for _, c := range Chances {
		runs = append(runs, Real(t, s, c))
	}
	return runs
}

// TestTeeth changes a real run in many ways. Compare must notice each.
func TestTeeth(t *testing.T) {
	s, diagnostics := scenario.Parse(sidecars)
	if s == nil {
		t.Fatal(diagnostics)
	}
	real := realRuns(t, s)
	noticed := func(what string, change func(Timeline) Timeline) {
		if d, _ := Compare(real, change(slices.Clone(real[0]))); d == nil {
			t.Errorf("not noticed: %s", what)
		}
	}
	left := real[0].of("p", "status")
	left = append(shown(left), shown(real[0].of("p", "event"))...)
	for _, e := range left {
		i := slices.Index(real[0], e)
		if i < 0 {
			continue // another text stands for it
		}
		what := fmt.Sprintf("%d %s", e.At, e.Text)
		noticed("without "+what, func(l Timeline) Timeline { return slices.Delete(l, i, i+1) })
		noticed("another text at "+what, func(l Timeline) Timeline { l[i].Text += "x"; return l })
		noticed("twice "+what, func(l Timeline) Timeline {
			return slices.Insert(l, i, Entry{e.At - 5, e.Pod, strings.Replace(e.Text, " ", " x", 1)})
		})
		noticed("2 s later: "+what, func(l Timeline) Timeline { l[i].At += 2000; return l })
		if everywhere(real, e) {
			noticed("100 ms later: "+what, func(l Timeline) Timeline { l[i].At += 100; return l })
			noticed("100 ms earlier: "+what, func(l Timeline) Timeline { l[i].At -= 100; return l })
		}
	}
	noticed("another exit code", func(l Timeline) Timeline {
		for i := range l {
			l[i].Text = strings.ReplaceAll(l[i].Text, "Completed(0)", "Completed(1)")
		}
		return l
	})
}

// everywhere says whether all real runs have an entry at its ms.
func everywhere(real []Timeline, e Entry) bool {
	for _, r := range real {
		if !slices.Contains(r, e) {
			return false
		}
	}
	return true
}
