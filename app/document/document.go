// Package document is the text that is shown as a document with a name: its draft in the browser, and the menu that opens another one.
package document

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/drafts"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// What a tab keeps for itself: the id of its draft, and a visit in which nothing was changed, for a reload at the same address.
const (
	tabKey   = "rollplay/tab"
	BarKey   = "rollplay/bar" // the last two addresses of the draft: a reload may come between them
	visitKey = "rollplay/visit"
)

// Panel is the document and the drafts in the browser.
type Panel struct {
	s        *session.Session
	embedded bool // in a page of somebody else, where nothing is saved

	shelf   drafts.Shelf
	Drafts  []drafts.Head
	Now     int64           // when Drafts was read
	removed *drafts.Removed // the last one, for undo
	open    drafts.Head     // the draft that is shown, for its name
	tab     string          // the draft that a reload of this tab opens
	unsaved *Version        // the version that could not be saved, once the page has said so
}

// New returns the document of a session.
func New(s *session.Session, embedded bool) *Panel {
	return &Panel{s: s, embedded: embedded, shelf: drafts.Shelf{Storage: browser.Local{}, NewID: browser.NewID, Now: now}}
}

func now() int64 { return time.Now().UnixMilli() }

// Handlers are the actions of the menu.
func (p *Panel) Handlers() parts.Handlers {
	return parts.Handlers{
		act.Recent: p.onRecent, act.DraftDelete: p.onDraftDelete, act.DraftUndo: p.onDraftUndo, act.New: p.onNew, act.File: p.onFile,
		act.Draft: parts.Changed(p.onDraft), act.DraftRename: parts.Changed(p.onDraftRename),
		act.FileRefused: parts.Changed(func(name string) { p.s.Visit.Tell(p.s.Lang().Say("file-refused", name), true) }),
	}
}

// Version is the part of the session that is saved at once. The cursor moves in every frame, and is saved when it stops or when the
// page closes.
type Version struct {
	Runs                    int
	starts, branches, typed int
	text                    string
}

// Version is the document as it is now.
func (p *Panel) Version() Version {
	return Version{p.s.Computed.Number, p.s.Computed.Started, p.s.Branches.Changes, p.s.Prompt.Screen().Version(), p.s.Document.Text}
}

// Read reads the list of drafts again, because other tabs write it too.
func (p *Panel) Read() {
	p.Drafts, p.Now = p.shelf.List(), now()
}

// Kept is what a visit at an address begins with, empty for a first visit.
func (p *Panel) Kept(fragment string) session.Kept {
	if visit, ok := strings.CutPrefix(browser.LoadTab(visitKey), fragment+"\n"); ok {
		return session.Kept{Data: visit}
	}
	link := ""
	if _, shipped := strings.CutPrefix(fragment, "s="); sharing.Is(fragment) && !shipped {
		link = linkHash(fragment)
	}
	p.tab = browser.LoadTab(tabKey)
	id := p.shelf.Candidate(p.tab, link)
	own := id == p.tab && slices.Contains(strings.Split(browser.LoadTab(BarKey), "\n"), fragment)
	return session.Kept{Draft: id, Data: p.shelf.Open(id, id == p.tab), Own: own}
}

func linkHash(fragment string) string {
	h := fnv.New64a()
	h.Write([]byte(fragment))
	return strconv.FormatUint(h.Sum64(), 36)
}

// Save saves the document. A lesson that nobody changed makes no draft, but a reload still finds its cursor.
func (p *Panel) Save() {
	data := p.s.Save()
	if data == "" || p.embedded { // an embed leaves nothing behind
		return
	}
	changed := p.s.Draft.Changed()
	if p.s.Draft.ID() == "" && (!changed || session.Blank(p.s.Document.Text)) {
		browser.StoreTab(visitKey, p.s.Visit.Address+"\n"+data)
		return
	}
	out := p.shelf.Save(drafts.Head{
		ID: p.s.Draft.ID(), Name: p.s.Document.Label(), At: now(), Curve: p.s.Computed.Curve(), Link: linkHash(p.s.Visit.Address),
	}, data, changed)
	say := p.s.Lang().Say // what the person would not expect
	if out.Failed {
		if of := p.Version(); p.unsaved == nil || *p.unsaved != of {
			p.s.Visit.Tell(say("draft-unsaved"), true)
			p.unsaved = &of
		}
		return
	}
	p.unsaved = nil
	p.open = drafts.Head{ID: out.ID, Name: out.Name}
	p.s.Draft.KeepAs(out.ID)
	p.belongs(out.ID)
	p.s.Draft.Settle()
	switch {
	case out.Copied:
		p.s.Visit.Tell(say("draft-copied", out.Name), false)
	case len(out.Dropped) > 0:
		p.s.Visit.Tell(say("draft-dropped", strings.Join(out.Dropped, ", ")), true)
	}
}

