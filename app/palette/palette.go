// Package palette finds everything on the page by words.
package palette

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/details"
	"github.com/rollplay/rollplay/app/document"
	"github.com/rollplay/rollplay/app/drafts"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/stage"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/scenarios"
)

// Entry is something that the palette finds.
type Entry struct {
	Group lang.Message
	Text  string
	Hint  string // what it writes, or where it is
	Also  string // other words that find it
	Do    string
	With  any
	Harms bool // it takes pods away: never the first of several, and Enter carries it out at the second press

	score int // how well it fits what was typed
}

// palette finds everything by words: a box to type in, and a list that the arrows move through.
type palette struct {
	app.Compo

	Lang    lang.Lang
	Entries []Entry // none while it is closed

	typed string
	at    int
	sure  bool // Enter was pressed once at what harms
}

// Page is what the palette finds beside the session.
type Page struct {
	Ways      []stage.Way
	Drafts    []drafts.Head
	Now       int64 // for the age of the drafts
	NextTheme string
}

// Panel is the palette as the page keeps it.
type Panel struct {
	s       *session.Session
	found   []Entry // nil while it is closed
	opening bool
}

// New returns the palette of a session, closed.
func New(s *session.Session) *Panel { return &Panel{s: s} }

// Handlers are the actions of the palette, except its opening.
func (p *Panel) Handlers() parts.Handlers { return parts.Handlers{act.PaletteClosed: p.onClosed} }

// Open opens the palette. The list is made now, and stays as it is.
func (p *Panel) Open(ctx app.Context, page Page) {
	p.opening = true
	p.List(page)
	ctx.Defer(func(app.Context) {
		browser.OpenDialog("palette")
		p.opening = false
	})
}

// onClosed forgets the list, unless the palette was opened again before the browser reported its end.
func (p *Panel) onClosed(app.Context, any) bool {
	if p.opening || browser.DialogOpen("palette") {
		return false
	}
	p.found = nil
	return true
}

// Dialog is the dialog as it is now.
func (p *Panel) Dialog() app.UI { return &palette{Lang: p.s.Lang(), Entries: p.found} }

// List lists everything, the nearest things first.
func (p *Panel) List(page Page) []Entry {
	p.found = slices.Concat(p.doings(&page), p.places(), p.draftEntries(&page), p.objectEntries(), p.fieldEntries(), p.lessonEntries())
	return p.found
}

// doings are the actions: those of the page, and those on the workload.
func (p *Panel) doings(page *Page) []Entry {
	say := p.s.Lang().Say
	one := func(key lang.Message, do string, with any) Entry {
		return Entry{Group: "find-do", Text: say(key), Also: lang.English.Say(key), Do: do, With: with}
	}
	play := lang.Message("play")
	if p.s.Cursor.Playing {
		play = "pause"
	}
	list := []Entry{one(play, act.Key, "toggle")}
	for _, w := range page.Ways {
		e := Entry{Group: "find-do", Text: w.Name, Hint: w.Line, Also: w.Kind, Do: w.Do, With: w.With, Harms: w.Kind == "break" || w.Kind == "drain"}
		if w.Kind == "break" {
			e.Group = "break"
		}
		list = append(list, e)
	}
	list = append(list, one("restart", act.Restart, nil), one("draft-new", act.New, ""))
	if p.s.History.CanUndo() {
		list = append(list, one("undo", act.Key, "undo"))
	}
	if p.s.History.CanRedo() {
		list = append(list, one("redo", act.Key, "redo"))
	}
	list = append(list, one("share-title", act.Share, nil), one("language", act.Lang, string(p.s.Lang().Other())))
	next := page.NextTheme
	return append(list, Entry{Group: "find-do", Text: say("find-theme", say(lang.Message("theme-"+next))), Also: "theme " + next, Do: act.Theme}, one("sound", act.Sound, nil))
}

// places are the drawers and the views of the tabs.
func (p *Panel) places() []Entry {
	say := p.s.Lang().Say
	list := []Entry{
		{Group: "find-place", Text: say("pane-code"), Hint: say("pane-code-is"), Also: "code editor", Do: act.Editor},
		{Group: "find-place", Text: say("pane-why"), Hint: say("pane-why-is"), Also: "why", Do: act.Pane, With: "why"},
	}
	for _, name := range details.TabNames {
		list = append(list, Entry{Group: "find-place", Text: say(details.TabLabels[name]), Also: name + " " + lang.English.Say(details.TabLabels[name]), Do: act.Tab, With: name})
	}
	return list
}

