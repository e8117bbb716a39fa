package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/engine/fidelity"
)

// fidelityDialog answers "How right is this?": what the comparisons with the real controllers found, which rules are
// followed, and what is simplified. It is empty until it is asked for, since it is long.
type fidelityDialog struct {
	app.Compo

	Lang lang.Lang
	Open bool
}

// Render draws the dialog.
func (f *fidelityDialog) Render() app.UI {
	return app.Elem("dialog").ID("fidelity").Class("help wide").DataSet("act", "fidelity-dialog").Aria("labelledby", "fidelity-title").Body(
		app.Elem("div").Class("help-head").Body(
			app.Elem("h2").ID("fidelity-title").Text(f.Lang.Say("fidelity")),
			parts.Close(f.Lang, "fidelity-close", "close-esc", f.onClose),
		),
		app.If(f.Open, f.report),
	)
}

// report is the content of the dialog. Its facts come from the comparisons and stay English.
func (f *fidelityDialog) report() app.UI {
	say := f.Lang.Say
	r := fidelity.Report()
	return app.Elem("div").Body(
		app.Elem("p").Text(say("fidelity-lead", r.Upstream)),
		app.Elem("ul").Class("facts").DataSet("act", "fidelity-results").Body(app.Range(r.Results).Slice(func(i int) app.UI {
			return app.Elem("li").Text(r.Results[i])
		})),
		app.Elem("h3").Text(say("fidelity-versions")),
		app.Elem("ul").Class("facts").DataSet("act", "fidelity-versions").Body(app.Range(r.Versions).Slice(func(i int) app.UI {
			return app.Elem("li").Text(r.Versions[i])
		})),
		app.Elem("h3").Text(say("fidelity-rules")),
		app.Range(r.Sections).Slice(func(i int) app.UI { return ruleSection(f.Lang, &r.Sections[i]) }),
		app.Elem("h3").Text(say("fidelity-simplified")),
		app.Elem("ul").Class("facts").Body(app.Range(r.Simplifications).Slice(func(i int) app.UI {
			s := r.Simplifications[i]
			return app.Elem("li").Body(app.Elem("span").Text(s.Text), app.Elem("code").Text(" "+s.File))
		})),
	)
}

// ruleSection is one line that opens into its rules.
func ruleSection(l lang.Lang, s *fidelity.Section) app.UI {
	return app.Elem("details").Class("rules").Body(
		app.Elem("summary").Text(l.Say("fidelity-section", s.Title, s.Count(fidelity.Done), len(s.Rules))),
		app.Elem("ul").Class("facts").Body(app.Range(s.Rules).Slice(func(i int) app.UI {
			r := &s.Rules[i]
			text := " " + r.Title
			if r.Status != fidelity.Done {
				text += " (" + r.Status.String() + ": " + r.Reason + ")"
			}
			return app.Elem("li").Body(app.Elem("span").Class("rule").Text(r.ID), app.Elem("span").Text(text))
		})),
	)
}

func (f *fidelityDialog) onClose(app.Context, app.Event) { browser.CloseDialog("fidelity") }
