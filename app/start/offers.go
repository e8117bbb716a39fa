package start

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/stage"
)

// offers is the line below a pasted text that runs, with the next steps. It is there from the start, so that nothing moves when the
// pods are up.
type offers struct {
	app.Compo

	Lang  lang.Lang
	Shown bool
	Pods  int
	Up    bool
	Ways  []stage.Way
}

// Offers are the next steps with a pasted text.
func Offers(s *session.Session, on *stage.Panels) app.UI {
	o := &offers{Lang: s.Lang(), Shown: s.Draft.Offering()}
	if !o.Shown {
		return o
	}
	o.Pods, o.Up = on.Up()
	seen := map[string]bool{}
	for _, w := range on.Ways() {
		if (w.Kind == "rollout" || w.Kind == "break" || w.Kind == "drain") && !seen[w.Kind] {
			seen[w.Kind] = true
			o.Ways = append(o.Ways, w)
		}
	}
	return o
}

// Render draws the sentence and a button for each way that fits.
func (o *offers) Render() app.UI {
	if !o.Shown || len(o.Ways) == 0 {
		return app.Elem("p").Class("offers").Hidden(true)
	}
	text := o.Lang.Say("offer-wait")
	if o.Up {
		text = o.Lang.Count(o.Pods, "offer-one", "offer-up")
	}
	return app.Elem("p").Class("offers").Hidden(false).DataSet("act", "offers").Body(
		app.Elem("span").Attr("role", "status").Text(text),
		app.Range(o.Ways).Slice(func(i int) app.UI { return o.button(&o.Ways[i]) }),
	)
}

func (o *offers) button(w *stage.Way) app.UI {
	name := w.Name
	if w.Kind == "break" {
		name = o.Lang.Say("offer-break")
	}
	return &parts.Button{Act: "offer-" + w.Kind, Class: "button", Text: name, Title: w.Line, Do: w.Do, Value: w.With}
}
