package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// helpDialog explains the page and its keys.
type helpDialog struct{ app.Compo }

var keyHelp = [][2]string{
	{"Space", "play or pause"},
	{"← →", "one step: a reconcile, or what you chose"},
	{"Shift ← →", "to the moment of interest before, after"},
	{", .", "to the whole second before, after"},
	{"Home End", "start, end of the run"},
	{"l", "a loop: its start, its end, no loop"},
	{"+ −", "faster, slower"},
	{"Ctrl ⏎", "apply the editor's text (Cmd on a Mac)"},
	{"/", "to the editor; Esc and then Tab leads out of it"},
	{"` Ctrl+`", "to the kubectl prompt, the second from the editor too"},
	{"u r", "undo, redo the last action"},
	{"?", "this help"},
}

// Render draws the dialog, which stays closed until it is asked for.
func (h *helpDialog) Render() app.UI {
	return app.Elem("dialog").ID("help").Class("help").DataSet("act", "help-dialog").Aria("labelledby", "help-title").Body(
		app.Elem("div").Class("help-head").Body(
			app.Elem("h2").ID("help-title").Text("How this works"),
			app.Elem("button").Class("tool").Attr("type", "button").DataSet("act", "help-close").Title("Close (Esc)").Aria("label", "Close").OnClick(h.onClose).Body(icon("close")),
		),
		app.Elem("p").Text("The text on the left is a scenario: a Deployment, and what happens to it. rollplay computes in your browser what the Kubernetes controllers would do, and plays it. Nothing leaves this page."),
		app.Elem("p").Text("Every control on the right runs a kubectl command at the moment the cursor shows. Move the cursor back and act there, and the run takes another course from that moment; undo brings the earlier one back, and the Timeline lists all the runs you left."),
		app.Elem("p").Text("Share gives a link that holds the text, all commands and, if you like, this very moment. It opens the same run for everybody, for ever."),
		app.Elem("p").Text("The orange band is how many pods more than desired are allowed (maxSurge), the blue one how many fewer may be available (maxUnavailable)."),
		app.Elem("p").Body(app.Elem("button").Class("button").Attr("type", "button").DataSet("act", "help-fidelity").OnClick(h.onFidelity).Text("How right is this?")),
		app.Elem("dl").Class("keys").Body(app.Range(keyHelp).Slice(func(i int) app.UI {
			return app.Elem("div").Body(app.Elem("dt").Body(keysOf(keyHelp[i][0])...), app.Elem("dd").Text(keyHelp[i][1]))
		})),
	)
}

func keysOf(names string) []app.UI {
	var keys []app.UI
	for _, name := range fields(names) {
		keys = append(keys, app.Elem("kbd").Text(name))
	}
	return keys
}

func (h *helpDialog) onClose(app.Context, app.Event) { closeDialog("help") }

func (h *helpDialog) onFidelity(ctx app.Context, _ app.Event) {
	closeDialog("help")
	ctx.NewAction(actFidelity)
}
