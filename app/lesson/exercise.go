package lesson

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
)

// exercise is how an exercise goes.
type exercise struct {
	Goals  []goal // at the cursor; none: no exercise
	Result string // what the whole run does; empty before the learner did something
	Solved bool
	Hint   bool // it is shown
}

// goal is how a goal is met.
type goal struct {
	State  engine.GoalState
	Missed string // since when, and what the run shows
}

// exercise reads the goals of the run.
func (p *Panel) exercise(hinted bool) (x exercise) {
	s := p.s
	for i, state := range s.Lesson.Goals() {
		g := goal{State: state}
		if state == engine.GoalMissed {
			at, got := s.Lesson.Missed(i)
			g.Missed = cursor.Clock(at) + got
		}
		x.Goals = append(x.Goals, g)
	}
	x.Hint = hinted
	if len(x.Goals) == 0 || !s.Lesson.Tried() {
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
	goals := l.Exercise.Goals
	list := app.Elem("ul").Class("goals").Hidden(len(goals) == 0).DataSet("act", "goals").Aria("label", l.Lang.Say("goals"))
	return list.Body(app.Range(goals).Slice(func(i int) app.UI {
		sign, text := "○ ", l.Lang.In(l.Scenario.Goals[i].Text)
		switch goals[i].State {
		case engine.GoalMet:
			sign = "✓ "
		case engine.GoalMissed:
			sign, text = "✗ ", l.Lang.Say("goal-missed", text, goals[i].Missed)
		}
		return app.Elem("li").DataSet("act", "goal").DataSet("state", string(goals[i].State)).Text(sign + text)
	}))
}

// hint opens the diagnosis, which an exercise keeps closed.
func (l *Strip) hint() app.UI {
	return &parts.Button{Act: "hint", Class: "button", Text: l.Lang.Say("hint"), Title: l.Lang.Say("hint-is"), Do: act.Hint, Value: true}
}

// questionForm takes an answer before the run continues: a number, or one of several choices. While it is there, the chart hides what comes
// after the cursor (lesson.css).
type questionForm struct {
	app.Compo

	Lang lang.Lang
	Ask  *scenario.Ask // nil: no question
	Most int
	Seed uint64 // of the run: it decides the order of the choices

	of    *scenario.Ask // whose answer guess is
	guess int
	moved bool
}

// Render draws a button for each choice, or a slider for the number.
func (q *questionForm) Render() app.UI {
	group := app.Elem("div").Class("bet").Hidden(q.Ask == nil).DataSet("act", "bet").Role("group").Aria("label", q.Lang.Say("bet"))
	if q.Ask == nil {
		return group
	}
	if all := q.Ask.Choices; len(all) > 0 {
		order := q.Ask.Order(q.Seed)
		return group.Body(app.Range(all).Slice(func(i int) app.UI { return q.button("bet-choice", q.Lang.In(all[order[i]].Text), order[i]) }))
	}
	if q.of != q.Ask {
		q.of, q.guess, q.moved = q.Ask, q.Most/2, false
	}
	answer := q.button("bet-answer", q.Lang.Say("bet-answer", q.guess), q.guess)
	if !q.moved { // where the slider begins is no answer
		answer.Off, answer.Text = true, q.Lang.Say("bet-move")
	}
	return group.Body(
		app.ElemSelfClosing("input").Attr("type", "range").Attr("min", 0).Attr("max", q.Most).Attr("step", 1).Attr("value", q.guess).
			DataSet("act", "bet-guess").DataSet("guess", q.guess).Aria("label", q.Lang.Say("bet")).Aria("valuetext", q.Lang.Say("n-pods", q.guess)).OnInput(q.onInput),
		answer,
	)
}

func (q *questionForm) button(name, text string, answer int) *parts.Button {
	return &parts.Button{Act: name, Class: "button", Text: text, Do: act.Bet, Value: answer}
}

func (q *questionForm) onInput(ctx app.Context, _ app.Event) {
	if n, err := strconv.Atoi(browser.InputValue(ctx)); err == nil {
		q.guess, q.moved = n, true
	}
}