func (p *Panel) draftEntries(page *Page) (list []Entry) {
	for _, h := range page.Drafts {
		if h.ID != p.s.Draft.ID() {
			list = append(list, Entry{Group: "recent", Text: cmp.Or(h.Name, p.s.Lang().Say("draft-earlier")), Hint: document.Ago(p.s.Lang(), page.Now, h.At), Do: act.Draft, With: h.ID})
		}
	}
	return list
}

func (p *Panel) lessonEntries() (list []Entry) {
	for _, name := range scenarios.Names() {
		list = append(list, Entry{Group: "lessons", Text: gallery.Title(p.s.Lang(), name), Also: name + " " + gallery.Title(lang.English, name), Do: act.Scenario, With: name})
	}
	return list
}

// objectsMax bounds the objects of a kind that are listed.
const objectsMax = 100

func (p *Panel) objectEntries() (list []Entry) {
	if p.s.Run() == nil {
		return nil
	}
	for _, kind := range kinds.By(func(k *kinds.Kind) int { return k.InPalette }) {
		objects := p.s.Run().Past().Objects(kind, p.s.Cursor.Record)
		for _, o := range objects[:min(len(objects), objectsMax)] {
			e := Entry{Group: "find-object", Text: command.Target(o.Key().String()), Also: string(kind), Do: act.Object, With: o.Key().String()}
			if slices.Contains(p.s.Run().Workloads(), o.Key().String()) {
				e.Do = act.Workload
			}
			list = append(list, e)
		}
	}
	return list
}

func (p *Panel) fieldEntries() (list []Entry) {
	for _, f := range p.s.Document.Fields() {
		key := f.Path[strings.LastIndexByte(f.Path, '.')+1:]
		list = append(list, Entry{Group: "find-field", Text: key, Hint: p.s.Lang().Say("line", f.Line) + "  " + f.Path + ": " + f.Value, Also: f.Kind,
			Do: act.Goto, With: act.Position{Line: f.Line, Column: 1}})
	}
	return list
}

// foundMax is how many entries are listed at a time.
const foundMax = 40

// find returns the entries in which each typed word is found, the best first.
func find(l lang.Lang, entries []Entry, typed string) []Entry {
	words := strings.Fields(strings.ToLower(typed))
	var found []Entry
	for _, e := range entries {
		text, rest := strings.ToLower(e.Text), strings.ToLower(e.Hint+" "+e.Also+" "+l.Say(e.Group))
		all := true
		for _, word := range words {
			n := match(text, rest, word)
			e.score += n
			all = all && n > 0
		}
		if all {
			found = append(found, e)
		}
	}
	sort.SliceStable(found, func(i, k int) bool { return found[i].score > found[k].score })
	found = found[:min(len(found), foundMax)]
	if i := slices.IndexFunc(found, func(e Entry) bool { return !e.Harms }); i > 0 {
		harmless := found[i]
		found = slices.Insert(slices.Delete(found, i, i+1), 0, harmless)
	}
	return found
}

// match says how well a word is found, 0 for not at all: as the whole text, at the start of the text, at the start of one of its words, inside it, in
// its hint, or as some of its letters in order, as mxsrg of maxSurge.
func match(text, rest, word string) int {
	switch i := strings.Index(text, word); {
	case text == word:
		return 8
	case i == 0:
		return 6
	case i > 0 && strings.ContainsRune(" ./-:(", rune(text[i-1])):
		return 5
	case i > 0:
		return 4
	case strings.Contains(rest, word):
		return 2
	case len(word) > 2 && inOrder(text, word):
		return 1
	}
	return 0
}

func inOrder(text, letters string) bool {
	for _, c := range letters {
		i := strings.IndexRune(text, c)
		if i < 0 {
			return false
		}
		text = text[i+1:]
	}
	return true
}

