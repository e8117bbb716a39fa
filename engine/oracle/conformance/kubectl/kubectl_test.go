package kubectl

import (
	"os"
	"testing"

	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
)

func TestMain(m *testing.M) {
	realkubectl.Serve()
	os.Exit(m.Run())
}

// The sample: some clusters, and lines for each; `make conformance KIND=kubectl` compares more.
const (
	sampleSeed     = 1
	sampleClusters = 6
	sampleLines    = 60
	sampleStreams  = 2
)

// TestLines compares a sample of lines. What differs must be a named choice.
func TestLines(t *testing.T) {
	tally := sample(t)
	for name, c := range tally.classes {
		t.Errorf("%d × %s\n%s", c.count, name, c.example)
	}
	if tally.Compared < sampleClusters*sampleLines {
		t.Errorf("only %d lines were compared", tally.Compared)
	}
}

func sample(t *testing.T) *Tally {
	tally := new(Tally)
	for k := range sampleClusters {
		c, lines, streams, err := Draw(sampleSeed, k, sampleLines, sampleStreams)
		if err != nil {
			t.Fatal(err)
		}
		list, err := Compare(c, lines)
		if err != nil {
			t.Fatal(err)
		}
		on, err := CompareStreams(c, streams)
		if err != nil {
			t.Fatal(err)
		}
		tally.Add(len(lines)+len(streams), append(list, on...))
	}
	return tally
}

// TestChoices: the table is short, and every choice has a name and a reason of its own.
func TestChoices(t *testing.T) {
	if len(Choices) > 25 {
		t.Errorf("%d choices, more than 25", len(Choices))
	}
	seen := map[string]bool{}
	for _, c := range Choices {
		if c.Name == "" || c.Reason == "" || seen[c.Name] || seen[c.Reason] {
			t.Errorf("%+v has no name or reason of its own", c)
		}
		if c.line+c.real+c.ours == "" && c.same == nil {
			t.Errorf("%s explains everything", c.Name)
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
