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

// Strip leads through the captions of a scenario: the question, the present caption, the next steps. Without a
// lesson it is hidden, so that its neighbours stay in place.
type Strip struct {
	app.Compo

	Lang     lang.Lang
	Scenario *scenario.Scenario // nil: no lesson
	At       int                // index of the caption that holds, -1 before the first
	Back, On bool               // there is a caption on that side
	Held     bool               // the run waits at the caption
	Stops    bool               // playing stops at captions
	Left     bool               // the run is the person's own from here
	Edited   bool               // because its text is
	Exercise exercise
	Question
	After
}

// Question is the question of a caption, and how the answers went.
type Question struct {
	Ask   *scenario.Ask // waits for an answer; nil: none
	Most  int           // the highest answer
	Told  string        // how the last answer went
	Score string        // of all answers, after the last caption
}

// After is what a lesson offers after its last caption.
type After struct {
	Preset   string // to start again
	Next     string // scenario of the next lesson
	NextLink string // its fragment
	Again    string // fragment of a question that is asked again
	AgainIs  string
	Reviews  bool   // this is such a question
	Try      string // the edit that the lesson prepares
	Tried    string // what that edit shows
}

// Strip is the strip at the cursor, hidden while the editor is empty. An exercise shows its diagnosis once it is hinted.
func (p *Panel) Strip(hinted bool) *Strip {
	s := p.s
	l := &Strip{Lang: s.Lang(), At: s.Lesson.Caption()}
	if s.Run() == nil || session.Blank(s.Document.Text) || len(s.Run().Scenario().Captions) == 0 {
		return l
	}
	l.Scenario, l.Preset, l.Left, l.Edited = s.Run().Scenario(), s.Lesson.Name(), s.Lesson.Outdated(), s.Lesson.Edited()
	l.Held, l.Stops = s.Lesson.Held(), s.Cursor.Guide.Captions
	if l.Ask = s.Lesson.Question(); l.Ask != nil {
		l.Most = s.Lesson.Most(l.Ask)
	}
	l.Told, l.Exercise = s.Lesson.AnsweredText(), p.exercise(hinted)
	if right, all := s.Lesson.Score(); all > 0 && s.Lesson.NextCaption() < 0 {
		l.Score = l.Lang.Say("bet-score", right, all)
	}
	l.Tried = tried(l.Lang, s.Lesson.Trying(), s.Cursor.T)
	if t := l.Scenario.Try; t != nil {
		l.Try = t.Label()
	}
	l.Back, l.On = s.Lesson.PreviousCaption() >= 0, s.Lesson.NextCaption() >= 0
	if l.Next = s.Lesson.NextName(); l.Next != "" {
		l.NextLink = "#" + sharing.Shipped(l.Next, s.Link().Lang)
	}
	if !l.On && s.Document.Preset != "" {
		_, _, _, l.Reviews = scenarios.Asked(s.Document.Preset)
		if name, text := p.again(l.Lang); name != "" {
			l.Again, l.AgainIs = "#"+sharing.Shipped(name, s.Link().Lang), text
		}
	}
	return l
}

// Marks are the page's classes, of which style sheets take what depends on the lesson: with body:has() each element that comes anywhere
// would cost the style of the whole page.
func (l *Strip) Marks(inviting bool) string {
	switch {
	case len(l.Exercise.Goals) > 0 && (l.Left || !l.On):
		return "taught exercising"
	case inviting:
		return "inviting"
	case l.Held && l.Ask == nil && l.Scenario != nil:
		return "taught held"
	case l.Ask != nil && len(l.Ask.Choices) == 0:
		return "taught asking asking-level"
	case l.Ask != nil:
		return "taught asking"
	case l.Scenario != nil:
		return "taught"
	}
	return ""
}

// Render draws the strip. The page's live region tells the caption when it changes.
func (l *Strip) Render() app.UI {
	if l.Scenario == nil {
		return app.Elem("section").Class("lesson").Hidden(true)
	}
	return app.Elem("section").Class("card lesson").ID("lesson").TabIndex(-1).Hidden(false).DataSet("act", "lesson").Aria("label", l.Lang.Say("lesson")).Body(
		app.Elem("div").Class("lesson-head").Body(
			app.Elem("h2").DataSet("act", "lesson-question").Text(cmp.Or(l.Lang.In(l.Scenario.Question), l.Lang.In(l.Scenario.Title))),
			app.Elem("span").Class("lesson-count").DataSet("act", "lesson-count").Text(l.Lang.Say("lesson-count", l.At+1, len(l.Scenario.Captions))),
		),
		app.Elem("p").Class("lesson-text").DataSet("act", "lesson-text").Text(l.text()),
		&questionForm{Lang: l.Lang, Ask: l.Ask, Most: l.Most, Seed: l.Scenario.Seed},
		app.Elem("p").Class("lesson-told").DataSet("act", "lesson-told").TabIndex(-1).Text(l.Told), // above the next question it would seem its answer
		l.goals(),
		app.Elem("div").Class("lesson-ways").Body(
			l.way("lesson-back", "lesson-back", "lesson-back-to", !l.Back),
			l.way("lesson-next", "lesson-on", "lesson-on-to", !l.On),
			parts.Shown(l.Held, "span", l.onwards),
			parts.Shown(len(l.Exercise.Goals) > 0 && !l.Exercise.Hint, "span", l.hint),
			parts.Shown(l.Try != "" && !l.On && !l.Left, "span", l.try),
			parts.Shown(l.Again != "" && !l.Left, "span", l.again),
			l.after(),
			parts.Shown(len(l.Scenario.Links) > 0 && !l.On && l.Exercise.Result == "", "p", l.links),
			&parts.Check{Act: "lesson-stops", Class: "choice lesson-stops", Text: l.Lang.Say("lesson-stops"), Title: l.Lang.Say("lesson-stops-is"), On: l.Stops, Do: act.StopAtCaption},
		),
		app.Elem("p").Class("lesson-free").Text(l.free()),
	)
}

