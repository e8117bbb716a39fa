// Package scenarios holds the scenarios that ship with rollplay, one YAML file each. Each is a lesson: a question, captions
// that guide through the run, and the numbers that the run must show.
package scenarios

import (
	"embed"
	"slices"
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
		return question(name)
	}
	return string(b)
}
