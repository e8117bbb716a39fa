package app

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/drafts"
	"github.com/rollplay/rollplay/app/session"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// What a tab keeps for itself: the id of its draft, and a visit in which nothing was changed, for a reload at the same address.
const (
	tabKey   = "rollplay/tab"
	barKey   = "rollplay/bar" // the last two addresses of the draft: a reload may come between them
	visitKey = "rollplay/visit"
)

// recent is the drafts as the page knows them.
type recent struct {
	shelf   drafts.Shelf
	list    []drafts.Head
	now     int64           // when the list was read
	removed *drafts.Removed // the last one, for undo
	open    drafts.Head     // the draft that is shown, for its name
	tab     string          // the draft that a reload of this tab opens
	unsaved *kept           // what is not saved, and the page has said so; nil if all is
}

func newRecent() recent {
	return recent{shelf: drafts.Shelf{Storage: browser.Local{}, NewID: browser.NewID}}
}

// read reads the list again: other tabs write it, too.
func (r *recent) read() {
	r.list, r.now = r.shelf.List(), time.Now().UnixMilli()
}

// kept is what a visit at an address begins with, and whether there is anything.
func (r *recent) kept(fragment string) session.Kept {
	if visit, ok := strings.CutPrefix(browser.LoadTab(visitKey), fragment+"\n"); ok {
		return session.Kept{Data: visit}
	}
	link := ""
	if _, shipped := strings.CutPrefix(fragment, "s="); sharing.Is(fragment) && !shipped {
		link = linkHash(fragment)
	}
	r.tab = browser.LoadTab(tabKey)
	id := r.shelf.Candidate(r.tab, link)
	own := id == r.tab && slices.Contains(strings.Split(browser.LoadTab(barKey), "\n"), fragment)
	return session.Kept{Draft: id, Data: r.shelf.Open(id), Own: own}
}

func linkHash(fragment string) string {
	h := fnv.New64a()
	h.Write([]byte(fragment))
	return strconv.FormatUint(h.Sum64(), 36)
}

// save keeps what is shown. Nobody makes a draft by looking at a lesson; a reload still finds the cursor where it was.
func (p *page) save() {
	data := p.s.Save()
	if data == "" || p.embed != nil { // an embed leaves nothing behind
		return
	}
	changed := p.s.Changed()
	if p.s.Draft() == "" && (!changed || session.Blank(p.s.Text())) {
		browser.StoreTab(visitKey, p.s.Address()+"\n"+data)
		return
	}
	out := p.recent.shelf.Save(drafts.Head{
		ID: p.s.Draft(), Name: p.s.Label(), At: time.Now().UnixMilli(), Curve: p.s.Curve(), Link: linkHash(p.s.Address()),
	}, data, changed)
	p.saved(out)
}

// saved takes note of where the draft is, and says what the person would not expect.
func (p *page) saved(out drafts.Outcome) {
	say := p.s.Lang().Say
	if out.Failed {
		if of := p.kept; p.recent.unsaved == nil || *p.recent.unsaved != of {
			p.s.Tell(say("draft-unsaved"), true)
			p.recent.unsaved = &of
		}
		return
	}
	p.recent.unsaved = nil
	p.recent.open = drafts.Head{ID: out.ID, Name: out.Name}
	p.s.KeepAs(out.ID)
	p.belongs(out.ID)
	p.s.Settle()
	switch {
	case out.Copied:
		p.s.Tell(say("draft-copied", out.Name), false)
	case len(out.Dropped) > 0:
		p.s.Tell(say("draft-dropped", strings.Join(out.Dropped, ", ")), true)
	}
}

// belongs notes which draft a reload of this tab opens.
func (p *page) belongs(id string) {
	if p.recent.tab != id {
		p.recent.tab = id
		browser.StoreTab(tabKey, id)
		browser.StoreTab(visitKey, "")
		browser.StoreTab(barKey, p.s.Address())
	}
}

