package scenarios

import (
	_ "embed" // the chapters
	"slices"
	"strings"
)

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
