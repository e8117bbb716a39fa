package kubectl

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
	"github.com/rollplay/rollplay/engine/past"
)

// answer lets the engine answer a line. A panic is the line's result, and so is an answer that does not come: one that reads with what is there, any other in a run that has the line as a command.
func (c *Cluster) answer(line string) (realkubectl.Answer, error) {
	type result struct {
		answer realkubectl.Answer
		err    error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if e := recover(); e != nil {
				r = result{answer: realkubectl.Answer{Line: line, Code: realkubectl.Crashed, Text: fmt.Sprintf("panic: %v\n", e)}}
			}
			done <- r
		}()
		r.answer, r.err = c.carryOut(line)
	}()
	select {
	case r := <-done:
		return r.answer, r.err
	case <-time.After(patience):
		return realkubectl.Answer{Line: line, Code: realkubectl.Crashed, Text: "hangs\n"}, nil
	}
}

// patience is how long the engine may work on one line.
const patience = time.Minute

func (c *Cluster) carryOut(line string) (a realkubectl.Answer, err error) {
	p := c.run.Past()
	if reading, ok := p.Read(past.Parse(line), p.Find(c.At), c.At); ok {
		return answerOf(line, reading), nil
	}
	commands := []engine.Command{{At: c.At, Run: line}}
	for name, text := range realkubectl.Files {
		if strings.Contains(line, "-file=") {
			commands = append([]engine.Command{{At: c.At, Run: "cat > " + name + " <<EOF\n" + text + "EOF"}}, commands...)
		}
	}
	run, _ := engine.Start(engine.Recording{Scenario: c.Scenario, Commands: commands})
	run.AdvancePast(c.At, math.MaxInt)
	p = run.Past()
	record := p.LastInput(p.Find(c.At))
	if record < 0 || p.At(record) != c.At || p.Transcript(record) == nil {
		return a, fmt.Errorf("the engine does not answer %q at %d ms: %s", line, c.At, run.Broken())
	}
	a = answerOf(line, p.Transcript(record))
	items, err := itemsOf(run, c.At)
	if err != nil {
		return a, err
	}
	return a, compareItems(&a, c, items)
}

func answerOf(line string, reading *read.Reading) realkubectl.Answer {
	a := realkubectl.Answer{Line: line}
	var both, errs strings.Builder
	for _, l := range reading.Lines {
		both.WriteString(l.Text + "\n")
		if l.Stderr {
			errs.WriteString(l.Text + "\n")
		}
	}
	a.Text, a.Stderr = both.String(), errs.String()
	switch {
	case reading.Open:
		a.Code = realkubectl.Running
	case reading.Failed:
		a.Code = cmp.Or(reading.Code, 1)
	}
	return a
}
