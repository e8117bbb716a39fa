package app

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/details"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	sharing "github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/words"
)

// share is the state of the dialog and of the address bar.
type share struct {
	open   bool
	moment bool // the link is to open at the cursor
	view   bool // and with the speed, the loop, the tab and the theme
	copied string
	take   taking
	due    bool // the address bar needs an update when the cursor stops
}

// linkChars is the length from which a link gets a warning: some programs cut longer ones.
const linkChars = 2000

// qrChars is the longest link that a phone can scan from a screen.
const qrChars = 1200

// openLink opens a link with its tab and its theme. The theme applies to this visit and is not stored.
func (p *page) openLink(fragment string) {
	if v, ok := p.s.OpenLink(fragment); ok {
		p.start = start{}
		p.look(v)
	}
}

func (p *page) look(v sharing.View) {
	if details.TabLabels[v.Tab] != "" {
		p.details.Tab = v.Tab
	}
	for _, theme := range themes {
		if theme == v.Theme {
			p.theme = theme
			browser.ShowTheme(theme)
		}
	}
}

// onLink handles a new fragment in the address: somebody pasted a link, or went back or forward. Going back to an
// address without a fragment shows what an untouched visit sees.
func (p *page) onLink(ctx app.Context, a app.Action) {
	fragment := a.Value.(string)
	switch {
	case fragment == p.s.Address():
		ctx.PreventUpdate()
		return
	case sharing.Is(fragment):
		p.save()
		browser.StoreTab(barKey, "")
		p.openLink(fragment)
	case fragment == "" && p.embed == nil:
		p.save()
		p.s.OpenFirst()
	default: // a place in the page
		ctx.PreventUpdate()
		return
	}
	p.changed(ctx)
}

// addressSoon asks for an update of the address if the run or the text has changed. The update waits until the cursor
// stops and nothing else has happened for a moment.
func (p *page) addressSoon() {
	if p.share.due && !p.s.Playing() {
		browser.AddressSoon()
	}
}

func (p *page) onAddress(ctx app.Context, _ app.Action) {
	ctx.PreventUpdate()
	if !p.share.due || p.s.Playing() {
		return
	}
	p.share.due = false
	was := p.s.Address()
	if fragment, changed := p.s.UpdateAddress(); changed {
		browser.StoreTab(barKey, was+"\n"+fragment)
		browser.SetAddress(fragment)
		p.save()
	}
}

// onShare opens the dialog. A cursor that stops somewhere in the run was put there to show something.
func (p *page) onShare(ctx app.Context, _ app.Action) {
	s := p.s
	p.share.take = taking{dark: p.share.take.dark}
	p.share.open, p.share.copied, p.share.moment = true, "", !s.Playing() && !s.Held() && s.Cursor().T > 0 && !s.AtEnd()
	if s.Playing() {
		s.Pause()
	}
	p.changed(ctx)
	ctx.Defer(func(app.Context) { browser.OpenDialog("share") })
}

// onCopied receives what JavaScript has copied, with a ! in front if the browser refused.
func (p *page) onCopied(_ app.Context, a app.Action) {
	p.share.copied, p.share.take.saved = a.Value.(string), ""
	if what, refused := strings.CutPrefix(p.share.copied, "!"); refused {
		p.s.Say(p.s.Lang().Say("copy-refused") + " " + what)
		return
	}
	p.s.Say(p.s.Lang().Say("copied"))
}

// shareDialog shows a link to the run in all its forms.
type shareDialog struct {
	app.Compo

	Lang   lang.Lang
	Open   bool
	Moment bool
	View   bool
	Clock  string // of the cursor
	Sheet  bool   // the system has a dialog of its own for sharing
	Copied string
	Links  links
	Take   takePart
}

// links are the texts to copy.
type links struct {
	URL, Embed string
	Title      string
	Error      string // why there is no link
	Warning    string // that it is long, and what makes it so
}

