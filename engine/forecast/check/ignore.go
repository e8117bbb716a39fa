package check

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// IgnoreAnnotation is the annotation of an object whose lines say which findings about it do not count:
//
//	rollplay.dev/ignore: |
//	  outage the queue holds all requests until 2027-01-31
//	  duration,cpu a batch job, nobody waits
//
// A line has rules, separated by commas, a reason, and perhaps the last day. Semicolons separate lines, too.
const IgnoreAnnotation = "rollplay.dev/ignore"

const ignoreField = "metadata.annotations[" + IgnoreAnnotation + "]"

// Ignore is a line of an annotation.
type Ignore struct {
	Object string `json:"object"`
	Rule   string `json:"rule"`
	Reason string `json:"reason"`
	Until  string `json:"until,omitempty"` // the last day: 2027-01-31
	State  string `json:"state"`           // used, idle, expired, wrong
	File   string `json:"file,omitempty"`
	Line   int    `json:"line"`
}

// String is an ignore for a summary.
func (g *Ignore) String() string {
	text := g.Object + ": " + g.Rule + ": " + g.why()
	if g.State != "used" {
		text += " (" + g.State + ")"
	}
	return text
}

// why is the reason with the last day.
func (g *Ignore) why() string {
	if g.Until == "" {
		return g.Reason
	}
	return g.Reason + ", until " + g.Until
}

// lastDay is the end of a line that is one.
var lastDay = regexp.MustCompile(`\s*\buntil (\d\S*)$`)

// ignores reads the annotations of the new manifests. What is wrong with them is a finding.
func (c *Check) ignores() (list []Ignore, wrong []Finding) {
	for _, m := range c.now.Objects {
		text := m.Object.Meta().Annotations[IgnoreAnnotation]
		if text == "" {
			continue
		}
		line := c.markLine(m.Object.Key(), ignoreField)
		for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
			found, problems := readIgnore(strings.TrimSpace(part), c.input.Today)
			for _, g := range found {
				g.Object, g.Line = m.Object.Key().Title(), line
				list = append(list, g)
			}
			for _, f := range problems {
				f.Check, f.Object, f.Line, f.Field = "ignore", m.Object.Key().Title(), line, ignoreField
				f.weigh()
				wrong = append(wrong, f)
			}
		}
	}
	return list, wrong
}

// readIgnore reads a line of an annotation.
func readIgnore(text, today string) (list []Ignore, problems []Finding) {
	if text == "" {
		return nil, nil
	}
	problem := func(level Level, format string, of ...any) {
		text := "The annotation " + IgnoreAnnotation + " " + fmt.Sprintf(format, of...)
		problems = append(problems, Finding{Verdict: Pass, Level: level, Text: text})
	}
	rules := strings.Fields(text)[0]
	reason, until, state := text[len(rules):], "", "idle"
	if end := lastDay.FindStringSubmatch(reason); end != nil {
		reason, until = strings.TrimSuffix(reason, end[0]), end[1]
		if _, err := time.Parse(time.DateOnly, until); err != nil {
			state = "wrong"
			problem(Error, "has no such day: until %s; write it as 2027-01-31.", until)
		} else if until < today {
			state = "expired"
			problem(Warning, "for %s has ended on %s. Remove it, or give it another day.", rules, until)
		}
	}
	if reason = strings.TrimSpace(reason); reason == "" {
		state = "wrong"
		problem(Error, "gives no reason for %s; write it behind the rule.", rules)
	}
	for _, rule := range strings.Split(rules, ",") {
		if _, ok := RuleOf(rule); !ok {
			problem(Error, "names the rule %q, which does not exist; %s", rule, nearest(rule))
		}
		list = append(list, Ignore{Rule: rule, Reason: reason, Until: until, State: state})
	}
	return list, problems
}

// nearest proposes a rule for a typo.
func nearest(rule string) string {
	ids := mapped(Rules(), func(r Rule) string { return r.ID })
	if near := api.Nearest(rule, ids); near != "" {
		return "did you mean " + near + "?"
	}
	return "the rules are " + strings.Join(ids, ", ") + "."
}

// ignore applies the annotations to a report. An annotation with a mistake or an end in the past has no effect.
func (c *Check) ignore(r *Report) {
	list, wrong := c.ignores()
	for i := range list {
		g := &list[i]
		for j := range r.Findings {
			f := &r.Findings[j]
			if (g.State == "idle" || g.State == "used") && f.Open() && f.Object == g.Object && f.Check == g.Rule {
				g.State = "used"
				f.Accepted = &Acceptance{ByAnnotation, g.why()}
			}
		}
	}
	r.Ignores, r.Findings = list, append(r.Findings, wrong...)
}

// markLine returns the line of a field of an object in the new manifests, or of the object if it is not written there.
func (c *Check) markLine(key api.Key, field string) int {
	line := c.line(key)
	for _, d := range yamltext.Split(c.input.New) {
		if d.First <= line && line < d.First+len(d.Lines) && field != "" {
			return d.Mark(field, true).Line
		}
	}
	return line
}
