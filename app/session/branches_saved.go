package session

import (
	"slices"

	"github.com/rollplay/rollplay/engine"
)

// savedBranch is a branch as the browser keeps it. Texts are numbers in a list of texts, because many branches share one.
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

// branchesBytes is roughly what saved branches may take: a browser gives a site a few MB for everything.
const branchesBytes = 200_000

// saveBranches returns the newest branches that fit, and their texts.
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

// restoreBranches reverses saveForks and leaves out what is damaged.
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
