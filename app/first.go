//go:build !js

package app

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/stage"
	"github.com/rollplay/rollplay/engine/api"
)

// First is the page of a first visit before the program is there: what it shows at rest, and what web/src/first.js needs to play it. The
// build draws it with the program's own code, so that the program can take its place unseen.
type First struct {
	Page   string // HTML at rest
	Script []byte // JSON
}

// firstScript is what the page draws at each moment. Its elements are in one list, each of them once.
type firstScript struct {
	Nodes    []any            `json:"nodes"` // a text, or a tag, its attributes and the numbers of its children
	Root     int              `json:"root"`  // of the page at rest
	Words    any              `json:"words"` // of the scripts
	States   []string         `json:"states"`
	Chart    firstChart       `json:"chart"`
	Commands map[int64]string `json:"commands"` // what each says
	Rest     firstView        `json:"rest"`     // of a first visit
	Calm     firstView        `json:"calm"`     // for people who ask for less motion
	Views    []firstView      `json:"views"`    // once somebody plays; of each only what changes
	Paces    [][2]float64     `json:"paces"`    // from a moment on: virtual ms for each ms

	known map[string]int // nodes by what they are
}

type firstChart struct {
	Option string        `json:"option"`
	IDs    []string      `json:"ids"`
	Lines  [][]*float64  `json:"lines"`
	Counts [8]chart.Axis `json:"counts"` // by the number of ticks that there is room for
	End    int64         `json:"end"`
	Open   chart.Span    `json:"open"`
	Marks  []chart.Mark  `json:"marks"`
	Syncs  []float64     `json:"syncs"`
}

// firstView is the page at a moment. What is as in the view before is left out.
type firstView struct {
	T       int64          `json:"t"`
	Holds   bool           `json:"holds,omitempty"` // the run waits here
	Regions map[string]int `json:"regions,omitempty"`
	Groups  any            `json:"groups,omitempty"`
	Rows    *string        `json:"rows,omitempty"`
	States  []int          `json:"states,omitempty"`
	Written *stage.Written `json:"written,omitempty"`
}

// firstRegions are the parts of the page that change while it plays, by their classes.
var firstRegions = []string{"status-line", "chart-card", "transport", "lesson", "controls"}

// firstStep is how often the page may change, in virtual ms.
const firstStep = 50

// FirstPage draws a first visit in the language of a tag.
func FirstPage(tag string) *First {
	rest, f := firstVisit(tag, false), &firstScript{known: map[string]int{}, States: lang.PodStates(), Commands: map[int64]string{}}
	for range 1000 {
		rest.move(16)
	}
	rest.stage.DiagnosisDue(time.Now().Add(time.Hour))
	f.Words = rest.s.Lang().ScriptWords()
	f.chart(rest)
	page := treeOf(app.HTMLString(rest.Render())).prune()
	f.Root = f.node(page)
	f.Rest, f.Calm = f.view(rest), f.view(firstVisit(tag, true))
	f.play(firstVisit(tag, false))
	var b strings.Builder
	page.html(&b)
	return &First{b.String(), api.JSON(f)}
}

func firstVisit(tag string, calm bool) *page {
	p := &page{}
	p.OnInit()
	if calm {
		p.show(session.New(true), nil)
		p.open()
	}
	p.s.Visit.Lang = lang.Pick(tag)
	for p.s.Compute(1000) {
	}
	p.stage.Answer("place", fmt.Sprintf("1000 300 %d %d 20", p.s.Reading.Opening().From, p.s.Reading.Opening().To))
	p.move(0)
	return p
}

