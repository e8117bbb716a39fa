// Package presenter is the view for an audience: the figure alone, in large type, with the sentence of the moment and the link.
package presenter

import (
	"cmp"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/share"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// Panel is the state of the presenter's view.
type Panel struct {
	s   *session.Session
	off bool // in a page of somebody else, which has no presenter's view
	on  bool
	url session.Memo[[4]any, string] // by all that a link without a moment depends on
}

// New returns the presenter's view of a session, closed. An embedded page never opens it.
func New(s *session.Session, embedded bool) *Panel { return &Panel{s: s, off: embedded} }

// Handlers are the actions of the view.
func (p *Panel) Handlers() parts.Handlers { return parts.Handlers{act.Present: p.onPresent} }

func (p *Panel) onPresent(ctx app.Context, v any) bool {
	on := !p.on
	if v != "toggle" {
		on = v == "on"
	}
	if p.off || on == p.on {
		ctx.PreventUpdate()
		return false
	}
	p.on = on
	said := lang.Message("present-off")
	if on {
		said = "present-on"
	}
	p.s.Visit.Say(p.s.Lang().Say(said))
	browser.Present(on)
	return true
}

// Key returns the meaning of a key. Some keys mean something else in the presenter's view: the arrows go through the captions, or without them
// through the moments of interest.
func (p *Panel) Key(key string) string {
	if !p.on {
		return key
	}
	means := map[string]string{"step-next": "next-moment", "step-prev": "prev-moment"}
	if p.s.Run() != nil && len(p.s.Run().Scenario().Captions) > 0 && !p.s.Lesson.Outdated() {
		means = map[string]string{"step-next": "lesson-next", "step-prev": "lesson-back"}
	}
	return cmp.Or(means[key], key)
}

// View is the region below the figure: the sentence of the moment, and the link with its code.
func (p *Panel) View() app.UI {
	if !p.on {
		return app.Elem("section").Class("presenter").Hidden(true)
	}
	l, title, text, count, url := p.s.Lang(), "", "", "", ""
	if run := p.s.Run(); run != nil {
		sc, n := run.Scenario(), p.s.Lesson.Caption()
		title, url = cmp.Or(l.In(sc.Question), p.s.Computed.Title()), p.presentedURL()
		switch {
		case p.s.Lesson.Outdated() || len(sc.Captions) == 0:
			text = l.Say("present-no-notes")
		case n < 0:
			text = l.Say("lesson-begin")
		default:
			text, count = l.In(sc.Captions[n].Text), l.Say("lesson-count", n+1, len(sc.Captions))
		}
	}
	return app.Elem("section").Class("presenter").Hidden(false).DataSet("act", "presenter").Aria("label", l.Say("present-is")).Body(
		app.Elem("div").Body(
			app.Elem("h1").Text(title),
			app.Elem("p").Class("present-text").DataSet("act", "present-text").Text(text),
			app.Elem("p").Class("present-foot").Body(
				app.Elem("span").DataSet("act", "present-count").Text(count),
				app.Elem("span").Class("present-url").DataSet("act", "present-url").Text(address(l, url)),
				&parts.Button{Act: "present-leave", Class: "tool", Glyph: "close", Title: l.Say("present-leave"), Do: act.Present, Value: "off"},
			),
		),
		&share.QR{Place: "present-qr", Label: l.Say("share-code"), URL: url},
	)
}

// presentedURL is the link of the run. Making one takes a while, so it is kept until the run changes.
func (p *Panel) presentedURL() string {
	of := [...]any{p.s.Computed.Started, p.s.Branches.Changes, p.s.Document.Text, p.s.Lang()}
	return session.Recall(&p.url, of, func() string {
		fragment, err := sharing.Encode(p.s.Link())
		if err != nil {
			return ""
		}
		return browser.PageURL() + "#" + fragment
	})
}

// urlChars is the longest address that an audience can read.
const urlChars = 90

// address is the link as people read it; of a long one only the code is shown.
func address(l lang.Lang, url string) string {
	if _, short, _ := strings.Cut(url, "://"); len(short) <= urlChars {
		return short
	}
	return share.CodeCaption(l, url)
}
