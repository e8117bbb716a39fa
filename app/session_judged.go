package app

import (
	"github.com/rollplay/rollplay/engine/judge"
	"github.com/rollplay/rollplay/engine/past"
)

// judged takes what the judge and the conditions say of the workload.
func (m *moments) judged() {
	for _, v := range judge.New(m.run.Past()).Verdicts(m.workload) {
		if violates(v) {
			m.add(&m.all, v.From, v.Record, v.Text)
		}
	}
	for _, c := range changes(m.lang, m.run.Past().Conditions(m.workload)) {
		m.add(&m.all, c.T, c.Record, c.Why)
	}
}

// violates says whether a verdict is about a bound that does not hold; pods that terminate are in no bound.
func violates(v judge.Verdict) bool { return v.Bound != "terminating" }

// changes lists where a condition got another status or reason; a message alone is no news.
func changes(l lang, strips []past.Strip) []stop {
	var all []stop
	for _, strip := range strips {
		var was past.Segment
		for _, s := range strip.Segments {
			if s.Status != was.Status || s.Reason != was.Reason {
				all = append(all, stop{cursor{s.From, s.Record}, conditionText(l, strip.Type, s)})
			}
			was = s
		}
	}
	return all
}

// conditionText says what a condition has become.
func conditionText(l lang, name string, s past.Segment) string {
	if s.Status == "" {
		return l.say("condition-gone", name)
	}
	return l.say("condition-is", name, s.Status, s.Reason)
}

// judgedMarks are the violations and the changes of conditions on the scrubber.
func (s *session) judgedMarks() []mark {
	var all []mark
	workload := s.watched()
	for _, v := range judge.New(s.run.Past()).Verdicts(workload) {
		if violates(v) && len(all) < marksMax {
			all = append(all, mark{Kind: "violation", T: v.From, To: v.To, Line: v.Text, Failed: v.Kind == judge.Broken})
		}
	}
	for _, c := range changes(s.lang, s.run.Past().Conditions(workload)) {
		if c.T > 0 && len(all) < marksMax {
			all = append(all, mark{Kind: "condition", T: c.T, Line: c.Why})
		}
	}
	return all
}
