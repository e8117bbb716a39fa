package session

import (
	"strings"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/engine"
	kinds "github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// subject is what the person has opened: a lesson, a link, a file, a draft or an empty text. The page keeps each subject in a
// draft of its own from the first change on, so opening another one overwrites nothing.
type subject struct {
	draft    string // the id of the draft that keeps it, "" before the first change
	rec      engine.Recording
	text     string // both as they were opened, or saved last
	branches int    // so many there were then
	blank    bool   // an empty text, beside the run of the subject before
	was      left   // its branches, when it was left
}

// Draft is the id of the draft that keeps what is shown, "" if nothing has changed yet. KeepAs sets it.
func (s *Session) Draft() string    { return s.subject.draft }
func (s *Session) KeepAs(id string) { s.subject.draft = id }

// Changed says whether there is an edit, a command or a branch since the subject was opened, or Settle was called.
func (s *Session) Changed() bool {
	o := s.subject
	return len(s.forks) != o.branches || s.text != o.text || !sameRecording(s.rec, o.rec)
}

// Settle notes that what is there now is kept.
func (s *Session) Settle() {
	s.subject.rec, s.subject.text, s.subject.branches = s.rec, s.text, len(s.forks)
}

// Tell shows a sentence about what the page did by itself.
func (s *Session) Tell(text string, bad bool) {
	s.notice = Notice{Text: text, Bad: bad}
	s.Say(text)
}

// left is the branches of a subject that is left.
type left struct {
	forks  []Fork
	branch Branch
	made   int
}

func (s *Session) left() left { return left{s.forks, s.branch, s.branchesMade} }

// opened makes what is there now a subject. The one before keeps its branches, for undo.
func (s *Session) opened(before state, was left) {
	before.subject.was = was
	s.subject = &subject{rec: s.rec, text: s.text}
	s.forks, s.touched, s.offering = nil, false, false
}

// backTo returns to a subject that was left.
func (s *Session) backTo(to *subject, was left) {
	s.subject.was = was
	s.subject, s.forks, s.branch, s.branchesMade = to, to.was.forks, to.was.branch, to.was.made
}

// OpenDraft opens a draft, as an action that can be undone. It says whether the draft could be read.
func (s *Session) OpenDraft(id, data string) bool {
	v, err := readSaved(data)
	if err != nil {
		s.refuse(s.lang.Say("draft-damaged"))
		return false
	}
	before, left, address := s.state(), s.left(), s.address
	s.uprooted = true
	defer s.rooted()
	s.playing, s.notice = false, Notice{}
	s.restore(v)
	if !sameRecording(s.rec, v.Recording) { // it no longer runs: the text stays, and no other run beside it
		s.rec, s.run, s.next = engine.Recording{}, nil, nil
		s.applied, s.preset = "", ""
		s.runs++
	}
	kept := s.forks
	s.remember(before)
	s.opened(before, left)
	s.forks, s.subject.draft, s.touched, s.address = kept, id, true, address
	s.Settle()
	s.Say(s.lang.Say("draft-open", s.Label()))
	return true
}

// NewText begins with an empty text. The run stays on the screen until there is another one.
func (s *Session) NewText() {
	before, left := s.state(), s.left()
	s.SetText("")
	s.remember(before)
	s.opened(before, left)
	s.subject.blank = true
}

// OpenText opens the text of a file, and runs it if it has no errors.
func (s *Session) OpenText(text string) {
	s.NewText()
	s.Paste(text)
}

// Paste takes a text that was put into an empty editor, and runs it if it has no errors.
func (s *Session) Paste(text string) {
	s.Edit(text)
	if s.Errors() > 0 || Blank(text) {
		return
	}
	s.Restart()
	s.offering = s.notice.Text == ""
}

// Offering says that a pasted text runs and nobody has done anything with it: the page offers what to do next.
func (s *Session) Offering() bool {
	return s.offering && s.run != nil && s.next == nil && len(s.rec.Commands) == 0 && len(s.run.Scenario().Timeline) == 0 && !s.Dirty()
}

// Label names what is shown, for a list of drafts: an edited lesson by its title, any other text by its first workload.
func (s *Session) Label() string {
	if Blank(s.text) {
		return s.lang.Say("draft-empty")
	}
	source := s.library.Read(s.text)
	if sc, _ := source.Scenario(); sc != nil {
		if sc.Title.En != "" {
			return s.lang.Say("draft-edited", s.lang.In(sc.Title))
		}
		if name := workloadLabel(sc); name != "" {
			return name
		}
	}
	if name := s.Workload(); name != "" {
		return command.Name(name)
	}
	return s.lang.Say("draft-unnamed")
}

// workloadLabel is the first workload with its image: web nginx:1.27.
func workloadLabel(sc *scenario.Scenario) string {
	for _, m := range sc.Objects {
		if kinds.IsWorkload(m.Object.Key().Kind) {
			row := past.RowOf(m.Object)
			image, _, _ := strings.Cut(row.Images, ",")
			return row.Name + " " + image[strings.LastIndexByte(image, '/')+1:]
		}
	}
	return ""
}

// Curve is a small picture of the workload that is shown; see chart.Curve.
func (s *Session) Curve() string {
	if s.run == nil {
		return ""
	}
	return chart.Curve(s.run.Frames(s.Workload()), s.End())
}
