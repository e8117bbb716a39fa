// Package share is the dialog that gives a run away: as a link, a code, a snippet or a file.
package share

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/export"
	sharing "github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/words"
)

// Panel is the state of the dialog.
type Panel struct {
	s      *session.Session
	Look   sharing.View // the tab and the theme of the page, empty for the usual ones
	Open   bool
	moment bool // the link opens at the cursor
	view   bool // and with the speed, the loop, the tab and the theme
	copied string
	take   taking
}

// New returns the dialog of a session, closed.
func New(s *session.Session) *Panel { return &Panel{s: s} }

// Handlers are the actions of the dialog.
func (p *Panel) Handlers() parts.Handlers {
	return parts.Handlers{
		act.Share: p.onShare, act.Copied: p.onCopied, act.Take: parts.Changed(p.onTake),
		act.ShareClosed: parts.Changed(func(any) { p.Open, p.take = false, taking{dark: p.take.dark} }), // no link is made while nobody sees it
		act.ShareMoment: parts.Changed(func(on bool) { p.moment, p.copied = on, "" }),
		act.ShareView:   parts.Changed(func(on bool) { p.view, p.copied = on, "" }),
		act.TakeDark:    parts.Changed(func(on bool) { p.take.dark = on }),
	}
}

// linkChars is the length from which a link gets a warning: some programs cut longer ones.
const linkChars = 2000

// codeChars is the longest link that a phone can scan from a screen.
const codeChars = 1200

// onShare opens the dialog. A cursor that stops somewhere in the run was put there to show something.
func (p *Panel) onShare(ctx app.Context, _ any) bool {
	s := p.s
	p.take = taking{dark: p.take.dark}
	p.Open, p.copied, p.moment = true, "", !s.Cursor.Playing && !s.Lesson.Held() && s.Cursor.T > 0 && !s.Cursor.AtEnd()
	if s.Cursor.Playing {
		s.Cursor.Pause()
	}
	ctx.Defer(func(app.Context) { browser.OpenDialog("share") })
	return true
}

// onCopied receives what JavaScript has copied, with a ! in front if the browser refused.
func (p *Panel) onCopied(_ app.Context, v any) bool {
	p.copied, p.take.saved = v.(string), ""
	said := p.s.Lang().Say("copied")
	if what, refused := strings.CutPrefix(p.copied, "!"); refused {
		said = p.s.Lang().Say("copy-refused") + " " + what
	}
	p.s.Visit.Say(said)
	return false
}

// links are the texts to copy.
type links struct {
	URL, Embed string
	Title      string
	Error      string // why there is no link
	Warning    string // that it is long, and what makes it so
}

