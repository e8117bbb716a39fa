package app

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// controls is the row of things to do to the Deployment. Each runs a kubectl line, which is its tooltip and is
// written below the row while the control is pointed at.
type controls struct {
	app.Compo

	Lang       lang
	Workloads  []string
	Workload   string
	Containers string // comma separated, as Images
	Images     string
	Replicas   int // -1 of a DaemonSet, which cannot be scaled
	Partition  int // of a StatefulSet; -1 of anything else
	Paused     bool
	Last       lastCommand

	container string // chosen in the picker
	image     string // typed
	replicas  string // typed
	partition string // typed
	pointed   string // the line of the control that is pointed at
}

// lastCommand is the last kubectl line at or before the cursor, and what kubectl answered.
type lastCommand struct {
	Line, Answer string
	Failed       bool
}

func (p *page) controlsPanel() app.UI {
	c := &controls{Lang: p.s.lang, Workload: p.s.watched(), Last: p.lastCommand()}
	if p.s.run == nil {
		return c
	}
	c.Workloads = p.s.run.Workloads()
	if w, ok := p.s.run.Past().Workload(c.Workload, p.s.cursor.Record); ok {
		c.Containers, c.Images, c.Replicas, c.Paused, c.Partition = w.Containers, w.Images, w.Replicas, w.Paused, w.Partition
	}
	return c
}

func (p *page) lastCommand() lastCommand {
	x := p.s.index.of(p.s.run)
	n := before(x.inputs, p.s.cursor.Record)
	if n == 0 {
		return lastCommand{}
	}
	r := p.s.run.Record(x.inputs[n-1])
	return lastCommand{Line: r.Command, Answer: r.What, Failed: r.Failed}
}

// Render draws the row and the line below it.
func (c *controls) Render() app.UI {
	return app.Elem("section").Class("card controls").Aria("label", c.Lang.say("change")).Body(
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
		options = append(options, app.Elem("option").Attr("value", w).Text(target(w)).Attr("selected", w == c.Workload))
	}
	return app.Elem("div").Class("control").Body(
		app.Elem("select").Class("mono").DataSet("act", "workload").Aria("label", c.Lang.say("workload")).OnChange(c.onWorkload).Body(options...))
}

func (c *controls) imageControl() app.UI {
	containers, _ := c.chosen()
	var picker []app.UI
	for _, name := range split2(c.Containers) {
		picker = append(picker, app.Elem("option").Attr("value", name).Text(name).Attr("selected", name == containers))
	}
	return app.Elem("div").Class("control grow").Body(
		app.Elem("select").Class("mono").DataSet("act", "container").Aria("label", c.Lang.say("container")).OnChange(c.onContainer).Body(picker...),
		app.Elem("span").Class("eq").Aria("hidden", "true").Text("="),
		app.ElemSelfClosing("input").Class("mono grow").Attr("type", "text").DataSet("act", "image-input").Aria("label", c.Lang.say("image")).Attr("value", c.typedImage()).
			Spellcheck(false).Attr("autocomplete", false).OnInput(c.onImage).OnKeyDown(c.onImageKey),
		c.runButton("set-image", "set-image", c.imageLine()),
	)
}

func (c *controls) scaleControl() app.UI {
	if kindOf(c.Workload) == "DaemonSet" { // has as many pods as there are nodes for it
		return app.Elem("div").Hidden(true)
	}
	return app.Elem("div").Class("control").Body(
		app.ElemSelfClosing("input").Class("mono num").Attr("type", "number").Attr("min", 0).Attr("max", 10000).DataSet("act", "scale-input").Aria("label", c.Lang.say("replicas")).
			Attr("value", c.typedReplicas()).OnInput(c.onReplicas).OnKeyDown(c.onReplicasKey),
		c.runButton("scale", "scale", c.scaleLine()),
	)
}

func (c *controls) pauseButton() app.UI {
	if kindOf(c.Workload) != "Deployment" { // nothing else can be paused (K-30)
		return c.partitionControl()
	}
	verb, label := "pause", message("rollout-pause")
	if c.Paused {
		verb, label = "resume", "rollout-resume"
	}
	return c.runButton("pause-rollout", label, c.rollout(verb))
}

// runButton runs its line; without one it is disabled.
func (c *controls) runButton(act string, label message, line string) app.UI {
	return app.Elem("button").Class("button").Attr("type", "button").DataSet("act", act).DataSet("line", line).Title(line).Attr("disabled", line == "").
		OnClick(c.onRun).OnMouseEnter(c.onPoint).OnFocus(c.onPoint).OnMouseLeave(c.onLeave).OnBlur(c.onLeave).Text(c.Lang.say(label))
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
	names, images := split2(c.Containers), split2(c.Images)
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
		return suggestImage(strings.TrimSpace(image))
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
	return setImageLine(c.Workload, container, c.typedImage())
}

func (c *controls) scaleLine() string {
	n, err := strconv.Atoi(c.typedReplicas())
	if err != nil || c.Containers == "" || c.Replicas < 0 {
		return ""
	}
	return scaleLine(c.Workload, n)
}

func (c *controls) rollout(verb string) string {
	if c.Containers == "" {
		return ""
	}
	return rolloutLine(c.Workload, verb)
}

func split2(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}
