package app

import (
	"encoding/binary"
	"encoding/json"
	"math"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Everything that needs JavaScript is here, behind typed functions. Off the browser they do nothing. The other
// side is web/src/main.js, which sets window.rollplay before the program starts.

func call(name string, args ...any) app.Value {
	if app.IsServer {
		return nil
	}
	return app.Window().Get("rollplay").Call(name, args...)
}

// push hands a value over as JSON.
func push(name string, value any) {
	if !app.IsServer {
		call(name, marshal(value))
	}
}

// listener takes what the browser reports.
type listener struct {
	Report   func(action, value string)
	Frame    func(dt float64)                // an animation frame, dt ms after the one before
	State    func() any                      // answers window.rollplay.state(), for tests and for the curious
	Describe func(record int) string         // tells what a record is, for a mark on the scrubber that is pointed at
	Ask      func(what, value string) string // answers what the prompt has to know at once
}

// listen hands the callbacks to JavaScript. They live as long as the page, so they are never released.
func listen(l listener) {
	if app.IsServer {
		return
	}
	call("listen",
		app.FuncOf(func(_ app.Value, args []app.Value) any { l.Report(args[0].String(), args[1].String()); return nil }),
		app.FuncOf(func(_ app.Value, args []app.Value) any { l.Frame(args[0].Float()); return nil }),
		app.FuncOf(func(app.Value, []app.Value) any { return l.State() }),
		app.FuncOf(func(_ app.Value, args []app.Value) any { return l.Describe(args[0].Int()) }),
		app.FuncOf(func(_ app.Value, args []app.Value) any { return l.Ask(args[0].String(), args[1].String()) }))
}

// attr reads an attribute of the element whose handler runs.
func attr(ctx app.Context, name string) string {
	if app.IsServer {
		return ""
	}
	v := ctx.JSSrc().Call("getAttribute", name)
	if !v.Truthy() {
		return ""
	}
	return v.String()
}

// inputValue reads the value of the form element whose handler runs.
func inputValue(ctx app.Context) string {
	if app.IsServer {
		return ""
	}
	return ctx.JSSrc().Get("value").String()
}

func prefersReducedMotion() bool {
	v := call("reducedMotion")
	return v != nil && v.Bool()
}

// load returns what the browser keeps under a key, "" if there is nothing.
func load(key string) string {
	if v := call("load", key); v != nil {
		return v.String()
	}
	return ""
}

func store(key, value string) { call("store", key, value) }

// browserLang is the tag of the language that the person's browser has.
func browserLang() string {
	if v := call("language"); v != nil {
		return v.String()
	}
	return ""
}

// showLang tells the document what language it is in, and the scripts their words.
func showLang(tag string, words any) {
	if !app.IsServer {
		call("showLang", tag, marshal(words))
	}
}

// focusOn moves the focus to the first element that a selector finds.
func focusOn(selector string) { call("focusOn", selector) }
func focusEditor()            { call("focusEditor") }

func setTheme(theme string) { call("setTheme", theme) }

// embedOptions is what an embed is to show, empty in the playground.
func embedOptions() string {
	if v := call("embedOptions"); v != nil {
		return v.String()
	}
	return ""
}

// callPlayground opens the playground beside an embed.
func callPlayground(fragment string) { call("playground", fragment) }

// pushTick tells the page around an embed where the cursor is and what holds there.
func pushTick(t, end int64, playing, atEnd bool, r readout) {
	call("tick", t, end, playing, atEnd, r.Desired, r.Total, r.Available, r.Updated, r.Terminating)
}

// fragment is the fragment of the page's address without its #, as the browser shows it.
func fragment() string {
	if v := call("fragment"); v != nil {
		return v.String()
	}
	return ""
}

// pageURL is the address of the playground, up to its last slash.
func pageURL() string {
	if v := call("pageURL"); v != nil {
		return v.String()
	}
	return "/"
}

func callAddressSoon()           { call("addressSoon") }
func setAddress(fragment string) { call("setAddress", fragment) }
func drawQR(text string)         { call("drawQR", text) }
func showTheme(theme string)     { call("showTheme", theme) }

// frames switches the animation frames on or off.
func frames(on bool) { call("frames", on) }

func mountChart(element app.Value)  { call("mountChart", element) }
func mountStrips(element app.Value) { call("mountStrips", element) }
func mountEditor(element app.Value) { call("mountEditor", element) }
func setEditorText(text string)     { call("setEditorText", text) }
func flushEditor()                  { call("flushEditor") }
func gotoLine(line, column int)     { call("gotoLine", line, column) }
func openDialog(id string)          { call("openDialog", id) }
func closeDialog(id string)         { call("closeDialog", id) }
func zoomChart(how string)          { call("zoom", how) }
func keepInView()                   { call("keepInView") }

// mountPods is told the names of the states by their numbers.
func mountPods(element app.Value, states []string) { call("mountPods", element, marshal(states)) }

// callPods hands over the pods: groups and rows are nil if JavaScript has them already.
func callPods(groups, rows any, states []byte) {
	array := app.Window().Get("Uint8Array").New(len(states))
	app.CopyBytesToJS(array, states)
	call("pods", groups, rows, array)
}

func mountTerminal(element app.Value) { call("mountTerminal", element) }
func focusTerminal()                  { call("focusTerminal") }

// callTerminal lets JavaScript keep the first lines that it has, and hands over those that follow and how the prompt is,
// nil if that is as before.
func callTerminal(keep int, lines string, prompt any) { call("terminal", keep, lines, prompt) }

func callPodCard(card string) { call("podCard", card) }

// setDiagnostics marks what is wrong with the editor's text.
func setDiagnostics(diags any) { push("setDiagnostics", diags) }

// pushCursor moves the line on the chart, the scrubber and the time: they change in every frame, and nothing else
// does.
func pushCursor(t, end int64) { call("cursor", t, end, clock(t), clock(end)) }

// pushLoop shades the section that is played over and over.
func pushLoop(a, b int64, state int) { call("loop", a, b, state) }

// pushChart hands the chart its lines as typed arrays.
func pushChart(v chartView) {
	if app.IsServer {
		return
	}
	ids, data := make([]any, len(v.Series)), make([]any, len(v.Series))
	for i, s := range v.Series {
		ids[i], data[i] = s.ID, floats(s.Points)
	}
	call("chart", v.Option, ids, data, v.End, v.Busy, marshal(v.Count), marshal(v.Marks), floats(v.Syncs))
}

// pushStrips hands over the rows under the chart.
func pushStrips(rows any) { push("strips", rows) }

func floats(p []float64) app.Value {
	b := make([]byte, 8*len(p))
	for i, f := range p {
		binary.LittleEndian.PutUint64(b[8*i:], math.Float64bits(f))
	}
	array := app.Window().Get("Uint8Array").New(len(b))
	app.CopyBytesToJS(array, b)
	return app.Window().Get("Float64Array").New(array.Get("buffer"))
}

func marshal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("app: " + err.Error()) // plain values always marshal
	}
	return string(b)
}
