package session

import (
	"errors"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/engine"
	sharing "github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// Begin starts a visit at an address with a fragment. A link goes before what was kept, which stays as it is. But if what was
// kept put the link there itself, it has all that the link has, and more. Begin returns the view that the link asks for.
func (s *Session) Begin(kept Kept, fragment string) sharing.View {
	if !sharing.Is(fragment) {
		s.open(kept)
		return sharing.View{}
	}
	v, err := readSaved(kept.Data)
	if err == nil && (v.Address == fragment || kept.Own) {
		s.openSaved(kept.Draft, v)
		s.address = fragment
		l, _ := sharing.Decode(fragment, shipped)
		s.SetLang(l.Lang)
		return sharing.View{}
	}
	view, _ := s.OpenLink(fragment)
	if s.Latest() == nil && s.halted.text == "" {
		s.fallBack(kept)
	}
	return view
}

// fallBack shows what was kept, or what an untouched visit sees, beside what is wrong with a link. A text that came with it stays,
// as a subject of its own.
func (s *Session) fallBack(kept Kept) {
	wrong, text := s.notice, s.text
	_, err := readSaved(kept.Data)
	if err == nil || Blank(text) {
		s.open(kept)
	}
	if err == nil && !Blank(text) {
		before, left := s.state(), s.left()
		s.SetText(text)
		s.opened(before, left)
	}
	s.notice, s.said = wrong, wrong.Text
}

// OpenFirst shows what an untouched visit sees, at an address without a link.
func (s *Session) OpenFirst() {
	s.LoadScenario(FirstScenario)
	s.address = ""
}

// OpenLink opens the run of a link, as an action that can be undone. Of a damaged link it keeps what it can
// and says what is wrong. It returns the view that the link asks for, and false if nothing of the link is usable.
func (s *Session) OpenLink(fragment string) (sharing.View, bool) {
	fragment = strings.TrimPrefix(fragment, "#")
	l, err := sharing.Decode(fragment, shipped)
	var wrong *sharing.Error
	if errors.As(err, &wrong) && wrong.Kept == sharing.Nothing {
		s.refuse(wrong.Error())
		return sharing.View{}, false
	}
	s.address = fragment
	if s.halts(l.Recording, linkText(&l), fragment) {
		s.SetLang(l.Lang)
		return l.View, true
	}
	s.takeUp(&l)
	if err != nil {
		s.refuse(err.Error())
	}
	return l.View, true
}

// takeUp makes the session show what a link holds. A scenario that cannot run is shown with its errors, beside the run that
// was there.
func (s *Session) takeUp(l *sharing.Link) {
	before, was, touched, left := s.state(), s.cursor, s.touched, s.left()
	s.SetLang(l.Lang)
	s.notice = Notice{}
	s.uprooted = true
	defer s.rooted()
	runs := l.Recording.Scenario != "" && s.startLinked(l)
	text := linkText(l)
	wrong := s.notice
	s.SetText(text)
	s.linked = text
	if !runs {
		s.cursor, s.notice = was, wrong
		s.remember(before)
		s.opened(before, left)
		return
	}
	s.applied, s.preset, s.workload = l.Recording.Scenario, scenarios.Current(l.Preset), l.Workload
	if appliedLast(l.Recording.Commands, s.library.Read(text)) {
		s.applied = text
	}
	s.look(&l.View)
	s.remember(before)
	s.touched = touched // opening a link is nothing that must be kept
	other := !sameRecording(before.rec, s.rec) || before.text != s.text
	if other {
		s.opened(before, left)
	}
	s.takeUpOther(l.Other)
	if other {
		s.Settle()
	}
	s.Say(s.where())
}

// takeUpOther puts the recording that a link compares with among the branches, beside the shown one.
func (s *Session) takeUpOther(other engine.Recording) {
	if other.Scenario == "" || sameRecording(other, s.rec) {
		return
	}
	if !slices.ContainsFunc(s.forks, func(f Fork) bool { return sameRecording(f.Rec, other) }) {
		s.branchesMade++
		b := Branch{ID: s.branchesMade, Tree: s.branch.Tree, Parent: s.branch.ID, From: partsAt(s.rec, other)}
		s.forks = slices.Insert(slices.Clone(s.forks), 0, Fork{Branch: b, Rec: other, applied: other.Scenario, Preset: s.preset})
		s.forks = s.forks[:min(len(s.forks), forksMax)]
	}
	s.compareWith(other)
}

// linkText is what a link puts into the editor.
func linkText(l *sharing.Link) string {
	if l.Draft != "" {
		return l.Draft
	}
	return l.Recording.Scenario
}

func (s *Session) where() string {
	if s.playing {
		return s.lang.Say("link-plays")
	}
	return s.lang.Say("link-paused", cursor.Clock(s.cursor.T))
}

// startLinked starts the link's recording, with the cursor where the link wants it.
func (s *Session) startLinked(l *sharing.Link) bool {
	if s.run != nil && sameRecording(s.rec, l.Recording) {
		return true
	}
	s.cursor, s.frac = cursor.Cursor{T: l.T, Record: -1}, 0
	return s.start(l.Recording)
}

// look puts the cursor, the speed and the loop where a link wants them.
func (s *Session) look(v *sharing.View) {
	s.loop = Loop{}
	if v.LoopB > v.LoopA {
		s.loop = Loop{A: v.LoopA, B: v.LoopB, Set: LoopOn}
	}
	if v.Speed > 0 {
		s.SetFactor(v.Speed)
	}
	s.playing = !v.Still && !s.calm
	s.fresh = s.guide.Opening && s.playing && v.T == 0
	if s.next != nil {
		return // the cursor is there, and waits for the run
	}
	s.seek(v.T)
	if i := s.run.Past().Find(v.T-1) + int(v.Nth); v.Nth > 0 && i < s.run.Len() && s.run.Past().At(i) == v.T {
		s.cursor.Record = i
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
	l := sharing.Link{Recording: s.rec}
	if s.beside.open {
		l.Other = s.beside.rec
	}
	if s.rec.Scenario != "" && s.rec.Scenario == shipped(s.preset) {
		l.Preset = s.preset
	}
	if s.text != s.rec.Scenario && !Blank(s.text) {
		l.Draft = s.text
	}
	if s.workload != "" && s.workload == s.Workload() {
		l.Workload = s.workload
	}
	if s.langChosen {
		l.Lang = string(s.lang)
	}
	return l
}

// AddMoment adds the cursor to the view of a link.
func (s *Session) AddMoment(v *sharing.View) {
	v.Still, v.T = true, s.cursor.T
	if s.run != nil && s.cursor.Record < s.run.Past().Find(v.T) {
		v.Nth = int64(max(s.cursor.Record-s.run.Past().Find(v.T-1), 0))
	}
}

// AddPlayback adds the speed and the loop to the view of a link.
func (s *Session) AddPlayback(v *sharing.View) {
	if s.speed != speedNormal {
		v.Speed = Speeds[s.speed]
	}
	if s.loop.Set == LoopOn {
		v.LoopA, v.LoopB = s.loop.A, s.loop.B
	}
}

// addressMax bounds the fragment in the address bar. Browsers accept more, but do not show it.
const addressMax = 32_000

// UpdateAddress updates the fragment of the address bar to the run, and says whether it changed. A fragment
// that opens this run in this language stays, whatever its view. A fragment that is too long leaves the bar empty.
func (s *Session) UpdateAddress() (fragment string, changed bool) {
	now := s.Link()
	if was, err := sharing.Decode(s.address, shipped); err == nil && sameRecording(was.Recording, now.Recording) && sameRecording(was.Other, now.Other) && was.Draft == now.Draft && was.Lang == now.Lang {
		return s.address, false
	}
	fragment, err := sharing.Encode(now)
	if err != nil || len(fragment) > addressMax {
		fragment = ""
	}
	changed = fragment != s.address
	s.address = fragment
	return fragment, changed
}

// Title names the run in the text of a link.
func (s *Session) Title() string {
	if s.run != nil && s.run.Scenario().Title.En != "" {
		return s.lang.In(s.run.Scenario().Title)
	}
	return s.lang.Say("share-untitled")
}
