package details

import (
	"sort"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine"
)

// timeline lists the commands of the run: those of the scenario, and those of the person, which can be
// removed.
type timeline struct {
	app.Compo

	Lang lang.Lang
	Rows []timelineItem
}

// timelineItem is one command.
type timelineItem struct {
	T      int64
	Line   string
	Answer string
	Failed bool
	Past   bool
	Index  int // in the recording's commands; -1 for a command of the scenario
}

func (p *Panels) timelineList() app.UI {
	return &timeline{Lang: p.s.Lang(), Rows: p.timelineItems()}
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
	for n, i := range p.s.Reading.Index().Inputs() {
		if n > 0 {
			r := p.s.Run().Record(i)
			items[n-1].Answer, items[n-1].Failed = r.What, r.Failed
		}
	}
}

// Render draws the commands.
func (t *timeline) Render() app.UI {
	if len(t.Rows) == 0 {
		return app.Elem("p").Class("empty").DataSet("act", "timeline").Text(t.Lang.Say("timeline-none"))
	}
	return app.Elem("ol").Class("list").DataSet("act", "timeline").Body(
		app.Range(t.Rows).Slice(func(i int) app.UI { return &timelineRow{Lang: t.Lang, Item: t.Rows[i]} }),
	)
}

// timelineRow is one command with its answer.
type timelineRow struct {
	app.Compo

	Lang lang.Lang
	Item timelineItem
}

// Render draws the row.
func (r *timelineRow) Render() app.UI {
	i := r.Item
	class, answer := "list-row input", "row-answer"
	if !i.Past {
		class += " future"
	}
	if i.Failed {
		answer += " bad"
	}
	return app.Elem("li").Class("timeline-item").Body(
		app.Elem("button").Class(class).Attr("type", "button").DataSet("act", "timeline-row").DataSet("t", strconv.FormatInt(i.T, 10)).OnClick(r.onSeek).Body(
			app.Elem("span").Class("row-time").Text(cursor.Clock(i.T)),
			app.Elem("span").Class("row-main").Body(
				app.Elem("code").Class("row-text").Text(i.Line),
				app.Elem("span").Class(answer).Text(i.Answer),
			),
		),
		app.If(i.Index >= 0, func() app.UI {
			return app.Elem("button").Class("tool").Attr("type", "button").DataSet("act", "remove-command").DataSet("index", strconv.Itoa(i.Index)).
				Title(r.Lang.Say("command-remove")).Aria("label", r.Lang.Say("command-take", i.Line)).OnClick(r.onRemove).Body(parts.Icon("close"))
		}).Else(func() app.UI {
			return app.Elem("span").Class("from-text").Title(r.Lang.Say("from-text-means")).Text(r.Lang.Say("from-text"))
		}),
	)
}

func (r *timelineRow) onSeek(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Seek, r.Item.T)
}

func (r *timelineRow) onRemove(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(act.Remove, r.Item.Index)
}
