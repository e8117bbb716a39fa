package session

import (
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/words"
)

// Branches are the recordings that a person has left, the present one among them, and the one compared with.
type Branches struct {
	Changes int // raised when a branch, a name or the comparison changes

	branchSet
	unrelated bool
	compared  compared

	visit    *Visit
	computed *Run
	reading  *Reading
	document *Document
}

// branchSet is the branches of a document.
type branchSet struct {
	list    []Branch
	present Origin
	made    int // how many there have been
}

// Origin is where a branch comes from, with its name and its score. The present recording has one, too.
type Origin struct {
	ID     int    `json:"id"`               // from 1, in the order in which they began
	Tree   int    `json:"tree"`             // those that come from one start have the same
	Parent int    `json:"parent,omitempty"` // the branch that it left, 0 for the first of its tree
	From   int64  `json:"from,omitempty"`   // where it left it, in virtual ms
	Name   string `json:"name,omitempty"`   // that a person gave it
	Score  Score  `json:"score,omitzero"`   // when it was left
}

// related ends the start of something unrelated.
func (b *Branches) related() { b.unrelated = false }

// enter makes the branch of the next recording the present one: the one that it had, the present one if it only continues, or a
// new one.
func (b *Branches) enter(next engine.Recording, back Origin, left bool) {
	switch {
	case back.ID > 0:
		b.present = back
	case left || b.present.ID == 0:
		b.made++
		o := Origin{ID: b.made, Tree: b.made}
		if left && b.sameTree(next) {
			o.Tree, o.Parent, o.From = b.present.Tree, b.present.ID, max(0, b.computed.rec.PartsFrom(next))
		}
		b.present = o
	}
}

// sameTree says whether a recording is a variant of the present one: commands were added or removed, or the text was changed but
// is about the same objects.
func (b *Branches) sameTree(next engine.Recording) bool {
	return !b.unrelated && (next.Scenario == b.computed.rec.Scenario || b.computed.library.Read(next.Scenario).SharesObject(b.computed.library.Read(b.computed.rec.Scenario)))
}

// BranchRow is a branch as the page lists it.
type BranchRow struct {
	Origin
	Title   string
	Index   int  // its index among the branches, -1 for the present recording
	Compare bool // it stands beside the present one, with its figures
}

// Rows lists the branches of the present tree in the order in which they began.
func (b *Branches) Rows() []BranchRow {
	if b.computed.rec.Scenario == "" {
		return nil
	}
	rows := []BranchRow{{Origin: b.present, Title: b.title(b.asLeft()), Index: -1}}
	for i := range b.list {
		if f := &b.list[i]; f.Tree == b.present.Tree {
			rows = append(rows, BranchRow{f.Origin, b.title(f), i, b.compared.figures && sameRecording(b.compared.rec, f.Rec)})
		}
	}
	sort.SliceStable(rows, func(i, k int) bool { return rows[i].ID < rows[k].ID })
	return rows
}

// commandsNamed is how many commands the name of a branch has.
const commandsNamed = 2

// title is the name that a person gave a branch, or else what the last of its own commands do.
func (b *Branches) title(f *Branch) string {
	if f.Name != "" {
		return f.Name
	}
	own := slices.DeleteFunc(slices.Clone(f.Rec.Commands), func(c engine.Command) bool { return c.At < f.From })
	if len(own) == 0 {
		own = f.Rec.Commands
	}
	n := len(own)
	if n == 0 && f.Parent > 0 && f.Rec.Scenario != b.rootText(f.Tree) {
		return b.visit.Lang.Say("branch-edited")
	}
	if n == 0 {
		return b.visit.Lang.Say("branch-first")
	}
	brief := func(c engine.Command) string { return command.Brief(c.Run+c.Do, c.Apply != "") }
	name := words.Join(own[max(0, n-commandsNamed):], ", ", brief)
	if n > commandsNamed {
		name = "… " + name
	}
	return name
}

// rootText is the text of the oldest branch of a tree that is still there.
func (b *Branches) rootText(tree int) string {
	root := b.asLeft()
	for i := range b.list {
		if f := &b.list[i]; f.Tree == tree && (root.Tree != tree || f.ID < root.ID) {
			root = f
		}
	}
	return root.Rec.Scenario
}

// nameMax bounds a name that a person gives.
const nameMax = 40

// Rename gives a branch a name; an empty one gives it back the one that it has from its commands.
func (b *Branches) Rename(id int, name string) {
	r := []rune(strings.Join(strings.Fields(name), " "))
	name = string(r[:min(len(r), nameMax)])
	o := &b.present
	if i := b.indexOf(id); i >= 0 {
		o = &b.list[i].Origin
	}
	if o.ID != id {
		return
	}
	o.Name, b.visit.Touched = name, true
	b.Changes++
	b.visit.Say(b.visit.Lang.Say("branch-renamed"))
}

