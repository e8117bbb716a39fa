// Package browser is the bridge to JavaScript: all that needs it is here, behind typed functions that do nothing off the
// browser. The other side is web/src/main.js, which sets window.rollplay before the program starts.
package browser

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"io"
	"math"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/words"
)

func call(name string, args ...any) app.Value {
	if app.IsServer {
		return nil
	}
	return app.Window().Get("rollplay").Call(name, args...)
}

// text is what a call answers, "" off the browser.
func text(name string, args ...any) string {
	if v := call(name, args...); v != nil {
		return v.String()
	}
	return ""
}

// push hands a value over as JSON.
func push(name string, value any) {
	if !app.IsServer {
		call(name, JSON(value))
	}
}

// Listener takes what the browser reports.
type Listener struct {
	Report   func(action, value string)
	Frame    func(dt float64)                // an animation frame, dt ms after the one before
	State    func() any                      // answers window.rollplay.state(), for tests and for the curious
	Describe func(record int) string         // the text of a record, for a mark of the scrubber under the pointer
	Ask      func(what, value string) string // answers what the prompt has to know at once
	Chart    func(what, value string) string // and what the chart has to know
}

// Listen hands the callbacks to JavaScript. They live as long as the page, so they are never released.
func Listen(l Listener) {
	if app.IsServer {
		return
	}
	call("listen", map[string]any{
		"report": app.FuncOf(func(_ app.Value, args []app.Value) any { l.Report(args[0].String(), args[1].String()); return nil }),
		"frame":  app.FuncOf(func(_ app.Value, args []app.Value) any { l.Frame(args[0].Float()); return nil }),
		"state": app.FuncOf(func(app.Value, []app.Value) any {
			answers++
			defer func() { answers-- }()
			return l.State()
		}),
		"describe": app.FuncOf(func(_ app.Value, args []app.Value) any {
			return atOnce(func() string { return words.Visible(l.Describe(args[0].Int())) })
		}),
		"ask": app.FuncOf(func(_ app.Value, args []app.Value) any {
			return atOnce(func() string { return words.Visible(l.Ask(args[0].String(), args[1].String())) })
		}),
		"chart": app.FuncOf(func(_ app.Value, args []app.Value) any {
			return atOnce(func() string { return words.Visible(l.Chart(args[0].String(), args[1].String())) })
		}),
	})
}

// Attr reads an attribute of the element whose handler runs.
func Attr(ctx app.Context, name string) string {
	if !app.IsServer {
		if v := ctx.JSSrc().Call("getAttribute", name); v.Truthy() {
			return v.String()
		}
	}
	return ""
}

// InputValue reads the value of the form element whose handler runs. From then on a drawing may set it again: until then it has what was
// typed and not heard (see the build's changes to go-app).
func InputValue(ctx app.Context) string {
	if app.IsServer {
		return ""
	}
	e := ctx.JSSrc()
	e.Set("unheard", false)
	return e.Get("value").String()
}

// says is what a call answers, false off the browser.
func says(name string, args ...any) bool {
	v := call(name, args...)
	return v != nil && v.Bool()
}

// PrefersReducedMotion says that the person asked for less motion.
func PrefersReducedMotion() bool { return says("reducedMotion") }

// Sound lets the person hear a run that plays, or no longer, and says which.
func Sound() bool { return says("sound") }

// Load returns what the browser keeps under a key, "" if there is nothing.
func Load(key string) string { return text("load", key) }

// Store keeps a value, and says whether the browser took it. A long value takes long twice: until JavaScript has it, and until it is
// stored.
func Store(key, value string) bool {
	if len(value) < breath.Long || !mayRest() {
		return says("store", key, value)
	}
	hold(value)
	Part()
	return says("storeHeld", key)
}

func hold(value string) { call("hold", value) }

// Local is the storage of all tabs.
type Local struct{}

func (Local) Load(key string) string       { return Load(key) }
func (Local) Store(key, value string) bool { return Store(key, value) }
func (Local) Remove(key string)            { call("remove", key) }

func (Local) Keys() []string {
	if all := text("keys"); all != "" {
		return strings.Split(all, "\n")
	}
	return nil
}

// Held are the drafts that other tabs have open.
func (Local) Held() []string { return strings.Split(text("openDrafts"), "\n") }

