package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
)

// exercise is the list of goals of an exercise, as they stand at the cursor, and how the whole run does. It holds only what can be
// compared.
type exercise struct {
	Goals  int
	States [goalsMax]engine.GoalState // at the cursor
	Met    int                        // by the whole run; -1 before the learner did something, or while it is computed
	Tried  bool
	Solved bool
	Hint   bool // it is shown
}

// goalsMax is how many goals the page shows.
const goalsMax = 8

// exercise reads the goals of the run. Goals is 0 where there is no exercise.
func (p *page) exercise() (x exercise) {
	s := p.s
	x.Goals = copy(x.States[:], s.Goals())
	if x.Goals == 0 {
		return x
	}
	x.Tried, x.Solved, x.Hint, x.Met = s.Tried(), s.Solved(), p.stage.Hinted(), -1
	if x.Tried && s.Finished() {
		x.Met = 0
		for _, state := range s.Run().Goals(s.End()) {
			if state == engine.GoalMet {
				x.Met++
			}
		}
	}
	return x
}

// text is what the strip says once the run is the learner's.
func (x *exercise) text(l lang.Lang) string {
	switch {
	case x.Solved:
		return l.Say("exercise-solved")
	case x.Met >= 0:
		return l.Say("exercise-result", x.Met, x.Goals)
	}
	return l.Say("exercise-trying")
}

// goalMarks are the signs of the states, goalWords what a screen reader says.
var (
	goalMarks = map[engine.GoalState]string{engine.GoalOpen: "○", engine.GoalMet: "✓", engine.GoalMissed: "✗"}
	goalWords = map[engine.GoalState]lang.Message{engine.GoalOpen: "goal-open", engine.GoalMet: "goal-met", engine.GoalMissed: "goal-missed"}
)

// goals draws the list.
func (l *lessonStrip) goals() app.UI {
	if l.Exercise.Goals == 0 {
		return app.Elem("ul").Hidden(true)
	}
	all := l.Scenario.Goals[:l.Exercise.Goals]
	return app.Elem("ul").Class("goals").Hidden(false).DataSet("act", "goals").Aria("label", l.Lang.Say("goals")).Body(
		app.Range(all).Slice(func(i int) app.UI {
			state := l.Exercise.States[i]
			return app.Elem("li").DataSet("act", "goal").DataSet("state", string(state)).Body(
				app.Elem("span").Class("goal-mark").Aria("hidden", "true").Text(goalMarks[state]),
				app.Elem("span").Text(l.Lang.In(all[i].Text)),
				app.Elem("span").Class("sr-only").Text(l.Lang.Say(goalWords[state])),
			)
		}))
}

// hint opens the diagnosis, which an exercise keeps closed.
func (l *lessonStrip) hint() app.UI {
	if l.Exercise.Goals == 0 || l.Exercise.Hint {
		return app.Elem("span").Hidden(true)
	}
	return &parts.Button{Act: "hint", Class: "button", Text: l.Lang.Say("hint"), Title: l.Lang.Say("hint-is"), Do: act.Hint, Value: true}
}
