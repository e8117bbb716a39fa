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

// Text is the sentence of the notice, empty while it is hidden: a large run waits for a choice, a run went wrong, or one is still being
// computed.
func (p *Panel) Text() string {
	switch notice := p.s.Visit.Notice; {
	case p.s.Computed.Asks():
		return p.s.Computed.LargeText()
	case Owns(notice):
		return notice.Text
	}
	return p.progress.text
}

// Owns says that a notice of the session belongs here, because it must be seen while the editor is hidden.
func Owns(n session.Notice) bool { return n.Offer == session.OfferAnyway || n.Report != "" }

// View is the notice as it is now. It comes and goes without moving anything else.
func (p *Panel) View() app.UI {
	text := p.Text()
	if text == "" {
		return app.Elem("section").Class("run-notice").Hidden(true)
	}
	asks, notice, role := p.s.Computed.Asks(), session.Notice{}, "status"
	if !asks && Owns(p.s.Visit.Notice) {
		notice = p.s.Visit.Notice
	}
	if asks || Owns(notice) {
		role = "alert"
	}
	return app.Elem("section").Class("run-notice").Hidden(false).DataSet("act", "run-notice").Body(
		app.Elem("p").Attr("role", role).Text(text),
		parts.When(asks, p.button("large-all", "large-all", act.Continue, "all")),
		parts.When(asks, p.button("large-watch", "large-watch", act.Continue, "watch")),
		parts.When(asks, p.button("stop-run", "large-stop", act.Stop, "")),
		parts.When(role == "status", p.button("stop-run", "stop", act.Stop, "")),
		parts.When(notice.Offer == session.OfferAnyway, p.button("run-anyway", "run-anyway", act.Anyway, "")),
		parts.When(notice.Report != "", p.report(notice.Report)),
		parts.When(notice.Report != "", p.button("notice-close", "close", act.Dismiss, "")),
	)
}

func (p *Panel) button(name string, label lang.Message, do, value string) app.UI {
	return &parts.Button{Act: name, Class: "button", Text: p.s.Lang().Say(label), Do: do, Value: value}
}

// report is a text to be copied into an issue.
func (p *Panel) report(text string) app.UI {
	title := p.s.Lang().Say("report")
	return app.Elem("details").Body(
		app.Elem("summary").Text(title),
		app.Elem("textarea").DataSet("act", "report").Attr("readonly", true).Attr("rows", "6").Aria("label", title).Text(text),
	)
}
