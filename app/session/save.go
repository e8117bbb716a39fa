package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/terminal"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
)

// saved is the session as the browser keeps it between two visits.
type saved struct {
	Version   int              `json:"version"`
	Recording engine.Recording `json:"recording"`
	savedText
	savedCursor
	savedBranches
	Workload string          `json:"workload,omitempty"`
	Terminal *terminal.Saved `json:"terminal,omitempty"`
	Address  string          `json:"address,omitempty"`
}

// savedText is the document. A long text is kept once: Text and Applied are empty if they are the text of the recording.
type savedText struct {
	Text         string `json:"text"`
	Applied      string `json:"applied"`
	Preset       string `json:"preset,omitempty"`
	TextIsRun    bool   `json:"textIsRun,omitempty"`
	AppliedIsRun bool   `json:"appliedIsRun,omitempty"`
}

// savedCursor is the cursor, and how it plays.
type savedCursor struct {
	T      int64    `json:"t"`
	Speed  int      `json:"speed,omitempty"` // index in Speeds, as older pages kept it
	Factor float64  `json:"factor"`
	Step   StepUnit `json:"step,omitempty"`
	Loop   Loop     `json:"loop"`
}

// savedBranches are the branches with their texts, of which many share one.
type savedBranches struct {
	Forks    []savedBranch `json:"forks,omitempty"`
	Texts    []string      `json:"texts,omitempty"`
	Branch   Origin        `json:"branch,omitzero"`    // the present one
	Branches int           `json:"branches,omitempty"` // how many there were
}

const savedVersion = 1

// Save returns what a later visit restores; empty until the person does something.
func (s *Session) Save() string {
	if !s.Visit.Touched {
		return ""
	}
	d, c, b := &s.Document, &s.Cursor, &s.Branches
	forks, texts := saveBranches(b.list)
	v := saved{
		Version: savedVersion, Recording: s.Computed.rec, Workload: s.Computed.chosen,
		savedText:     savedText{Text: d.Text, Applied: d.applied, Preset: d.Preset},
		savedCursor:   savedCursor{T: c.T, Factor: Speeds[c.Speed], Step: c.Step, Loop: c.Loop},
		savedBranches: savedBranches{forks, texts, b.present, b.made},
		Terminal:      s.Prompt.terminal.Save(s.Computed.rec.Scenario), Address: s.Visit.Address,
	}
	if len(v.Recording.Scenario) >= breath.Long { // writing megabytes twice takes a while
		if v.Text == v.Recording.Scenario {
			v.Text, v.TextIsRun = "", true
		}
		if v.Applied == v.Recording.Scenario {
			v.Applied, v.AppliedIsRun = "", true
		}
	}
	return v.json()
}

// json writes the session. Long texts are written in parts, because quoting a megabyte takes longer than a frame.
func (v *saved) json() string {
	scenario, text := v.Recording.Scenario, v.Text
	if len(scenario) >= breath.Long {
		v.Recording.Scenario = ""
	}
	if len(text) >= breath.Long {
		v.Text = ""
	}
	out := string(api.JSON(v))
	if v.Recording.Scenario != scenario {
		out = fillIn(out, `"scenario":"`, scenario)
	}
	if v.Text != text {
		out = fillIn(out, `,"text":"`, text)
	}
	return out
}

// fillIn puts a text into the first empty string behind a key. Quotes within strings are escaped, so no string can look like a key.
func fillIn(out, key, text string) string {
	before, after, ok := strings.Cut(out, key+`"`)
	if !ok {
		panic("app: a session is saved without " + key)
	}
	var b strings.Builder
	b.Grow(len(out) + len(text) + len(text)/8)
	b.WriteString(before)
	b.WriteString(key)
	for part := range breath.Parts(text) {
		quoted := api.JSON(part)
		b.Write(quoted[1 : len(quoted)-1])
	}
	b.WriteByte('"')
	b.WriteString(after)
	return b.String()
}