// belongs notes which draft a reload of this tab opens.
func (p *Panel) belongs(id string) {
	if p.tab != id {
		p.tab = id
		browser.StoreTab(tabKey, id)
		browser.StoreTab(visitKey, "")
		browser.StoreTab(BarKey, p.s.Visit.Address)
	}
}

// name is the name of the draft that is shown, "" if nothing is kept yet.
func (p *Panel) name() string {
	id := p.s.Draft.ID()
	if id == "" {
		return ""
	}
	if p.open.ID != id {
		p.open, _ = p.shelf.Head(id)
		p.open.ID = id
	}
	return cmp.Or(p.open.Name, p.s.Document.Label())
}

// title is what the header calls what is shown.
func (p *Panel) title() string {
	if name := p.name(); name != "" {
		return name
	}
	if preset := p.s.Document.Preset; preset != "" && !session.Blank(p.s.Document.Text) {
		return gallery.Title(p.s.Lang(), preset)
	}
	return p.s.Document.Label()
}

// onRecent shows the list as it is now.
func (p *Panel) onRecent(app.Context, any) bool {
	p.Read()
	return false
}

// onDraft opens a draft. What is shown is kept first.
func (p *Panel) onDraft(id string) {
	browser.CloseMenus()
	if id != p.s.Draft.ID() {
		p.Save()
		if p.s.OpenDraft(id, p.shelf.Open(id, false)) {
			p.belongs(id)
		}
	}
}

// onDraftDelete removes a draft. If it is the one that is shown, the next change makes another one.
func (p *Panel) onDraftDelete(ctx app.Context, v any) bool {
	id := v.(string)
	removed := p.shelf.Take(id)
	p.removed = &removed
	if id == p.s.Draft.ID() {
		p.s.Draft.Settle()
		p.s.Draft.KeepAs("")
		p.open = drafts.Head{}
	}
	p.Read()
	ctx.Defer(func(app.Context) { browser.FocusOn(`[data-act="draft-undo"]`) })
	return true
}

// onDraftUndo puts the draft back that was removed last.
func (p *Panel) onDraftUndo(ctx app.Context, _ any) bool {
	if r := p.removed; r != nil && p.shelf.PutBack(*r) {
		p.removed = nil
		if p.tab == r.Head.ID && p.s.Draft.ID() == "" && !p.s.Draft.Changed() {
			p.s.Draft.KeepAs(r.Head.ID)
		}
	}
	p.Read()
	ctx.Defer(func(app.Context) { browser.FocusOn(`[data-act="draft"]`) })
	return true
}

func (p *Panel) onDraftRename(name string) {
	if name = strings.TrimSpace(name); name != "" {
		p.shelf.Rename(p.s.Draft.ID(), name)
		p.open = drafts.Head{ID: p.s.Draft.ID(), Name: name}
	}
	p.Read()
}

// onNew begins with an empty text, and onFile with that of a file. Nothing is asked, because what is shown stays in its draft.
func (p *Panel) onNew(ctx app.Context, _ any) bool {
	p.replace("")
	ctx.NewAction(act.Editor)
	return true
}

func (p *Panel) replace(text string) {
	browser.CloseMenus()
	p.Save()
	p.s.NewText(text)
}

func (p *Panel) onFile(ctx app.Context, v any) bool {
	p.replace(v.(string))
	if p.s.Document.Errors() > 0 {
		ctx.NewAction(act.OpenCode)
	}
	return true
}
