// Package scenarios holds the scenarios that ship with rollplay, one YAML file each. Each is a lesson: a question, captions
// that guide through the run, and the numbers that the run must show.
package scenarios

import (
	"embed"
	"slices"
	"sort"
	"strings"
)

//go:embed *.yaml
var files embed.FS

// order lists every file in the order of the gallery, which is also the order of the lessons.
var order = inOrder()

// Names lists the scenarios in the order of the gallery.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("scenarios: " + err.Error())
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	rank := func(name string) int {
		if i := slices.Index(order, name); i >= 0 {
			return i
		}
		return len(order)
	}
	sort.SliceStable(names, func(i, j int) bool { return rank(names[i]) < rank(names[j]) })
	return names
}

// Text returns the text of a scenario, or "" if no scenario has that name. A former name has the text of the scenario that it leads to.
func Text(name string) string {
	b, err := files.ReadFile(Current(name) + ".yaml")
	if err != nil {
		return ""
	}
	return string(b)
}
