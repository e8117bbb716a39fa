package stage

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
)

// controls is the row of controls for the chosen workload. Each runs a kubectl line, which is its tooltip and
// stands below the row while the pointer is on the control.
type controls struct {
	app.Compo

	Lang       lang.Lang
	Workloads  []string
	Workload   string
	Containers string // comma separated, as Images
	Images     string
	Replicas   int // -1 of a DaemonSet, which cannot be scaled
	Partition  int // of a StatefulSet; -1 of anything else
	Paused     bool
	Last       lastCommand

	container                  string // chosen in the picker
	image, replicas, partition string // typed
	pointed                    string // the line of the control under the pointer
}

// lastCommand is the last kubectl line at or before the cursor, and what kubectl answered.
type lastCommand struct {
	Line, Answer string
	Failed       bool
}

func (p *Panels) Controls() app.UI {
	c := &controls{Lang: p.s.Lang(), Workload: p.s.Workload(), Last: p.lastCommand()}
	if p.s.Run() == nil {
		return c
	}
	c.Workloads = p.s.Run().Workloads()
	if w, ok := p.s.Run().Past().Workload(c.Workload, p.s.Cursor().Record); ok {
		c.Containers, c.Images, c.Replicas, c.Paused, c.Partition = w.Containers, w.Images, w.Replicas, w.Paused, w.Partition
	}
	return c
}

func (p *Panels) lastCommand() lastCommand {
	x := p.s.Index()
	n := cursor.Upto(x.Inputs(), p.s.Cursor().Record)
	if n == 0 {
		return lastCommand{}
	}
	r := p.s.Run().Record(x.Inputs()[n-1])
	return lastCommand{Line: r.Command, Answer: r.What, Failed: r.Failed}
}

// Render draws the row and the line below it.
func (c *controls) Render() app.UI {
	return app.Elem("section").Class("card controls").Aria("label", c.Lang.Say("change")).Body(
		app.Elem("div").Class("control-row").Body(
			c.workloadPicker(),
			c.imageControl(),
			c.scaleControl(),
			app.Elem("div").Class("control group").Body(
				c.runButton("restart-rollout", "rollout-restart", c.rollout("restart")),
				c.pauseButton(),
				c.runButton("undo-rollout", "rollout-undo", c.rollout("undo")),
			),
		),
		c.commandLine(),
	)
}

func (c *controls) workloadPicker() app.UI {
	if len(c.Workloads) < 2 {
		return app.Elem("div").Hidden(true)
	}
	var options []app.UI
	for _, w := range c.Workloads {
		options = append(options, app.Elem("option").Attr("value", w).Text(command.Target(w)).Attr("selected", w == c.Workload))
	}
	return app.Elem("div").Class("control").Body(
		app.Elem("select").Class("mono").DataSet("act", "workload").Aria("label", c.Lang.Say("workload")).OnChange(c.onWorkload).Body(options...))
}

func (c *controls) imageControl() app.UI {
	containers, _ := c.chosen()
	var picker []app.UI
	for _, name := range commaSeparated(c.Containers) {
		picker = append(picker, app.Elem("option").Attr("value", name).Text(name).Attr("selected", name == containers))
	}
	return app.Elem("div").Class("control grow").Body(
		app.Elem("select").Class("mono").DataSet("act", "container").Aria("label", c.Lang.Say("container")).OnChange(c.onContainer).Body(picker...),
		app.Elem("span").Class("eq").Aria("hidden", "true").Text("="),
		app.ElemSelfClosing("input").Class("mono grow").Attr("type", "text").DataSet("act", "image-input").Aria("label", c.Lang.Say("image")).Attr("value", c.typedImage()).
			Spellcheck(false).Attr("autocomplete", false).OnInput(c.onInput).OnKeyDown(c.onKey),
		c.runButton("set-image", "set-image", c.imageLine()),
	)
}

func (c *controls) scaleControl() app.UI {
	if command.Kind(c.Workload) == "DaemonSet" { // has as many pods as there are nodes for it
		return app.Elem("div").Hidden(true)
	}
	return app.Elem("div").Class("control").Body(
		app.ElemSelfClosing("input").Class("mono num").Attr("type", "number").Attr("min", 0).Attr("max", 10000).DataSet("act", "scale-input").Aria("label", c.Lang.Say("replicas")).
			Attr("value", c.typedReplicas()).OnInput(c.onInput).OnKeyDown(c.onKey),
		c.runButton("scale", "scale", c.scaleLine()),
	)
}

func (c *controls) pauseButton() app.UI {
	if command.Kind(c.Workload) != "Deployment" { // nothing else can be paused (K-30)
		return c.partitionControl()
	}
	verb, label := "pause", lang.Message("rollout-pause")
	if c.Paused {
		verb, label = "resume", "rollout-resume"
	}
	return c.runButton("pause-rollout", label, c.rollout(verb))
}