func (p *page) shareDialog() app.UI {
	d := &shareDialog{Lang: p.s.Lang(), Open: p.share.open, Moment: p.share.moment, View: p.share.view, Copied: p.share.copied}
	if d.Open {
		d.Clock, d.Sheet = cursor.Clock(p.s.Cursor().T), browser.CanShare()
		d.Links, d.Take = p.links(browser.PageURL()), p.takePart()
	}
	return d
}

// links makes the texts for a page at an address that ends with a slash.
func (p *page) links(base string) links {
	l := p.s.Link()
	if p.share.moment {
		p.s.AddMoment(&l.View)
	}
	if p.share.view {
		p.s.AddPlayback(&l.View)
		if p.theme != themes[0] {
			l.Theme = p.theme
		}
		if p.details.Tab != details.TabNames[0] {
			l.Tab = p.details.Tab
		}
	}
	fragment, err := sharing.Encode(l)
	if err != nil {
		return links{Error: p.s.Lang().Say("share-none", err.Error())}
	}
	all := links{URL: base + "#" + fragment, Embed: base + "embed/#" + fragment, Title: oneLine(p.s.Title())}
	if len(all.URL) > linkChars {
		all.Warning = warning(p.s.Lang(), &l, len(fragment))
	}
	return all
}

// warning says what makes a link long.
func warning(in lang.Lang, l *sharing.Link, chars int) string {
	bare := *l
	bare.Recording.Commands, bare.View = nil, sharing.View{}
	text := chars
	if fragment, err := sharing.Encode(bare); err == nil {
		text = len(fragment)
	}
	percent := (100*text + chars/2) / chars
	return in.Say("share-long", linkChars, percent, 100-percent)
}

// OnUpdate draws the code again, because its text may have changed.
func (d *shareDialog) OnUpdate(ctx app.Context) {
	if d.Open {
		ctx.Defer(func(app.Context) { browser.DrawQR("share-qr", d.code()) })
	}
}

// code is the text of the QR code, empty if it would be too fine to scan.
func (d *shareDialog) code() string {
	if len(d.Links.URL) > qrChars {
		return ""
	}
	return d.Links.URL
}

// Render draws the dialog, which stays closed and empty until it is asked for.
func (d *shareDialog) Render() app.UI {
	return app.Elem("dialog").ID("share").Class("help share").DataSet("act", "share-dialog").Aria("labelledby", "share-title").On("close", d.onClosed).Body(
		app.Elem("div").Class("help-head").Body(
			app.Elem("h2").ID("share-title").Text(d.Lang.Say("share-heading")),
			parts.Close(d.Lang, "share-close", "close-esc", d.onClose),
		),
		app.If(d.Open, d.content),
	)
}

func (d *shareDialog) content() app.UI {
	if d.Links.Error != "" {
		return app.Elem("p").Class("notice bad").Text(d.Links.Error)
	}
	return app.Elem("div").Class("share-body").Body(
		app.Elem("p").Text(d.Lang.Say("share-lead")),
		app.Elem("div").Class("share-options").Body(
			&parts.Check{Act: "share-moment", Class: "check", Text: d.Lang.Say("share-moment", d.Clock), On: d.Moment, Do: act.ShareMoment},
			&parts.Check{Act: "share-view", Class: "check", Text: d.Lang.Say("share-view"), On: d.View, Do: act.ShareView},
		),
		app.Elem("div").Class("share-row").Body(
			app.ElemSelfClosing("input").ID("share-url").Class("mono grow").Attr("type", "text").Attr("readonly", true).DataSet("act", "share-link").
				Aria("label", d.Lang.Say("share-link")).Aria("describedby", "share-size").Attr("value", d.Links.URL),
			d.copyButton("share-url", d.Lang.Say("share-link")),
			app.If(d.Sheet, func() app.UI {
				return app.Elem("button").Class("button").Attr("type", "button").DataSet("act", "share-sheet").Text(d.Lang.Say("share-sheet"))
			}),
		),
		app.Elem("p").ID("share-size").Class("share-size").DataSet("act", "share-size").Body(
			app.Text(d.Lang.Say("share-chars", len(d.Links.URL))+" "),
			app.If(d.Links.Warning != "", func() app.UI { return app.Elem("span").Class("share-warning").Text(d.Links.Warning) }),
		),
		app.Elem("figure").Class("share-code").Body(
			app.If(d.code() != "", func() app.UI {
				return app.Elem("div").Class("qr").DataSet("act", "share-qr").Role("img").Aria("label", d.Lang.Say("share-code"))
			}),
			app.Elem("figcaption").Text(d.caption()),
		),
		app.Elem("div").Class("share-snippets").Body(
			d.snippet("markdown", "Markdown", markdownLink(d.Links)),
			d.snippet("html", "HTML", htmlLink(d.Links)),
			d.snippet("iframe", d.Lang.Say("share-iframe"), iframe(d.Links)),
			app.If(d.Take.Drawn, func() app.UI {
				return d.snippet("picture", d.Lang.Say("take-markdown", d.Take.File), markdownPicture(d.Links, d.Take))
			}),
		),
		d.takeAlong(),
		app.Elem("p").Class("share-said").Role("status").Aria("live", "polite").Text(d.said()),
	)
}

