package sweep

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/scenario"
)

// probe is the readiness probe of a container that has none.
const probe = `{exec: {command: ["true"]}, initialDelaySeconds: 1, periodSeconds: 1}`

// Probed returns the plan's text with a readiness probe for every container of its workload that is asked each second, from the first
// one on, and with half an hour of time. Then the environment can decide which pod becomes Ready when.
func (p *Plan) Probed() (string, error) {
	source, err := setInScenario(p.Recording.Scenario, []string{"duration"}, "30m")
	for i := 0; err == nil; i++ {
		list, e := p.containers(source)
		if e != nil {
			return "", e
		}
		if i == len(list) {
			return source, nil
		}
		if child(list[i], "readinessProbe") == nil {
			source, err = set(source, list[i], []string{"readinessProbe"}, probe)
			continue
		}
		for _, field := range []string{"periodSeconds", "initialDelaySeconds"} {
			if err == nil {
				list, _ = p.containers(source)
				source, err = set(source, child(list[i], "readinessProbe"), []string{field}, "1")
			}
		}
	}
	return "", err
}

// containers returns the containers of the plan's workload in a text.
func (p *Plan) containers(source string) ([]*yaml.Node, error) {
	docs, err := documents(source)
	if err != nil {
		return nil, err
	}
	spec := child(child(child(findObject(docs, p.key), "spec"), "template"), "spec")
	if list := child(spec, "containers"); list != nil {
		return list.Content, nil
	}
	return nil, fmt.Errorf("%s has no containers in the text: write them out", strings.TrimPrefix(p.Workload, "/"))
}

// Updating returns the recording of a text with the plan's update, or the reason why the workload cannot be updated.
func (p *Plan) Updating(library *scenario.Library, text string) (rec engine.Recording, reason string) {
	rec = engine.Recording{Scenario: text, Commands: p.Recording.Commands}
	if p.Added {
		rec.Commands, reason = p.updating(library, rec)
	}
	return rec, reason
}