// Spoken is the caption for people who hear it, "" without one.
func (p *Panel) Spoken() string {
	if l := p.Strip(false); l.Scenario != nil && l.At >= 0 {
		return l.text()
	}
	return ""
}

// Waits lies over the chart of an embed while its run waits at a caption: the caption, its question or how the last one was answered, and
// the way on.
func (p *Panel) Waits() app.UI {
	l := p.Strip(false)
	box := app.Elem("section").Class("embed-waits").DataSet("act", "waits").Hidden(!l.Held).Aria("label", l.Lang.Say("lesson"))
	return box.Body(app.If(l.Held, func() app.UI {
		return app.Elem("div").Class("card").Body(
			app.Elem("p").Class("lesson-told").TabIndex(-1).Text(l.Told),
			app.Elem("p").DataSet("act", "lesson-text").Text(l.text()),
			&questionForm{Lang: l.Lang, Ask: l.Ask, Most: l.Most, Seed: l.Scenario.Seed},
			l.onwards(),
		)
	}))
}

func (l *Strip) text() string {
	switch {
	case l.Tried != "":
		return l.Tried
	case l.Edited:
		return l.Lang.Say("lesson-edited")
	case l.Left && l.Exercise.Result != "":
		return l.Exercise.Result
	case l.Left:
		return l.Lang.Say("lesson-yours")
	case l.At < 0:
		return l.Lang.Say("lesson-begin")
	}
	return l.Lang.In(l.Scenario.Captions[l.At].Text)
}

func (l *Strip) way(key string, label, title lang.Message, off bool) app.UI {
	return &parts.Button{Act: key, Class: "button", Text: l.Lang.Say(label), Title: l.Lang.Say(title), Off: off, Do: act.Key, Value: key}
}

// onwards continues to play after the caption was read.
func (l *Strip) onwards() app.UI {
	b := &parts.Button{Act: "lesson-onwards", Class: "button primary", Text: l.Lang.Say("lesson-continue"), Title: l.Lang.Say("lesson-continue-is"), Do: act.Key, Value: "onwards"}
	switch {
	case l.Ask != nil:
		b.Class, b.Text = "link", l.Lang.Say("bet-skip")
	case len(l.Exercise.Goals) > 0 && !l.On: // it is the learner's turn
		b.Class = "button"
	}
	return b
}

// after is what follows the last caption: the same lesson again for a run that the person changed, or else the next one.
func (l *Strip) after() app.UI {
	switch {
	case l.Left && l.Preset != "" && !l.Exercise.Solved:
		return &parts.Button{Act: "lesson-again", Class: "button", Text: l.Lang.Say("lesson-again"), Do: act.Scenario, Value: l.Preset}
	case (l.On || l.Left) && !l.Exercise.Solved:
		return app.Elem("span")
	case l.Next == "":
		return parts.Leave("", "lesson-gallery", parts.GalleryPath(l.Lang), l.Lang.Say("gallery"))
	}
	return app.Elem("a").DataSet("act", "next-lesson").Attr("href", l.NextLink).Text(l.Lang.Say("lesson-next", gallery.Title(l.Lang, l.Next)))
}

// again leads to a question that is asked again.
func (l *Strip) again() app.UI {
	return app.Elem("a").Class("button").DataSet("act", "review").Attr("href", l.Again).Text(l.AgainIs)
}

// try makes the edit that the last caption speaks of.
func (l *Strip) try() app.UI {
	return &parts.Button{Act: "try", Class: "button", Text: l.Lang.Say("lesson-try", l.Try), Title: l.Lang.Say("lesson-try-is"), Do: act.Try, Value: true}
}

// tried is what a run with the prepared edit shows, once it does.
func tried(l lang.Lang, t *scenario.Try, now int64) string {
	switch {
	case t == nil:
		return ""
	case now < t.At:
		return l.Say("lesson-trying", t.Label())
	}
	return l.In(t.Text)
}

// free invites to free play after the last caption.
func (l *Strip) free() string {
	switch {
	case l.On || l.Left:
		return ""
	case l.Reviews && l.Again == "":
		return l.Lang.Say("review-done")
	case l.Score != "":
		return l.Score
	case len(l.Exercise.Goals) > 0:
		return l.Lang.Say("exercise-free")
	}
	return l.Lang.Say("lesson-free")
}

// links are for further reading, after the last caption.
func (l *Strip) links() app.UI {
	return app.Elem("p").Class("lesson-links").Hidden(false).Body(
		app.Elem("span").Text(l.Lang.Say("lesson-links")),
		parts.Each(l.Scenario.Links, l.link),
	)
}

// link says where it leads: a stranger may have chosen both the words and the address.
func (l *Strip) link(to scenario.Link) app.UI {
	title := l.Lang.In(to.Title)
	host := linkHost(to.URL)
	if host == "" {
		return app.Elem("span").DataSet("act", "lesson-no-link").Text(title + " (" + to.URL + ")")
	}
	return app.Elem("a").DataSet("act", "lesson-link").Attr("href", l.Lang.Docs(to.URL)).Attr("target", "_blank").Attr("rel", "noopener noreferrer nofollow").
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
