package help

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/words"
)

// limitsTable is the table of engine/limits, folded: what is too large for rollplay, and what happens beyond it.
func limitsTable(l lang.Lang) app.UI {
	var rows []app.UI
	for _, limit := range limits.Table() {
		outcomes := words.Join(limit.Then, "; ", func(o limits.Outcome) string { return l.Say(lang.Message("limit-" + o)) })
		rows = append(rows, parts.RowOf(l.Say(lang.Message("limit-"+limit.Name)), amount(l, limit), outcomes))
	}
	return app.Elem("details").Class("limits").DataSet("act", "limits").Body(
		app.Elem("summary").Text(l.Say("too-large")),
		parts.Table(nil, []string{l.Say("too-large-what"), l.Say("too-large-most"), l.Say("too-large-then")}, rows...),
	)
}

// amount writes a limit with its unit.
func amount(in lang.Lang, l limits.Limit) string {
	switch {
	case l.Unit == "bytes":
		return strconv.FormatFloat(float64(l.Max)/(1<<20), 'f', -1, 64) + " MiB"
	case l.Unit == "characters":
		return in.Say("limit-characters", words.Thousands(l.Max))
	}
	return words.Thousands(l.Max)
}
