package help

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/limits"
)

// limitsTable says what is too large for rollplay, and what happens beyond it.
type limitsTable struct {
	app.Compo

	Lang lang.Lang
}

// Render draws the table of engine/limits, folded.
func (l *limitsTable) Render() app.UI {
	all := limits.Table()
	return app.Elem("details").Class("limits").DataSet("act", "limits").Body(
		app.Elem("summary").Text(l.Lang.Say("too-large")),
		app.Elem("table").Body(
			app.Elem("thead").Body(app.Elem("tr").Body(
				parts.Heading(l.Lang.Say("too-large-what")), parts.Heading(l.Lang.Say("too-large-most")), parts.Heading(l.Lang.Say("too-large-then")),
			)),
			app.Elem("tbody").Body(app.Range(all).Slice(func(i int) app.UI {
				return parts.Row(false, l.Lang.Say(lang.Message("limit-"+all[i].Name)), amount(l.Lang, all[i]), l.outcomes(all[i].Then))
			})),
		),
	)
}

func (l *limitsTable) outcomes(then []limits.Outcome) string {
	text := ""
	for i, o := range then {
		if i > 0 {
			text += "; "
		}
		text += l.Lang.Say(lang.Message("limit-" + string(o)))
	}
	return text
}

// amount writes a limit with its unit.
func amount(in lang.Lang, l limits.Limit) string {
	switch {
	case l.Unit == "bytes":
		return strconv.FormatFloat(float64(l.Max)/(1<<20), 'f', -1, 64) + " MiB"
	case l.Unit == "characters":
		return in.Say("limit-characters", grouped(l.Max))
	}
	return grouped(l.Max)
}

// grouped writes a number with a comma before every three digits.
func grouped(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
