// Package notice is the small notice at the edge of the window, about a run that is long, large or went wrong.
package notice

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
)

// Panel decides what the notice says.
type Panel struct {
	s        *session.Session
	progress progress
}

// New returns the notice of a session.
func New(s *session.Session) *Panel { return &Panel{s: s} }

// view is the notice: a run is still being computed, a large run waits for a choice, or a run went wrong. It comes and goes without
// moving anything else.
type view struct {
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

// Follow brings the progress up to date.
func (p *Panel) Follow(now time.Time) {
	g := &p.progress
	switch {
	case !p.s.Computing():
		*g = progress{}
	case g.since.IsZero():
		g.since = now
	case now.Sub(g.since) > progressAfter && now.Sub(g.told) > progressEvery:
		g.told, g.text = now, p.s.Computed.Progress()
	}
}

// Text is the sentence of the notice, empty while it is hidden.
func (p *Panel) Text() string { return p.view().Text }

// View is the notice as it is now.
func (p *Panel) View() app.UI { return p.view() }

func (p *Panel) view() *view {
	n := &view{Lang: p.s.Lang()}
	switch notice := p.s.Visit.Notice; {
	case p.s.Computed.Asks():
		n.Text, n.Asks = p.s.Computed.LargeText(), true
	case Owns(notice):
		n.Text, n.Offer, n.Report = notice.Text, notice.Offer == session.OfferAnyway, notice.Report
	case p.progress.text != "":
		n.Text, n.Stop = p.progress.text, true
	}
	return n
}

// Owns says that a notice of the session belongs here, because it must be seen while the editor is hidden.
func Owns(n session.Notice) bool { return n.Offer == session.OfferAnyway || n.Report != "" }

// Render draws the notice; while there is nothing to say, it is hidden.
func (n *view) Render() app.UI {
	if n.Text == "" {
		return app.Elem("section").Class("run-notice").Hidden(true)
	}
	role := "status"
	if n.Asks || n.Offer || n.Report != "" {
		role = "alert"
	}
	return app.Elem("section").Class("run-notice").Hidden(false).DataSet("act", "run-notice").Body(
		app.Elem("p").Attr("role", role).Text(n.Text),
		parts.When(n.Asks, n.button("large-all", "large-all", act.Continue, "all")),
		parts.When(n.Asks, n.button("large-watch", "large-watch", act.Continue, "watch")),
		parts.When(n.Asks, n.button("stop-run", "large-stop", act.Stop, "")),
		parts.When(n.Stop, n.button("stop-run", "stop", act.Stop, "")),
		parts.When(n.Offer, n.button("run-anyway", "run-anyway", act.Anyway, "")),
		app.If(n.Report != "", n.report),
		parts.When(n.Report != "", n.button("notice-close", "close", act.Dismiss, "")),
	)
}

func (n *view) button(name string, label lang.Message, do, value string) app.UI {
	return &parts.Button{Act: name, Class: "button", Text: n.Lang.Say(label), Do: do, Value: value}
}

// report is a text to be copied into an issue.
func (n *view) report() app.UI {
	return app.Elem("details").Body(
		app.Elem("summary").Text(n.Lang.Say("report")),
		app.Elem("textarea").DataSet("act", "report").Attr("readonly", true).Attr("rows", "6").Aria("label", n.Lang.Say("report")).Text(n.Report),
	)
}
