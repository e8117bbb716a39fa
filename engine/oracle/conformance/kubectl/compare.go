// Package kubectl compares the engine's kubectl with the real one (package realkubectl): random lines at random moments of
// random clusters. What both print, where it goes, their exit codes, what they write, and for lines that keep printing also when,
// must be the same, except for the choices of the table in choices.go and the refusals of the list in refused.go.
package kubectl

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
)

// Verdict is what came of a line.
type Verdict struct {
	Cluster    *Cluster
	Real, Ours realkubectl.Answer
	Parts      []Part   // what differs and no choice explains
	Choices    []string // the choices without which more would differ
	Refused    string   // the entry of the list that lets ours refuse the line
}

// Part is a part of the outcome that differs: where it begins to.
type Part struct{ What, Minus, Plus string }

// Different says whether something differs that nothing explains.
func (v *Verdict) Different() bool { return len(v.Parts) > 0 }

// Class says which command differs, and in what, without names and numbers.
func (v *Verdict) Class() string {
	words := strings.Fields(v.Real.Line)
	class := "nothing"
	if len(words) > 0 {
		class = words[0]
	}
	if len(words) > 1 && slices.Contains([]string{"rollout", "set", "create", "config"}, class) {
		class += " " + words[1]
	}
	for _, p := range v.Parts {
		class += " | " + p.What + " | " + general(p.Minus) + " | " + general(p.Plus)
	}
	return class
}

// particulars are what distinguishes one answer from the next of the same class.
var particulars = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|[a-z]+(-[0-9a-z]{4,10})+|"[^"]*"|[0-9]+`)

func general(text string) string {
	text = strings.Join(strings.Fields(particulars.ReplaceAllString(text, "#")), " ")
	return text[:min(len(text), 90)]
}

// lineMax is how much of a line is printed; -only shows it again.
const lineMax = 1500

func (v *Verdict) String() string {
	line := v.Real.Line
	if len(line) > lineMax {
		line = line[:lineMax] + "…"
	}
	text := fmt.Sprintf("$ %s   (exit %d, ours %d)", line, v.Real.Code, v.Ours.Code)
	for _, p := range v.Parts {
		text += fmt.Sprintf("\n  %s\n- %s\n+ %s", p.What, p.Minus, p.Plus)
	}
	return text
}

// Compare lets both answer lines at the moment of a cluster.
func Compare(c *Cluster, lines []string) (list []*Verdict, err error) {
	answers, err := realkubectl.Ask(realkubectl.Job{Now: c.Now(), Items: c.items, Lines: lines})
	if err != nil {
		return nil, err
	}
	for _, real := range answers {
		real.Lines = nil // all at one moment
		ours, err := c.answer(real.Line)
		if err != nil {
			return nil, err
		}
		v, err := judge(c, real, ours)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// judge compares two answers. A choice rewrites the part that it explains; whatever differs afterwards is different.
func judge(c *Cluster, real, ours realkubectl.Answer) (*Verdict, error) {
	v := &Verdict{Cluster: c, Real: real, Ours: ours}
	r, err := outcomeOf(&real)
	if err != nil {
		return nil, err
	}
	o, err := outcomeOf(&ours)
	if err != nil {
		return nil, err
	}
	v.Parts = differences(r, o)
	if !v.Different() {
		return v, nil
	}
	if v.Refused = refusal(real.Line, r, o); v.Refused != "" {
		v.Parts = nil
		return v, nil
	}
	for i := range Choices {
		choice := &Choices[i]
		if !v.Different() || !matches(choice.line, real.Line) {
			continue
		}
		before := *r
		before.lines, before.objects = slices.Clone(r.lines), cloneOf(r.objects)
		mine := *o
		mine.lines, mine.objects = slices.Clone(o.lines), cloneOf(o.objects)
		choice.rewrite(real.Line, r, o)
		if !equal(&before, r) || !equal(&mine, o) {
			rest := differences(r, o)
			if slices.Equal(rest, v.Parts) {
				continue // it has explained nothing
			}
			v.Parts = rest
			v.Choices = append(v.Choices, choice.Name)
		}
	}
	return v, nil
}

// Draw draws the k-th cluster of a seed, and lines for it: those that end at once, and those that keep printing.
func Draw(seed uint64, k, lines, streams int) (c *Cluster, now, on []string, err error) {
	g := generate.Random{Rand: rand.New(rand.NewPCG(seed, uint64(k)))}
	text := scenarioText(g, seed, k)
	c, err = NewCluster(text, int64(1000+g.IntN(120_000)))
	if err != nil {
		return nil, nil, nil, err
	}
	return c, Lines(g, c, "{line}", lines), Streams(g, c, streams), nil
}
