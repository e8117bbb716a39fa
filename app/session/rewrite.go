package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine"
)

// Break writes into the scenario how an image behaves, and gives a kubectl line at the cursor that rolls it out. What came
// before the cursor stays as it was, because no pod had that image.
func (s *Session) Break(entry, line string) {
	if s.Computed.shown == nil {
		s.Visit.refuse(s.Visit.Lang.Say("run-none"))
		return
	}
	before, was := s.present(), s.Computed.rec.Scenario
	s.Computed.rec.Scenario = withImage(was, entry)
	if !s.act(engine.Command{Run: line}) {
		s.Computed.rec.Scenario = was
		return
	}
	if len(s.Branches.list) > 0 && s.Branches.list[0].Rec.Scenario == s.Computed.rec.Scenario {
		s.Branches.list[0].Rec.Scenario = was // the run that was left had no such image
	}
	s.Document.rewrite(func(text string) string { return withImage(text, entry) })
	s.remember(before)
	s.Visit.Say(s.answer())
}

// SetVersion simulates another version of Kubernetes, from the beginning and with the same commands.
func (s *Session) SetVersion(version string) {
	if s.Computed.shown == nil {
		s.Visit.refuse(s.Visit.Lang.Say("run-none"))
		return
	}
	before := s.present()
	if s.start(engine.Recording{Scenario: withVersion(s.Computed.rec.Scenario, version), Commands: slices.Clone(s.Computed.rec.Commands)}) {
		s.Document.rewrite(func(text string) string { return withVersion(text, version) })
		s.remember(before)
		s.Visit.Say(s.Visit.Lang.Say("version-set", version))
	}
}

// Version is the simulated one.
func (c *Run) Version() string {
	if c.shown == nil {
		return ""
	}
	return "1." + strconv.Itoa(c.shown.Scenario().Minor)
}

// rewrite changes the text that runs, and the editor's with it.
func (d *Document) rewrite(change func(string) string) {
	dirty := d.Dirty()
	d.applied = change(d.applied)
	if dirty {
		d.Set(change(d.Text))
	} else {
		d.Set(d.applied)
	}
	d.Preset, d.visit.Notice = "", Notice{}
}

// withImage puts an entry first into the images of a text's scenario, because the first match counts. A text without a
// scenario gets one.
func withImage(text, entry string) string {
	if strings.Contains(text, entry) {
		return text
	}
	return withSpec(text, "images:", func(lines []string, at int) []string {
		return slices.Insert(lines, at+1, indentOf(lines, at)+"- "+entry+"\n")
	}, "images:\n", "- "+entry+"\n")
}

// withVersion sets which version of Kubernetes a text's scenario simulates.
func withVersion(text, version string) string {
	line := "version: \"" + version + "\"\n"
	return withSpec(text, "version:", func(lines []string, at int) []string {
		lines[at] = lines[at][:len(lines[at])-len(strings.TrimLeft(lines[at], " "))] + line
		return lines
	}, line)
}

// withSpec changes a field of a scenario's spec. change gets the line of the field; if there is none, the new lines
// begin the spec. A text without a scenario gets one.
func withSpec(text, field string, change func(lines []string, at int) []string, new ...string) string {
	lines := strings.SplitAfter(text, "\n")
	from, to := scenarioLines(lines)
	if from == to {
		return "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  " + strings.Join(new, "  ") + "---\n" + text
	}
	spec, indent := -1, "  "
	for i := from; i < to; i++ {
		line := strings.TrimRight(lines[i], " \r\n")
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case line == "spec:":
			spec = i
		case spec < 0 || trimmed == "":
		case spec == i-1:
			indent = line[:len(line)-len(trimmed)]
			fallthrough
		default:
			if strings.HasPrefix(trimmed, field) && line == indent+trimmed {
				return strings.Join(change(lines, i), "")
			}
		}
	}
	if spec < 0 {
		return text
	}
	return strings.Join(slices.Insert(lines, spec+1, indent+strings.Join(new, indent)), "")
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
