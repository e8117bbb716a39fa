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

// result is what the whole run does with the goals of an exercise, "" before the learner did something and without goals.
func (p *Panel) result() string {
	if !p.s.Lesson.Exercise() || !p.s.Lesson.Tried() {
		return ""
	}
	switch met, all := p.s.Lesson.Verdict(); {
	case all == 0:
		return p.s.Lang().Say("exercise-trying")
	case met < all:
		return p.s.Lang().Say("exercise-result", met, all)
	}
	return p.s.Lang().Say("exercise-solved")
}

// goals draws the list, with a sign for each state at the cursor. Of a goal that is missed it says since when, and what the run shows.
func (p *Panel) goals() app.UI {
	l, goals := p.s.Lang(), p.s.Lesson.Goals()
	list := app.Elem("ul").Class("goals").Hidden(len(goals) == 0).DataSet("act", "goals").Aria("label", l.Say("goals"))
	return list.Body(app.Range(goals).Slice(func(i int) app.UI {
		sign, text := "○ ", l.In(p.lesson().Goals[i].Text)
		switch goals[i] {
		case engine.GoalMet:
			sign = "✓ "
		case engine.GoalMissed:
			at, got := p.s.Lesson.Missed(i)
			sign, text = "✗ ", l.Say("goal-missed", text, cursor.Clock(at)+got)
		}
		return app.Elem("li").DataSet("act", "goal").DataSet("state", string(goals[i])).Text(sign + text)
	}))
}

// hint opens the diagnosis, which an exercise keeps closed.
func (p *Panel) hint() app.UI {
	return &parts.Button{Act: "hint", Class: "button", Text: p.s.Lang().Say("hint"), Title: p.s.Lang().Say("hint-is"), Do: act.Hint, Value: true}
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

// question is the form of the question at which the run waits.
func (p *Panel) question() app.UI {
	form := &questionForm{Lang: p.s.Lang(), Ask: p.s.Lesson.Question(), Seed: p.lesson().Seed}
	if form.Ask != nil {
		form.Most = p.s.Lesson.Most(form.Ask)
	}
	return form
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