// HoldDraft tells other tabs which draft this one has open, "" for none.
func HoldDraft(id string) { call("holdDraft", id) }

// LoadTab and StoreTab are for what belongs to this tab alone.
func LoadTab(key string) string  { return text("loadTab", key) }
func StoreTab(key, value string) { call("storeTab", key, value) }

// NewID is a random name.
func NewID() string { return text("newId") }

// Forgets says that the browser keeps nothing beyond this visit.
func Forgets() bool { return says("forgets") }

// BrowserLang is the tag of the language that the person's browser has.
func BrowserLang() string { return text("language") }

// ShowLang gives the document its language, and the scripts their words.
func ShowLang(tag string, words any) {
	call("showLang", tag, JSON(words))
}

// FocusOn moves the focus to the first element that a selector finds.
func FocusOn(selector string) { call("focusOn", selector) }
func FocusEditor()            { call("focusEditor") }

// Reveal scrolls an element into the window.
func Reveal(selector string) { call("reveal", selector) }

// CanShare says that the system has a dialog for sharing.
func CanShare() bool { return says("canShare") }

// ShowChart scrolls the chart of a phone into the window.
func ShowChart() { call("showChart") }

// CloseMenus closes what a control has opened above the page.
func CloseMenus() { call("closeMenus") }

// Wide says that there is room beside the figure.
func Wide() bool { return says("wide") }

func SetTheme(theme string) { call("setTheme", theme) }

// EmbedOptions is what an embed shows, empty in the playground.
func EmbedOptions() string { return text("embedOptions") }

// OpenPlayground opens the playground beside an embed.
func OpenPlayground(fragment string) { call("playground", fragment) }

// Tick sends the cursor and the numbers there to the page around an embed.
func Tick(t, end int64, playing, atEnd bool, f *engine.Frame) {
	call("tick", t, end, playing, atEnd, f.Desired, f.Total, f.Available, f.Updated, f.Terminating)
}

// Fragment is the fragment of the page's address without its #, as the browser shows it.
func Fragment() string { return text("fragment") }

// PageURL is the address of the playground, up to its last slash.
func PageURL() string { return cmp.Or(text("pageURL"), "/") }

func AddressSoon()               { call("addressSoon") }
func SetAddress(fragment string) { call("setAddress", fragment) }

// DrawQR draws the code of a text into the element with a name.
func DrawQR(place, text string) { call("drawQR", text, place) }

// Present switches the style sheet and the chart to the presenter's view.
func Present(on bool) { call("present", on) }

func ShowTheme(theme string) { call("showTheme", theme) }

// Frames switches the animation frames on or off.
func Frames(on bool)               { call("frames", on) }
func MountChart(element app.Value) { call("mountChart", element) }
func SetEditorText(text string)    { call("setEditorText", text) }
func FlushEditor()                 { call("flushEditor") }
func GotoLine(line, column int)    { call("gotoLine", line, column) }
func OpenDialog(id string)         { call("openDialog", id) }
func DialogOpen(id string) bool    { return says("dialogOpen", id) }
func CloseDialog(id string)        { call("closeDialog", id) }
func Zoom(how string)              { call("zoom", how) }
func KeepInView()                  { call("keepInView") }

// Mount hands an empty box with a name over, and the names of the states of pods in the order of their numbers.
func Mount(name string, element app.Value, states []string) {
	call("mount", name, element, JSON(states))
}

// Pods sends the pods: groups and rows are nil if they have not changed.
func Pods(groups, rows any, states []byte) { call("pods", groups, rows, bytes(states)) }

func FocusTerminal() { call("focusTerminal") }

// Terminal lets JavaScript keep its first lines, and sends those that follow and the state of the prompt,
// nil if that has not changed.
func Terminal(keep int, lines string, prompt any) {
	call("terminal", keep, words.Visible(lines), prompt)
}
func PodCard(card string) { call("podCard", card) }

// SetDiagnostics marks what is wrong with the editor's text.
func SetDiagnostics(diags any) { push("setDiagnostics", diags) }

// Cursor moves the line on the chart, the scrubber and the time, the only things that change in every frame.
func Cursor(t, end int64, pace float64) {
	call("cursor", t, end, pace, cursor.Clock(t), cursor.Clock(end))
}