// runButton runs its line; without one it is disabled.
func (c *controls) runButton(act string, label lang.Message, line string) app.UI {
	return app.Elem("button").Class("button").Attr("type", "button").DataSet("act", act).DataSet("line", line).Title(line).Attr("disabled", line == "").
		OnClick(c.onRun).OnMouseEnter(c.onPoint).OnFocus(c.onPoint).OnMouseLeave(c.onLeave).OnBlur(c.onLeave).Text(c.Lang.Say(label))
}

func (c *controls) commandLine() app.UI {
	line, answer, class := c.Last.Line, c.Last.Answer, "answer"
	if c.Last.Failed {
		class = "answer bad"
	}
	if c.pointed != "" {
		line, answer = c.pointed, ""
	}
	return app.Elem("p").Class("command-line").DataSet("act", "command-line").Title(strings.TrimSpace(line+"\n"+answer)).Body(
		app.Elem("span").Class("prompt").Aria("hidden", "true").Text("$"),
		app.Elem("code").Class("line").Text(line),
		app.Elem("span").Class(class).Text(answer),
	)
}

// chosen returns the picked container and the image it has now.
func (c *controls) chosen() (container, image string) {
	names, images := commaSeparated(c.Containers), commaSeparated(c.Images)
	for i, name := range names {
		if i < len(images) && (i == 0 || name == c.container) {
			container, image = name, images[i]
		}
	}
	return container, image
}

func (c *controls) typedImage() string {
	if c.image != "" {
		return c.image
	}
	if _, image := c.chosen(); image != "" {
		return command.SuggestImage(strings.TrimSpace(image))
	}
	return ""
}

func (c *controls) typedReplicas() string {
	if c.replicas != "" {
		return c.replicas
	}
	if c.Replicas < 0 {
		return "" // a DaemonSet has one pod on each node
	}
	return strconv.Itoa(c.Replicas)
}

func (c *controls) imageLine() string {
	container, _ := c.chosen()
	if container == "" || c.typedImage() == "" {
		return ""
	}
	return command.SetImage(c.Workload, container, c.typedImage())
}

func (c *controls) scaleLine() string {
	n, err := strconv.Atoi(c.typedReplicas())
	if err != nil || c.Containers == "" || c.Replicas < 0 {
		return ""
	}
	return command.Scale(c.Workload, n)
}

func (c *controls) rollout(verb string) string {
	if c.Containers == "" {
		return ""
	}
	return command.Rollout(c.Workload, verb)
}

func commaSeparated(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// partitionControl sets from which ordinal up a StatefulSet is updated: a canary, and then the rest.
func (c *controls) partitionControl() app.UI {
	if command.Kind(c.Workload) != "StatefulSet" {
		return app.Elem("div").Hidden(true)
	}
	return app.Elem("div").Class("control").Body(
		app.ElemSelfClosing("input").Class("mono num").Attr("type", "number").Attr("min", 0).DataSet("act", "partition-input").
			Aria("label", c.Lang.Say("partition")).Title(c.Lang.Say("partition-is")).
			Attr("value", c.typedPartition()).OnInput(c.onInput).OnKeyDown(c.onKey),
		c.runButton("partition", "partition", c.partitionLine()),
	)
}

func (c *controls) typedPartition() string {
	if c.partition != "" {
		return c.partition
	}
	return strconv.Itoa(max(0, c.Partition))
}

func (c *controls) partitionLine() string {
	n, err := strconv.Atoi(c.typedPartition())
	if err != nil || n < 0 || c.Containers == "" {
		return ""
	}
	return command.SetPartition(c.Workload, n)
}

// typed is the line of a button or of the field beside it, and what was typed in the field. The lines are made again, because
// the button may still show the one of a key stroke ago. What a button without a field runs is on it.
func (c *controls) typed(ctx app.Context) (line func() string, field *string) {
	switch browser.Attr(ctx, "data-act") {
	case "set-image", "image-input":
		return c.imageLine, &c.image
	case "scale", "scale-input":
		return c.scaleLine, &c.replicas
	case "partition", "partition-input":
		return c.partitionLine, &c.partition
	}
	return func() string { return browser.Attr(ctx, "data-line") }, nil
}

// onRun runs a line and forgets what was typed: the next proposal follows from the new state.
func (c *controls) onRun(ctx app.Context, _ app.Event) {
	lineNow, _ := c.typed(ctx)
	if line := lineNow(); line != "" {
		c.image, c.replicas, c.partition, c.pointed = "", "", "", ""
		ctx.NewActionWithValue(act.Kubectl, line)
	}
}

func (c *controls) onKey(ctx app.Context, e app.Event) {
	if e.Get("key").String() == "Enter" {
		c.onRun(ctx, e)
	}
}

func (c *controls) onInput(ctx app.Context, _ app.Event) {
	line, field := c.typed(ctx)
	*field = browser.InputValue(ctx)
	c.pointed = line()
}

func (c *controls) onPoint(ctx app.Context, _ app.Event) { c.pointed = browser.Attr(ctx, "data-line") }
func (c *controls) onLeave(app.Context, app.Event)       { c.pointed = "" }

func (c *controls) onContainer(ctx app.Context, _ app.Event) {
	c.container, c.image = browser.InputValue(ctx), ""
}

func (c *controls) onWorkload(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Workload, browser.InputValue(ctx))
}
