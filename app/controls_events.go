package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// onRun runs the line of the button, and forgets what was typed: the next proposal follows from the new state. The
// lines that depend on typing are made anew: the button may still show those of a key stroke ago.
func (c *controls) onRun(ctx app.Context, _ app.Event) {
	switch attr(ctx, "data-act") {
	case "set-image":
		c.run(ctx, c.imageLine())
	case "scale":
		c.run(ctx, c.scaleLine())
	case "partition":
		c.run(ctx, c.partitionLine())
	default:
		c.run(ctx, attr(ctx, "data-line"))
	}
}

func (c *controls) run(ctx app.Context, line string) {
	if line == "" {
		return
	}
	c.image, c.replicas, c.partition, c.pointed = "", "", "", ""
	ctx.NewActionWithValue(actRun, line)
}

func (c *controls) onImageKey(ctx app.Context, e app.Event) {
	if e.Get("key").String() == "Enter" {
		c.run(ctx, c.imageLine())
	}
}

func (c *controls) onReplicasKey(ctx app.Context, e app.Event) {
	if e.Get("key").String() == "Enter" {
		c.run(ctx, c.scaleLine())
	}
}

func (c *controls) onPoint(ctx app.Context, _ app.Event) { c.pointed = attr(ctx, "data-line") }

func (c *controls) onLeave(app.Context, app.Event) { c.pointed = "" }

func (c *controls) onImage(ctx app.Context, _ app.Event) {
	c.image = inputValue(ctx)
	c.pointed = c.imageLine()
}

func (c *controls) onReplicas(ctx app.Context, _ app.Event) {
	c.replicas = inputValue(ctx)
	c.pointed = c.scaleLine()
}

func (c *controls) onContainer(ctx app.Context, _ app.Event) {
	c.container, c.image = inputValue(ctx), ""
}

func (c *controls) onWorkload(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(actWorkload, inputValue(ctx))
}
