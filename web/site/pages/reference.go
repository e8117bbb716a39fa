package pages

import (
	"os"
	"strings"

	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/fidelity"
	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/scenario/schema"
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
}

// T returns a sentence in the language of the page. The catalogue is in the program, which does not need these.
func (s reference) T(en, zh string) string {
	if s.Lang == "zh" {
		return zh
	}
	return en
}

// schemaShell holds the values of web/shell/schema.html.
type schemaShell struct {
	reference
	File    string
	Objects []*schema.Object
}

// Object reports whether a type is an object, which has a table of its own.
func (schemaShell) Object(name string) bool { return schema.Objects()[name] != nil }

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
	pages := references(o, style, "schema.html", SchemaFolder, func(r reference) any { return schemaShell{r, schema.ID, objects} })
	return append(pages, pack.Text(SchemaFile, string(text)))
}

// CheckFolder is the path of the English list of the rules of rollplay check.
const CheckFolder = "check/"

// buildCheck makes the list in each language from the table of the rules.
func buildCheck(o pack.Options, style string) []pack.File {
	return references(o, style, "check.html", CheckFolder, func(r reference) any {
		return struct {
			reference
			Rules []check.Rule
		}{r, check.Rules()}
	})
}

// KubectlPage is the page that lists the commands of the prompt with their options.
const KubectlPage = "kubectl/index.html"

// buildKubectl makes the page from the table that the parser reads.
func buildKubectl(o pack.Options, style string) pack.File {
	return must.Have(pack.Fill(o, "kubectl.html", KubectlPage, map[string]any{"Style": up(style), "Commands": line.Modelled()}))
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
	return must.Have(pack.Fill(o, "fidelity.html", FidelityPage, fidelityShell{report, up(style), fidelity.Statuses}))
}
