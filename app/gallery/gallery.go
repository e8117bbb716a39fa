// Package gallery is the shipped scenarios as the page knows them: titles and questions before it opens one, and the texts.
package gallery

import (
	"cmp"
	"strings"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// listing is what the page needs to know of a shipped scenario before it opens it.
type listing struct {
	title scenario.Text
	asks  []string
}

// listings are the index of the shipped scenarios.
var listings = readIndex(scenarios.Index)

func readIndex(index string) map[string]listing {
	all := map[string]listing{}
	for line := range strings.Lines(index) {
		field := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		all[field[0]] = listing{title: scenario.Text{En: field[2], Zh: field[3]}, asks: strings.Fields(field[4])}
	}
	return all
}

// Asks are the moments in ms at which a shipped scenario asks something.
func Asks(name string) []string { return listings[name].asks }

// Title is a shipped scenario's title, its name if it has none. A question that is asked again has that of its lesson.
func Title(l lang.Lang, name string) string {
	name, _, _, _ = scenarios.Asked(name)
	return cmp.Or(l.In(listings[name].title), strings.ReplaceAll(name, "-", " "))
}

// loaded caches the texts of shipped scenarios.
var loaded = map[string]string{scenarios.FirstName: scenarios.First}

// Text returns the text of a shipped scenario by its present or a former name, or of a question that is asked again; "" if no scenario has
// that name. In the browser the page must have loaded the texts, unless it is the first.
func Text(name string) string {
	name = scenarios.Current(name)
	if loaded[name] == "" {
		loaded[name] = cmp.Or(TextOf(name), scenarios.Drawn(name, TextOf))
	}
	return loaded[name]
}
