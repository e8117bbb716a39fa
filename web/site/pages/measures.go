package pages

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
)

// MeasuresFolder is the path of the English page that defines every figure of a scorecard.
const MeasuresFolder = "measures/"

// measuresShell holds the values of web/shell/measures.html.
type measuresShell struct {
	reference
	Figures []definition // those of a scorecard
	Columns []definition // other columns of tables
}

// definition says what a figure is.
type definition struct {
	Name, En, Zh  string
	Heading, Unit string // of a measure
	More          bool   // a larger value is better
}

//go:embed measures.txt
var measuresText string

// definitions reads the sentences and joins them with the table of measures. Each measure must have one.
func definitions() (figures, columns []definition) {
	all := map[string]definition{}
	for line := range strings.Lines(measuresText) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 3 {
			continue
		}
		d := definition{Name: cells[0], En: cells[1], Zh: cells[2]}
		if forecast.MeasureOf(d.Name) == nil {
			columns = append(columns, d)
		}
		all[d.Name] = d
	}
	for i := range forecast.Measures {
		m := &forecast.Measures[i]
		d, ok := all[m.Name]
		if !ok {
			must.Do(fmt.Errorf("web/site/pages/measures.txt does not say what the measure %s is", m.Name))
		}
		d.Heading, d.Unit, d.More = m.Heading, units[m.Unit], m.More
		figures = append(figures, d)
	}
	return figures, columns
}

// units are the units of JSON and CSV.
var units = map[forecast.Unit]string{forecast.Pods: "1", forecast.Millis: "ms", forecast.Percent: "%", forecast.MilliCPU: "1/1000 CPU",
	forecast.Bytes: "B", forecast.PodMillis: "Pod × ms", forecast.NodeMillis: "Node × ms", forecast.Count: "1"}

// buildMeasures makes the page in each language.
func buildMeasures(o pack.Options, style string) []pack.File {
	figures, columns := definitions()
	return references(o, style, "measures.html", MeasuresFolder, func(r reference) any { return measuresShell{r, figures, columns} })
}
