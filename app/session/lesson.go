package session

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// Lesson is the way through the captions, questions and goals of a scenario. Captions are sentences for moments of its run. Going through
// them moves the cursor to these moments, so that needs no state: the cursor says which caption applies.
type Lesson struct {
	edit    lessonEdit // what was found out about the run's lesson
	answers answers
	verdict Memo[*engine.Run, []engine.GoalState] // the goals of a whole run, because the page asks in each frame
	missed  Memo[*engine.Run, map[int]int64]      // since when the goals of a run are missed
	watched string                                // the text that plays without stops and questions, because somebody wants to watch

	visit    *Visit
	computed *Run
	cursor   *Cursor
	document *Document
}

// captions are those of the run by their moments, nil without a run.
func (l *Lesson) captions() []scenario.Caption {
	if l.computed.shown == nil {
		return nil
	}
	return l.computed.shown.Scenario().Captions
}

// Caption is the index of the caption at the cursor, -1 before the first caption and without a lesson.
func (l *Lesson) Caption() int {
	all := l.captions()
	return sort.Search(len(all), func(i int) bool { return all[i].At > l.cursor.T }) - 1
}

// Outdated says that the person has given commands before the cursor, or has edited the lesson's text, so that the captions may no
// longer say what happens.
func (l *Lesson) Outdated() bool { return l.computed.commandBefore(l.cursor.T) || l.Edited() }

// lessonEdit remembers of a run whether it has the captions of a shipped lesson above another text.
type lessonEdit struct {
	of     *engine.Run
	edited bool
	try    *scenario.Try // the lesson prepared this edit; nil: it did not
}

// Edited says that the run's text is that of a shipped lesson with changes, but with the lesson's captions. With other
// captions it is a lesson of its own.
func (l *Lesson) Edited() bool {
	if l.edit.of == l.computed.shown {
		return l.edit.edited
	}
	name := l.Name()
	text := gallery.Text(name)
	if text == "" && name != "" {
		return false // until the texts are loaded
	}
	l.edit = lessonEdit{of: l.computed.shown, edited: l.hasCaptionsOf(text)}
	if t := l.computed.shown.Scenario().Try; l.edit.edited && t != nil {
		sc, _ := scenario.Parse(text)
		if sc.Try != nil && sc.Try.Apply(text) == l.computed.shown.Recording().Scenario {
			l.edit.try = sc.Try
		}
	}
	return l.edit.edited
}

// Trying is the prepared edit of the lesson that runs now, nil if none does.
func (l *Lesson) Trying() *scenario.Try {
	if l.computed.shown == nil || !l.Edited() || len(l.computed.rec.Commands) > 0 {
		return nil
	}
	return l.edit.try
}

// Try makes the edit that the lesson prepared, and plays it from the start.
func (s *Session) Try() {
	if s.Computed.shown == nil || s.Computed.shown.Scenario().Try == nil {
		return
	}
	t := s.Computed.shown.Scenario().Try
	if s.change(engine.Recording{Scenario: t.Apply(s.Computed.rec.Scenario)}) {
		s.Document.rewrite(func(text string) (string, error) { return t.Apply(text), nil })
		s.Cursor.Play()
	}
}

// hasCaptionsOf says whether the run has the captions of another text.
func (l *Lesson) hasCaptionsOf(text string) bool {
	if text == "" || l.computed.shown == nil || text == l.computed.shown.Recording().Scenario {
		return false
	}
	library := l.computed.library
	if len(l.computed.rec.Commands) > 0 && library.Read(text).AddsImages(library.Read(l.computed.rec.Scenario)) {
		return false // Break wrote how a new image behaves
	}
	sc, _ := scenario.Parse(text)
	return sc != nil && slices.EqualFunc(sc.Captions, l.captions(), scenario.Caption.Same)
}

// Name is the name of the shipped lesson that the run is or began as, "" if there is none.
func (l *Lesson) Name() string {
	if l.document.Preset != "" || l.computed.shown == nil {
		return l.document.Preset
	}
	if name := l.computed.shown.Scenario().Name; scenarios.Has(name) {
		return name
	}
	return ""
}

// Next stops at the next caption, Back at the previous one.
func (l *Lesson) Next() { l.toCaption(l.NextCaption()) }
func (l *Lesson) Back() { l.toCaption(l.PreviousCaption()) }

// NextCaption is the first caption after the cursor, or -1.
func (l *Lesson) NextCaption() int {
	if n := l.Caption() + 1; n < len(l.captions()) {
		return n
	}
	return -1
}

