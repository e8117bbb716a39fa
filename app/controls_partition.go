package app

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// partitionControl sets from which ordinal up a StatefulSet is updated: a canary, and then the rest.
func (c *controls) partitionControl() app.UI {
	if kindOf(c.Workload) != "StatefulSet" {
		return app.Elem("div").Hidden(true)
	}
	return app.Elem("div").Class("control").Body(
		app.ElemSelfClosing("input").Class("mono num").Attr("type", "number").Attr("min", 0).DataSet("act", "partition-input").
			Aria("label", c.Lang.say("partition")).Title(c.Lang.say("partition-is")).
			Attr("value", c.typedPartition()).OnInput(c.onPartition).OnKeyDown(c.onPartitionKey),
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
	return partitionLine(c.Workload, n)
}

func (c *controls) onPartition(ctx app.Context, _ app.Event) {
	c.partition = inputValue(ctx)
	c.pointed = c.partitionLine()
}

func (c *controls) onPartitionKey(ctx app.Context, e app.Event) {
	if e.Get("key").String() == "Enter" {
		c.run(ctx, c.partitionLine())
	}
}
