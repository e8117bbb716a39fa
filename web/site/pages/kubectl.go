package pages

import (
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/web/site/pack"
)

// KubectlPage is the page that lists the commands of the prompt with their options.
const KubectlPage = "kubectl/index.html"

// kubectlShell holds the values of web/shell/kubectl.html.
type kubectlShell struct {
	Style    string
	Commands []line.VerbDoc
}

// buildKubectl makes the page from the table that the parser reads.
func buildKubectl(o pack.Options, style string) pack.File {
	return pack.Must(pack.Fill(o, "kubectl.html", KubectlPage, kubectlShell{up(style), line.Modelled()}))
}
