package stage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/past"
)

// controls is the row of controls for the chosen workload. Each runs a kubectl line, which is its tooltip.
type controls struct {
	app.Compo

	Lang      lang.Lang
	Workloads []string
	Workload  string
	Row       past.WorkloadRow // empty Containers: it does not exist
	CanUndo   bool
	CanAsk    bool // nothing is known of requests yet
	Breaks    breaks

	container string            // chosen in the picker
	outcome   string            // of the next image: a message of outcomes, "" if it works
	typed     map[string]string // by control; none for what nobody has typed in
}

func (p *Panels) Controls() app.UI { return p.controls() }

func (p *Panels) controls() *controls {
	s := p.s
	c := &controls{Lang: s.Lang(), Workload: s.Workload(), CanUndo: s.History.CanUndo() && !p.embedded}
	c.Row.Replicas, c.Row.Partition = -1, -1
	if s.Run() == nil {
		return c
	}
	c.Workloads = s.Run().Workloads()
	if w, ok := s.Run().Past().Workload(c.Workload, s.Cursor.Record); ok {
		c.Row = w
	}
	c.Breaks = p.breaks(&c.Row)
	c.CanAsk = c.Row.Containers != "" && !p.embedded && p.report() == nil
	return c
}

// Render draws the row. Without a workload there is nothing to change.
func (c *controls) Render() app.UI {
	fields, menus := []app.UI{c.workloadPicker()}, []app.UI{c.undo()}
	if c.Row.Containers != "" {
		fields = append(fields, c.imageControl(), c.stepper("scale", "scale-value", "scale-is"), c.stepper("surge", "surge-value", "surge-is"),
			c.stepper("unavailable", "unavailable-value", "unavailable-is"), c.partitionControl(), c.compareButton())
		menus = append(menus, c.breakMenu(), c.moreMenu())
	}
	return app.Elem("section").Class("card controls").Aria("label", c.Lang.Say("change")).Body(
		parts.Title(c.Lang.Say("change")),
		app.Elem("div").Class("control-row").Body(
			app.Elem("div").Class("control-fields").Body(fields...),
			app.Elem("div").Class("control menus").Body(menus...),
		),
	)
}

// undo takes the last action back, where it was taken.
func (c *controls) undo() app.UI {
	b := parts.Tool("undo", "undo", c.Lang.Say("undo"))
	b.Off = !c.CanUndo
	return b
}

// optionsMax bounds the workloads that the picker offers to those around the chosen one.
const optionsMax = 100

func (c *controls) workloadPicker() app.UI {
	if len(c.Workloads) < 2 {
		return app.Elem("div").Hidden(true)
	}
	from, to := cursor.Window(len(c.Workloads), slices.Index(c.Workloads, c.Workload), optionsMax)
	options := parts.Options(c.Workloads[from:to], c.Workload, nameFirst)
	return app.Elem("div").Class("control").Body(
		app.Elem("select").Class("mono").DataSet("act", "workload").Aria("label", c.Lang.Say("workload")).OnChange(c.onWorkload).Body(options))
}

// nameFirst is a workload's name with its kind behind it, where a phone cuts it.
func nameFirst(workload string) string {
	return command.Name(workload) + " · " + command.Kind(workload)
}

// imageControl shows the image that there is, and takes the tag of the next one.
func (c *controls) imageControl() app.UI {
	container, image := c.chosen()
	names := commaSeparated(c.Row.Containers)
	picker := parts.Options(names, container, func(name string) string { return name })
	repository, tag := command.SplitImage(image)
	repository = repository[strings.LastIndexByte(repository, '/')+1:] // the rest is in the tooltip
	return app.Elem("div").Class("control image-control").Role("group").Aria("label", c.Lang.Say("image")).Body(
		app.Elem("select").Class("mono").DataSet("act", "container").Aria("label", c.Lang.Say("container")).Hidden(len(names) < 2).
			OnChange(c.onContainer).Body(picker),
		app.Elem("span").Class("image-now mono").DataSet("act", "image-now").Title(image).Body(
			app.Elem("span").Class("repository").Text(repository), app.Elem("span").Class("tag").Text(shortTag(tag))),
		app.Elem("span").Class("eq").Aria("hidden", "true").Text("→"),
		c.field("image", c.Lang.Say("image-tag"), c.valueOf("image")),
		c.outcomePicker(),
		c.runButton("set-image", "roll-out", c.lineOf("image")),
	)
}

// outcomePicker chooses how the next image turns out: no registry knows the tag that is typed.
func (c *controls) outcomePicker() app.UI {
	names := []string{""}
	for _, o := range outcomes {
		names = append(names, string(o.name))
	}
	return app.Elem("select").DataSet("act", "outcome").Aria("label", c.Lang.Say("outcome")).Title(c.Lang.Say("outcome-is")).OnChange(c.onOutcome).
		Body(parts.Options(names, c.outcome, func(name string) string { return c.Lang.Say(lang.Message(cmp.Or(name, "outcome-works"))) }))
}

