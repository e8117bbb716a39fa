// Package scenarios holds the scenarios that ship with rollplay, one YAML file each. Each is a lesson: a question, captions
// that guide through the run, and the numbers that the run must show.
package scenarios

import (
	"embed"
	_ "embed" // the chapters
	"slices"
	"strings"
)

//go:embed *.yaml
var files embed.FS

// order lists every file in the order of the gallery, which is also the order of the lessons.
var order = inOrder()

// FirstName is the scenario that a first visit sees.
const FirstName = "first-rollout"

// First is its text, and Index what lists of scenarios show: a line for each, in the order of the gallery, with its
// name, the number of its captions, its title in English and in Chinese, and what it asks (see session.Asks), separated by tabs. The page in the browser starts with
// these two and loads the other texts when it has started; so nothing but Text may refer to all files.
//
// make golden rewrites the index.
var (
	//go:embed first-rollout.yaml
	First string
	//go:embed index.txt
	Index string
)

// Names lists the scenarios in the order of the gallery.
func Names() []string { return slices.Clone(order) }

// Has says whether a scenario has this name.
func Has(name string) bool { return slices.Contains(order, name) }

// Text returns the text of a scenario, or "" if no scenario has that name. A former name has the text of the scenario that it leads to, and the
// key of a question what Drawn makes a text of.
func Text(name string) string {
	b, err := files.ReadFile(Current(name) + ".yaml")
	if err != nil {
		_, rest, _ := strings.Cut(asked, questionMark+name+"\n")
		text, _, _ := strings.Cut(rest, questionMark)
		return text
	}
	return string(b)
}

// Chapter is a part of the path through the lessons. Its title is a message of the catalogue: chapter-basics.
type Chapter struct {
	ID      string
	Lessons []string
}

//go:embed chapters.txt
var chaptersText string

// chapters, Core (the path of ten lessons for one hour), needs and aliases are what chapters.txt says.
var chapters, Core, needs, aliases = readChapters(chaptersText)

func readChapters(text string) (chapters []Chapter, core []string, needs map[string][]string, aliases map[string]string) {
	needs, aliases = map[string][]string{}, map[string]string{}
	section := ""
	for line := range strings.Lines(text) {
		name, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		lessons := strings.Fields(list)
		switch {
		case name == "" || name[0] == '#':
		case strings.HasPrefix(name, "== "):
			section = name
		case section == "== chapters":
			chapters = append(chapters, Chapter{name, lessons})
		case section == "== core":
			core = lessons
		case section == "== needs":
			needs[name] = lessons
		default:
			aliases[name] = list
		}
	}
	return chapters, core, needs, aliases
}

// Chapters returns the parts of the path.
func Chapters() []Chapter { return slices.Clone(chapters) }

// Needs returns the lessons to see before one.
func Needs(name string) []string { return needs[name] }

// Aliases returns the former names of scenarios, and the names that they lead to.
func Aliases() map[string]string { return aliases }

// Current returns the present name of a scenario that had another one, and any other name unchanged.
func Current(name string) string {
	if now, ok := aliases[name]; ok {
		return now
	}
	return name
}

// inOrder lists all scenarios of the chapters.
func inOrder() []string {
	var all []string
	for _, c := range chapters {
		all = append(all, c.Lessons...)
	}
	return all
}
