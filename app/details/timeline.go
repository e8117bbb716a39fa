package details

import (
	"sort"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
)

// timelineItem is one command.
type timelineItem struct {
	T      int64
	Line   string
	Answer string
	Failed bool
	Past   bool
	Index  int // in the recording's commands; -1 for a command of the scenario
}

func (p *Panels) timelineItems() []timelineItem {
	s := p.s
	if s.Run() == nil {
		return nil
	}
	var items []timelineItem
	add := func(c engine.Command, index int) {
		items = append(items, timelineItem{T: c.At, Line: c.Line(), Past: c.At <= s.Cursor.T, Index: index})
	}
	for _, c := range s.Run().Scenario().Timeline {
		add(c, -1)
	}
	for i, c := range s.Run().Recording().Commands {
		add(c, i)
	}
	sort.SliceStable(items, func(i, j int) bool { return items[i].T < items[j].T })
	p.answers(items)
	return items
}

// answers adds what was printed to each command. The first input of a run applies the scenario; the others are its commands, in the
// order of the items.
func (p *Panels) answers(items []timelineItem) {
	for n, i := range p.s.Reading.Index().Inputs {
		if n > 0 {
			r := p.s.Run().Record(i)
			items[n-1].Answer, items[n-1].Failed = r.What, r.Failed
		}
	}
}

// timelineList lists the commands of the run: those of the scenario, and those of the person, which can be removed.
func (p *Panels) timelineList() app.UI {
	items := p.timelineItems()
	if len(items) == 0 {
		return app.Elem("p").Class("empty").DataSet("act", "timeline").Text(p.s.Lang().Say("timeline-none"))
	}
	return app.Elem("ol").Class("list").DataSet("act", "timeline").Body(app.Range(items).Slice(func(i int) app.UI {
		return app.Elem("li").Class("timeline-item").Body(items[i].row(), items[i].origin(p.s.Lang()))
	}))
}

// row is the command with its answer; a click moves the cursor there.
func (i *timelineItem) row() app.UI {
	class, answer := parts.Marked("list-row input", "future", !i.Past), parts.Marked("row-answer", "bad", i.Failed)
	return &parts.Button{Act: "timeline-row", Class: class, Do: act.Seek, Value: i.T, Data: "t", Spans: []parts.Span{
		{Class: "row-time", Text: cursor.Clock(i.T)},
		{Class: "row-main", Parts: []parts.Span{{Tag: "code", Class: "row-text", Text: i.Line}, {Class: answer, Text: i.Answer}}},
	}}
}

// origin removes a command of the person, and names the scenario's.
func (i *timelineItem) origin(l lang.Lang) app.UI {
	if i.Index < 0 {
		return app.Elem("span").Class("from-text").Title(l.Say("from-text-means")).Text(l.Say("from-text"))
	}
	return &parts.Button{Act: "remove-command", Class: "tool", Glyph: "close", Title: l.Say("command-remove"), Label: l.Say("command-take", i.Line),
		Do: act.Remove, Value: i.Index, Data: "index"}
}