// PreviousCaption is the last caption of an earlier moment than the present caption's, or -1.
func (l *Lesson) PreviousCaption() int {
	all, now := l.captions(), l.Caption()
	for n := now - 1; n >= 0; n-- {
		if all[n].At < all[now].At {
			return n
		}
	}
	return -1
}

// toCaption computes the run up to a caption and stops there, or at the end of a run that ends earlier because of what the person
// did. Screen readers read the strip itself, so nothing else is said.
func (l *Lesson) toCaption(n int) {
	if n < 0 {
		return
	}
	l.cursor.SeekTo(l.captions()[n].At)
	l.cursor.Playing = false
	l.visit.Say("")
}

// NextName is the next lesson of the core, or else in the gallery; "" after the last one and for a person's own text.
func (l *Lesson) NextName() string {
	here, _, _, _ := scenarios.Asked(l.document.Preset)
	path := scenarios.Core
	if !slices.Contains(path, here) {
		path = scenarios.Names()
	}
	if i := slices.Index(path, here) + 1; 0 < i && i < len(path) {
		return path[i]
	}
	return ""
}

// lessonMax is how many records a run may have whose goals and questions are looked at: kubectl answers some of them, for as many pods
// as there are, and the page asks again and again.
const lessonMax = 10_000

// Exercise says that the run has goals that are looked at.
func (l *Lesson) Exercise() bool {
	return l.computed.shown != nil && len(l.computed.shown.Scenario().Goals) > 0 && l.computed.shown.Len() <= lessonMax
}

// Goals are those of an exercise with their states at the cursor, nil without an exercise.
func (l *Lesson) Goals() []engine.GoalState {
	if !l.Exercise() {
		return nil
	}
	return l.computed.shown.Goals(l.cursor.T)
}

// Missed is the moment from which on a goal is missed that is missed at the cursor, and what the run shows there: (available 6). A goal
// that is missed stays so.
func (l *Lesson) Missed(i int) (at int64, got string) {
	run := l.computed.shown
	since := Recall(&l.missed, run, func() map[int]int64 { return map[int]int64{} })
	at, ok := since[i]
	if !ok {
		at = int64(sort.Search(int(l.cursor.T), func(t int) bool { return run.Goals(int64(t))[i] == engine.GoalMissed }))
		since[i] = at
	}
	what, value := run.GoalGot(i, at)
	if value = strings.Join(strings.Fields(value), " "); value == "" || len(value) > 60 {
		return at, ""
	}
	if what != "" {
		value = l.visit.Lang.Say(lang.Message(what)) + " " + value
	}
	return at, " (" + value + ")"
}

// Verdict counts the goals of an exercise, and those that the whole run meets once it is computed.
func (l *Lesson) Verdict() (met, all int) {
	if !l.computed.Finished() || l.computed.shown.Len() > lessonMax {
		return 0, 0
	}
	goals := Recall(&l.verdict, l.computed.shown, func() []engine.GoalState { return l.computed.shown.Goals(l.computed.End()) })
	for _, state := range goals {
		if state == engine.GoalMet {
			met++
		}
	}
	return met, len(goals)
}

// Tried says that the learner has done something in an exercise, Solved that the whole run meets the goals of the exercise as it was written.
func (l *Lesson) Tried() bool { return len(l.computed.rec.Commands) > 0 }
func (l *Lesson) Solved() bool {
	met, all := l.Verdict()
	return all > 0 && met == all && !l.Edited()
}

// Watch lets the present text play without stops and questions.
func (l *Lesson) Watch() { l.watched = l.computed.rec.Scenario }

// stops says whether playing stops at captions.
func (l *Lesson) stops() bool { return l.cursor.Guide.Captions && l.watched != l.computed.rec.Scenario }

func (l *Lesson) nextStop() int64 {
	n := l.NextCaption()
	if n < 0 || !l.stops() || l.cursor.Loop.Set == LoopOn || l.Outdated() {
		return math.MaxInt64
	}
	return l.captions()[n].At
}

// Held says that the run stands at a caption and continues when the person has read it.
func (l *Lesson) Held() bool {
	n := l.Caption()
	return n >= 0 && l.stops() && !l.cursor.Playing && !l.cursor.AtEnd() && !l.Outdated() && l.captions()[n].At == l.cursor.T
}

// Continue continues from a caption to the next one.
func (l *Lesson) Continue() {
	if l.visit.Calm {
		l.Next()
		return
	}
	l.cursor.Play()
}
