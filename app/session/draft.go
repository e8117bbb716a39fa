package session

import (
	"strings"

	"github.com/rollplay/rollplay/engine"
	kinds "github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Draft is the draft that the browser keeps of what is shown.
type Draft struct {
	kept     *keptDraft
	offering bool // what to do with a pasted text

	computed *Run
	document *Document
	branches *Branches
}

// keptDraft is a document that the person has opened: a lesson, a link, a file, a draft or an empty text. Each has a draft of its own
// from the first change on, so opening another one overwrites nothing.
type keptDraft struct {
	ID       string // the id of the draft that keeps it, "" before the first change
	rec      engine.Recording
	text     string    // both as they were opened, or saved last
	branches int       // how many there were then
	blank    bool      // an empty text, beside the run of the document before
	was      branchSet // its branches, when it was left
}

// ID is the id of the shown draft, "" if nothing has changed yet. KeepAs sets it.
func (d *Draft) ID() string       { return d.kept.ID }
func (d *Draft) KeepAs(id string) { d.kept.ID = id }

// Changed says whether there is an edit, a command or a branch since the document was opened, or Settle was called.
func (d *Draft) Changed() bool {
	o := d.kept
	return len(d.branches.list) != o.branches || d.document.Text != o.text || !sameRecording(d.computed.rec, o.rec)
}

// Settle notes that what is there now is kept.
func (d *Draft) Settle() {
	d.kept.rec, d.kept.text, d.kept.branches = d.computed.rec, d.document.Text, len(d.branches.list)
}

// opened begins a draft of the present document. The one before keeps its branches, for undo.
func (s *Session) opened(before step) {
	before.draft.was = before.branches
	s.Draft.kept = &keptDraft{rec: s.Computed.rec, text: s.Document.Text}
	s.Branches.list, s.Visit.Touched, s.Draft.offering = nil, false, false
}

// OpenDraft opens a draft, as an action that can be undone. It says whether the draft could be read.
func (s *Session) OpenDraft(id, data string) bool {
	v, err := readSaved(data)
	if err != nil {
		s.Visit.refuse(s.Visit.Lang.Say("draft-damaged"))
		return false
	}
	before, address := s.present(), s.Visit.Address
	s.Branches.unrelated = true
	defer s.Branches.related()
	s.Cursor.Playing, s.Visit.Notice = false, Notice{}
	s.restore(v)
	if !sameRecording(s.Computed.rec, v.Recording) { // it no longer runs: the text stays, and no other run beside it
		s.Computed.rec, s.Computed.shown, s.Computed.next = engine.Recording{}, nil, nil
		s.Document.applied, s.Document.Preset = "", ""
		s.Computed.Number++
	}
	kept := s.Branches.list
	s.remember(before)
	s.opened(before)
	s.Branches.list, s.Draft.kept.ID, s.Visit.Touched, s.Visit.Address = kept, id, true, address
	s.Draft.Settle()
	s.Visit.Say(s.Visit.Lang.Say("draft-open", s.Document.Label()))
	return true
}

// NewText begins a draft with the text of a file, which runs if it has no errors, or with an empty text. The run stays on the
// screen until there is another one.
func (s *Session) NewText(text string) {
	before := s.present()
	s.Document.Set("")
	s.remember(before)
	s.opened(before)
	s.Draft.kept.blank = true
	if text != "" {
		s.Paste(text)
	}
}

// Paste takes a text that was put into an empty editor, and runs it if it has no errors.
func (s *Session) Paste(text string) {
	s.Document.Edit(text)
	if s.Document.Errors() > 0 || Blank(text) {
		return
	}
	s.Restart()
	s.Draft.offering = s.Visit.Notice.Text == ""
}

// Offering says that a pasted text runs and nobody has done anything with it: the page offers what to do next.
func (d *Draft) Offering() bool {
	return d.offering && d.computed.shown != nil && d.computed.next == nil && len(d.computed.rec.Commands) == 0 && len(d.computed.shown.Scenario().Timeline) == 0 && !d.document.Dirty()
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
