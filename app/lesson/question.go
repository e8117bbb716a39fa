package lesson

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/scenario"
)

// questionForm takes an answer before the run goes on: a number, or one of several choices. While it is there, the chart hides what comes
// after the cursor (lesson.css).
type questionForm struct {
	app.Compo

	Lang lang.Lang
	Ask  *scenario.Ask // nil: no question
	Most int
	Seed uint64 // of the run: it decides the order of the choices

	of    *scenario.Ask // whose answer guess is
	guess int
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
		q.of, q.guess = q.Ask, q.Most/2
	}
	return group.Body(
		app.ElemSelfClosing("input").Attr("type", "range").Attr("min", 0).Attr("max", q.Most).Attr("step", 1).Attr("value", q.guess).
			DataSet("act", "bet-guess").DataSet("guess", q.guess).Aria("label", q.Lang.Say("bet")).OnInput(q.onInput),
		q.button("bet-answer", q.Lang.Say("bet-answer", q.guess), q.guess),
	)
}

func (q *questionForm) button(name, text string, answer int) app.UI {
	return &parts.Button{Act: name, Class: "button", Text: text, Do: act.Bet, Value: answer}
}

func (q *questionForm) onInput(ctx app.Context, _ app.Event) {
	if n, err := strconv.Atoi(browser.InputValue(ctx)); err == nil {
		q.guess = n
	}
}
