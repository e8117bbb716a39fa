package scenario_test

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// TestParseDeed: a line for the environment names one pod or one node, as kubectl would; a namespace is anywhere in it.
func TestParseDeed(t *testing.T) {
	for line, want := range map[string]string{
		"crash pod/web-x":                      "crash Pod/default/web-x []",
		" # crash  pods web-x -n shop ":        "crash Pod/shop/web-x []",
		"fail-readiness -n shop po/web-x":      "fail-readiness Pod/shop/web-x []",
		"restore-readiness po/a --namespace=b": "restore-readiness Pod/b/a []",
		"crash --namespace shop pod/web-x":     "crash Pod/shop/web-x []",
		"kill no node-2 -n shop":               "kill Node/node-2 []",
		"restore nodes/node-2":                 "restore Node/node-2 []",
		"add node/a cpu=4 zone=b":              "add Node/a [cpu=4 zone=b]",
		"remove node/a":                        "remove Node/a []",

		"":                       "a verb is missing; for example: crash pod/web-x",
		"reboot node/a":          `the environment knows no "reboot"; it knows crash, fail-readiness, restore-readiness, kill, restore, add, remove`,
		"crash":                  "crash needs the name of a pod, for example pod/web-x",
		"crash pod/":             "crash needs the name of a pod, for example pod/web-x",
		"add cpu=4":              "add needs the name of a node, for example node/node-4",
		"crash deployment/web":   "crash is for a pod, not for a deployment",
		"kill pod/web-x":         "kill is for a node, not for a pod",
		"crash pod a b":          "crash is for one pod",
		"crash pod/a --now":      "unknown flag: --now",
		"crash pod/a -n":         "flag needs an argument: -n",
		"kill node/node-2 cpu=4": `kill takes no "cpu=4"`,
		"kill cpu=4 node/node-2": `kill takes no "cpu=4"`,
	} {
		d, err := scenario.ParseDeed(line)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(d.Verb, " ", d.Key, " ", d.Words)
		}
		if got != want {
			t.Errorf("%q: got %s, want %s", line, got, want)
		}
	}
}
