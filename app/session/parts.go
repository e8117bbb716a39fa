package session

import (
	"slices"
	"time"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/terminal"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
)

// Visit is what holds for the whole visit: the language, and what the page tells the person.
type Visit struct {
	Lang    lang.Lang
	Calm    bool   // the person asked for less motion
	Notice  Notice // above the editor
	Said    string // for the live region
	Touched bool   // the person did something that a reload must show again
	Address string // the link in the address bar, "" for none

	langChosen bool // by the person or by a link, so that links keep it
}

// Run is the recording, and what is computed of it so far.
type Run struct {
	Number  int // counts the runs shown, so that a chart knows when to start over
	Started int // counts the recordings, whose runs may not be shown yet

	rec    engine.Recording
	shown  *engine.Run // the last good run; nil until a text started
	next   *engine.Run // the run of rec while it is behind the cursor; it replaces shown when it has caught up
	chosen string      // the workload that a person chose; empty: the first one

	now    func() time.Time // nil means no clock
	worked time.Duration    // spent on computing, for this many records
	made   int
	sizing sizing
	ended  *engine.Run // the last run whose early end was announced

	visit   *Visit
	library *scenario.Library
}

// Reading is what the page reads from the run that is shown: lists, reasons, verdicts and figures, each computed once.
type Reading struct {
	index   index
	moments moments
	judged  judged
	scorer  scorer
	why     whyCache

	visit    *Visit
	computed *Run
}

// Cursor is the position on the run, and how it moves.
type Cursor struct {
	cursor.Place
	Playing bool
	Speed   int // index in Speeds
	Step    StepUnit
	Loop    Loop
	Guide   Guide

	looked    looked
	frac      float64 // the part of a virtual ms that Tick has not spent yet
	goal      int64   // where the cursor moves when the run is computed up to there; -1 for nowhere
	fresh     bool    // the run has just started to play by itself
	announced announced

	visit    *Visit
	computed *Run
	reading  *Reading
}

// Document is the text of the editor, and where it comes from.
type Document struct {
	Text        string
	Diagnostics []engine.Diagnostic
	Preset      string // the shipped scenario that the run started from; empty for a text of one's own

	applied string // the text that was last started or applied
	linked  string // the text that a link brought

	visit    *Visit
	computed *Run
}

// Draft is the draft that the browser keeps of what is shown; see draft.go.
type Draft struct {
	kept     *keptDraft
	offering bool // what to do with a pasted text

	visit    *Visit
	computed *Run
	document *Document
	branches *Branches
}

// Lesson is the way through the captions, questions and goals of a scenario.
type Lesson struct {
	edit    lessonEdit // what was found out about the run's lesson
	answers answers
	verdict verdict

	visit    *Visit
	computed *Run
	cursor   *Cursor
	document *Document
}

// Prompt is the kubectl prompt.
type Prompt struct {
	terminal terminal.Terminal
	editAt   int // a line of the editor that is to be shown, 0 for none

	visit    *Visit
	computed *Run
	cursor   *Cursor
	reading  *Reading
}

// History is what undo and redo return to, and the commands that wait for the run.
type History struct {
	past, future []step
	waiting      []order
	answerAt     int64
}

// Unfinished remembers what a page was computing when it died, so that the next visit does not die of it, too.
type Unfinished struct {
	Mark    func(mark string)
	Suspect string
	halted  halted
}

// step is what undo returns to: the page as it was before an action.
type step struct {
	rec                   engine.Recording
	text, applied, preset string
	draft                 *keptDraft
	branches              leftBranches
	deleted               *Branch // the rest is empty then
}

// Branches are the recordings that a person has left, the present one among them, and the one compared with.
type Branches struct {
	Changes int // raised when a branch, a name or the comparison changes

	list      []Branch
	present   Origin
	made      int
	unrelated bool
	compared  compared

	visit    *Visit
	computed *Run
	reading  *Reading
	document *Document
}

// Run is what the page shows: the last good run, nil until a text has started.
func (s *Session) Run() *engine.Run { return s.Computed.shown }

// End is the virtual ms that the shown run has been computed to.
func (s *Session) End() int64 { return s.Computed.End() }

// Workload is the name of the workload that the controls act on and the chart draws.
func (s *Session) Workload() string { return s.Computed.Workload() }

// Recording is the present scenario with its commands. Its run may still be behind the one that is shown.
func (s *Session) Recording() engine.Recording { return s.Computed.rec }

// Lang is the language of the page.
func (s *Session) Lang() lang.Lang { return s.Visit.Lang }

// Finished says that the run which the page shows is that of the recording, and computed to its end.
func (c *Run) Finished() bool { return c.shown != nil && c.next == nil && c.shown.Done() }

// List are the recordings that were left, newest first.
func (b *Branches) List() []Branch { return slices.Clone(b.list) }
