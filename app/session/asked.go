package session

import (
	"slices"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
)

// What the regions of the page ask to draw themselves.

// Run is what the page shows: the last good run, nil until a text has started.
func (s *Session) Run() *engine.Run { return s.run }

// Finished says that the run which the page shows is that of the recording, and computed to its end.
func (s *Session) Finished() bool { return s.run != nil && s.next == nil && s.run.Done() }

// Runs counts the runs that were shown, so that a chart knows when it shows another one.
func (s *Session) Runs() int { return s.runs }

// Starts counts the recordings that were started: what is to be saved has changed, even if its run is not shown yet.
func (s *Session) Starts() int { return s.starts }

// Recording is the present scenario with its commands. Its run may still be behind the one that is shown.
func (s *Session) Recording() engine.Recording { return s.rec }

// Cursor is where on the run the person looks.
func (s *Session) Cursor() cursor.Cursor { return s.cursor }

// Text is the editor's, Diagnostics what is wrong with it, and Notice what came of the last action.
func (s *Session) Text() string                     { return s.text }
func (s *Session) Diagnostics() []engine.Diagnostic { return s.diags }
func (s *Session) Notice() Notice                   { return s.notice }

// Said is what is read out.
func (s *Session) Said() string { return s.said }

// Preset is the shipped scenario that the run started from; empty for a text of one's own.
func (s *Session) Preset() string { return s.preset }

// Address is the fragment of the address bar: the link that is there, empty for none.
func (s *Session) Address() string { return s.address }

// Lang is the language of the page.
func (s *Session) Lang() lang.Lang { return s.lang }

// Playing says that the cursor moves by itself, Calm that it never does.
func (s *Session) Playing() bool { return s.playing }
func (s *Session) Calm() bool    { return s.calm }

// Speed is an index of Speeds, Step what one step goes over, and Loop the section that is played over and over.
func (s *Session) Speed() int     { return s.speed }
func (s *Session) Step() StepUnit { return s.step }
func (s *Session) Loop() Loop     { return s.loop }

// Touched says that the person did something worth saving.
func (s *Session) Touched() bool { return s.touched }

// Forks are the recordings that were left, newest first.
func (s *Session) Forks() []Fork { return slices.Clone(s.forks) }
