package app

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
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

// Render draws the slider with its number, or a button for each choice.
func (b *betForm) Render() app.UI {
	switch {
	case b.Ask == nil:
		return app.Elem("form").Hidden(true)
	case len(b.Ask.Choices) > 0:
		return app.Elem("form").Class("bet").Hidden(false).DataSet("act", "bet").Role("group").Aria("label", b.Lang.Say("bet")).Body(
			app.Range(b.Ask.Choices).Slice(func(i int) app.UI {
				return &betChoice{Text: b.Lang.In(b.Ask.Choices[i].Text), Index: i}
			}))
	}
	if b.of != b.Ask {
		b.of, b.guess = b.Ask, b.Most/2
	}
	field := func(kind string) app.UI {
		return app.ElemSelfClosing("input").Attr("type", kind).Attr("min", 0).Attr("max", b.Most).Attr("step", 1).Attr("value", b.guess).
			DataSet("act", "bet-"+kind).Aria("label", b.Lang.Say("bet-guess")).OnInput(b.onInput)
	}
	return app.Elem("form").Class("bet").Hidden(false).DataSet("act", "bet").Role("group").Aria("label", b.Lang.Say("bet")).OnSubmit(b.onSubmit).Body(
		app.Elem("span").Aria("hidden", "true").Text(b.Lang.Say("bet-guess")),
		field("range"), field("number"),
		app.Elem("button").Class("button primary").Attr("type", "submit").DataSet("act", "bet-answer").Text(b.Lang.Say("bet-answer")),
	)
}

func (b *betForm) onInput(ctx app.Context, _ app.Event) {
	if n, err := strconv.Atoi(ctx.JSSrc().Get("value").String()); err == nil {
		b.guess = min(max(n, 0), b.Most)
	}
}

func (b *betForm) onSubmit(ctx app.Context, e app.Event) {
	e.PreventDefault()
	ctx.NewActionWithValue(act.Bet, b.guess)
}

// betChoice is one of several answers.
type betChoice struct {
	app.Compo

	Text  string
	Index int
}

// Render draws the button.
func (b *betChoice) Render() app.UI {
	return app.Elem("button").Class("button").Attr("type", "button").DataSet("act", "bet-choice").Text(b.Text).OnClick(b.onClick)
}

func (b *betChoice) onClick(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Bet, b.Index)
}

// told says how a bet went: You said 12. It is 13 = 8 + 5.
func told(l lang.Lang, t *session.Told) string {
	if t == nil {
		return ""
	}
	said, is := strconv.Itoa(t.Said), strconv.Itoa(t.Is)
	if all := t.Ask.Choices; len(all) > 0 {
		if t.Is < 0 || t.Said < 0 || t.Said >= len(all) {
			return ""
		}
		said, is = l.In(all[t.Said].Text), l.In(all[t.Is].Text)
	}
	if len(t.Parts) > 0 {
		parts := make([]string, len(t.Parts))
		for i, n := range t.Parts {
			parts[i] = strconv.Itoa(n)
		}
		is += " = " + strings.Join(parts, " + ")
	}
	if t.Right() {
		return l.Say("bet-right", is)
	}
	return l.Say("bet-wrong", said, is)
}