// said reports copying inside the dialog, because the page's own live region is behind it.
func (d *shareDialog) said() string {
	switch {
	case d.Take.Saved != "":
		return d.Lang.Say("take-saved", d.Take.Saved)
	case d.Copied == "":
		return ""
	case strings.HasPrefix(d.Copied, "!"):
		return d.Lang.Say("copy-refused")
	}
	return d.Lang.Say("copied")
}

func (d *shareDialog) caption() string {
	if d.code() == "" {
		return d.Lang.Say("share-no-code", qrChars)
	}
	return d.Lang.Say("share-phone")
}

func (d *shareDialog) snippet(id, label, text string) app.UI {
	return app.Elem("div").Class("share-snippet").Body(
		app.Elem("label").Attr("for", "share-"+id).Text(label),
		app.Elem("div").Class("share-row").Body(
			app.ElemSelfClosing("input").ID("share-"+id).Class("mono grow").Attr("type", "text").Attr("readonly", true).
				DataSet("act", "share-snippet").DataSet("value", id).Attr("value", text),
			d.copyButton("share-"+id, label),
		),
	)
}

// copyButton copies what a field holds. JavaScript does it within the click, because some browsers allow it only there.
func (d *shareDialog) copyButton(field, what string) app.UI {
	text := d.Lang.Say("copy")
	if d.Copied == field {
		text = d.Lang.Say("copy-done")
	}
	return app.Elem("button").Class("button").Attr("type", "button").DataSet("act", "share-copy").DataSet("value", field).
		Aria("label", d.Lang.Say("copy-what", what)).Text(text)
}

func (d *shareDialog) onClose(app.Context, app.Event)        { browser.CloseDialog("share") }
func (d *shareDialog) onClosed(ctx app.Context, _ app.Event) { ctx.NewAction(act.ShareClosed) }

// oneLine is a title as the snippets contain it: a line break would end the link in Markdown, and what follows be a paragraph or
// a code block; hidden characters are visible.
func oneLine(title string) string { return words.Visible(strings.Join(strings.Fields(title), " ")) }

// The forms of a link. None of its characters means anything in Markdown or HTML, but the title's may.

func markdownLink(l links) string { return "[" + markdownText.Replace(l.Title) + "](" + l.URL + ")" }

func htmlLink(l links) string { return `<a href="` + escape(l.URL) + `">` + escape(l.Title) + `</a>` }

// iframe has the small layout, which is as high as the frame.
func iframe(l links) string {
	src := strings.Replace(l.Embed, "/embed/#", "/embed/?layout=compact&panels=why#", 1)
	return `<iframe src="` + escape(src) + `" title="` + escape(l.Title) +
		`" width="100%" height="480" sandbox="allow-scripts" loading="lazy"></iframe>`
}

func escape(s string) string { return htmlText.Replace(s) }

// Markdown lets HTML through, and not each of its dialects has the escape \<, so both forms name these characters as HTML does.
var (
	markdownText = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "&#96;", "|", "&#124;")
	htmlText     = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "&#96;", `"`, "&quot;")
)
