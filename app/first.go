//go:build !js

package app

import (
	"fmt"
	"html"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
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

// tree is an element as go-app writes it, without the spaces that it puts between elements, or a text.
type tree struct {
	tag      string // "" for a text
	text     string
	attrs    map[string]string
	children []*tree
}

// treeReader reads what go-app has written.
type treeReader struct{ rest string }

func (p *treeReader) cut(before string) (text string) {
	text, p.rest, _ = strings.Cut(p.rest, before)
	return text
}

var (
	emptyTags = []string{"input", "img", "br", "hr", "path"}
	switches  = []string{"hidden", "disabled", "checked", "selected", "open", "autofocus", "readonly", "required", "multiple"}
)

// element reads an element at a depth. An attribute that is a switch is there or not; any other has a value.
func (p *treeReader) element(depth int) *tree {
	p.cut("<")
	end := strings.IndexAny(p.rest, " />")
	e := &tree{tag: p.rest[:end], attrs: map[string]string{}}
	p.rest = p.rest[end:]
	for p.rest[0] == ' ' {
		p.rest = p.rest[1:]
		end := strings.IndexAny(p.rest, " =/>")
		name, value := p.rest[:end], "true"
		if p.rest = p.rest[end:]; p.rest[0] == '=' {
			quoted, _ := strconv.QuotedPrefix(p.rest[1:])
			value, _ = strconv.Unquote(quoted)
			p.rest = p.rest[1+len(quoted):]
		}
		if !slices.Contains(switches, name) {
			e.attrs[name] = value
		} else if value == "true" {
			e.attrs[name] = ""
		}
	}
	p.cut(">")
	for !slices.Contains(emptyTags, e.tag) {
		end := strings.IndexByte(p.rest, '<')
		text := p.rest[:end]
		p.rest = p.rest[end:]
		if strings.HasPrefix(text, "\n") {
			text = strings.TrimPrefix(text[1:], strings.Repeat("  ", depth+1))
			text = strings.TrimSuffix(strings.TrimRight(text, " "), "\n")
		}
		if text != "" {
			e.children = append(e.children, &tree{text: html.UnescapeString(text)})
		}
		if strings.HasPrefix(p.rest, "</") {
			p.cut(">")
			break
		}
		e.children = append(e.children, p.element(depth+1))
	}
	return e
}

func treeOf(written string) *tree { return (&treeReader{written}).element(0) }

// prune removes what a closed page does not show: dialogs, and what is inside of menus and drawers. What speaks is the loader.
func (e *tree) prune() *tree {
	delete(e.attrs, "aria-live")
	if role := e.attrs["role"]; role == "status" || role == "alert" {
		delete(e.attrs, "role")
	}
	_, open := e.attrs["open"]
	e.children = slices.DeleteFunc(e.children, func(c *tree) bool {
		return c.tag == "dialog" || e.tag == "details" && !open && c.tag != "summary"
	})
	if _, hidden := e.attrs["hidden"]; hidden {
		e.children = nil
	}
	for _, c := range e.children {
		c.prune()
	}
	return e
}

// find returns the first element with a class among its classes.
func (e *tree) find(class string) *tree {
	if slices.Contains(strings.Fields(e.attrs["class"]), class) {
		return e
	}
	for _, c := range e.children {
		if found := c.find(class); found != nil {
			return found
		}
	}
	return nil
}

// html writes a tree; equal trees give equal bytes.
func (e *tree) html(b *strings.Builder) {
	if e.tag == "" {
		b.WriteString(html.EscapeString(e.text))
		return
	}
	b.WriteString("<" + e.tag)
	for _, name := range slices.Sorted(maps.Keys(e.attrs)) {
		fmt.Fprintf(b, ` %s="%s"`, name, html.EscapeString(e.attrs[name]))
	}
	b.WriteByte('>')
	if slices.Contains(emptyTags[:len(emptyTags)-1], e.tag) {
		return
	}
	for _, c := range e.children {
		c.html(b)
	}
	b.WriteString("</" + e.tag + ">")
}
