package start

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/app/stage"
)

// Offers are the next steps with a pasted text that runs, beside its verdict from the start, so that nothing moves when the pods are up.
func Offers(s *session.Session, on *stage.Panels) app.UI {
	l, ways := s.Lang(), []app.UI{}
	if s.Draft.Offering() {
		ways = buttons(l, on)
	}
	if len(ways) == 0 {
		return app.Elem("p").Class("offers").Hidden(true)
	}
	text := l.Say("offer-wait")
	if pods, up := on.Up(); up {
		text = l.Count(pods, "offer-one", "offer-up")
	}
	return app.Elem("p").Class("offers next").Hidden(false).DataSet("act", "offers").Body(
		append([]app.UI{app.Elem("span").Attr("role", "status").Text(text)}, ways...)...)
}

// buttons are the first way of each kind that fits.
func buttons(l lang.Lang, on *stage.Panels) (all []app.UI) {
	names := map[string]string{"rollout": "", "break": l.Say("offer-break"), "drain": ""}
	for _, w := range on.Ways() {
		if name, fits := names[w.Kind]; fits {
			delete(names, w.Kind)
			all = append(all, &parts.Button{Act: "offer-" + w.Kind, Class: "button", Text: cmp.Or(name, w.Name), Title: w.Line, Do: w.Do, Value: w.With})
		}
	}
	return all
}
