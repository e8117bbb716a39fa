// Package header is the bar at the top of the page.
package header

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/document"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
)

// Bar is the header: the document, and the tools that concern the whole page.
type Bar struct {
	app.Compo

	Lang    lang.Lang
	Title   document.View
	CanRedo bool
	Theme   string
	Version string // of Kubernetes; empty without a run
}

// Render draws the bar.
func (h *Bar) Render() app.UI {
	return app.Elem("header").Class("header").Body(
		app.Elem("h1").Class("brand").Body(
			app.Raw(`<svg class="logo" viewBox="0 0 20 20" aria-hidden="true"><path class="logo-a" d="M1 14h5V9h5V5h8"/><path class="logo-b" d="M1 6h7v5h5v4h6"/></svg>`),
			app.Elem("span").Text("rollplay"),
		),
		&document.Menu{View: h.Title},
		app.Elem("div").Class("header-tools").Body(
			&parts.Button{Act: "palette-open", Class: "tool", Glyph: "search", Title: h.Lang.Say("palette-open"), Do: act.Palette, Value: ""},
			app.Elem("button").Class("tool text share-button").Attr("type", "button").DataSet("act", "share").Title(h.Lang.Say("share-title")).
				OnClick(parts.Flushed(act.Share)).Body(parts.Icon("share"), app.Elem("span").Text(h.Lang.Say("share"))),
			h.menu(),
		),
	)
}

// menu is what a visit needs once or never.
func (h *Bar) menu() app.UI {
	title, theme := h.Lang.Say("page-menu"), h.Lang.Say("theme", h.theme(h.Theme), h.theme(NextTheme(h.Theme)))
	return parts.Menu("menu page-menu", "page-menu", app.Elem("summary").Class("tool").Title(title).Aria("label", title).Text("⋯"),
		parts.Leave("menu-item", "gallery", parts.GalleryPath(h.Lang), h.Lang.Say("gallery")).Title(h.Lang.Say("gallery-title")),
		&parts.Button{Act: "redo", Class: "menu-item", Text: h.Lang.Say("redo"), Off: !h.CanRedo, Do: act.Key, Value: "redo"},
		app.Elem("button").Class("menu-item").Attr("type", "button").DataSet("act", "restart").OnClick(parts.Flushed(act.Restart)).Text(h.Lang.Say("restart")),
		parts.Shown(h.Version != "", "div", h.versionMenu),
		h.langButton(),
		&parts.Button{Act: "theme", Class: "menu-item", Text: theme, Do: act.Theme},
		&parts.Button{Act: "sound", Class: "menu-item", Text: h.Lang.Say("sound"), Do: act.Sound},
		parts.Leave("menu-item", "fidelity", parts.FidelityPath, h.Lang.Say("fidelity")),
		app.Elem("button").Class("menu-item").Attr("type", "button").DataSet("act", "help").
			OnClick(func(app.Context, app.Event) { browser.OpenDialog("help") }).Text(h.Lang.Say("help")),
	)
}

// versions that can be simulated, the latest one first, and what each does otherwise than the one before it in this list.
var versions = [...]struct {
	name    string
	differs []lang.Message
}{
	{"1.37", nil},
	{"1.36", []lang.Message{"version-36-sts", "version-36-events"}},
	{"1.35", nil},
	{"1.34", []lang.Message{"version-34-terminating", "version-34-image"}},
	{"1.33", nil},
}

// versionMenu chooses the version of Kubernetes, and lists what that changes.
func (h *Bar) versionMenu() app.UI {
	title := h.Lang.Say("version-title")
	return parts.Menu("menu version-menu", "version", app.Elem("summary").Class("menu-item").Text(title+" "+h.Version),
		app.Elem("p").Class("menu-note").Text(h.Lang.Say("version-note")),
		app.Range(versions[:]).Slice(func(i int) app.UI { return h.version(i) }),
	).Hidden(false)
}

func (h *Bar) version(i int) app.UI {
	v := &versions[i]
	return app.Elem("div").Class("version-row").Body(
		&parts.Button{Act: "version-is", Class: "button", Text: v.name, Attributes: parts.Attributes{Pressed: strconv.FormatBool(v.name == h.Version)}, Do: act.Version, Value: v.name, Data: "value"},
		app.Elem("ul").Body(parts.Each(v.differs, func(does lang.Message) app.UI { return app.Elem("li").Text(h.Lang.Say(does)) })),
	)
}

// langButton switches to the other language, and is written in it.
func (h *Bar) langButton() app.UI {
	to := h.Lang.Other()
	return &parts.Button{Act: "lang", Class: "menu-item lang", Label: lang.Names[to] + ": " + h.Lang.Say("language"),
		Attributes: parts.Attributes{Set: map[string]any{"lang": string(h.Lang)}}, Spans: []parts.Span{{Lang: string(to), Text: lang.Names[to]}}, Do: act.Lang, Value: string(to)}
}

func (h *Bar) theme(name string) string { return h.Lang.Say(lang.Message("theme-" + name)) }

// Themes in the order in which the button goes round.
var Themes = [...]string{"system", "light", "dark"}

// NextTheme is the theme that follows another one.
func NextTheme(theme string) string {
	return Themes[(slices.Index(Themes[:], theme)+1)%len(Themes)]
}