// with is the branch with a recording, nil if there is none.
func (b *Branches) with(rec engine.Recording) *Branch {
	if i := slices.IndexFunc(b.list, func(f Branch) bool { return sameRecording(f.Rec, rec) }); i >= 0 {
		return &b.list[i]
	}
	return nil
}

// indexOf is the index of the branch with an ID, -1 if there is none.
func (b *Branches) indexOf(id int) int {
	return slices.IndexFunc(b.list, func(f Branch) bool { return f.ID == id })
}

// DeleteBranch forgets a branch. Undo brings it back.
func (s *Session) DeleteBranch(id int) {
	i := s.Branches.indexOf(id)
	if i < 0 {
		return
	}
	f := s.Branches.list[i]
	s.Branches.toggle(&f)
	s.Visit.Touched = true
	s.History.past, s.History.future = append(s.History.past, step{deleted: &f}), nil
	s.Visit.Say(s.Visit.Lang.Say("branch-deleted", s.Branches.title(&f)))
}

// toggle removes a branch, or brings it back. One that has become the present recording meanwhile stays what it is.
func (b *Branches) toggle(f *Branch) {
	b.Changes++
	if i := b.indexOf(f.ID); i >= 0 {
		b.list = slices.Delete(slices.Clone(b.list), i, i+1)
		if sameRecording(b.compared.rec, f.Rec) {
			b.setCompared(compared{})
		}
		return
	}
	if f.ID != b.present.ID && !sameRecording(f.Rec, b.computed.rec) {
		b.list = slices.Insert(slices.Clone(b.list), 0, *f)
		b.list = b.list[:min(len(b.list), branchesMax)]
	}
}

// number numbers the branches of a saved session; an older page gave them no numbers.
func (b *Branches) number(v *saved) {
	if b.made = v.Branches; v.Branch.ID > 0 {
		b.present = v.Branch
	}
	number := func(o *Origin) {
		if o.ID > 0 {
			b.made = max(b.made, o.ID)
			return
		}
		b.made++
		o.ID, o.Tree = b.made, b.made
	}
	number(&b.present)
	for i := range b.list {
		number(&b.list[i].Origin)
	}
}

// List are the recordings that were left, newest first.
func (b *Branches) List() []Branch { return slices.Clone(b.list) }

// Branch is a recording that the session has left: by acting in its past, by undo, or for another text.
type Branch struct {
	Origin
	Rec             engine.Recording
	applied, Preset string // of the session, when it was left
	Extent                 // how far it got
}

// leave keeps the present recording among the branches, unless the next one only continues it, and says whether it did. The next
// one is not in the list any longer.
func (b *Branches) leave(next engine.Recording) (left bool) {
	kept := make([]Branch, 0, len(b.list)+1)
	if r := b.computed.Latest(); b.computed.rec.Scenario != "" && !sameRecording(b.computed.rec, next) && (r == nil || !continues(b.computed.rec, r, next)) {
		left = true
		b.present.Score = b.scoreNow(r)
		kept = append(kept, *b.asLeft())
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

// asLeft is the present recording as a branch that is left.
func (b *Branches) asLeft() *Branch {
	return &Branch{b.present, b.computed.rec, b.document.applied, b.document.Preset, extentOf(b.computed.Latest())}
}

// continues says whether next is the recording of run with more commands, all after its end: then next has all that there was to see.
func continues(rec engine.Recording, run *engine.Run, next engine.Recording) bool {
	n := len(rec.Commands)
	if !run.Done() || len(next.Commands) < n || !sameRecording(rec, engine.Recording{Scenario: next.Scenario, Commands: next.Commands[:n]}) {
		return false
	}
	return !slices.ContainsFunc(next.Commands[n:], func(c engine.Command) bool { return c.At < run.Now() })
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
	f := s.Branches.list[i]
	if !s.change(f.Rec) {
		return
	}
	if !s.Document.Dirty() {
		s.Document.Set(f.applied)
	}
	s.Document.applied, s.Document.Preset, s.Visit.Notice = f.applied, f.Preset, Notice{}
	s.Visit.Say(s.Visit.Lang.Say("run-other"))
}

// OnlyIn returns the commands of a that b does not have.
func OnlyIn(a, b []engine.Command) []engine.Command {
	b = slices.Clone(b)
	return slices.DeleteFunc(slices.Clone(a), func(c engine.Command) bool {
		i := slices.Index(b, c)
		if i >= 0 {
			b = slices.Delete(b, i, i+1)
		}
		return i >= 0
	})
}

// branchesMax bounds the branches that are kept.
const branchesMax = 20
