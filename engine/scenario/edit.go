package scenario

import (
	"strings"

	"github.com/rollplay/rollplay/engine/yamltext"
)

// A text is edited where a value is, so that comments, order and style stay as a person wrote them. An edit that would change more than
// its value is an error.

// SetSpec returns a text with another value in the spec of its Scenario document, which is added if the text has none.
func SetSpec(text string, path []string, value string) (string, error) {
	d := SpecDocument(text)
	if d == nil {
		_, d = withScenario(text, " {}")
	}
	return d.Set(append([]string{"spec"}, path...), value)
}

// AddImage returns a text with an entry as the first one of the images, because the first match counts. A text without a Scenario document
// gets one.
func AddImage(text, entry string) (string, error) {
	if d := SpecDocument(text); d != nil {
		return d.Prepend([]string{"spec", "images"}, entry)
	}
	text, _ = withScenario(text, "\n  images:\n  - "+entry)
	return text, nil
}

// DropSpec returns a text without a field of the Scenario document's spec.
func DropSpec(text, field string) (string, error) {
	if d := SpecDocument(text); d != nil {
		return d.Remove([]string{"spec", field})
	}
	return text, nil
}

// SpecDocument returns the Scenario document of a text, nil if it has none.
func SpecDocument(text string) *yamltext.Document {
	for _, d := range yamltext.Split(text) {
		version := yamltext.Word(d.Root(), "apiVersion")
		if yamltext.Word(d.Root(), "kind") == scenarioKind && (version == "" || strings.HasPrefix(version, "rollplay/")) {
			return d
		}
	}
	return nil
}

// withScenario adds a Scenario document in front of a text. Directives can only be first, so there it comes last.
func withScenario(text, spec string) (string, *yamltext.Document) {
	added := "apiVersion: " + scenarioVersion + "\nkind: " + scenarioKind + "\nspec:" + spec + "\n"
	if strings.HasPrefix(text, "%") {
		text = strings.TrimRight(text, "\n") + "\n---\n" + added
	} else {
		text = added + "---\n" + strings.TrimPrefix(text, "\ufeff")
	}
	return text, SpecDocument(text)
}

// Apply edits the text of the lesson where From is first, apart from the field try itself.
func (t *Try) Apply(text string) string {
	from, to := 0, 0
	if d := SpecDocument(text); d != nil {
		from, to = d.Span([]string{"spec", "try"})
	}
	if at := strings.Index(text[:from], t.From); at >= 0 {
		return text[:at] + t.To + text[at+len(t.From):]
	}
	return text[:to] + strings.Replace(text[to:], t.From, t.To, 1)
}
