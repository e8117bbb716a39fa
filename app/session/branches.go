package session

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/engine"
)

// Branch is what is known of a recording beside its commands. The present recording has one, and so has each fork.
type Branch struct {
	ID     int    `json:"id"`               // from 1, in the order in which they began
	Tree   int    `json:"tree"`             // those that come from one start have the same
	Parent int    `json:"parent,omitempty"` // the branch that it left, 0 for the first of its tree
	From   int64  `json:"from,omitempty"`   // where it left it, in virtual ms
	Name   string `json:"name,omitempty"`   // that a person gave it
	Score  Score  `json:"score,omitzero"`   // when it was left
}

// branches is the present branch, and how the next one gets its numbers.
type branches struct {
	branch       Branch
	branchesMade int
	besides      int  // see Besides
	uprooted     bool // the next recording is no change of the present one: another scenario, a link
}

// rooted ends the start of something else.
func (s *Session) rooted() { s.uprooted = false }

// enterBranch makes the branch of the next recording the present one: the one that it had, the present one if it only continues, or a
// new one.
func (s *Session) enterBranch(next engine.Recording, back Branch, left bool) {
	switch {
	case back.ID > 0:
		s.branch = back
	case left || s.branch.ID == 0:
		s.branchesMade++
		b := Branch{ID: s.branchesMade, Tree: s.branchesMade}
		if left && s.sameTree(next) {
			b.Tree, b.Parent, b.From = s.branch.Tree, s.branch.ID, partsAt(s.rec, next)
		}
		s.branch = b
	}
}

// sameTree says whether a recording is a variant of the present one: commands were added or removed, or the text was changed but
// is about the same objects.
func (s *Session) sameTree(next engine.Recording) bool {
	return !s.uprooted && (next.Scenario == s.rec.Scenario || s.library.Read(next.Scenario).SharesObject(s.library.Read(s.rec.Scenario)))
}

// partsAt is the time of the first command that two recordings do not share, 0 if their texts differ.
func partsAt(a, b engine.Recording) int64 {
	if a.Scenario != b.Scenario {
		return 0
	}
	n := 0
	for n < len(a.Commands) && n < len(b.Commands) && a.Commands[n] == b.Commands[n] {
		n++
	}
	switch {
	case n < len(a.Commands) && n < len(b.Commands):
		return min(a.Commands[n].At, b.Commands[n].At)
	case n < len(a.Commands):
		return a.Commands[n].At
	case n < len(b.Commands):
		return b.Commands[n].At
	}
	return 0
}

// Shown is a branch as the page lists it.
type Shown struct {
	Branch
	Title   string
	Fork    int  // its index among the forks, -1 for the present recording
	Compare bool // it stands beside the present one, with its figures
}

// Branches lists the branches of the present tree in the order in which they began.
func (s *Session) Branches() []Shown {
	if s.rec.Scenario == "" {
		return nil
	}
	all := []Shown{{Branch: s.branch, Title: s.title(&s.branch, s.rec), Fork: -1}}
	for i := range s.forks {
		if f := &s.forks[i]; f.Tree == s.branch.Tree {
			all = append(all, Shown{f.Branch, s.title(&f.Branch, f.Rec), i, s.beside.open && sameRecording(s.beside.rec, f.Rec)})
		}
	}
	slices.SortFunc(all, func(a, b Shown) int { return a.ID - b.ID })
	return all
}

// ForkTitle names the i-th fork.
func (s *Session) ForkTitle(i int) string { return s.title(&s.forks[i].Branch, s.forks[i].Rec) }

// commandsNamed is how many commands the name of a branch has.
const commandsNamed = 2

// title is the name that a person gave a branch, or else what the last of its own commands do.
func (s *Session) title(b *Branch, rec engine.Recording) string {
	if b.Name != "" {
		return b.Name
	}
	own := slices.DeleteFunc(slices.Clone(rec.Commands), func(c engine.Command) bool { return c.At < b.From })
	if len(own) == 0 {
		own = rec.Commands
	}
	n := len(own)
	if n == 0 && b.Parent > 0 && rec.Scenario != s.rootText(b.Tree) {
		return s.lang.Say("branch-edited")
	}
	if n == 0 {
		return s.lang.Say("branch-first")
	}
	var words []string
	for _, c := range own[max(0, n-commandsNamed):] {
		words = append(words, command.Brief(c.Run+c.Do, c.Apply != ""))
	}
	name := strings.Join(words, ", ")
	if n > commandsNamed {
		name = "… " + name
	}
	return name
}

// rootText is the text of the oldest branch of a tree that is still there.
func (s *Session) rootText(tree int) string {
	id, text := 0, ""
	take := func(b *Branch, rec engine.Recording) {
		if b.Tree == tree && (id == 0 || b.ID < id) {
			id, text = b.ID, rec.Scenario
		}
	}
	take(&s.branch, s.rec)
	for i := range s.forks {
		take(&s.forks[i].Branch, s.forks[i].Rec)
	}
	return text
}

// nameMax bounds a name that a person gives.
const nameMax = 40

// Rename gives a branch a name; an empty one gives it back the one that it has from its commands.
func (s *Session) Rename(id int, name string) {
	r := []rune(strings.Join(strings.Fields(name), " "))
	name = string(r[:min(len(r), nameMax)])
	b := &s.branch
	if i := s.forkWith(id); i >= 0 {
		b = &s.forks[i].Branch
	}
	if b.ID != id {
		return
	}
	b.Name, s.touched = name, true
	s.starts++ // it is worth saving
	s.Say(s.lang.Say("branch-renamed"))
}

// forkWith is the index of the fork with an ID, -1 if there is none.
func (s *Session) forkWith(id int) int {
	return slices.IndexFunc(s.forks, func(f Fork) bool { return f.ID == id })
}

// SwitchToBranch shows the branch with an ID.
func (s *Session) SwitchToBranch(id int) { s.SwitchTo(s.forkWith(id)) }

// DeleteBranch forgets a fork. Undo brings it back.
func (s *Session) DeleteBranch(id int) {
	i := s.forkWith(id)
	if i < 0 {
		return
	}
	f := s.forks[i]
	s.toggleFork(&f)
	s.touched = true
	s.past, s.future = append(s.past, state{fork: &f}), nil
	s.Say(s.lang.Say("branch-deleted", s.title(&f.Branch, f.Rec)))
}

// toggleFork removes a fork, or brings it back. One that has become the present recording meanwhile stays what it is.
func (s *Session) toggleFork(f *Fork) {
	s.starts++ // it is worth saving
	if i := s.forkWith(f.ID); i >= 0 {
		s.forks = slices.Delete(slices.Clone(s.forks), i, i+1)
		if sameRecording(s.beside.rec, f.Rec) {
			s.setBeside(beside{})
		}
		return
	}
	if f.ID != s.branch.ID && !sameRecording(f.Rec, s.rec) {
		s.forks = slices.Insert(slices.Clone(s.forks), 0, *f)
		s.forks = s.forks[:min(len(s.forks), forksMax)]
	}
}

// restoreBranches numbers the branches of a saved session; an older page gave them no numbers.
func (s *Session) restoreBranches(v *saved) {
	if s.branchesMade = v.Branches; v.Branch.ID > 0 {
		s.branch = v.Branch
	}
	number := func(b *Branch) {
		if b.ID > 0 {
			s.branchesMade = max(s.branchesMade, b.ID)
			return
		}
		s.branchesMade++
		b.ID, b.Tree = s.branchesMade, s.branchesMade
	}
	number(&s.branch)
	for i := range s.forks {
		number(&s.forks[i].Branch)
	}
}
