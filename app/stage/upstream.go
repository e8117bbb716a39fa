package stage

import (
	_ "embed" // upstream.txt
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// upstreamLines is where the functions that decisions name begin in the pinned version of Kubernetes: a file, then a function and its line
// in each line.
//
//go:embed upstream.txt
var upstreamLines string

// upstreamURL is the function in the pinned source, empty for one whose line is not known. Rules name a module with k8s.io/ or without.
func upstreamURL(upstream string) string {
	path, function, _ := strings.Cut(upstream, ":")
	_, functions, _ := strings.Cut("\n"+upstreamLines, "\n"+path+"\n")
	for !strings.HasPrefix(functions, "\t"+function+" ") {
		if _, functions, _ = strings.Cut(functions, "\n"); !strings.HasPrefix(functions, "\t") {
			return ""
		}
	}
	line, _, _ := strings.Cut(functions[len(function)+2:], "\n")
	if !strings.HasPrefix(path, "pkg/") && !strings.HasPrefix(path, "staging/") {
		path = "staging/src/k8s.io/" + strings.TrimPrefix(path, "k8s.io/")
	}
	return "https://github.com/kubernetes/kubernetes/blob/" + Kubernetes + "/" + path + "#L" + line
}

// upstreamLink leads to the function, and is plain text without its line.
func upstreamLink(upstream string) app.UI {
	text := strings.TrimPrefix(upstream, "pkg/controller/")
	if url := upstreamURL(upstream); url != "" {
		return app.Elem("a").Class("upstream").DataSet("act", "why-upstream").Attr("href", url).Attr("target", "_blank").Attr("rel", "noopener noreferrer").Text(text)
	}
	return app.Elem("span").Class("upstream").Text(text)
}

// plain leaves out the rules that a sentence of the engine cites in brackets: the why panel names them.
func plain(text string) string {
	for from := 0; ; {
		i := strings.Index(text[from:], " (")
		if i < 0 {
			return text
		}
		i += from
		n := strings.IndexByte(text[i:], ')')
		if n > 0 && cites(text[i+2:i+n]) {
			text = text[:i] + text[i+n+1:]
		} else {
			from = i + 2
		}
	}
}

// cites says whether a text is a list of rules: R-25, or D-53, R-9.
func cites(text string) bool {
	for _, id := range strings.Split(text, ", ") {
		letters, digits, ok := strings.Cut(id, "-")
		if !ok || len(letters) > 3 || strings.Trim(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || strings.Trim(digits, "0123456789") != "" || digits == "" {
			return false
		}
	}
	return true
}
