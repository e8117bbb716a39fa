package stage

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/past"
)

// breaks is what the menu "Break" needs of the cluster beside the workload itself.
type breaks struct {
	Node    string // the first one
	Pods    int    // of the workload, for a quota
	Desired int    // for a budget
}

func (p *Panels) breaks(w *past.WorkloadRow) (b breaks) {
	if w.Containers == "" {
		return b
	}
	frames := p.s.Run().Frames(p.s.Workload())
	if here := chart.FrameAt(frames, p.s.Cursor.Record); here >= 0 {
		b.Pods, b.Desired = frames[here].Total+frames[here].Terminating, frames[here].Desired
	}
	b.Node = p.s.Run().Past().FirstNode(p.s.Cursor.Record)
	return b
}

// damage is one way to break the workload: what goes wrong, and what it writes.
type damage struct {
	Name string
	act.Damage
}

// damages are the ways to break the workload. An image that misbehaves is an entry in the scenario's images, and a rollout to
// it; the rest are commands.
func (c *controls) damages() []damage {
	container, image := c.chosen()
	if container == "" {
		return nil
	}
	say := c.Lang.Say
	bad := func(name, tag, does string) damage {
		broken := command.JoinImage(image, tag)
		return damage{name, act.Damage{Image: fmt.Sprintf("{match: %q, %s}", broken, does), Run: command.SetImage(c.Workload, container, broken)}}
	}
	list := []damage{
		bad(say("break-pull"), "cannot-pull", "pull: fails"),
		bad(say("break-crash"), "crashes", "crash: 2s"),
		bad(say("break-ready"), "never-ready", "ready: never"),
		bad(say("break-start"), "slow-start", "start: 20s"),
		bad(say("break-stop"), "slow-stop", "stop: 25s"),
	}
	if c.Breaks.Node != "" {
		list = append(list, damage{say("break-node"), act.Damage{Do: "kill node/" + c.Breaks.Node}})
	}
	in := command.InNamespace(c.Workload)
	list = append(list,
		damage{say("break-room"), act.Damage{Run: fmt.Sprintf("kubectl set resources %s -c %s --requests=cpu=500", command.Target(c.Workload), container) + in}},
		damage{say("break-quota"), act.Damage{Run: fmt.Sprintf("kubectl create quota tight --hard=pods=%d", c.Breaks.Pods) + in}},
	)
	if c.Row.Selector != "" && c.Breaks.Node != "" && c.Breaks.Desired > 0 {
		list = append(list, damage{say("break-budget"), act.Damage{
			Run:  fmt.Sprintf("kubectl create pdb tight --selector=%s --min-available=%d", c.Row.Selector, c.Breaks.Desired) + in,
			Then: command.Drain(c.Breaks.Node),
		}})
	}
	return list
}

// breakMenu offers what can go wrong, each with what it writes.
func (c *controls) breakMenu() app.UI {
	list := c.damages()
	return parts.Menu("menu break-menu", "break", app.Elem("summary").Class("button").Title(c.Lang.Say("break-is")).Text(c.Lang.Say("break")),
		app.Range(list).Slice(func(i int) app.UI {
			d := &list[i]
			return &parts.Button{Act: "break-it", Class: "menu-item", Do: act.Break, Value: d.Damage,
				Spans: []parts.Span{{Text: d.Name}, {Tag: "code", Text: strings.Join(d.lines(), "\n")}}}
		}))
}

// lines are what a damage writes.
func (d damage) lines() (lines []string) {
	if d.Image != "" {
		lines = append(lines, "images: "+d.Image)
	}
	for _, line := range []string{d.Run, d.Then, d.Do} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
