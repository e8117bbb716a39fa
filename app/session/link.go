package session

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/engine"
	sharing "github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// Open starts a visit at an address with a fragment. A link goes before what was kept, which stays as it is. But if what was
// kept put the link there itself, it has all that the link has, and more. Open returns the view that the link asks for.
func (s *Session) Open(kept Kept, fragment string) sharing.View {
	v, _ := readSaved(kept.Data) // nil if it cannot be read
	if !sharing.Is(fragment) {
		s.openKept(kept.Draft, v)
		return sharing.View{}
	}
	if v != nil && (v.Address == fragment || kept.Own) {
		s.openSaved(kept.Draft, v)
		s.Visit.Address = fragment
		l, _ := sharing.Decode(fragment, gallery.Text)
		s.Visit.SetLang(l.Lang)
		return sharing.View{}
	}
	view, _ := s.OpenLink(fragment)
	if s.Computed.Latest() == nil && s.Unfinished.text == "" {
		s.fallBack(kept.Draft, v)
	}
	return view
}

// fallBack shows what was kept, or what an untouched visit sees, beside what is wrong with a link. A text that came with it stays,
// as a subject of its own.
func (s *Session) fallBack(draft string, v *saved) {
	wrong, text := s.Visit.Notice, s.Document.Text
	if v != nil || Blank(text) {
		s.openKept(draft, v)
	}
	if v != nil && !Blank(text) {
		before := s.present()
		s.Document.Set(text)
		s.opened(before)
	}
	s.Visit.Notice, s.Visit.Said = wrong, wrong.Text
}

// OpenLink opens the run of a link, as an action that can be undone. Of a damaged link it keeps what it can
// and says what is wrong. It returns the view that the link asks for, and false if nothing of the link is usable.
func (s *Session) OpenLink(fragment string) (sharing.View, bool) {
	fragment = strings.TrimPrefix(fragment, "#")
	l, err := sharing.Decode(fragment, gallery.Text)
	var wrong *sharing.Error
	if errors.As(err, &wrong) && wrong.Kept == sharing.Nothing {
		s.Visit.refuse(wrong.Error())
		return sharing.View{}, false
	}
	s.Visit.Address = fragment
	if s.halts(l.Recording, linkText(&l), func() { s.OpenLink(fragment) }) {
		s.Visit.SetLang(l.Lang)
		return l.View, true
	}
	s.takeUp(&l)
	if err != nil {
		s.Visit.refuse(err.Error())
	}
	return l.View, true
}

// takeUp makes the session show what a link holds. A scenario that cannot run is shown with its errors, beside the run that
// was there.
func (s *Session) takeUp(l *sharing.Link) {
	before, was, touched := s.present(), s.Cursor.Place, s.Visit.Touched
	s.Visit.SetLang(l.Lang)
	s.Visit.Notice = Notice{}
	s.Branches.unrelated = true
	defer s.Branches.related()
	runs := l.Recording.Scenario != "" && s.startLinked(l)
	text := linkText(l)
	wrong := s.Visit.Notice
	s.Document.Set(text)
	s.Document.linked = text
	if !runs {
		s.Cursor.Place, s.Visit.Notice = was, wrong
		s.remember(before)
		s.opened(before)
		return
	}
	s.Document.applied, s.Document.Preset, s.Computed.chosen = l.Recording.Scenario, scenarios.Current(l.Preset), l.Workload
	if appliedLast(l.Recording.Commands, s.library.Read(text)) {
		s.Document.applied = text
	}
	s.look(&l.View)
	s.remember(before)
	s.Visit.Touched = touched // opening a link is nothing that must be kept
	other := !sameRecording(before.rec, s.Computed.rec) || before.text != s.Document.Text
	if other {
		s.opened(before)
	}
	s.takeUpOther(l.Other)
	if other {
		s.Draft.Settle()
	}
	s.Visit.Say(s.Cursor.describe())
}