// chart takes what the chart draws for any moment.
func (f *firstScript) chart(p *page) {
	v := p.stage.View()
	f.Chart = firstChart{Option: v.Option, End: v.End, Open: v.Open, Marks: v.Marks, Syncs: v.Syncs}
	for _, s := range v.Series {
		f.Chart.IDs = append(f.Chart.IDs, s.ID)
		line := make([]*float64, len(s.Points))
		for i, n := range s.Points {
			if !math.IsNaN(n) {
				line[i] = &s.Points[i]
			}
		}
		f.Chart.Lines = append(f.Chart.Lines, line)
	}
	for ticks := 3; ticks < len(f.Chart.Counts); ticks++ {
		f.Chart.Counts[ticks] = chart.CountAxis(chart.Highest(p.s.Run().Frames(p.s.Workload())), ticks)
	}
	for _, m := range v.Marks {
		if m.Kind == "command" {
			f.Commands[m.T] = chart.Said(m.Line)
		}
	}
}

// node is the number of an element.
func (f *firstScript) node(e *tree) int {
	var n any = e.text
	if e.tag != "" {
		list := []any{e.tag, e.attrs}
		for _, c := range e.children {
			list = append(list, f.node(c))
		}
		n = list
	}
	key := string(api.JSON(n))
	i, ok := f.known[key]
	if !ok {
		i = len(f.Nodes)
		f.known[key], f.Nodes = i, append(f.Nodes, n)
	}
	return i
}

// view draws the page at the cursor.
func (f *firstScript) view(p *page) firstView {
	root := treeOf(app.HTMLString(p.Render())).prune()
	v := firstView{T: p.s.Cursor.T, Regions: map[string]int{"page": f.node(&tree{tag: "div", attrs: root.attrs})}, Written: p.stage.Written()}
	for _, class := range firstRegions {
		v.Regions[class] = f.node(root.find(class))
	}
	pods := p.details.PodView()
	v.Groups, v.Rows = pods.Groups, &pods.Rows
	for _, state := range pods.States {
		v.States = append(v.States, int(state))
	}
	return v
}

// play draws what somebody sees who plays from the start.
func (f *firstScript) play(p *page) {
	p.start.Show(false)
	holds, last, c := map[int64]bool{}, firstView{Regions: map[string]int{}}, &p.s.Cursor
	for _, caption := range p.s.Run().Scenario().Captions {
		holds[caption.At] = true
	}
	for t, next := int64(0), int64(0); t <= p.s.End(); t = next {
		if next = t + firstStep - t%firstStep; holds[t] {
			next = t + 1
		}
		c.SeekTo(t)
		c.Playing = !holds[t] && t < p.s.End()
		p.stage.DiagnosisDue(time.Now().Add(time.Hour))
		v := f.view(p)
		v.Holds = holds[t]
		if v, changed := v.since(&last); changed {
			f.Views = append(f.Views, v)
		}
		c.Playing = true
		p.s.Tick(firstPace)
		if pace := float64(c.T-t) / firstPace; c.T > t && (len(f.Paces) == 0 || f.Paces[len(f.Paces)-1][1] != pace) {
			f.Paces = append(f.Paces, [2]float64{float64(t), pace})
		}
	}
}

// firstPace is for how many ms the pace of the run is measured.
const firstPace = 10

// since leaves out what is as in the last view, makes this one the last, and says whether it differs.
func (v firstView) since(last *firstView) (firstView, bool) {
	now := v
	v.Regions = map[string]int{}
	for class, node := range now.Regions {
		if node != last.Regions[class] || last.Rows == nil {
			v.Regions[class] = node
		}
	}
	if reflect.DeepEqual(now.Groups, last.Groups) {
		v.Groups = nil
	}
	if last.Rows != nil && *now.Rows == *last.Rows {
		v.Rows = nil
	}
	if reflect.DeepEqual(now.States, last.States) {
		v.States = nil
	}
	if reflect.DeepEqual(now.Written, last.Written) {
		v.Written = nil
	}
	differs := len(v.Regions) > 0 || v.Groups != nil || v.Rows != nil || v.States != nil || v.Written != nil || v.Holds != last.Holds
	*last = now
	return v, differs
}
