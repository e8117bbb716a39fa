package session

import (
	"strings"

	"github.com/rollplay/rollplay/engine"
)

// Break writes into the scenario how an image behaves, and gives a kubectl line at the cursor that rolls it out. What came
// before the cursor stays as it was, because no pod had that image.
func (s *Session) Break(entry, line string) {
	if s.run == nil {
		s.refuse(s.lang.Say("run-none"))
		return
	}
	before, was := s.state(), s.rec.Scenario
	s.rec.Scenario = withImage(was, entry)
	if !s.act(engine.Command{Run: line}) {
		s.rec.Scenario = was
		return
	}
	if len(s.forks) > 0 && s.forks[0].Rec.Scenario == s.rec.Scenario {
		s.forks[0].Rec.Scenario = was // the run that was left had no such image
	}
	dirty := s.Dirty()
	s.applied = withImage(s.applied, entry)
	if !dirty {
		s.SetText(s.applied)
	} else {
		s.SetText(withImage(s.text, entry))
	}
	s.preset, s.notice = "", Notice{}
	s.remember(before)
	s.Say(s.answer())
}

// withImage puts an entry first into the images of a text's scenario, because the first match counts. A text without a
// scenario gets one.
func withImage(text, entry string) string {
	if strings.Contains(text, entry) {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	from, to := scenarioLines(lines)
	if from == to {
		return "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  images:\n  - " + entry + "\n---\n" + text
	}
	spec := -1
	for i := from; i < to; i++ {
		line := strings.TrimRight(lines[i], " \r\n")
		switch trimmed := strings.TrimSpace(line); {
		case line == "spec:":
			spec = i
		case trimmed == "images:" && line != trimmed && spec >= 0:
			return insert(lines, i+1, indentOf(lines, i)+"- "+entry+"\n")
		}
	}
	if spec < 0 {
		return text
	}
	indent := "  "
	if spec+1 < to {
		if l := lines[spec+1]; strings.TrimSpace(l) != "" && l[0] == ' ' {
			indent = l[:len(l)-len(strings.TrimLeft(l, " "))]
		}
	}
	return insert(lines, spec+1, indent+"images:\n"+indent+"- "+entry+"\n")
}

// indentOf is how far the entries of the list below a line are indented.
func indentOf(lines []string, i int) string {
	line := lines[min(i+1, len(lines)-1)]
	if trimmed := strings.TrimLeft(line, " "); strings.HasPrefix(trimmed, "- ") {
		return line[:len(line)-len(trimmed)]
	}
	return lines[i][:len(lines[i])-len(strings.TrimLeft(lines[i], " "))]
}

// scenarioLines are those of the document of kind Scenario, none if there is no such document.
func scenarioLines(lines []string) (from, to int) {
	start, found := 0, false
	for i, line := range lines {
		if strings.HasPrefix(line, "---") {
			if found {
				return start, i
			}
			start = i + 1
		}
		found = found || strings.TrimRight(line, " \r\n") == "kind: Scenario"
	}
	if found {
		return start, len(lines)
	}
	return 0, 0
}

func insert(lines []string, at int, text string) string {
	return strings.Join(lines[:at], "") + text + strings.Join(lines[at:], "")
}
