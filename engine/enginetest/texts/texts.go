// Package texts has the scenarios that tests of several packages share.
package texts

import (
	_ "embed" // the texts
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/scenario"
)

// The scenarios, with places for what differs.
var (
	//go:embed sets.yaml
	setsText string
	//go:embed rollout.yaml
	rolloutText string
	//go:embed fuzz.yaml
	fuzzText string
)

// Web is the Deployment of World.
const Web = "Deployment/default/web"

// World is a scenario with one Deployment web. Of the fields of its spec, and of its container, those that are given
// are added.
func World(images, spec, container string, timeline ...string) string {
	text := "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  images:\n  - " + strings.ReplaceAll(images, "\n", "\n  - ") + "\n"
	if len(timeline) > 0 {
		text += "  timeline:\n  - " + strings.Join(timeline, "\n  - ") + "\n"
	}
	return text + Deployment(spec, container)
}

// Deployment is the Deployment of World alone.
func Deployment(spec, container string) string {
	return "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  selector: {matchLabels: {app: web}}\n" +
		"  " + spec + "\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      containers:\n      - {name: web, " + container + "}\n"
}

// Quick is the behaviour of images that start at once.
const Quick = `{match: "*", pull: 1s, start: 300ms, stop: 1s}`

// Sets is a StatefulSet db, a DaemonSet agent and a budget for db on three nodes; more is put into their specs.
func Sets(set, daemon, budget string) string {
	return fmt.Sprintf(setsText, set, daemon, budget)
}

// The workloads of Sets.
const (
	Set    = "StatefulSet/default/db"
	Daemon = "DaemonSet/default/agent"
)

// Rollout is a scenario of n replicas that are created and then updated.
func Rollout(n int) string {
	return fmt.Sprintf(rolloutText, n)
}

// Choices consumes a byte per choice among n, and chooses the first when no byte is left.
func Choices(data *[]byte) func(n int) int {
	return func(n int) int {
		if len(*data) == 0 {
			return 0
		}
		b := (*data)[0]
		*data = (*data)[1:]
		return int(b) % n
	}
}

// Fuzz turns bytes into a scenario and commands: each byte is one choice.
func Fuzz(seed uint64, data []byte) (string, []scenario.Command) {
	next := Choices(&data)
	amount := func(b int) string {
		if b < 8 {
			return fmt.Sprint(b)
		}
		return fmt.Sprintf(`"%d%%"`, b%101)
	}
	replicas, surge, unavailable, minReady := next(13), amount(next(110)), amount(next(110)), next(6)
	text := fmt.Sprintf(fuzzText, seed, replicas, minReady, surge, unavailable)
	var commands []scenario.Command
	at := int64(0)
	for len(data) > 0 && len(commands) < FuzzMost {
		at += int64(next(40)) * 173
		commands = append(commands, scenario.Command{At: at, Run: command(next)})
	}
	return text, commands
}

// FuzzMost is how many commands a fuzzed run has at most. Ten are enough for every pair of commands to meet; three times
// as many would take the time of two other runs.
const FuzzMost = 10

func command(next func(int) int) string {
	switch next(11) {
	case 0, 1, 2:
		return fmt.Sprintf("set image deployment/web web=v%d", 1+next(4))
	case 3:
		return fmt.Sprintf("scale deployment/web --replicas=%d", next(14))
	case 4:
		return "rollout undo deployment/web"
	case 5:
		return "rollout pause deployment/web"
	case 6:
		return "rollout resume deployment/web"
	case 7:
		return fmt.Sprintf("annotate deployment/web note=%d --overwrite", next(3))
	case 8:
		return fmt.Sprintf("rollout undo deployment/web --to-revision=%d", next(5))
	case 9:
		return []string{"delete deployment/web", "delete deployment/web --cascade=orphan", "delete deployment/web --cascade=foreground"}[next(3)]
	}
	return "rollout restart deployment/web"
}
