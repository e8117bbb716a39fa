package pages

import (
	"fmt"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/traffic/measured"
	rollplay "github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
)

// MeasuredFolder is the path of the English page that puts published measurements of requests beside the model's.
const MeasuredFolder = "requests/"

// measuredShell holds the values of web/shell/requests.html.
type measuredShell struct {
	reference
	Seeds int
	Rows  []measuredRow
}

type measuredRow struct {
	*measured.Measurement
	measured.Range
	Run string // the fragment of a link that opens the scenario
}

// Published is the figure of the source.
func (s measuredShell) Published(m *measured.Measurement) string {
	switch {
	case m.AtLeast:
		return fmt.Sprintf("≤ %d / %d", m.Failed, m.All)
	case m.Found.En != "":
		return m.Found.In(s.Lang)
	}
	return of(m.Failed, m.Failed, m.All)
}

// Ours is the range of the model.
func (measuredShell) Ours(r measured.Range) string { return of(r.Lowest, r.Highest, r.All) }

func of(from, to, all int64) string {
	n := rollplay.Thousands(int(from))
	if to > from {
		n += "–" + rollplay.Thousands(int(to))
	}
	return n + " / " + rollplay.Thousands(int(all))
}

// buildMeasured computes the model's figures for the page.
func buildMeasured(o pack.Options, style string) []pack.File {
	var rows []measuredRow
	for i := range measured.All {
		m := &measured.All[i]
		run := must.Have(link.Encode(link.Link{Recording: engine.Recording{Scenario: m.Scenario()}}))
		rows = append(rows, measuredRow{m, must.Have(m.Model(measured.Seeds)), run})
	}
	return references(o, style, "requests.html", MeasuredFolder, func(r reference) any { return measuredShell{r, measured.Seeds, rows} })
}
