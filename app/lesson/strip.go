// Package lesson is the strip below the figure that leads through a lesson: its captions, questions, goals and links. It also
// remembers what was seen and answered, and asks it again.
package lesson

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	sharing "github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// Panel is the lesson as the page keeps it.
type Panel struct {
	s        *session.Session
	Mastered string     // names of lessons
	Today    func() int // days since 1970

	seen     string // names of lessons
	answers  []*answer
	reviewed int // questions of a review that were answered
}

// New returns the lessons of a session, with none seen.
func New(s *session.Session) *Panel { return &Panel{s: s, Today: today} }

// Handlers are the choices of a reader.
func (p *Panel) Handlers() parts.Handlers {
	return parts.Handlers{
		act.StopAtCaption: parts.Changed(func(on bool) { p.chooseGuide(func(g *session.Guide) { g.Captions = on }) }),
		act.HurryIdle:     parts.Changed(func(on bool) { p.chooseGuide(func(g *session.Guide) { g.Idle = on }) }),
	}
}

// lesson is the scenario that leads through the shown run, nil while there is none or the editor is empty.
func (p *Panel) lesson() *scenario.Scenario {
	if p.s.Run() == nil || session.Blank(p.s.Document.Text) || len(p.s.Run().Scenario().Captions) == 0 {
		return nil
	}
	return p.s.Run().Scenario()
}

// Marks are the page's classes, of which style sheets take what depends on the lesson: with body:has() each element that comes anywhere
// would cost the style of the whole page.
func (p *Panel) Marks(inviting bool) string {
	there, ask := p.lesson() != nil, p.s.Lesson.Question()
	switch {
	case there && p.s.Lesson.Exercise() && (p.s.Lesson.Outdated() || p.s.Lesson.NextCaption() < 0):
		return "taught exercising"
	case inviting:
		return "inviting"
	case !there:
		return ""
	case p.s.Lesson.Held() && ask == nil:
		return "taught held"
	case ask != nil && len(ask.Choices) == 0:
		return "taught asking asking-level"
	case ask != nil:
		return "taught asking"
	}
	return "taught"
}

// Strip leads through the captions of a scenario: the question, the present caption, the next steps. Without a lesson it is hidden, so that
// its neighbours stay in place. An exercise shows its diagnosis once it is hinted. The page's live region tells the caption when it changes.
func (p *Panel) Strip(hinted bool) app.UI {
	sc, on, left, l := p.lesson(), p.s.Lesson.NextCaption() >= 0, p.s.Lesson.Outdated(), p.s.Lang()
	if sc == nil {
		return app.Elem("section").Class("lesson").Hidden(true)
	}
	say, again, due := l.Say, "", ""
	if !on && p.s.Document.Preset != "" {
		again, due = p.again(l)
	}
	return app.Elem("section").Class("card lesson").ID("lesson").TabIndex(-1).Hidden(false).DataSet("act", "lesson").Aria("label", say("lesson")).Body(
		app.Elem("div").Class("lesson-head").Body(
			app.Elem("h2").DataSet("act", "lesson-question").Text(cmp.Or(l.In(sc.Question), l.In(sc.Title))),
			app.Elem("span").Class("lesson-count").DataSet("act", "lesson-count").Text(say("lesson-count", p.s.Lesson.Caption()+1, len(sc.Captions))),
		),
		app.Elem("p").Class("lesson-text").DataSet("act", "lesson-text").Text(p.text()),
		p.question(),
		app.Elem("p").Class("lesson-told").DataSet("act", "lesson-told").TabIndex(-1).Text(p.s.Lesson.AnsweredText()), // above the next question it would seem its answer
		p.goals(),
		app.Elem("div").Class("lesson-ways").Body(
			p.way("lesson-back", "lesson-back", "lesson-back-to", p.s.Lesson.PreviousCaption() < 0),
			p.way("lesson-next", "lesson-on", "lesson-on-to", !on),
			parts.Shown(p.s.Lesson.Held(), "span", p.onwards),
			parts.Shown(p.s.Lesson.Exercise() && !hinted, "span", p.hint),
			parts.Shown(sc.Try != nil && sc.Try.Label() != "" && !on && !left, "span", p.try),
			parts.Shown(again != "" && !left, "span", func() app.UI { // leads to a question that is asked again
				return app.Elem("a").Class("button").DataSet("act", "review").Attr("href", p.shipped(again)).Text(due)
			}),
			p.after(),
			parts.Shown(len(sc.Links) > 0 && !on && p.result() == "", "p", p.links),
			&parts.Check{Act: "lesson-stops", Class: "choice lesson-stops", Text: say("lesson-stops"), Title: say("lesson-stops-is"), On: p.s.Cursor.Guide.Captions, Do: act.StopAtCaption},
		),
		app.Elem("p").Class("lesson-free").Text(p.free(again)),
	)
}

// shipped is the address of a shipped scenario.
func (p *Panel) shipped(name string) string { return "#" + sharing.Shipped(name, p.s.Link().Lang) }

// Spoken is the caption for people who hear it, "" without one.
func (p *Panel) Spoken() string {
	if p.lesson() != nil && p.s.Lesson.Caption() >= 0 {
		return p.text()
	}
	return ""
}

