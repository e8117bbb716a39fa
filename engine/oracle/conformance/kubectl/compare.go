// Package kubectl compares the engine's kubectl with the real one (package realkubectl): random lines at random moments of
// random clusters. What both print, their exit codes and what they change must be the same, except for the choices of the
// table in choices.go.
package kubectl

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
)

// Difference is a line that the two answer differently.
type Difference struct {
	Cluster    *Cluster
	Real, Ours realkubectl.Answer
	What       string // text, exit code or objects
	Minus      string // where they begin to differ, the real one
	Plus       string
	Choice     string // the named choice that explains it, "" if there is none
}

// Class says which command differs, and in what, without names and numbers.
func (d *Difference) Class() string {
	words := strings.Fields(d.Real.Line)
	verb := words[0]
	if len(words) > 1 && (verb == "rollout" || verb == "set" || verb == "create" || verb == "config") {
		verb += " " + words[1]
	}
	return verb + " | " + d.What + " | " + general(d.Minus) + " | " + general(d.Plus)
}

// particulars are what distinguishes one answer from the next of the same class.
var particulars = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|[a-z]+(-[0-9a-z]{4,10})+|"[^"]*"|[0-9]+`)

func general(text string) string {
	text = strings.Join(strings.Fields(particulars.ReplaceAllString(text, "#")), " ")
	return text[:min(len(text), 90)]
}

// lineMax is how much of a line is printed; -only shows it again.
const lineMax = 1500

func (d *Difference) String() string {
	line := d.Real.Line
	if len(line) > lineMax {
		line = line[:lineMax] + "…"
	}
	return fmt.Sprintf("$ %s   (exit %d, ours %d)\n- %s\n+ %s", line, d.Real.Code, d.Ours.Code, d.Minus, d.Plus)
}

// Compare lets both answer lines at the moment of a cluster, and returns the differences.
func Compare(c *Cluster, lines []string) (list []*Difference, err error) {
	answers, err := realkubectl.Ask(realkubectl.Job{Now: c.Now(), Items: c.items, Lines: lines})
	if err != nil {
		return nil, err
	}
	for _, real := range answers {
		ours, err := c.answer(real.Line)
		if err != nil {
			return nil, err
		}
		found, err := (&Difference{Cluster: c, Real: real, Ours: ours}).find()
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// find returns in what the answers differ: the text, or where it goes; the exit code; and what is written, which follows from the text
// if that differs and is a refusal.
func (d *Difference) find() (list []*Difference, err error) {
	real, err := changesOf(&d.Real)
	if err != nil {
		return nil, err
	}
	ours, err := changesOf(&d.Ours)
	if err != nil {
		return nil, err
	}
	add := func(what, minus, plus string) {
		found := *d
		found.What, found.Minus, found.Plus = what, minus, plus
		found.Choice = choiceFor(&found)
		list = append(list, &found)
	}
	refused := (d.Real.Code != 0) != (d.Ours.Code != 0)
	if terminal(d.Real.Text) != terminal(d.Ours.Text) {
		minus, plus := firstLine(terminal(d.Real.Text), terminal(d.Ours.Text))
		add("text", minus, plus)
	} else if terminal(d.Real.Stderr) != terminal(d.Ours.Stderr) {
		minus, plus := firstLine(d.Real.Stderr, d.Ours.Stderr)
		add("stderr", minus, plus)
	}
	if refused && list == nil {
		add("exit code", fmt.Sprint(d.Real.Code), fmt.Sprint(d.Ours.Code))
	}
	if path, theirs, mine := firstDifference(real, ours); path != "" && (list == nil || d.Real.Code == 0 && d.Ours.Code == 0) {
		add("objects", path+": "+theirs, path+": "+mine)
	}
	return list, nil
}

// chance matches what differs from one server to another, and folders those of a diff.
var (
	chance  = regexp.MustCompile(`( *"?(?:uid|resourceVersion)"?: )"?[0-9a-f-]+"?`)
	folders = regexp.MustCompile(`(/tmp/(?:LIVE|MERGED))-\d+|\t2026-.*`)
)

// terminal is a text as lines of a terminal, which -o jsonpath does not end.
func terminal(text string) string {
	return strings.TrimRight(folders.ReplaceAllString(chance.ReplaceAllString(text, `$1"x"`), "$1"), "\n")
}

// firstLine returns the first lines that differ.
func firstLine(a, b string) (string, string) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for len(x) > 1 && len(y) > 1 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	return x[0], y[0]
}

// Draw draws the k-th cluster of a seed, and lines for it: those that end at once, and those that keep printing.
func Draw(seed uint64, k, lines, streams int) (c *Cluster, now, on []string, err error) {
	g := generate.Random{Rand: rand.New(rand.NewPCG(seed, uint64(k)))}
	text := scenarioText(g, seed, k)
	c, err = NewCluster(text, int64(1000+g.IntN(120_000)))
	if err != nil {
		return nil, nil, nil, err
	}
	return c, Lines(g, c, lines), Streams(g, c, streams), nil
}