// links makes the texts for a page at an address that ends with a slash.
func (p *Panel) links(base string) links {
	l := p.s.Link()
	if p.moment {
		p.s.Cursor.AddMoment(&l.View)
	}
	if p.view {
		p.s.Cursor.AddPlayback(&l.View)
		l.Theme, l.Tab = p.Look.Theme, p.Look.Tab
	}
	fragment, err := sharing.Encode(l)
	if err != nil {
		return links{Error: p.s.Lang().Say("share-none", err.Error())}
	}
	all := links{URL: base + "#" + fragment, Embed: base + "embed/#" + fragment, Title: OneLine(p.s.Computed.Title())}
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

// Code is the text of the QR code of an address, empty if the code would be too fine to scan.
func Code(url string) string {
	if len(url) > codeChars {
		return ""
	}
	return url
}

// CodeCaption says what the code is for, or why there is none.
func CodeCaption(l lang.Lang, url string) string {
	if Code(url) == "" {
		return l.Say("share-no-code", codeChars)
	}
	return l.Say("share-phone")
}

// QR is the code of an address, which JavaScript draws again when the address has changed.
type QR struct {
	app.Compo

	Place, Label, URL string
}

// OnMount and OnUpdate draw the code once its place is there.
func (q *QR) OnMount(ctx app.Context) {
	ctx.Defer(func(app.Context) { browser.DrawQR(q.Place, Code(q.URL)) })
}

func (q *QR) OnUpdate(ctx app.Context) { q.OnMount(ctx) }

// Render draws the empty place.
func (q *QR) Render() app.UI {
	return app.Elem("div").Class("qr").DataSet("act", q.Place).Role("img").Aria("label", q.Label).Hidden(Code(q.URL) == "")
}

// Dialog shows a link to the run in all its forms. It stays closed and empty until it is asked for.
func (p *Panel) Dialog() app.UI {
	return parts.Dialog(p.s.Lang(), "share", "help share", "share-heading", app.If(p.Open, p.content)).On("close", parts.Post(act.ShareClosed, nil))
}

func (p *Panel) content() app.UI {
	l, say, drawn := p.links(browser.PageURL()), p.s.Lang().Say, p.picture()
	if l.Error != "" {
		return app.Elem("p").Class("notice bad").Text(l.Error)
	}
	return app.Elem("div").Class("share-body").Body(
		app.Elem("p").Text(say("share-lead")),
		app.Elem("div").Class("share-options").Body(
			&parts.Check{Act: "share-moment", Class: "check", Text: say("share-moment", cursor.Clock(p.s.Cursor.T)), On: p.moment, Do: act.ShareMoment},
			&parts.Check{Act: "share-view", Class: "check", Text: say("share-view"), On: p.view, Do: act.ShareView},
		),
		app.Elem("div").Class("share-row").Body(
			field("share-url", "share-link", l.URL).Aria("label", say("share-link")).Aria("describedby", "share-size"),
			p.copyButton("share-url", say("share-link")),
			parts.When(browser.CanShare(), app.Elem("button").Class("button").Attr("type", "button").DataSet("act", "share-sheet").Text(say("share-sheet"))),
		),
		app.Elem("p").ID("share-size").Class("share-size").DataSet("act", "share-size").Body(
			app.Text(say("share-chars", len(l.URL))+" "),
			parts.When(l.Warning != "", app.Elem("span").Class("share-warning").Text(l.Warning)),
		),
		app.Elem("figure").Class("share-code").Body(
			parts.When(Code(l.URL) != "", &QR{Place: "share-qr", Label: say("share-code"), URL: l.URL}),
			app.Elem("figcaption").Text(CodeCaption(p.s.Lang(), l.URL)),
		),
		app.Elem("div").Class("share-snippets").Body(
			p.snippet("markdown", "Markdown", markdownLink(l)),
			p.snippet("html", "HTML", htmlLink(l)),
			p.snippet("iframe", say("share-iframe"), iframe(l)),
			app.If(drawn != nil, func() app.UI {
				file := export.FileName(p.s.Workload(), ".svg")
				return p.snippet("picture", say("take-markdown", file), markdownPicture(l.URL, file, drawn.Alt(p.s.Lang())))
			}),
		),
		p.takeAlong(),
		app.Elem("p").Class("share-said").Role("status").Aria("live", "polite").Text(p.said()),
	)
}

// said reports copying inside the dialog, because the page's own live region is behind it.
func (p *Panel) said() string {
	switch {
	case p.take.saved != "":
		return p.s.Lang().Say("take-saved", p.take.saved)
	case p.copied == "":
		return ""
	case strings.HasPrefix(p.copied, "!"):
		return p.s.Lang().Say("copy-refused")
	}
	return p.s.Lang().Say("copied")
}

func (p *Panel) snippet(id, label, text string) app.UI {
	return app.Elem("div").Class("share-snippet").Body(
		app.Elem("label").Attr("for", "share-"+id).Text(label),
		app.Elem("div").Class("share-row").Body(
			field("share-"+id, "share-snippet", text).DataSet("value", id),
			p.copyButton("share-"+id, label),
		),
	)
}

// field is a text to copy.
func field(id, act, text string) app.HTMLElemSelfClosing {
	return app.ElemSelfClosing("input").ID(id).Class("mono grow").Attr("type", "text").Attr("readonly", true).DataSet("act", act).Attr("value", text)
}

// copyButton copies what a field holds. JavaScript does it within the click, because some browsers allow it only there.
func (p *Panel) copyButton(field, what string) app.UI {
	text := p.s.Lang().Say("copy")
	if p.copied == field {
		text = p.s.Lang().Say("copy-done")
	}
	return app.Elem("button").Class("button").Attr("type", "button").DataSet("act", "share-copy").DataSet("value", field).
		Aria("label", p.s.Lang().Say("copy-what", what)).Text(text)
}

// OneLine is a title as the snippets contain it: a line break would end the link in Markdown, and what follows be a paragraph or
// a code block; hidden characters are visible.
func OneLine(title string) string { return words.Visible(strings.Join(strings.Fields(title), " ")) }

// The forms of a link. None of its characters means anything in Markdown or HTML, but the title's may.

func markdownLink(l links) string { return "[" + markdownText.Replace(l.Title) + "](" + l.URL + ")" }

func htmlLink(l links) string {
	return `<a href="` + htmlText.Replace(l.URL) + `">` + htmlText.Replace(l.Title) + `</a>`
}

// iframe has the small layout, which is as high as the frame.
func iframe(l links) string {
	src := strings.Replace(l.Embed, "/embed/#", "/embed/?layout=compact&panels=why#", 1)
	return `<iframe src="` + htmlText.Replace(src) + `" title="` + htmlText.Replace(l.Title) +
		`" width="100%" height="480" sandbox="allow-scripts" loading="lazy"></iframe>`
}

// Markdown lets HTML through, and not each of its dialects has the escape \<, so both forms name these characters as HTML does.
var (
	markdownText = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "&#96;", "|", "&#124;")
	htmlText     = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "&#96;", `"`, "&quot;")
)