func (c *controls) onOutcome(ctx app.Context, _ app.Event) { c.outcome = browser.InputValue(ctx) }

// shortTag cuts a digest to its first characters, which are enough to distinguish it.
func shortTag(tag string) string {
	const shown = len("sha256:") + 8
	if strings.HasPrefix(tag, "sha256:") && len(tag) > shown {
		return tag[:shown] + "…"
	}
	return tag
}

// stepper is a number with a step to each side. What is typed runs by Enter, or by the button that appears beside it.
func (c *controls) stepper(name string, label, means lang.Message) app.UI {
	value := c.valueNow(name)
	if value == "" {
		return app.Elem("div").Hidden(true)
	}
	shown, short := c.valueOf(name), c.Lang.Say(label)
	return app.Elem("div").Class("control stepper").Role("group").Aria("label", short).Title(c.Lang.Say(means)).Body(
		app.Elem("span").Class("stepper-name").Aria("hidden", "true").Text(short),
		c.stepButton(name, "less", short+" ", "−", command.Stepped(value, -1)),
		c.field(name, short, shown),
		c.stepButton(name, "more", short+" ", "+", command.Stepped(value, 1)),
		app.Elem("span").Hidden(shown == value).Body(c.runButton(name, "set", c.lineOf(name))),
	)
}

func (c *controls) stepButton(name, way, label, sign, value string) app.UI {
	line := c.lineWith(name, value)
	return c.lineButton("button step", name+"-"+way, line).Aria("label", label+value).
		Attr("disabled", line == "" || value == c.valueNow(name)).Text(sign)
}

// field is where the value of a control is typed.
func (c *controls) field(name, label, value string) app.UI {
	return app.ElemSelfClosing("input").Class("mono "+name+"-field").Attr("type", "text").Attr("size", min(max(4, len(value)+1), 20)).DataSet("act", name+"-input").
		Aria("label", label).Attr("value", value).Spellcheck(false).Attr("autocomplete", false).OnInput(c.onInput).OnKeyDown(c.onKey)
}

// partitionControl sets from which ordinal up a StatefulSet is updated: a canary, and then the rest.
func (c *controls) partitionControl() app.UI {
	if command.Kind(c.Workload) != "StatefulSet" {
		return app.Elem("div").Hidden(true)
	}
	return app.Elem("div").Class("control").Title(c.Lang.Say("partition-is")).Body(c.setField("partition", "partition")...)
}

// setField is a field with its label, and a button that sets it.
func (c *controls) setField(name, label string) []app.UI {
	return []app.UI{
		app.Elem("span").Class("stepper-name").Aria("hidden", "true").Text(label),
		c.field(name, label, c.valueOf(name)),
		c.runButton(name, "set", c.lineOf(name)),
	}
}

// compareButton opens the numbers of other settings.
func (c *controls) compareButton() app.UI {
	return app.Elem("div").Class("control").Body(
		&parts.Button{Act: "numbers", Class: "button", Text: c.Lang.Say("numbers"), Title: c.Lang.Say("numbers-is"), Do: act.Numbers})
}

// moreMenu has what is needed less often.
func (c *controls) moreMenu() app.UI {
	return parts.Menu("menu", "more", app.Elem("summary").Class("button").Title(c.Lang.Say("more")).Aria("label", c.Lang.Say("more")).Text("⋯"),
		c.runButton("restart-rollout", "rollout-restart", command.Rollout(c.Workload, "restart")),
		c.pauseButton(),
		c.runButton("undo-rollout", "rollout-undo", command.Rollout(c.Workload, "undo")),
		app.Elem("div").Class("control").Body(c.setField("min-ready", "minReadySeconds")...),
		&parts.Button{Act: "ask-requests", Class: "button", Text: c.Lang.Say("requests-ask"), Title: c.Lang.Say("requests-ask-is"), Off: !c.CanAsk,
			Do: act.Requests, Value: "ask"},
	)
}

func (c *controls) pauseButton() app.UI {
	if command.Kind(c.Workload) != "Deployment" { // nothing else can be paused (K-30)
		return app.Elem("div").Hidden(true)
	}
	if c.Row.Paused {
		return c.runButton("pause-rollout", "rollout-resume", command.Rollout(c.Workload, "resume"))
	}
	return c.runButton("pause-rollout", "rollout-pause", command.Rollout(c.Workload, "pause"))
}

// runButton runs its line; without one it is disabled.
func (c *controls) runButton(act string, label lang.Message, line string) app.UI {
	return c.lineButton("button", act, line).Attr("disabled", line == "").Text(c.Lang.Say(label))
}

// lineButton runs its line, which is its tooltip.
func (c *controls) lineButton(class, act, line string) app.HTMLElem {
	return app.Elem("button").Class(class).Attr("type", "button").DataSet("act", act).DataSet("line", line).Title(line).
		OnClick(c.onRun)
}

