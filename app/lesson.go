package app

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	sharing "github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/scenario"
)

// lessonStrip leads through the captions of a scenario: the question, the sentence of the moment, the way on. Without a
// lesson it is there but hidden, so that its neighbours stay what they are.
type lessonStrip struct {
	app.Compo

	Lang     lang
	Scenario *scenario.Scenario // nil: no lesson
	At       int                // index of the caption that holds, -1 before the first
	Back, On bool               // there is a caption on that side
	Left     bool               // the run is the person's own from here
	Preset   string             // to start again
	Next     string             // scenario of the next lesson
	NextLink string             // its fragment
}

// lesson is the strip at the cursor. The panel of a first visit stands in its place, and an empty editor waits for something else.
func (p *page) lesson() app.UI {
	s := p.s
	l := &lessonStrip{Lang: s.lang, At: s.caption()}
	if s.run == nil || p.start.open || blank(s.text) || len(s.run.Scenario().Captions) == 0 {
		return l
	}
	l.Scenario, l.Preset, l.Left = s.run.Scenario(), s.preset, s.lessonLeft()
	l.Back, l.On = s.captionBehind() >= 0, s.captionBeyond() >= 0
	if l.Next = s.nextLesson(); l.Next != "" {
		l.NextLink = "#" + sharing.Shipped(l.Next, s.Link().Lang)
	}
	return l
}

// Render draws the strip. What is read out is the paragraph alone, when it changes.
func (l *lessonStrip) Render() app.UI {
	if l.Scenario == nil {
		return app.Elem("section").Class("lesson").Hidden(true)
	}
	return app.Elem("section").Class("card lesson").ID("lesson").TabIndex(-1).Hidden(false).DataSet("act", "lesson").Aria("label", l.Lang.say("lesson")).Body(
		app.Elem("div").Class("lesson-head").Body(
			app.Elem("h2").DataSet("act", "lesson-question").Text(l.question()),
			app.Elem("span").Class("lesson-count").DataSet("act", "lesson-count").Text(l.Lang.say("lesson-count", l.At+1, len(l.Scenario.Captions))),
		),
		app.Elem("p").Class("lesson-text").DataSet("act", "lesson-text").Aria("live", "polite").Text(l.text()),
		app.Elem("div").Class("lesson-ways").Body(
			l.way("lesson-back", "lesson-back", "lesson-back-to", !l.Back, l.onBack),
			l.way("lesson-next", "lesson-on", "lesson-on-to", !l.On, l.onNext),
			l.after(),
		),
		app.Elem("p").Class("lesson-free").Text(l.free()),
		l.links(),
	)
}

// question is what the lesson is about; a scenario without one has a title.
func (l *lessonStrip) question() string {
	if q := l.Lang.in(l.Scenario.Question); q != "" {
		return q
	}
	return l.Lang.in(l.Scenario.Title)
}

func (l *lessonStrip) text() string {
	switch {
	case l.Left:
		return l.Lang.say("lesson-yours")
	case l.At < 0:
		return l.Lang.say("lesson-begin")
	}
	return l.Lang.in(l.Scenario.Captions[l.At].Text)
}

func (l *lessonStrip) way(act string, label, title message, disabled bool, do app.EventHandler) app.UI {
	return app.Elem("button").Class("button").Attr("type", "button").DataSet("act", act).Title(l.Lang.say(title)).
		Attr("disabled", disabled).OnClick(do).Text(l.Lang.say(label))
}

// after is what comes when the captions are over: the lesson again for a run that went its own way, or else the next one.
func (l *lessonStrip) after() app.UI {
	switch {
	case l.Left && l.Preset != "":
		return app.Elem("button").Class("button").Attr("type", "button").DataSet("act", "lesson-again").OnClick(l.onAgain).Text(l.Lang.say("lesson-again"))
	case l.On || l.Left:
		return app.Elem("span")
	case l.Next == "":
		return app.Elem("a").DataSet("act", "lesson-gallery").DataSet("leave", true).Attr("href", galleryPath(l.Lang)).Text(l.Lang.say("gallery"))
	}
	return app.Elem("a").DataSet("act", "next-lesson").Attr("href", l.NextLink).Text(l.Lang.say("lesson-next", title(l.Lang, l.Next)))
}

// free says, when the captions are over, that the run is there to play with.
func (l *lessonStrip) free() string {
	if l.On || l.Left {
		return ""
	}
	return l.Lang.say("lesson-free")
}

func (l *lessonStrip) links() app.UI {
	links := l.Scenario.Links
	if len(links) == 0 {
		return app.Elem("p").Hidden(true)
	}
	return app.Elem("p").Class("lesson-links").Hidden(false).Body(
		app.Elem("span").Text(l.Lang.say("lesson-links")),
		app.Range(links).Slice(func(i int) app.UI {
			return app.Elem("a").DataSet("act", "lesson-link").Attr("href", links[i].URL).Attr("target", "_blank").Attr("rel", "noopener noreferrer").Text(l.Lang.in(links[i].Title))
		}),
	)
}

func (l *lessonStrip) onBack(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(actKey, "lesson-back")
}
func (l *lessonStrip) onNext(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(actKey, "lesson-next")
}
func (l *lessonStrip) onAgain(ctx app.Context, _ app.Event) {
	ctx.NewActionWithValue(actScenario, l.Preset)
}

// galleryPath is the page of all scenarios in a language, seen from the playground.
func galleryPath(l lang) string {
	if l == english {
		return "scenarios/"
	}
	return "scenarios/" + string(l) + "/"
}

// chartTitle stands above the chart: the scenario's title; in an embed, which has no lesson strip, the sentence of the moment.
func (p *page) chartTitle() string {
	sc := p.s.run.Scenario()
	if n := p.s.caption(); p.embed != nil && n >= 0 {
		return p.s.lang.in(sc.Captions[n].Text)
	}
	if title := p.s.lang.in(sc.Title); title != "" {
		return title
	}
	w := p.s.watched()
	return strings.TrimSpace(kindOf(w) + " " + nameOf(w))
}