// draftName is the name of the draft that is shown, "" if nothing is kept yet.
func (p *page) draftName() string {
	id := p.s.Draft()
	if id == "" {
		return ""
	}
	if p.recent.open.ID != id {
		p.recent.open, _ = p.recent.shelf.Head(id)
		p.recent.open.ID = id
	}
	if p.recent.open.Name == "" {
		return p.s.Label()
	}
	return p.recent.open.Name
}

// title is what the header calls what is shown.
func (p *page) title() string {
	if name := p.draftName(); name != "" {
		return name
	}
	if preset := p.s.Preset(); preset != "" && !session.Blank(p.s.Text()) {
		return session.Title(p.s.Lang(), preset)
	}
	return p.s.Label()
}

// onRecent shows the list as it is now.
func (p *page) onRecent(ctx app.Context, _ app.Action) { p.recent.read() }

// onDraft opens a draft. What is shown is kept first.
func (p *page) onDraft(ctx app.Context, a app.Action) {
	id := a.Value.(string)
	browser.CloseMenus()
	if id != p.s.Draft() {
		p.save()
		if p.s.OpenDraft(id, p.recent.shelf.Open(id)) {
			p.belongs(id)
		}
	}
	p.changed(ctx)
}

// onDraftDelete removes a draft. If it is the one that is shown, the next change makes another one.
func (p *page) onDraftDelete(ctx app.Context, a app.Action) {
	id := a.Value.(string)
	removed := p.recent.shelf.Take(id)
	p.recent.removed = &removed
	if id == p.s.Draft() {
		p.s.Settle()
		p.s.KeepAs("")
		p.recent.open = drafts.Head{}
	}
	p.recent.read()
	p.changed(ctx)
	ctx.Defer(func(app.Context) { browser.FocusOn(`[data-act="draft-undo"]`) })
}

// onDraftUndo puts the draft back that was removed last.
func (p *page) onDraftUndo(ctx app.Context, _ app.Action) {
	if r := p.recent.removed; r != nil && p.recent.shelf.PutBack(*r) {
		p.recent.removed = nil
		if p.recent.tab == r.Head.ID && p.s.Draft() == "" && !p.s.Changed() {
			p.s.KeepAs(r.Head.ID)
		}
	}
	p.recent.read()
	p.changed(ctx)
	ctx.Defer(func(app.Context) { browser.FocusOn(`[data-act="draft"]`) })
}

func (p *page) onDraftRename(ctx app.Context, a app.Action) {
	if name := strings.TrimSpace(a.Value.(string)); name != "" {
		p.recent.shelf.Rename(p.s.Draft(), name)
		p.recent.open = drafts.Head{ID: p.s.Draft(), Name: name}
	}
	p.recent.read()
	p.changed(ctx)
}

// onNew begins with an empty text, and onFile with that of a file. Nothing is asked, because what is shown stays in its draft.
func (p *page) onNew(ctx app.Context, _ app.Action) {
	browser.CloseMenus()
	p.save()
	p.s.NewText()
	p.openCode()
	p.changed(ctx)
	ctx.Defer(func(app.Context) { browser.FocusEditor() })
}

func (p *page) onFile(ctx app.Context, a app.Action) {
	browser.CloseMenus()
	p.save()
	p.s.OpenText(a.Value.(string))
	if p.s.Errors() > 0 {
		p.openCode()
	}
	p.changed(ctx)
}

// onPaste is a text that was put into an empty editor.
func (p *page) onPaste(ctx app.Context, a app.Action) {
	p.inEditor = a.Value.(string)
	p.s.Paste(p.inEditor)
	p.changed(ctx)
	ctx.Defer(func(app.Context) { browser.Reveal(".offers:not([hidden])") }) // on a phone the editor is far below
}

// draftActions are those of the list and of what fills it.
func (p *page) draftActions() map[string]app.ActionHandler {
	return map[string]app.ActionHandler{
		act.Recent: p.onRecent, act.Draft: p.onDraft, act.DraftDelete: p.onDraftDelete, act.DraftUndo: p.onDraftUndo, act.DraftRename: p.onDraftRename,
		act.New: p.onNew, act.File: p.onFile, act.Paste: p.onPaste, act.Palette: p.onPalette, act.PaletteClosed: p.onPaletteClosed,
	}
}