// Render draws the dialog, which stays closed and empty until it is asked for.
func (f *palette) Render() app.UI {
	found := f.found()
	at := ""
	if len(found) > 0 {
		at = optionID(f.at)
	}
	return app.Elem("dialog").ID("palette").Class("palette").DataSet("act", "palette").Aria("label", f.Lang.Say("palette")).On("close", f.onClosed).Body(
		app.Elem("div").Class("palette-head").Body(
			app.ElemSelfClosing("input").ID("palette-input").Attr("type", "text").DataSet("act", "palette-input").
				Attr("placeholder", f.Lang.Say("palette-type")).
				Attr("autocomplete", "off").Attr("autofocus", true).Spellcheck(false).
				Role("combobox").Aria("label", f.Lang.Say("palette")).Aria("expanded", "true").Aria("controls", "palette-list").
				Aria("autocomplete", "list").Aria("activedescendant", at).
				OnInput(f.onInput).OnKeyDown(f.onKey),
			app.Elem("button").Class("tool").Attr("type", "button").DataSet("act", "palette-close").Title(f.Lang.Say("close-esc")).
				Aria("label", f.Lang.Say("close")).OnClick(f.onClose).Text("×"),
		),
		app.Elem("ul").ID("palette-list").Role("listbox").Aria("label", f.Lang.Say("palette")).Body(
			app.Range(found).Slice(func(i int) app.UI { return f.option(i, &found[i]) })),
		app.Elem("p").Class("empty").Role("status").Text(f.status(found)),
	)
}

func (f *palette) found() []Entry { return find(f.Lang, f.Entries, f.typed) }

// status says what the next Enter does if it harms, and else what is found, for those who do not see the list.
func (f *palette) status(found []Entry) string {
	switch n := len(found); {
	case f.sure && f.at < n:
		return f.Lang.Say("find-sure", found[f.at].Text)
	case len(f.Entries) == 0:
		return ""
	case n == 0:
		return f.Lang.Say("find-none")
	case n == foundMax:
		return f.Lang.Say("find-most", n)
	default:
		return f.Lang.Count(n, "find-one", "find-some")
	}
}

func optionID(i int) string { return "found-" + strconv.Itoa(i) }

func (f *palette) option(i int, e *Entry) app.UI {
	return app.Elem("li").ID(optionID(i)).Role("option").Aria("selected", strconv.FormatBool(i == f.at)).DataSet("act", "found").DataSet("i", i).OnClick(f.onClick).Body(
		app.Elem("span").Class("found-text").Text(e.Text),
		app.Elem("span").Class("found-hint mono").Text(e.Hint),
		app.Elem("span").Class("found-group").Text(f.Lang.Say(e.Group)),
	)
}

func (f *palette) onInput(ctx app.Context, _ app.Event) {
	f.typed, f.at, f.sure = browser.InputValue(ctx), 0, false
	ctx.Defer(scrollToFound)
}

// onKey moves through the list, which has the keys while the focus stays in the box.
func (f *palette) onKey(ctx app.Context, e app.Event) {
	found := f.found()
	n := len(found)
	step := map[string]int{"ArrowDown": 1, "ArrowUp": n - 1, "PageDown": min(8, n-1-f.at), "PageUp": -min(8, f.at)}
	key := e.Get("key").String()
	if key == "Enter" && !e.Get("isComposing").Bool() {
		e.PreventDefault()
		if f.sure = f.at < n && found[f.at].Harms && !f.sure; !f.sure {
			f.choose(ctx, f.at)
		}
	}
	if by, ok := step[key]; ok && n > 0 {
		e.PreventDefault()
		f.at, f.sure = (f.at+by)%n, false
		ctx.Defer(scrollToFound)
	}
}

func scrollToFound(app.Context) { browser.Reveal(`#palette-list [aria-selected="true"]`) }

func (f *palette) onClick(ctx app.Context, _ app.Event) {
	if i, err := strconv.Atoi(browser.Attr(ctx, "data-i")); err == nil {
		f.choose(ctx, i)
	}
}

// choose carries out an entry. The dialog closes first and gives the focus back, so that an entry can move it.
func (f *palette) choose(ctx app.Context, i int) {
	if found := f.found(); i < len(found) {
		browser.CloseDialog("palette")
		ctx.NewActionWithValue(found[i].Do, found[i].With)
	}
}

func (f *palette) onClose(app.Context, app.Event) { browser.CloseDialog("palette") }

// onClosed empties the box. Its text is the browser's alone: what is drawn later than it was typed would take letters away.
func (f *palette) onClosed(ctx app.Context, _ app.Event) {
	f.typed, f.at, f.sure = "", 0, false
	if box := ctx.JSSrc().Call("querySelector", "input"); box.Truthy() {
		if !browser.DialogOpen("palette") { // the browser tells it late: the palette may be open again, and somebody types
			box.Set("value", "")
		}
		f.typed = box.Get("value").String()
	}
	ctx.NewAction(act.PaletteClosed)
}
