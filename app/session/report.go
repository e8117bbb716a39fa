package session

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/app/version"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// reportText bounds the text in a report: who reads it wants the link, or the beginning of what has none.
const reportText = 4000

// report is what a person can send to us about a bug in rollplay. It is in English, as are the issues.
func (s *Session) report(what string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "rollplay %s stopped: %s\n\n", version.Number, what)
	fmt.Fprintf(&b, "Cursor: %d ms. Commands: %d.\n", s.Cursor.T, len(s.Computed.rec.Commands))
	if fragment, err := sharing.Encode(s.Link()); err == nil && len(fragment) <= addressMax {
		fmt.Fprintf(&b, "Run: #%s\n", fragment)
		return b.String()
	}
	text := s.Computed.rec.Scenario
	if len(text) > reportText {
		text = strings.ToValidUTF8(text[:reportText], "") + "\n…"
	}
	fmt.Fprintf(&b, "\n```yaml\n%s\n```\n", text)
	for _, c := range s.Computed.rec.Commands {
		fmt.Fprintf(&b, "%d ms: %s%s%.200s\n", c.At, c.Run, c.Do, c.Apply)
	}
	return b.String()
}

// Broke tells of a bug in rollplay outside the engine. If the run itself can't be shown, lost drops it: the text and the
// recording stay.
func (s *Session) Broke(what string, lost bool) {
	s.Cursor.Playing, s.Cursor.goal, s.History.waiting = false, -1, nil
	if lost {
		s.Computed.shown, s.Computed.next = nil, nil
	}
	s.Visit.refuse(s.Visit.Lang.Say("page-broke"))
	s.Visit.Notice.Report = s.report(what)
}