// takeUpOther puts the recording that a link compares with among the branches, beside the shown one.
func (s *Session) takeUpOther(other engine.Recording) {
	if other.Scenario == "" || sameRecording(other, s.Computed.rec) {
		return
	}
	if s.Branches.with(other) == nil {
		s.Branches.made++
		b := Origin{ID: s.Branches.made, Tree: s.Branches.present.Tree, Parent: s.Branches.present.ID, From: max(0, s.Computed.rec.PartsFrom(other))}
		s.Branches.list = slices.Insert(slices.Clone(s.Branches.list), 0, Branch{Origin: b, Rec: other, applied: other.Scenario, Preset: s.Document.Preset})
		s.Branches.list = s.Branches.list[:min(len(s.Branches.list), branchesMax)]
	}
	s.Branches.compareWith(other)
}

// linkText is what a link puts into the editor.
func linkText(l *sharing.Link) string { return cmp.Or(l.Draft, l.Recording.Scenario) }

// startLinked starts the link's recording, with the cursor where the link wants it.
func (s *Session) startLinked(l *sharing.Link) bool {
	if s.Computed.shown != nil && sameRecording(s.Computed.rec, l.Recording) {
		return true
	}
	s.Cursor.Place, s.Cursor.frac = cursor.Place{T: l.T, Record: -1}, 0
	return s.start(l.Recording)
}

// look puts the cursor, the speed and the loop where a link wants them.
func (s *Session) look(v *sharing.View) {
	s.Cursor.Loop = Loop{}
	if v.LoopB > v.LoopA {
		s.Cursor.Loop = Loop{A: v.LoopA, B: v.LoopB, Set: LoopOn}
	}
	if v.Speed > 0 {
		s.Cursor.SetFactor(v.Speed)
	}
	s.Cursor.Playing = !v.Still && !s.Visit.Calm
	s.Cursor.fresh = s.Cursor.Guide.Opening && !v.Still && v.T == 0
	if s.Computed.next != nil {
		return // the cursor is there, and waits for the run
	}
	s.Cursor.seek(v.T)
	if i := s.Computed.shown.Past().Find(v.T-1) + int(v.Nth); v.Nth > 0 && i < s.Computed.shown.Len() && s.Computed.shown.Past().At(i) == v.T {
		s.Cursor.Record = i
	}
}

// appliedLast says whether the objects of a text are those that were applied last.
func appliedLast(commands []engine.Command, text *scenario.Source) bool {
	for i := len(commands) - 1; i >= 0; i-- {
		if applied := commands[i].Apply; applied != "" {
			return applied == text.ManifestText()
		}
	}
	return false
}

// Link returns the link of the present run, without the view, and with the language if it was chosen.
func (s *Session) Link() sharing.Link {
	l := sharing.Link{Recording: s.Computed.rec}
	if s.Branches.compared.figures {
		l.Other = s.Branches.compared.rec
	}
	if s.Computed.rec.Scenario != "" && s.Computed.rec.Scenario == gallery.Text(s.Document.Preset) {
		l.Preset = s.Document.Preset
	}
	if s.Document.Text != s.Computed.rec.Scenario && !Blank(s.Document.Text) {
		l.Draft = s.Document.Text
	}
	if s.Computed.chosen != "" && s.Computed.chosen == s.Computed.Workload() {
		l.Workload = s.Computed.chosen
	}
	if s.Visit.langChosen {
		l.Lang = string(s.Visit.Lang)
	}
	return l
}

// addressMax bounds the fragment in the address bar. Browsers accept more, but do not show it.
const addressMax = 32_000

// UpdateAddress updates the fragment of the address bar to the run, and says whether it changed. A fragment
// that opens this run in this language stays, whatever its view. A fragment that is too long leaves the bar empty.
func (s *Session) UpdateAddress() (fragment string, changed bool) {
	now := s.Link()
	if was, err := sharing.Decode(s.Visit.Address, gallery.Text); err == nil && sameRecording(was.Recording, now.Recording) && sameRecording(was.Other, now.Other) && was.Draft == now.Draft && was.Lang == now.Lang {
		return s.Visit.Address, false
	}
	fragment, err := sharing.Encode(now)
	if err != nil || len(fragment) > addressMax {
		fragment = ""
	}
	changed = fragment != s.Visit.Address
	s.Visit.Address = fragment
	return fragment, changed
}
