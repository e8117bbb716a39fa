package sweep

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// probe is added to a container without a readiness probe.
const probe = `{exec: {command: ["true"]}, initialDelaySeconds: 1, periodSeconds: 1}`

// Probed returns the plan's text with a readiness probe for every container of its workload that is asked each second, from the first
// one on, and with half an hour of time. Then the environment can decide which pod becomes Ready when.
func (p *Plan) Probed() (string, error) {
	source, err := scenario.SetSpec(p.Recording.Scenario, []string{"duration"}, "30m")
	if err != nil {
		return "", err
	}
	d, path, containers := containersOf(source, p.key)
	if len(containers) == 0 {
		return "", fmt.Errorf("%s has no containers in the text: write them out", strings.TrimPrefix(p.Workload, "/"))
	}
	var edits []edit
	for i, c := range containers {
		at := below(path, strconv.Itoa(i), "readinessProbe")
		if yamltext.Child(c, "readinessProbe") == nil {
			edits = append(edits, edit{at, probe})
		} else {
			edits = append(edits, edit{below(at, "periodSeconds"), "1"}, edit{below(at, "initialDelaySeconds"), "1"})
		}
	}
	return setAll(d, edits)
}

// Updating returns the recording of a text with the plan's update, or the reason why the workload cannot be updated.
func (p *Plan) Updating(library *scenario.Library, text string) (rec engine.Recording, reason string) {
	rec = engine.Recording{Scenario: text, Commands: p.Recording.Commands}
	if !p.Added {
		return rec, ""
	}
	commands, reason := p.updating(library, rec)
	if reason == "" {
		rec.Commands = commands
	}
	return rec, reason
}
