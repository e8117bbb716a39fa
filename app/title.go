package app

import (
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

var titles = map[string]string{}

// title is a shipped scenario's title, read once; its name if it has none.
func title(name string) string {
	if t, ok := titles[name]; ok {
		return t
	}
	t := ""
	if sc, _ := engine.ParseScenario(scenarios.Text(name)); sc != nil {
		t = sc.Title
	}
	if t == "" {
		t = strings.ReplaceAll(name, "-", " ")
	}
	titles[name] = t
	return t
}