// readSaved reads what Save returned. It reads no text in it, and computes nothing.
func readSaved(data string) (*saved, error) {
	v := &saved{}
	if err := json.Unmarshal([]byte(data), v); err != nil {
		return nil, fmt.Errorf("app: saved session: %w", err)
	}
	if v.Version != savedVersion {
		return nil, fmt.Errorf("app: saved session has version %d, want %d", v.Version, savedVersion)
	}
	if v.TextIsRun {
		v.Text = v.Recording.Scenario
	}
	if v.AppliedIsRun {
		v.Applied = v.Recording.Scenario
	}
	v.Recording.Commands = restoreCommands(v.Recording.Commands)
	return v, nil
}

func (s *Session) restore(v *saved) {
	s.Visit.Touched = true
	s.Document.Set(v.Text)
	s.Cursor.restore(v)
	s.Cursor.Place = cursor.Place{T: max(v.T, 0), Record: -1}
	if v.Recording.Scenario != "" && s.start(v.Recording) {
		s.Document.applied, s.Document.Preset, s.Computed.chosen = v.Applied, v.Preset, v.Workload
	}
	s.Branches.list = restoreBranches(v.Forks, v.Texts)
	s.Branches.number(v)
	s.Prompt.terminal.Restore(v.Terminal, v.Recording)
	s.Visit.Said, s.Visit.Address = "", v.Address
}

// restoreCommands leaves out commands from before the start, which no run can have. A moment after the end is harmless.
func restoreCommands(saved []engine.Command) []engine.Command {
	return slices.DeleteFunc(saved, func(c engine.Command) bool { return c.At < 0 })
}

// Kept is what the browser kept of an earlier visit: what Save returned, and the id of its draft if it has one.
type Kept struct {
	Draft, Data string
	Own         bool // the address is one that the draft has put there
}

func (s *Session) openKept(draft string, v *saved) {
	if v != nil {
		s.openSaved(draft, v)
		return
	}
	s.LoadScenario(FirstScenario)
	s.Visit.Said = ""
}

// Summary is what tests and curious people can ask of the session.
func (s *Session) Summary() map[string]any {
	return map[string]any{
		"t": s.Cursor.T, "end": s.Computed.End(), "record": s.Cursor.Record, "records": s.Computed.Extent().Records,
		"playing": s.Cursor.Playing, "speed": Speeds[s.Cursor.Speed], "done": s.Computed.Finished(), "commands": len(s.Computed.rec.Commands),
		"workload": s.Computed.Workload(), "dirty": s.Document.Dirty(), "errors": s.Document.Errors(), "runs": s.Computed.Number, "busy": s.Computing(), "asks": s.Computed.Asks(), "orders": len(s.History.waiting),
		"step": string(s.Cursor.Step), "loop": int(s.Cursor.Loop.Set), "forks": len(s.Branches.list), "comparing": s.Branches.Comparing() && s.Branches.compared.scored,
	}
}

// savedBranch is a branch as the browser keeps it. Texts are numbers in a list of texts, because many branches share one.
type savedBranch struct {
	Scenario int              `json:"scenario"`
	Applied  int              `json:"applied"`
	Preset   string           `json:"preset,omitempty"`
	Commands []engine.Command `json:"commands,omitempty"`
	Extent
	Branch *Origin `json:"branch,omitempty"` // nil in what an older page has saved
}

// branchesBytes is roughly what saved branches may take: a browser gives a site a few MB for everything.
const branchesBytes = 200_000

// saveBranches returns the newest branches that fit, and their texts.
func saveBranches(forks []Branch) (saved []savedBranch, texts []string) {
	room := branchesBytes
	for _, f := range forks {
		more := texts
		out := savedBranch{Preset: f.Preset, Commands: f.Rec.Commands, Extent: f.Extent, Branch: &f.Origin}
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

// restoreBranches reverses saveBranches and leaves out what is damaged.
func restoreBranches(saved []savedBranch, texts []string) []Branch {
	var forks []Branch
	for _, f := range saved {
		if f.Scenario < 0 || f.Scenario >= len(texts) || f.Applied < 0 || f.Applied >= len(texts) || len(forks) == branchesMax {
			continue
		}
		out := Branch{
			Rec:     engine.Recording{Scenario: texts[f.Scenario], Commands: restoreCommands(f.Commands)},
			applied: texts[f.Applied], Preset: f.Preset, Extent: f.Extent,
		}
		if f.Branch != nil {
			out.Origin = *f.Branch
		}
		forks = append(forks, out)
	}
	return forks
}
