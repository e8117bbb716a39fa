package app

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// presenting is the state of the presenter's view: the figure alone, in large type.
type presenting struct {
	on  bool
	of  linked // what url was made from
	url string
}

// linked is all that a link without a moment depends on.
type linked struct {
	starts, besides int
	text            string
	lang            lang.Lang
}

// onPresent opens or closes the presenter's view.
func (p *page) onPresent(ctx app.Context, a app.Action) {
	on := !p.presenting.on
	if v := a.Value.(string); v != "toggle" {
		on = v == "on"
	}
	if p.embed != nil || on == p.presenting.on {
		ctx.PreventUpdate()
		return
	}
	p.presenting.on = on
	said := lang.Message("present-off")
	if on {
		said = "present-on"
	}
	p.s.Say(p.s.Lang().Say(said))
	browser.Present(on)
	p.changed(ctx)
}

// presented are the keys that mean something else in the presenter's view: the arrows go through the captions, or without them
// through the moments of interest.
func (p *page) presented(key string) string {
	lesson := p.s.Run() != nil && len(p.s.Run().Scenario().Captions) > 0 && !p.s.LessonLeft()
	switch {
	case !p.presenting.on:
	case key == "step-next" && lesson:
		return "lesson-next"
	case key == "step-prev" && lesson:
		return "lesson-back"
	case key == "step-next":
		return "next-moment"
	case key == "step-prev":
		return "prev-moment"
	}
	return key
}

// presenter is what stands below the figure then: the sentence of the moment, and the link with its code.
type presenter struct {
	app.Compo

	Lang  lang.Lang
	On    bool
	Title string
	Text  string
	Count string
	URL   string
}

func (p *page) presenter() app.UI {
	view := &presenter{Lang: p.s.Lang(), On: p.presenting.on}
	if !view.On || p.s.Run() == nil {
		return view
	}
	sc := p.s.Run().Scenario()
	view.Title, view.URL = p.s.Title(), p.presentedURL()
	if q := p.s.Lang().In(sc.Question); q != "" {
		view.Title = q
	}
	n := p.s.Caption()
	switch {
	case p.s.LessonLeft() || len(sc.Captions) == 0:
		view.Text = view.Lang.Say("present-no-notes")
	case n < 0:
		view.Text = view.Lang.Say("lesson-begin")
	default:
		view.Text, view.Count = p.s.Lang().In(sc.Captions[n].Text), view.Lang.Say("lesson-count", n+1, len(sc.Captions))
	}
	return view
}

// presentedURL is the link of the run. Making one takes a while, so it is kept until the run changes.
func (p *page) presentedURL() string {
	of := linked{p.s.Starts(), p.s.Besides(), p.s.Text(), p.s.Lang()}
	if v := &p.presenting; v.of != of {
		v.of, v.url = of, ""
		if fragment, err := sharing.Encode(p.s.Link()); err == nil {
			v.url = browser.PageURL() + "#" + fragment
		}
	}
	return p.presenting.url
}

// urlChars is the longest address that an audience can read.
const urlChars = 90

// OnUpdate draws the code again, because the link may have changed.
func (v *presenter) OnUpdate(ctx app.Context) {
	if v.On {
		ctx.Defer(func(app.Context) { browser.DrawQR("present-qr", v.code()) })
	}
}

func (v *presenter) code() string {
	if len(v.URL) > qrChars {
		return ""
	}
	return v.URL
}

// Render draws the sentence and the link.
func (v *presenter) Render() app.UI {
	if !v.On {
		return app.Elem("section").Class("presenter").Hidden(true)
	}
	return app.Elem("section").Class("presenter").Hidden(false).DataSet("act", "presenter").Aria("label", v.Lang.Say("present-is")).Body(
		app.Elem("div").Body(
			app.Elem("h1").Text(v.Title),
			app.Elem("p").Class("present-text").DataSet("act", "present-text").Aria("live", "polite").Text(v.Text),
			app.Elem("p").Class("present-foot").Body(
				app.Elem("span").DataSet("act", "present-count").Text(v.Count),
				app.Elem("span").Class("present-url").DataSet("act", "present-url").Text(v.address()),
				&parts.Button{Act: "present-leave", Class: "tool", Glyph: "close", Title: v.Lang.Say("present-leave"), Do: act.Present, Value: "off"},
			),
		),
		app.Elem("div").Class("qr").DataSet("act", "present-qr").Role("img").Aria("label", v.Lang.Say("share-code")).Hidden(v.code() == ""),
	)
}

// address is the link as people read it; of a long one only the code is shown.
func (v *presenter) address() string {
	_, short, _ := strings.Cut(v.URL, "://")
	switch {
	case len(short) <= urlChars:
		return short
	case v.code() == "":
		return v.Lang.Say("share-no-code", qrChars)
	}
	return v.Lang.Say("share-phone")
}
