// Package start is how a visit begins: the panel of a first visit, and the offers below a pasted text.
package start

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/stage"
	sharing "github.com/rollplay/rollplay/engine/link"
)

// BreakScenario is what "let me break it" opens.
const BreakScenario = "bad-image"

// Key is where the browser keeps that somebody has closed the panel.
const Key = "rollplay/start"

// Panel is the panel of a first visit. It closes when a different run is shown, or this one is played.
type Panel struct {
	s    *session.Session
	Open bool
	runs int
}

// New returns the panel of a session, closed.
func New(s *session.Session) *Panel { return &Panel{s: s} }

// Show opens the panel, or closes it.
func (p *Panel) Show(open bool) { p.Open, p.runs = open, p.s.Computed.Number }

// Follow closes the panel when a different run is shown.
func (p *Panel) Follow() { p.Open = p.Open && p.s.Computed.Number == p.runs }

// View says in one line what the page is, and lets a newcomer choose how to begin. It covers nothing: the first scenario plays below it.
// While closed it is hidden, so that its neighbours stay in place.
func (p *Panel) View() app.UI {
	if !p.Open {
		return app.Elem("section").Class("start").Hidden(true)
	}
	say := p.s.Lang().Say
	way := func(choice string, label, title lang.Message) app.UI {
		return &parts.Button{Act: string(label), Class: parts.Marked("button way", "primary", choice == "show"), Text: say(label), Title: say(title), Do: act.Start, Value: choice}
	}
	return app.Elem("section").Class("start").Hidden(false).DataSet("act", "start-panel").Aria("labelledby", "start-title").Body(
		app.Elem("h2").ID("start-title").Text(say("start")),
		app.Elem("div").Class("next").Body(
			way("show", "start-show", "start-show-it"),
			way("break", "start-break", "start-break-it"),
			way("own", "start-own", "start-own-it"),
			parts.Close(p.s.Lang(), "start-close", "close", parts.Post(act.Start, "close")),
		),
	)
}

// FirstVisit says that nothing was saved, no link is open, and the panel was never closed.
func FirstVisit(saved, fragment, seen string) bool {
	return saved == "" && seen == "" && !sharing.Is(fragment)
}

// Handlers are the actions of the panel.
func (p *Panel) Handlers() parts.Handlers { return parts.Handlers{act.Start: p.onStart} }

// onStart opens the panel, or carries out a choice. The focus moves to where that begins, because the pressed button
// is gone.
func (p *Panel) onStart(ctx app.Context, value any) bool {
	p.Show(value == "open")
	focus := "#stage"
	switch value {
	case "open":
		focus = `[data-act="start-show"]`
	case "show":
		p.s.LoadScenario(session.FirstScenario)
		p.s.Lesson.Watch()
	case "break":
		p.s.LoadScenario(BreakScenario)
	case "own":
		p.s.NewText("")
		focus = ""
		ctx.NewAction(act.Editor)
	}
	if !p.Open {
		browser.Store(Key, "seen")
	}
	if focus != "" {
		ctx.Defer(func(app.Context) { browser.FocusOn(focus) })
	}
	return true
}

// Offers are the next steps with a pasted text that runs, beside its verdict from the start, so that nothing moves when the pods are up.
func Offers(s *session.Session, on *stage.Panels) app.UI {
	l, ways := s.Lang(), []stage.Way{}
	if s.Draft.Offering() {
		ways = on.Ways()
	}
	names := map[string]string{"rollout": "", "break": l.Say("offer-break"), "drain": ""}
	var buttons []app.UI // the first way of each kind that fits
	for _, w := range ways {
		if name, fits := names[w.Kind]; fits {
			delete(names, w.Kind)
			buttons = append(buttons, &parts.Button{Act: "offer-" + w.Kind, Class: "button", Text: cmp.Or(name, w.Name), Title: w.Line, Do: w.Do, Value: w.With})
		}
	}
	if len(buttons) == 0 {
		return app.Elem("p").Class("offers").Hidden(true)
	}
	text := l.Say("offer-wait")
	if pods, up := on.Up(); up {
		text = l.Count(pods, "offer-one", "offer-up")
	}
	return app.Elem("p").Class("offers next").Hidden(false).DataSet("act", "offers").Body(
		append([]app.UI{app.Elem("span").Attr("role", "status").Text(text)}, buttons...)...)
}
