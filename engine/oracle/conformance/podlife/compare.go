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
	Again      int         // how often the real kubelet ran again until it did the same
	Shifted    bool        // by the choice "ties"
	Real, Ours Timeline    // of the last chance, which is that in which they differ
}

// Scenario runs a scenario with the real kubelet and in the engine, once for each of Chances, and compares.
func Scenario(t *testing.T, text string) Verdict {
	s, diagnostics := scenario.Parse(text)
	if s == nil {
		panic(fmt.Sprintf("conformance: a scenario is not valid: %v\n%s", diagnostics, text))
	}
	var all Verdict
	for _, c := range Chances {
		v := inChance(t, s, text, c)
		if v.Difference != nil {
			return v
		}
		all.Entries += v.Entries
		all.Again, all.Shifted = max(all.Again, v.Again), all.Shifted || v.Shifted
	}
	return all
}

// inChance compares a scenario in one chance.
func inChance(t *testing.T, s *scenario.Scenario, text string, c Chance) Verdict {
	v := Verdict{Ours: Ours(text, c)}
	c.turns = v.Ours.turns()
	exact := exactRuns(v.Ours)
	for v.Again = range exact + shiftedRuns {
		if v.Again >= exact {
			v.Shifted, c.shifts = true, uint64(v.Again)
		}
		v.Real = Real(t, s, c)
		if v.Difference, v.Entries = Compare(v.Real, v.Ours); v.Difference == nil {
			return v
		}
	}
	v.Difference.Text = fmt.Sprintf("phase %v, jitter %v: %s", c.Phase, c.Jitter, v.Difference.Text)
	return v
}

// exactRuns says how often the real kubelet may run a chance until it does what ours does: see the choices "races" and "kills".
func exactRuns(ours Timeline) int {
	if ours.killsSeveral() {
		return 8
	}
	return 3
}

// shiftedRuns are those of the choice "ties".
const shiftedRuns = 8

// Compare says what the engine does otherwise than a real run of the same chance. The statuses of a pod must be the same at the same times; so
// must its events.
func Compare(real, ours Timeline) (*Difference, int) {
	count := 0
	for _, pod := range podsOf([]Timeline{real, ours}) {
		for _, word := range []string{"status", "event"} {
			theirs, mine := shown(real.of(pod, word)), shown(ours.of(pod, word))
			count += len(mine)
			if d := compareLists(pod, word, theirs, mine); d != nil {
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
		if c.show != nil {
			list = c.show(list)
		}
	}
	return list
}

// compareLists compares one pod's statuses or events.
func compareLists(pod, word string, real, ours Timeline) *Difference {
	for i := range max(len(real), len(ours)) {
		if i >= len(real) || i >= len(ours) || real[i].Text != ours[i].Text {
			return &Difference{Sort: word, Text: fmt.Sprintf("%s: %s %d is\n  real %s\n  ours %s", pod, word, i+1, entryAt(real, i), entryAt(ours, i))}
		}
		if d := real[i].At - ours[i].At; d < -slack || d > slack {
			return &Difference{Sort: "time of " + word, Text: fmt.Sprintf("%s: %q\n  real at %d ms\n  ours at %d ms", pod, real[i].Text, real[i].At, ours[i].At)}
		}
	}
	return nil
}

func entryAt(t Timeline, i int) string {
	if i >= len(t) {
		return "the end"
	}
	return fmt.Sprintf("%d ms: %s", t[i].At, strings.TrimSpace(t[i].Text))
}
