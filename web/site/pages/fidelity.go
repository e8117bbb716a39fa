package pages

import (
	"os"
	"strings"

	"github.com/rollplay/rollplay/engine/fidelity"
	"github.com/rollplay/rollplay/web/site/pack"
)

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
	report := pack.Must(fidelity.Read(os.DirFS(o.Root)))
	return pack.Must(pack.Fill(o, "fidelity.html", FidelityPage, fidelityShell{report, up(style), fidelity.Statuses}))
}