// Waits lies over the chart of an embed while its run waits at a caption: the caption, its question or how the last one was answered, and
// the way on.
func (p *Panel) Waits() app.UI {
	held := p.lesson() != nil && p.s.Lesson.Held()
	box := app.Elem("section").Class("embed-waits").DataSet("act", "waits").Hidden(!held).Aria("label", p.s.Lang().Say("lesson"))
	return box.Body(app.If(held, func() app.UI {
		return app.Elem("div").Class("card").Body(
			app.Elem("p").Class("lesson-told").TabIndex(-1).Text(p.s.Lesson.AnsweredText()),
			app.Elem("p").DataSet("act", "lesson-text").Text(p.text()),
			p.question(),
			p.onwards(),
		)
	}))
}

func (p *Panel) text() string {
	s, l := p.s, p.s.Lang()
	n, try := s.Lesson.Caption(), s.Lesson.Trying()
	switch {
	case try != nil && s.Cursor.T < try.At:
		return l.Say("lesson-trying", try.Label())
	case try != nil:
		return l.In(try.Text)
	case s.Lesson.Edited():
		return l.Say("lesson-edited")
	case s.Lesson.Outdated():
		return cmp.Or(p.result(), l.Say("lesson-yours"))
	case n < 0:
		return l.Say("lesson-begin")
	}
	return l.In(p.lesson().Captions[n].Text)
}

func (p *Panel) way(key string, label, title lang.Message, off bool) app.UI {
	return &parts.Button{Act: key, Class: "button", Text: p.s.Lang().Say(label), Title: p.s.Lang().Say(title), Off: off, Do: act.Key, Value: key}
}

// onwards continues to play after the caption was read.
func (p *Panel) onwards() app.UI {
	say := p.s.Lang().Say
	b := &parts.Button{Act: "lesson-onwards", Class: "button primary", Text: say("lesson-continue"), Title: say("lesson-continue-is"), Do: act.Key, Value: "onwards"}
	switch {
	case p.s.Lesson.Question() != nil:
		b.Class, b.Text = "link", say("bet-skip")
	case p.s.Lesson.NextCaption() < 0 && p.s.Lesson.Exercise(): // it is the learner's turn
		b.Class = "button"
	}
	return b
}

// after is what follows the last caption: the same lesson again for a run that the person changed, or else the next one.
func (p *Panel) after() app.UI {
	l, left, next := p.s.Lang(), p.s.Lesson.Outdated(), p.s.Lesson.NextName()
	solved := p.s.Lesson.Tried() && p.s.Lesson.Solved()
	switch name := p.s.Lesson.Name(); {
	case left && name != "" && !solved:
		return &parts.Button{Act: "lesson-again", Class: "button", Text: l.Say("lesson-again"), Do: act.Scenario, Value: name}
	case (left || p.s.Lesson.NextCaption() >= 0) && !solved:
		return app.Elem("span")
	case next == "":
		return parts.Leave("", "lesson-gallery", parts.GalleryPath(l), l.Say("gallery"))
	}
	return app.Elem("a").DataSet("act", "next-lesson").Attr("href", p.shipped(next)).Text(l.Say("lesson-next", gallery.Title(l, next)))
}

// try makes the edit that the last caption speaks of.
func (p *Panel) try() app.UI {
	say := p.s.Lang().Say
	return &parts.Button{Act: "try", Class: "button", Text: say("lesson-try", p.lesson().Try.Label()), Title: say("lesson-try-is"), Do: act.Try, Value: true}
}

// free invites to free play after the last caption, where no question is asked again.
func (p *Panel) free(again string) string {
	say := p.s.Lang().Say
	_, _, _, reviews := scenarios.Asked(p.s.Document.Preset)
	switch right, all := p.s.Lesson.Score(); {
	case p.s.Lesson.NextCaption() >= 0 || p.s.Lesson.Outdated():
		return ""
	case reviews && again == "":
		return say("review-done")
	case all > 0:
		return say("bet-score", right, all)
	case p.s.Lesson.Exercise():
		return say("exercise-free")
	}
	return say("lesson-free")
}

// links are for further reading, after the last caption.
func (p *Panel) links() app.UI {
	return app.Elem("p").Class("lesson-links").Hidden(false).Body(
		app.Elem("span").Text(p.s.Lang().Say("lesson-links")),
		parts.Each(p.lesson().Links, p.link),
	)
}

// link says where it leads: a stranger may have chosen both the words and the address.
func (p *Panel) link(to scenario.Link) app.UI {
	title := p.s.Lang().In(to.Title)
	host := linkHost(to.URL)
	if host == "" {
		return app.Elem("span").DataSet("act", "lesson-no-link").Text(title + " (" + to.URL + ")")
	}
	return app.Elem("a").DataSet("act", "lesson-link").Attr("href", p.s.Lang().Docs(to.URL)).Attr("target", "_blank").Attr("rel", "noopener noreferrer nofollow").
		Text(title + " (" + host + ")")
}

// linkHost returns the host to which an address leads. It is empty unless that is plain: no other scheme than those of the web, no
// name and password that look like a host, no letters of other scripts that look like Latin ones, nothing that a browser reads as
// something else.
func linkHost(address string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.:[]"
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || strings.Contains(address, `\`) ||
		strings.Trim(u.Host, plain) != "" {
		return ""
	}
	return u.Host
}
