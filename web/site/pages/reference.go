package pages

import (
	_ "embed"
	"fmt"
	"os"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/fidelity"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/scenario/schema"
	"github.com/rollplay/rollplay/engine/traffic/measured"
	rollplay "github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
)

// SchemaFolder is the path of the English reference of kind Scenario and kind Policy; SchemaFile that of their JSON Schema.
const (
	SchemaFolder = "schema/"
	SchemaFile   = SchemaFolder + schema.ID
)

// reference holds the values of a page whose sentences come from a table.
type reference struct {
	words
	Style string
	Of    any // what the page is about
}

// T returns a sentence in the language of the page. The catalogue is in the program, which does not need these.
func (s reference) T(en, zh string) string {
	if s.Lang == "zh" {
		return zh
	}
	return en
}

// Object reports whether a type of the schema is an object, which has a table of its own.
func (reference) Object(name string) bool { return schema.Objects()[name] != nil }

// buildSchema makes the reference in each language and the JSON Schema, which the editor of the page loads, too.
func buildSchema(o pack.Options, style string) []pack.File {
	simulated := map[string][]string{"rollplay/v1alpha1": schema.Kinds}
	for _, k := range kinds.All() {
		if k.Applied() {
			simulated[k.APIVersion()] = append(simulated[k.APIVersion()], string(k.Name))
		}
	}
	text := must.Have(schema.JSON(simulated))
	var objects []*schema.Object
	for _, name := range schema.Names() {
		objects = append(objects, schema.Objects()[name])
	}
	pages := references(o, style, "schema.html", SchemaFolder, map[string]any{"File": schema.ID, "Objects": objects})
	return append(pages, pack.Text(SchemaFile, text))
}

// CheckFolder is the path of the English list of the rules of rollplay check.
const CheckFolder = "check/"

// buildCheck makes the list in each language from the table of the rules.
func buildCheck(o pack.Options, style string) []pack.File {
	return references(o, style, "check.html", CheckFolder, check.Rules())
}

// KubectlPage is the page that lists the commands of the prompt with their options.
const KubectlPage = "kubectl/index.html"

// buildKubectl makes the page from the table that the parser reads.
func buildKubectl(o pack.Options, style string) pack.File {
	return pack.Fill(o, "kubectl.html", KubectlPage, map[string]any{"Style": up(style), "Commands": line.Modelled()})
}

// FidelityPage is the page that lists every rule of Kubernetes with its code and its tests. The playground links to it.
const FidelityPage = "fidelity/index.html"

// fidelityShell holds the values of web/shell/fidelity.html.
type fidelityShell struct {
	*fidelity.Report
	Style    string
	Statuses []fidelity.Status
}

// Anchor returns the id of a section's heading.
func (fidelityShell) Anchor(title string) string {
	word := func(r rune) bool { return r < '0' || r > '9' && r < 'a' || r > 'z' }
	return strings.Join(strings.FieldsFunc(strings.ToLower(title), word), "-")
}

// All counts the rules that have a status, in all sections.
func (f fidelityShell) All(status fidelity.Status) (n int) {
	for i := range f.Sections {
		n += f.Sections[i].Count(status)
	}
	return n
}

// Short leaves out the folders that say nothing about a file.
func (fidelityShell) Short(file string) string {
	return strings.Replace(strings.TrimPrefix(file, "engine/"), "testdata/", "", 1)
}

// buildFidelity makes the page from the source tree.
func buildFidelity(o pack.Options, style string) pack.File {
	report := must.Have(fidelity.Read(os.DirFS(o.Root)))
	return pack.Fill(o, "fidelity.html", FidelityPage, fidelityShell{report, up(style), fidelity.Statuses})
}

// MeasuresFolder is the path of the English page that defines every figure of a scorecard.
const MeasuresFolder = "measures/"

// definition says what a figure is.
type definition struct {
	Name, En, Zh  string
	Heading, Unit string // of a measure
	More          bool   // a larger value is better
}

//go:embed measures.txt
var measuresText string

// definitions reads the sentences and joins them with the table of measures, of which each must have one: those of the figures of a
// scorecard, and of other columns of tables.
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
		must.Be(ok, "web/site/pages/measures.txt does not say what the measure %s is", m.Name)
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
	return references(o, style, "measures.html", MeasuresFolder, map[string]any{"Figures": figures, "Columns": columns})
}

// MeasuredFolder is the path of the English page that puts published measurements of requests beside the model's.
const MeasuredFolder = "requests/"

type measuredRow struct {
	*measured.Measurement
	measured.Range
	Run string // the fragment of a link that opens the scenario
}

// Published is the figure of the source.
func (r measuredRow) Published(lang string) string {
	m := r.Measurement
	switch {
	case m.AtLeast:
		return fmt.Sprintf("≤ %d / %d", m.Failed, m.All)
	case m.Found.En != "":
		return m.Found.In(lang)
	}
	return of(m.Failed, m.Failed, m.All)
}

// Ours is the range of the model.
func (r measuredRow) Ours() string { return of(r.Lowest, r.Highest, r.Range.All) }

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
	return references(o, style, "requests.html", MeasuredFolder, map[string]any{"Seeds": measured.Seeds, "Rows": rows})
}
