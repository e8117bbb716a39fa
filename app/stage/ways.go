package stage

import (
	"strings"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/command"
)

// Way is something that can be done with the chosen workload, for lists beside the controls.
type Way struct {
	Kind string // rollout, restart, pause, undo, break or drain
	Name string
	Line string // what it writes
	Do   string // the action, with its value
	With any
}

// Ways are what the controls can do with the workload at the cursor by a press of one button.
func (p *Panels) Ways() (ways []Way) {
	c := p.controls()
	say := c.Lang.Say
	run := func(kind, name, line string) {
		if line != "" {
			ways = append(ways, Way{Kind: kind, Name: name, Line: line, Do: act.Kubectl, With: line})
		}
	}
	if tag := c.valueOf("image"); tag != "" {
		run("rollout", say("way-roll-out", tag), c.lineOf("image"))
	}
	run("restart", say("rollout-restart"), c.rollout("restart"))
	if command.Kind(c.Workload) == "Deployment" {
		if c.Row.Paused {
			run("pause", say("rollout-resume"), c.rollout("resume"))
		} else {
			run("pause", say("rollout-pause"), c.rollout("pause"))
		}
	}
	run("undo", say("rollout-undo"), c.rollout("undo"))
	for _, d := range c.damages() {
		if d.Off == "" {
			all := lines(d.Damage)
			ways = append(ways, Way{Kind: "break", Name: d.Name, Line: all[strings.LastIndexByte(all, '\n')+1:], Do: act.Break, With: d.Damage})
		}
	}
	if c.Breaks.Node != "" {
		run("drain", say("way-drain", c.Breaks.Node), command.Drain(c.Breaks.Node))
	}
	return ways
}

// Up is how many pods of the workload are available at the cursor, and whether those are all that it wants.
func (p *Panels) Up() (pods int, all bool) {
	r := p.readout(p.s.Run())
	return r.Available, r.Desired > 0 && r.Available >= r.Desired
}
