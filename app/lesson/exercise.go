package lesson

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
)

// exercise is how an exercise goes. It holds only what can be compared.
type exercise struct {
	States string // of the goals at the cursor, one after the other, missed ones with @ and since when; empty: no exercise
	Result string // what the whole run does; empty before the learner did something
	Solved bool
	Hint   bool // it is shown
}

// exercise reads the goals of the run.
func (p *Panel) exercise(hinted bool) (x exercise) {
	s := p.s
	for i, state := range s.Lesson.Goals() {
		if x.States += string(state); state == engine.GoalMissed {
			x.States += "@" + cursor.Clock(s.Lesson.MissedSince(i))
		}
		x.States += " "
	}
	x.Hint = hinted
	if x.States == "" || !s.Lesson.Tried() {
		return x
	}
	x.Result, x.Solved = s.Lang().Say("exercise-trying"), s.Lesson.Solved()
	switch met, all := s.Lesson.Verdict(); {
	case x.Solved:
		x.Result = s.Lang().Say("exercise-solved")
	case all > 0:
		x.Result = s.Lang().Say("exercise-result", met, all)
	}
	return x
}

// goals draws the list, with a sign for each state.
func (l *Strip) goals() app.UI {
	list := app.Elem("ul").Class("goals").Hidden(l.Exercise.States == "").DataSet("act", "goals").Aria("label", l.Lang.Say("goals"))
	if l.Exercise.States == "" {
		return list
	}
	states := strings.Fields(l.Exercise.States)
	return list.Body(app.Range(states).Slice(func(i int) app.UI {
		sign, text := "○ ", l.Lang.In(l.Scenario.Goals[i].Text)
		state, since, _ := strings.Cut(states[i], "@")
		switch engine.GoalState(state) {
		case engine.GoalMet:
			sign = "✓ "
		case engine.GoalMissed:
			sign, text = "✗ ", l.Lang.Say("goal-missed", text, since)
		}
		return app.Elem("li").DataSet("act", "goal").DataSet("state", state).Text(sign + text)
	}))
}

// hint opens the diagnosis, which an exercise keeps closed.
func (l *Strip) hint() app.UI {
	if l.Exercise.States == "" || l.Exercise.Hint {
		return app.Elem("span").Hidden(true)
	}
	return &parts.Button{Act: "hint", Class: "button", Text: l.Lang.Say("hint"), Title: l.Lang.Say("hint-is"), Do: act.Hint, Value: true}
}
