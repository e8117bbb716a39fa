package app

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
)

// resetPath opens the page as if it had never been visited; boot.js sees to it before the program starts.
const resetPath = "?reset"

// runNotice is a small notice at the edge of the window: that a run is still being computed, that it is large and asks how to
// go on, or that it went wrong. It comes and goes without moving anything else.
type runNotice struct {
	app.Compo

	Lang   lang.Lang
	Text   string
	Asks   bool // how to go on
	Stop   bool // can be stopped
	Offer  bool // to run what did not finish last time
	Report string
}

// progressAfter is how long a run may take without a notice, and progressEvery how often the notice changes.
const (
	progressAfter = time.Second
	progressEvery = 300 * time.Millisecond
)

// progress is what the notice says about a run that is being computed.
type progress struct {
	since, told time.Time
	text        string
}

// follow brings the progress up to date.
func (g *progress) follow(s *session.Session, now time.Time) {
	switch {
	case !s.Computing():
		*g = progress{}
	case g.since.IsZero():
		g.since = now
	case now.Sub(g.since) > progressAfter && now.Sub(g.told) > progressEvery:
		g.told, g.text = now, s.Progress()
	}
}

func (p *page) runNotice() *runNotice {
	n := &runNotice{Lang: p.s.Lang()}
	switch notice := p.s.Notice(); {
	case p.s.Asks():
		n.Text, n.Asks = p.s.LargeText(), true
	case forNotice(notice):
		n.Text, n.Offer, n.Report = notice.Text, notice.Offer == session.OfferAnyway, notice.Report
	case p.progress.text != "":
		n.Text, n.Stop = p.progress.text, true
	}
	return n
}

// forNotice says that what the session has to say belongs here, where it is seen even if the editor is not.
func forNotice(n session.Notice) bool { return n.Offer == session.OfferAnyway || n.Report != "" }

// Render draws the notice; while there is nothing to say, it is hidden.
func (n *runNotice) Render() app.UI {
	if n.Text == "" {
		return app.Elem("section").Class("run-notice").Hidden(true)
	}
	role := "status"
	if n.Asks || n.Offer || n.Report != "" {
		role = "alert"
	}
	return app.Elem("section").Class("run-notice").Hidden(false).DataSet("act", "run-notice").Body(
		app.Elem("p").Attr("role", role).Text(n.Text),
		app.If(n.Asks, func() app.UI { return n.button("large-all", "large-all", act.Continue, "all") }),
		app.If(n.Asks, func() app.UI { return n.button("large-watch", "large-watch", act.Continue, "watch") }),
		app.If(n.Asks, func() app.UI { return n.button("stop-run", "large-stop", act.Stop, "") }),
		app.If(n.Stop, func() app.UI { return n.button("stop-run", "stop", act.Stop, "") }),
		app.If(n.Offer, func() app.UI { return n.button("run-anyway", "run-anyway", act.Anyway, "") }),
		app.If(n.Report != "", n.report),
		app.If(n.Report != "", func() app.UI { return n.button("notice-close", "close", act.Dismiss, "") }),
	)
}

func (n *runNotice) button(name string, label lang.Message, do, value string) app.UI {
	return &parts.Button{Act: name, Class: "button", Text: n.Lang.Say(label), Do: do, Value: value}
}

// report is a text to be copied into an issue.
func (n *runNotice) report() app.UI {
	return app.Elem("details").Body(
		app.Elem("summary").Text(n.Lang.Say("report")),
		app.Elem("textarea").DataSet("act", "report").Attr("readonly", true).Attr("rows", "6").Aria("label", n.Lang.Say("report")).Text(n.Report),
	)
}
