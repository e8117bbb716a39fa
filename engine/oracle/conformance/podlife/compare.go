package podlife

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// Difference is the first thing that the engine does otherwise in a scenario.
type Difference struct {
	Sort string // what kind of thing, by which differences are counted
	Text string
}

// Verdict is the result of the comparison over one scenario.
type Verdict struct {
	Difference *Difference // nil: none
	Entries    int         // how many were compared
	Real       []Timeline
	Ours       Timeline
}

// Scenario runs a scenario with the real kubelet, once for each of Chances, and of More if they differ, and in the engine, and compares.
func Scenario(t *testing.T, text string) Verdict {
	s, diagnostics := scenario.Parse(text)
	if s == nil {
		panic(fmt.Sprintf("conformance: a scenario is not valid: %v\n%s", diagnostics, text))
	}
	v := Verdict{Ours: Ours(text)}
	for _, chances := range [][]Chance{Chances, More} {
		for _, c := range chances {
			v.Real = append(v.Real, Real(t, s, c))
		}
		if v.Difference, v.Entries = Compare(v.Real, v.Ours); v.Difference == nil {
			break
		}
	}
	return v
}

// Compare says what the engine does otherwise than all real runs. The statuses of a pod must be those of a real run, in its order; so must
// be its events. Each must come within the times of the real runs that agree in what happens, and at the same time where those are equal.
func Compare(real []Timeline, ours Timeline) (*Difference, int) {
	count := 0
	for _, pod := range podsOf(append(slices.Clone(real), ours)) {
		for _, word := range []string{"status", "event"} {
			lists := make([]Timeline, len(real))
			for i := range real {
				lists[i] = shown(real[i].of(pod, word))
			}
			mine := shown(ours.of(pod, word))
			count += len(mine)
			if d := compareLists(pod, word, lists, mine); d != nil {
				return d, count
			}
		}
	}
	return nil, count
}

func podsOf(all []Timeline) (pods []string) {
	for _, t := range all {
		for _, e := range t {
			if !slices.Contains(pods, e.Pod) {
				pods = append(pods, e.Pod)
			}
		}
	}
	slices.Sort(pods)
	return pods
}

// shown applies the choices to a list: what several of them leave out is left out of both sides.
func shown(list Timeline) Timeline {
	for _, c := range Choices {
		list = c.show(list)
	}
	return list
}

// compareLists compares one pod's statuses or events.
func compareLists(pod, word string, real []Timeline, ours Timeline) *Difference {
	var like []Timeline // real runs in which the same happens
	best, common := real[0], -1
	for _, r := range real {
		n := sameStart(r, ours)
		if n == len(r) && n == len(ours) {
			like = append(like, r)
		}
		if n > common {
			best, common = r, n
		}
	}
	if like == nil {
		return &Difference{Sort: word, Text: fmt.Sprintf("%s: %s %d is\n  real %s\n  ours %s", pod, word, common+1, entryAt(best, common), entryAt(ours, common))}
	}
	for i, e := range ours {
		first, last := like[0][i].At, like[0][i].At
		for _, r := range like {
			first, last = min(first, r[i].At), max(last, r[i].At)
		}
		if slack := slackOf(first, last, len(like)); e.At < first-slack || e.At > last+slack {
			return &Difference{Sort: "time of " + word, Text: fmt.Sprintf("%s: %q\n  real at %d to %d ms\n  ours at %d ms", pod, e.Text, first, last, e.At)}
		}
	}
	return nil
}

func sameStart(a, b Timeline) (n int) {
	for n < min(len(a), len(b)) && a[n].Text == b[n].Text {
		n++
	}
	return n
}

func entryAt(t Timeline, i int) string {
	if i >= len(t) {
		return "the end"
	}
	return fmt.Sprintf("%d ms: %s", t[i].At, strings.TrimSpace(t[i].Text))
}
