package recorded

import (
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// player replays a trace record by record.
type player struct {
	file   *FileReport
	report func(Difference) // hears of the first difference of each scenario

	cluster   *cluster          // nil: the scenario is not replayed
	told      bool              // a difference of this scenario has been reported
	last      State             // as recorded
	images    map[string]string // recorded ReplicaSets -> images
	choices   choices           // as recorded, of this tick
	opErrors  []string          // as recorded, of this tick
	evictions []string
}

// play takes the next record.
func (p *player) play(r *Record) error {
	switch r.Kind {
	case "head":
		p.start(r.Head)
	case "op":
		if r.Err != "" {
			p.opErrors = append(p.opErrors, r.Err)
		}
	case "evict":
		p.evictions = append(p.evictions, r.Err)
	case "tick":
		p.tick(r)
	case "sync":
		for i := range r.ReplicaSets {
			p.images[r.ReplicaSets[i].Name] = r.ReplicaSets[i].Image
		}
		p.choices.add(r.Writes, p.images)
	case "end":
	default:
		return fmt.Errorf("unknown record %q", r.Kind)
	}
	return nil
}

// start begins a scenario, unless it needs what is not modelled.
func (p *player) start(h *Head) {
	*p = player{file: p.file, report: p.report, choices: choices{}, images: map[string]string{}}
	if reason := unmodelled(&h.Scenario); reason != "" {
		p.file.skip(reason)
		return
	}
	p.cluster = newCluster(h)
}

// unmodelled says what a scenario needs that is not modelled, "" if there is nothing.
func unmodelled(sc *Scenario) string {
	known := operations
	switch api.Kind(sc.Kind) {
	case api.KindDeployment:
		if len(sc.Spec.NodeSelector) > 0 {
			return "nodeSelector"
		}
	case api.KindStatefulSet, api.KindDaemonSet:
		known = setOperations
	default:
		return "kind " + sc.Kind
	}
	for _, op := range sc.Ops {
		if known[op.Op] == nil {
			return "operation " + op.Op
		}
	}
	return ""
}

// tick replays a second and compares the state at its end.
func (p *player) tick(r *Record) {
	if p.cluster == nil {
		return
	}
	if !r.Same {
		p.last = r.State
	}
	if s := p.last.StatefulSet; s != nil && slices.Min(s.Status[:]) < 0 {
		// The recordings' server stored a number below zero, which the real one refuses (ValidateStatefulSetStatus).
		p.file.skip("the rest of a scenario whose status is not valid")
		p.cluster = nil
		return
	}
	p.cluster.choices = p.choices
	d := guarded(func() []string { return p.compare(r.T) })
	p.opErrors, p.evictions, p.choices = nil, nil, choices{}
	p.file.Compared++
	if len(d) == 0 {
		return
	}
	p.file.Different++
	if !p.told {
		p.told = true
		p.report(Difference{Scenario: p.cluster.scenario.Name, Mode: p.cluster.mode, T: r.T, What: d[0] + more(d[1:])})
	}
}

// compare runs a second and returns what is different at its end.
func (p *player) compare(t int64) []string {
	p.cluster.tick(t)
	got := stateOf(p.cluster.server)
	d := differ{found: compareStates(&p.last, &got)}
	if !slices.Equal(p.opErrors, p.cluster.opErrors) {
		d.add("refused operations", p.opErrors, p.cluster.opErrors)
	}
	if !slices.Equal(p.evictions, p.cluster.evictions) {
		d.add("evictions", p.evictions, p.cluster.evictions)
	}
	return d.found
}

// more tells of further differences, the first of them in full.
func more(d []string) string {
	if len(d) == 0 {
		return ""
	}
	return fmt.Sprintf(" (and %d more: %s)", len(d), d[0])
}
