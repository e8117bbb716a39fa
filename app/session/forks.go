package session

import (
	"slices"

	"github.com/rollplay/rollplay/engine"
)

// Fork is a recording that the session has left: by acting in its past, by undo, or for another text.
type Branch struct {
	Origin
	Rec             engine.Recording
	applied, Preset string // of the session, when it was left
	Records         int    // how far it got
	End             int64
	Done            bool // it was computed to its end
}

// forksMax bounds the forks that are kept.
const branchesMax = 20

// leave keeps the present recording among the forks, unless the next one only continues it, and says whether it did. The next
// one is not a fork any longer.
func (b *Branches) leave(next engine.Recording) (left bool) {
	kept := make([]Branch, 0, len(b.list)+1)
	if r := b.computed.Latest(); b.computed.rec.Scenario != "" && !sameRecording(b.computed.rec, next) && (r == nil || !continues(b.computed.rec, r, next)) {
		left = true
		b.present.Score = b.scoreNow(r)
		kept = append(kept, b.asLeft())
	}
	var back Origin // of a recording that was left before
	for _, f := range b.list {
		if sameRecording(f.Rec, next) {
			back = f.Origin
		} else if len(kept) < branchesMax && !sameRecording(f.Rec, b.computed.rec) {
			kept = append(kept, f)
		}
	}
	b.list = kept
	b.enter(next, back, left)
	return left
}

// asFork is the present recording as a fork.
func (b *Branches) asLeft() Branch {
	f := Branch{Origin: b.present, Rec: b.computed.rec, applied: b.document.applied, Preset: b.document.Preset}
	if r := b.computed.Latest(); r != nil {
		f.Records, f.End, f.Done = r.Len(), r.Now(), r.Done()
	}
	return f
}

// continues says whether next is the recording of run with more commands, all after its end: then next has everything that
// there was to see.
func continues(rec engine.Recording, run *engine.Run, next engine.Recording) bool {
	n := len(rec.Commands)
	if !run.Done() || len(next.Commands) < n || !sameRecording(rec, engine.Recording{Scenario: next.Scenario, Commands: next.Commands[:n]}) {
		return false
	}
	for _, c := range next.Commands[n:] {
		if c.At < run.Now() {
			return false
		}
	}
	return true
}

// sameRecording says whether two recordings give the same run.
func sameRecording(a, b engine.Recording) bool {
	return a.Scenario == b.Scenario && slices.Equal(a.Commands, b.Commands)
}

// SwitchTo makes the branch with an ID the recording and leaves the cursor where it is. A text edited since then stays.
func (s *Session) SwitchTo(id int) {
	i := s.Branches.indexOf(id)
	if i < 0 {
		return
	}
	f, before := s.Branches.list[i], s.present()
	if !s.start(f.Rec) {
		return
	}
	if !s.Document.Dirty() {
		s.Document.Set(f.applied)
	}
	s.Document.applied, s.Document.Preset, s.Visit.Notice = f.applied, f.Preset, Notice{}
	s.remember(before)
	s.Visit.Say(s.Visit.Lang.Say("run-other"))
}

// OnlyIn returns the commands of a that b does not have.
func OnlyIn(a, b []engine.Command) []engine.Command {
	var only []engine.Command
	used := make([]bool, len(b))
next:
	for _, c := range a {
		for i := range b {
			if !used[i] && b[i] == c {
				used[i] = true
				continue next
			}
		}
		only = append(only, c)
	}
	return only
}

// savedFork is a fork as the browser keeps it. Texts are numbers in a list of texts, because many forks share one.
type savedBranch struct {
	Scenario int              `json:"scenario"`
	Applied  int              `json:"applied"`
	Preset   string           `json:"preset,omitempty"`
	Commands []engine.Command `json:"commands,omitempty"`
	Records  int              `json:"records"`
	End      int64            `json:"end"`
	Done     bool             `json:"done,omitempty"`
	Branch   *Origin          `json:"branch,omitempty"` // nil in what an older page has saved
}

// forksBytes is roughly what saved forks may take: a browser gives a site a few MB for everything.
const branchesBytes = 200_000

// saveForks returns the newest forks that fit, and their texts.
func saveBranches(forks []Branch) (saved []savedBranch, texts []string) {
	room := branchesBytes
	for _, f := range forks {
		more := texts
		out := savedBranch{Preset: f.Preset, Commands: f.Rec.Commands, Records: f.Records, End: f.End, Done: f.Done, Branch: &f.Origin}
		out.Scenario, more = shareText(more, f.Rec.Scenario)
		out.Applied, more = shareText(more, f.applied)
		room -= 300
		for _, text := range more[len(texts):] {
			room -= len(text)
		}
		for _, c := range f.Rec.Commands {
			room -= len(c.Run) + len(c.Apply) + len(c.Do) + 30
		}
		if room < 0 {
			break
		}
		saved, texts = append(saved, out), more
	}
	return saved, texts
}

// shareText returns the number of a text in a list, which it adds if it is missing.
func shareText(texts []string, text string) (int, []string) {
	if i := slices.Index(texts, text); i >= 0 {
		return i, texts
	}
	return len(texts), append(texts, text)
}

// restoreForks reverses saveForks and leaves out what is damaged.
func restoreBranches(saved []savedBranch, texts []string) []Branch {
	var forks []Branch
	for _, f := range saved {
		if f.Scenario < 0 || f.Scenario >= len(texts) || f.Applied < 0 || f.Applied >= len(texts) || len(forks) == branchesMax {
			continue
		}
		out := Branch{
			Rec:     engine.Recording{Scenario: texts[f.Scenario], Commands: restoreCommands(f.Commands)},
			applied: texts[f.Applied], Preset: f.Preset, Records: f.Records, End: f.End, Done: f.Done,
		}
		if f.Branch != nil {
			out.Origin = *f.Branch
		}
		forks = append(forks, out)
	}
	return forks
}
