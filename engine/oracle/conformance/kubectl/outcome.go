package kubectl

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
)

// outcome is an answer in the parts that are compared.
type outcome struct {
	text, stderr string // as a terminal shows them; the text is that of both
	code         int
	objects      changes
	lines        []realkubectl.TimedLine // of a line that keeps printing; nil for all others
}

func outcomeOf(a *realkubectl.Answer) (*outcome, error) {
	objects, err := changesOf(a)
	if err != nil {
		return nil, err
	}
	o := &outcome{text: terminal(a.Text), stderr: terminal(a.Stderr), code: a.Code, objects: objects}
	if a.Lines != nil {
		o.lines, o.text, o.stderr = slices.Clone(a.Lines), "", ""
	}
	return o, nil
}

func cloneOf(c changes) changes { return maps.Clone(c) }

func equal(a, b *outcome) bool { return reflect.DeepEqual(a, b) }

// differences returns what differs, one part after the other: none hides another.
func differences(real, ours *outcome) (parts []Part) {
	if real.text != ours.text {
		minus, plus := firstLine(real.text, ours.text)
		parts = append(parts, Part{"text", minus, plus})
	}
	if real.stderr != ours.stderr && (real.text == ours.text || (real.stderr == "") != (ours.stderr == "")) {
		minus, plus := firstLine(real.stderr, ours.stderr)
		parts = append(parts, Part{"stderr", minus, plus})
	}
	if p := differentLines(real.lines, ours.lines); p != nil {
		parts = append(parts, *p)
	}
	if real.code != ours.code {
		parts = append(parts, Part{"exit code", fmt.Sprint(real.code), fmt.Sprint(ours.code)})
	}
	if path, theirs, mine := firstDifference(real.objects, ours.objects); path != "" {
		parts = append(parts, Part{"objects", path + ": " + theirs, path + ": " + mine})
	}
	return parts
}

// differentLines compares what keeps being printed: first all texts, then their times.
func differentLines(real, ours []realkubectl.TimedLine) *Part {
	stamped := func(list []realkubectl.TimedLine, i int) string {
		if i >= len(list) {
			return "nothing"
		}
		return strings.TrimSpace(list[i].At.UTC().Format("15:04:05.000") + " " + list[i].Text)
	}
	for _, what := range []string{"lines", "times"} {
		for i := range max(len(real), len(ours)) {
			if i >= len(real) || i >= len(ours) || terminal(real[i].Text) != terminal(ours[i].Text) ||
				what == "times" && !inTime(real[i].At, ours[i].At) {
				return &Part{what, stamped(real, i), stamped(ours, i)}
			}
		}
	}
	return nil
}

// inTime says whether a line of the real one comes when ours does.
func inTime(real, ours time.Time) bool {
	delay := real.Sub(ours)
	return delay >= -time.Millisecond && delay <= late*time.Millisecond
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