// chosen returns the picked container and the image it has now.
func (c *controls) chosen() (container, image string) {
	names, images := commaSeparated(c.Row.Containers), commaSeparated(c.Row.Images)
	for i, name := range names {
		if i < len(images) && (i == 0 || name == c.container) {
			container, image = name, strings.TrimSpace(images[i])
		}
	}
	return container, image
}

// valueNow is what a control's field has in the cluster; empty if the workload has no such field.
func (c *controls) valueNow(name string) string {
	switch name {
	case "scale":
		if c.Row.Replicas >= 0 { // a DaemonSet has one pod on each node
			return strconv.Itoa(c.Row.Replicas)
		}
	case "surge":
		return c.Row.MaxSurge
	case "unavailable":
		return c.Row.MaxUnavailable
	case "partition":
		return strconv.Itoa(max(0, c.Row.Partition))
	case "min-ready":
		return strconv.Itoa(c.Row.MinReady)
	}
	return ""
}

// valueOf is what the field shows: what was typed, or else the present value; for an image the next tag.
func (c *controls) valueOf(name string) string {
	if typed, ok := c.typed[name]; ok {
		return typed
	}
	if name != "image" {
		return c.valueNow(name)
	}
	_, image := c.chosen()
	if image == "" || strings.Contains(image, "@") {
		return ""
	}
	_, tag := command.SplitImage(command.SuggestImage(image))
	return tag
}

// lineOf is the line for what a field shows, lineWith for another value. It is empty for what cannot be run.
func (c *controls) lineOf(name string) string { return c.lineWith(name, c.valueOf(name)) }

func (c *controls) lineWith(name, value string) string {
	n, err := strconv.Atoi(value)
	whole := err == nil && n >= 0
	switch container, image := c.chosen(); {
	case container == "" || value == "":
		return ""
	case name == "image":
		return command.SetImage(c.Workload, container, command.JoinImage(image, value))
	case name == "scale" && whole && c.Row.Replicas >= 0:
		return command.Scale(c.Workload, n)
	case name == "surge" && command.IsBound(value):
		return command.SetBound(c.Workload, "maxSurge", value)
	case name == "unavailable" && command.IsBound(value):
		return command.SetBound(c.Workload, "maxUnavailable", value)
	case name == "partition" && whole:
		return command.SetPartition(c.Workload, n)
	case name == "min-ready" && whole:
		return command.SetMinReady(c.Workload, n)
	}
	return ""
}

func commaSeparated(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// buttoned are the controls with a button beside their field, which has the same name.
var buttoned = []string{"scale", "surge", "unavailable", "partition", "min-ready"}

// line is the line of the control whose handler runs. The line of a field is computed again, because the button beside it may still
// have the line of a keystroke ago.
func (c *controls) line(ctx app.Context) string {
	name := browser.Attr(ctx, "data-act")
	field, typed := strings.CutSuffix(name, "-input")
	switch {
	case name == "set-image":
		return c.lineOf("image")
	case typed, slices.Contains(buttoned, name): // of a field, or of the button beside it
		return c.lineOf(field)
	}
	return browser.Attr(ctx, "data-line")
}

// onRun runs a line and forgets what was typed: the next proposal follows from the new state.
func (c *controls) onRun(ctx app.Context, _ app.Event) {
	line := c.line(ctx)
	if line == "" {
		return
	}
	tag := c.valueOf("image")
	c.typed = nil
	if line == c.lineWith("image", tag) {
		for _, o := range outcomes {
			if string(o.name) == c.outcome {
				c.outcome = ""
				ctx.NewActionWithValue(act.Break, c.imageDamage(tag, o.does))
				return
			}
		}
	}
	ctx.NewActionWithValue(act.Kubectl, line)
}

// onKey runs by Enter. The arrows step what is in the field, as in a spin button.
func (c *controls) onKey(ctx app.Context, e app.Event) {
	name := strings.TrimSuffix(browser.Attr(ctx, "data-act"), "-input")
	by := map[string]int{"ArrowUp": 1, "ArrowDown": -1}[e.Get("key").String()]
	switch {
	case e.Get("key").String() == "Enter":
		c.onRun(ctx, e)
	case by != 0 && name != "image":
		e.PreventDefault()
		c.take(name, command.Stepped(c.valueOf(name), by))
	}
}

func (c *controls) onInput(ctx app.Context, _ app.Event) {
	c.take(strings.TrimSuffix(browser.Attr(ctx, "data-act"), "-input"), browser.InputValue(ctx))
}

// take remembers what was typed in a field.
func (c *controls) take(name, value string) {
	if c.typed == nil {
		c.typed = map[string]string{}
	}
	c.typed[name] = strings.TrimSpace(value)
}

func (c *controls) onContainer(ctx app.Context, _ app.Event) {
	c.container = browser.InputValue(ctx)
	delete(c.typed, "image")
}

func (c *controls) onWorkload(ctx app.Context, _ app.Event) {
	c.typed = nil
	ctx.NewActionWithValue(act.Workload, browser.InputValue(ctx))
}
