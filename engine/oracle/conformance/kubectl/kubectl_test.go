package kubectl

import (
	_ "embed"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
)

func TestMain(m *testing.M) {
	realkubectl.Serve()
	os.Exit(m.Run())
}

// The sample: some clusters, and lines for each; `make conformance KIND=kubectl` compares more.
const (
	sampleSeed     = 3
	sampleClusters = 8
	sampleLines    = 60
	sampleStreams  = 4
)

// ceilings has how many lines of the sample may differ, and which share of them may be refused. They only go down.
//
//go:embed ceilings.txt
var ceilings string

// alwaysAsked are lines of the sample that chance might leave out.
var alwaysAsked = []string{`get pods -o jsonpath="{range .items[*]}{.metadata.name}{'\n'}{end}"`, "get pods --sort-by=.metadata.name", "get nodes -o name",
	"get all -v=6", "scale deployments --all --replicas=0", "delete pods --all --cascade=orphan --wait=false"}

// sample is compared once for all tests.
var sample = sync.OnceValues(func() (list []*Verdict, err error) {
	for k := range sampleClusters {
		c, lines, streams, err := Draw(sampleSeed, k, sampleLines, sampleStreams)
		if err != nil {
			return nil, err
		}
		some, err := Compare(c, append(lines, alwaysAsked...))
		if err != nil {
			return nil, err
		}
		on, err := CompareStreams(c, streams)
		if err != nil {
			return nil, err
		}
		list = append(append(list, some...), on...)
	}
	return list, nil
})

func sampleOf(t *testing.T) []*Verdict {
	list, err := sample()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestLines compares a sample of lines. What differs must be a named choice, or a refusal of the list; of all others there are no more than
// ceilings.txt says, and -v lists them.
func TestLines(t *testing.T) {
	tally := new(Tally)
	tally.Add(sampleOf(t))
	open, share := 0, 0.
	if _, err := fmt.Sscanf(ceilings, "different %d\nrefused %g %%", &open, &share); err != nil {
		t.Fatal(err)
	}
	for name, c := range tally.classes {
		t.Logf("%d × %s\n%s", c.count, name, c.example)
	}
	if n := tally.Different(); n > open { // some answers of the real one depend on chance, so it may be a line less
		t.Errorf("%d lines are different, more than %d", n, open)
	}
	// A share, because each rule of the grammar makes another sample.
	if n := tally.Refused(); float64(n) >= share/100*float64(tally.Compared) {
		t.Errorf("%d of %d lines are refused by the list, not less than %g %%", n, tally.Compared, share)
	}
	if tally.Compared < sampleClusters*sampleLines {
		t.Errorf("only %d lines were compared", tally.Compared)
	}
}

// TestMutations breaks our answers in every way of the table: the judge must notice each on every line that it changes, and nothing on
// answers that nobody has broken.
func TestMutations(t *testing.T) {
	if len(mutations) < 40 {
		t.Errorf("only %d mutations", len(mutations))
	}
	for _, m := range mutations {
		applied := 0
		for _, v := range sampleOf(t) {
			ours := copyOf(v.Ours)
			m.change(&ours)
			if reflect.DeepEqual(ours, v.Ours) || v.Different() || !seen(v, &ours) {
				continue
			}
			applied++
			broken, err := judge(v.Cluster, v.Real, ours)
			if err != nil {
				t.Fatal(err)
			}
			if !broken.Different() {
				t.Errorf("%s: not noticed on %q (refused %q, choices %q)\nreal %q\nours %q", m.name, v.Real.Line, broken.Refused, broken.Choices, v.Real.Text, ours.Text)
				break
			}
		}
		t.Logf("%s: %d lines", m.name, applied)
		if applied == 0 {
			t.Errorf("%s: the sample has no line that it changes", m.name)
		}
	}
}

// seen says whether a change is of what is compared: a line on the list may be refused in any words, a choice takes some words as they are or
// away, and another order of what has none is no change.
func seen(v *Verdict, ours *realkubectl.Answer) bool {
	before, err := outcomeOf(&v.Ours)
	if err != nil {
		return true
	}
	after, err := outcomeOf(ours)
	if err != nil {
		return true
	}
	if equal(before, after) {
		return false
	}
	real, err := outcomeOf(&v.Real)
	if err != nil || len(differences(real, after)) == 0 { // the change takes a choice back
		return err != nil
	}
	if slices.Contains(v.Choices, "additions") {
		withoutHints(v.Real.Line, real, before)
		if withoutHints(v.Real.Line, real, after); equal(before, after) {
			return false
		}
	}
	rest := differences(before, after)
	text := !slices.ContainsFunc(rest, func(p Part) bool { return p.What != "text" && p.What != "stderr" && p.What != "lines" })
	if v.Refused != "" {
		return false
	}
	for _, c := range Choices {
		switch chosen := slices.Contains(v.Choices, c.Name); {
		case c.words && chosen && text:
			return false
		case c.order && matches(c.line, v.Real.Line) && text && slices.Equal(sortedWords(before), sortedWords(after)):
			return false
		}
	}
	return true
}

func sortedWords(o *outcome) []string {
	words := strings.Fields(reasons.Replace(o.text))
	for _, l := range o.lines {
		words = append(words, strings.Fields(reasons.Replace(l.Text))...)
	}
	slices.Sort(words)
	return words
}

// TestChoices: the table is short, and every choice has a name and a reason of its own.
func TestChoices(t *testing.T) {
	if len(Choices) > 20 {
		t.Errorf("%d choices, more than 20", len(Choices))
	}
	seen := map[string]bool{}
	for _, c := range Choices {
		if c.Name == "" || c.Reason == "" || c.rewrite == nil || seen[c.Name] || seen[c.Reason] {
			t.Errorf("%+v has no name, rewriting or reason of its own", c)
		}
		seen[c.Name], seen[c.Reason] = true, true
	}
}

// TestGrammar: every rule is used, so that none is written in vain.
func TestGrammar(t *testing.T) {
	used := map[string]bool{"line": true, "stream": true}
	for _, list := range rules {
		for _, alternative := range list {
			for _, found := range place.FindAllString(alternative, -1) {
				used[found[1:len(found)-1]] = true
			}
		}
	}
	for name := range rules {
		if !used[name] {
			t.Errorf("no alternative uses {%s}", name)
		}
	}
}