// Loop shades the section that plays repeatedly.
func Loop(a, b int64, state int) { call("loop", a, b, state) }

// Chart hands the chart its lines as typed arrays.
func Chart(v chart.View) {
	if app.IsServer {
		return
	}
	ids, data := make([]string, len(v.Series)), make([]float64, len(v.Series)) // one array for all, which begins with their lengths
	for i, s := range v.Series {
		ids[i], data[i] = s.ID, float64(len(s.Points))
		data = append(data, s.Points...)
	}
	call("chart", map[string]any{
		"option": v.Option, "ids": strings.Join(ids, "\n"), "lines": floats(data), "end": v.End, "from": v.Open.From, "to": v.Open.To,
		"key": v.Key, "count": JSON(v.Count), "marks": JSON(v.Marks), "syncs": floats(v.Syncs),
	})
}

// Notes writes the texts on the chart.
func Notes(notes []chart.Note) { push("notes", notes) }

// Callout marks what the sentence of the moment names; a small chart also shows it while the run waits, with a button that continues. While
// a question waits, asks is true. The chart shows nothing after hidden, where the next question is.
func Callout(text, onwards string, asks bool, hidden int64) {
	call("callout", text, onwards, asks, hidden)
}

// Strips hands over the rows under the chart.
func Strips(rows any) { push("strips", rows) }

// bytes makes a Uint8Array.
func bytes(p []byte) app.Value {
	array := app.Window().Get("Uint8Array").New(len(p))
	app.CopyBytesToJS(array, p)
	return array
}

// floats makes a Float64Array.
func floats(p []float64) app.Value {
	b := make([]byte, 8*len(p))
	for i, f := range p {
		binary.LittleEndian.PutUint64(b[8*i:], math.Float64bits(f))
	}
	return app.Window().Get("Float64Array").New(bytes(b).Get("buffer"))
}

// JSON writes what JavaScript reads, to show it.
func JSON(v any) string { return visible(string(api.JSON(v))) }

// StartWorkers starts workers that measure runs, at most as many as a limit, unless some are there. When they are ready they are
// reported as numbers-heard; a browser that has none to give reports nothing.
func StartWorkers(limit int) { call("startWorkers", limit) }

// GiveWorkers hands a task over, of which the runs with these numbers are missing.
func GiveWorkers(id int, task string, missing []int) {
	call("giveWorkers", id, task, JSON(missing))
}

// EndWorkers ends them, with what they work on.
func EndWorkers() { call("endWorkers") }

// visible makes JavaScript read the escape of a hidden character, not the character: in the JSON of a text, \u202e becomes
// \\u202e.
func visible(json string) string {
	json = words.Visible(json)
	var b strings.Builder
	for i := strings.IndexByte(json, '\\'); i >= 0; i = strings.IndexByte(json, '\\') {
		b.WriteString(json[:i])
		if hides(json[i+1:]) {
			b.WriteByte('\\')
		}
		b.WriteString(json[i : i+2])
		json = json[i+2:]
	}
	if b.Len() == 0 {
		return json
	}
	return b.String() + json
}

// hides says whether a hidden character is written behind a backslash. Marshal writes \u for these and for <, > and &.
func hides(escape string) bool {
	switch escape[0] {
	case 'b', 'f', 'r':
		return true
	case 'u':
		return !strings.HasPrefix(escape, "u003") && !strings.HasPrefix(escape, "u0026") && !strings.HasPrefix(escape, "ufffd")
	}
	return false
}

// partSize is how much of a file is handed over at a time, so that a long trace is not in memory twice.
const partSize = 1 << 20

// parts is a file on its way to the browser, as Uint8Arrays.
type parts []any

func (p *parts) Write(b []byte) (int, error) {
	*p = append(*p, bytes(b))
	return len(b), nil
}

// Save hands the person a file. Its bytes are those that are written, hidden characters too.
func Save(name, mime string, write func(io.Writer)) {
	if app.IsServer {
		return
	}
	var whole parts
	w := bufio.NewWriterSize(&whole, partSize)
	write(w)
	w.Flush()
	call("save", name, mime, []any(whole))
}

// SavePicture draws an SVG as a PNG and hands it over.
func SavePicture(name, svg string) { call("savePicture", name, svg) }
