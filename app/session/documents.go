package session

import (
	"strings"

	"github.com/rollplay/rollplay/engine/scenario"
)

// documents is a scenario text in two parts: the document of kind Scenario, and the Kubernetes objects.
type documents struct {
	scenario  string
	manifests string // a YAML stream
}

// split splits a scenario text at the lines `---`.
func split(text string) documents {
	var d documents
	var manifests []string
	for _, doc := range strings.Split("\n"+text, "\n---") {
		// What follows the dashes on their line is a comment or nothing; a line such as ---x is content.
		switch {
		case isScenario(doc):
			d.scenario = doc
		case meaningful(doc) != "":
			manifests = append(manifests, strings.Trim(doc, "\n")+"\n")
		}
	}
	d.manifests = strings.Join(manifests, "---\n")
	return d
}

// shareObjects says whether two texts have an object in common.
func shareObjects(a, b string) bool {
	ours, _ := scenario.ParseManifests(a)
	theirs, _ := scenario.ParseManifests(b)
	for _, m := range ours {
		for _, o := range theirs {
			if m.Object.Key() == o.Object.Key() {
				return true
			}
		}
	}
	return false
}

// setting is the Scenario document without comments and blank lines, because two documents with equal settings mean the
// same.
func (d documents) setting() string { return meaningful(d.scenario) }

func isScenario(doc string) bool {
	kind, version := false, false
	for line := range strings.Lines(doc) {
		key, value, _ := strings.Cut(strings.TrimRight(line, " \r\n"), ":")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		kind = kind || (key == "kind" && value == "Scenario")
		version = version || (key == "apiVersion" && strings.HasPrefix(value, "rollplay/"))
	}
	return kind && version
}

func meaningful(doc string) string {
	var b strings.Builder
	for line := range strings.Lines(doc) {
		line = strings.TrimRight(line, " \t\r\n")
		if t := strings.TrimSpace(line); t == "" || strings.HasPrefix(t, "#") {
			continue
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func Blank(text string) bool { return strings.TrimSpace(text) == "" }

// lineOf returns the line on which the manifest of an object begins in a text, from 1; 0 if it is not in the text.
func lineOf(text, object string) int {
	above := 0 // lines above the document, with that of its dashes
	for _, doc := range strings.Split("\n"+text, "\n---") {
		manifests, _ := scenario.ParseManifests(doc)
		for _, m := range manifests {
			if m.Object.Key().String() == object {
				return above + firstContent(doc)
			}
		}
		above += strings.Count(doc, "\n") + 1
	}
	return 0
}

// firstContent returns the first line of a document that is neither blank nor a comment; the rest of the line with the dashes is 0.
func firstContent(doc string) int {
	for i, line := range strings.Split(doc, "\n") {
		if i > 0 && meaningful(line) != "" {
			return i
		}
	}
	return 0
}
