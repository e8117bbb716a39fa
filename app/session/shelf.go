package session

import (
	"strings"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// shelved is what the page needs to know of a shipped scenario before it opens it.
type shelved struct {
	title  scenario.Text
	lesson bool // it has captions
}

// shelf caches the shipped scenarios that were asked for, because reading one takes a while.
var shelf = map[string]shelved{}

func shelvedOf(name string) shelved {
	b, ok := shelf[name]
	if ok {
		return b
	}
	if sc, _ := scenario.Parse(scenarios.Text(name)); sc != nil {
		b = shelved{title: sc.Title, lesson: len(sc.Captions) > 0}
	}
	if b.title.En == "" {
		b.title.En = strings.ReplaceAll(name, "-", " ")
	}
	shelf[name] = b
	return b
}

// Stock reads one more shipped scenario, and says whether all are on the shelf. A frame has time for one, and a visitor who
// waits for the first chart does not wait for the list.
func Stock() (full bool) {
	for _, name := range scenarios.Names() {
		if _, ok := shelf[name]; !ok {
			shelvedOf(name)
			return false
		}
	}
	return true
}

// Title is a shipped scenario's title, its name if it has none.
func Title(l lang.Lang, name string) string { return l.In(shelvedOf(name).title) }
