package app

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/scenario"
)

// betForm takes an answer before the run goes on: a number, or one of several choices. While it is there, the chart hides what comes
// after the cursor (lesson.css).
type betForm struct {
	app.Compo

	Lang lang.Lang
	Ask  *scenario.Ask // nil: no question
	Most int

	of    *scenario.Ask // whose answer guess is
	guess int
}

// Render draws a button for each choice, or a slider for the number.
func (b *betForm) Render() app.UI {
	group := app.Elem("div").Class("bet").Hidden(b.Ask == nil).DataSet("act", "bet").Role("group").Aria("label", b.Lang.Say("bet"))
	if b.Ask == nil {
		return group
	}
	if all := b.Ask.Choices; len(all) > 0 {
		return group.Body(app.Range(all).Slice(func(i int) app.UI { return b.button("bet-choice", b.Lang.In(all[i].Text), i) }))
	}
	if b.of != b.Ask {
		b.of, b.guess = b.Ask, b.Most/2
	}
	return group.Body(
		app.ElemSelfClosing("input").Attr("type", "range").Attr("min", 0).Attr("max", b.Most).Attr("step", 1).Attr("value", b.guess).
			DataSet("act", "bet-guess").DataSet("guess", b.guess).Aria("label", b.Lang.Say("bet")).OnInput(b.onInput),
		b.button("bet-answer", b.Lang.Say("bet-answer", b.guess), b.guess),
	)
}

func (b *betForm) button(name, text string, answer int) app.UI {
	return &parts.Button{Act: name, Class: "button", Text: text, Do: act.Bet, Value: answer}
}

func (b *betForm) onInput(ctx app.Context, _ app.Event) {
	if n, err := strconv.Atoi(browser.InputValue(ctx)); err == nil {
		b.guess = n
	}
}
