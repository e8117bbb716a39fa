// Package scenarios holds the scenarios that ship with rollplay, one YAML file each. The comment that opens a
// file is its lesson.
package scenarios

import (
	"embed"
	"slices"
	"sort"
	"strings"
)

//go:embed *.yaml
var files embed.FS

// order is the order of the gallery; a file that is not named here comes after, by name.
var order = []string{"first-rollout", "three-replicas", "recreate",
	"published-1-update", "published-2-delete", "published-3-scale-up", "published-4-scale-down",
	"published-5-scale-then-image", "published-6-shrink-then-image", "published-7-undo", "published-8-rollover"}

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

// Text returns a scenario's file, "" if there is none of that name.
func Text(name string) string {
	b, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return ""
	}
	return string(b)
}
