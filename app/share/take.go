package share

import (
	"io"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/words"
)

// What of a run somebody can take along as a file: the values of act.Take. The command writes the same bytes.
const (
	takeYAML     = "yaml"     // the text as it is written
	takeNow      = "now"      // the objects at the cursor
	takeTrace    = "json"     // the trace of the whole run
	takeSVG      = "svg"      // its chart
	takePNG      = "png"      // the same, drawn by the browser from the SVG
	takeAnimated = "animated" // its chart in motion
)

// takings are the buttons, in order, with the end of the file's name and its type.
var takings = [...]struct {
	what, suffix, mime string
	name               lang.Message
}{
	{takeYAML, ".yaml", "application/yaml", "take-yaml"},
	{takeNow, "-now.yaml", "application/yaml", "take-now"},
	{takeTrace, "-trace.jsonl", "application/jsonl", "take-json"},
	{takeSVG, ".svg", "image/svg+xml", "take-svg"},
	{takePNG, ".png", "image/png", "take-png"},
	{takeAnimated, "-animated.svg", "image/svg+xml", "take-animated"},
}

// taking is the state of that part of the dialog.
type taking struct {
	dark  bool
	saved string // the file that was saved last
	last  lastPicture
}

// lastPicture is the picture of a run, which is kept while nothing that it shows changes.
type lastPicture struct {
	run      *engine.Run
	workload string
	at       int64
	picture  *picture.Picture
}

// picture returns the picture of the run that is shown, at the moment of the link; nil while the run is computed, or without a
// workload.
func (p *Panel) picture() *picture.Picture {
	if !p.s.Computed.Finished() {
		return nil
	}
	d := lastPicture{run: p.s.Run(), workload: p.s.Workload(), at: picture.Telling}
	if p.moment {
		d.at = p.s.Cursor.T
	}
	if was := &p.take.last; was.run != d.run || was.workload != d.workload || was.at != d.at {
		d.picture = picture.New(d.run, d.workload, d.at)
		*was = d
	}
	return p.take.last.picture
}

// onTake saves a file of the run.
func (p *Panel) onTake(_ app.Context, v any) bool {
	for i := range takings {
		if t := &takings[i]; t.what == v.(string) {
			name := export.FileName(p.s.Workload(), t.suffix)
			if dark := p.take.dark; dark && (t.what == takeSVG || t.what == takePNG) {
				name = export.FileName(p.s.Workload(), "-dark"+t.suffix)
			}
			p.take.saved, p.copied = name, ""
			if t.what == takePNG {
				browser.SavePicture(name, string(p.svg()))
			} else {
				browser.Save(name, t.mime, func(w io.Writer) { p.write(t.what, w) })
			}
		}
	}
	return true
}

// write writes what is taken along. A browser's file takes everything, so there is no error.
func (p *Panel) write(what string, w io.Writer) {
	switch what {
	case takeYAML:
		io.WriteString(w, p.s.Document.Text)
	case takeNow:
		io.WriteString(w, export.Manifests(p.s.Run().Past(), p.s.Cursor.Record))
	case takeTrace:
		visible := words.NewWriter(w)
		export.Trace(visible, p.s.Run())
		visible.Flush()
	case takeSVG:
		w.Write(p.svg())
	case takeAnimated:
		w.Write(p.picture().Animated(p.s.Lang(), p.links(browser.PageURL()).URL))
	}
}

func (p *Panel) svg() []byte {
	theme := picture.Light
	if p.take.dark {
		theme = picture.Dark
	}
	return p.picture().SVG(theme, p.s.Lang())
}

// takePart is the files part of the dialog.
type takePart struct {
	Text, Now, Whole, Drawn bool // what there is to take: the text, the state at the cursor, the trace, a picture
	Dark                    bool
	Saved                   string
	File, Alt               string // the picture beside a Markdown text, and what it shows
}

func (p *Panel) takePart() takePart {
	t := takePart{Text: p.s.Document.Text != "", Now: p.s.Run() != nil, Whole: p.s.Computed.Finished(), Dark: p.take.dark, Saved: p.take.saved}
	if drawn := p.picture(); drawn != nil {
		t.Drawn, t.Alt = true, drawn.Alt(p.s.Lang())
		t.File = export.FileName(p.s.Workload(), ".svg")
	}
	return t
}

// has says whether there is something to take.
func (t *takePart) has(what string) bool {
	switch what {
	case takeYAML:
		return t.Text
	case takeNow:
		return t.Now
	case takeTrace:
		return t.Whole
	}
	return t.Drawn
}

// takeAlong is the part of the dialog with the files.
func (d *dialog) takeAlong() app.UI {
	return app.Elem("section").Class("share-take").Aria("labelledby", "take-title").Body(
		app.Elem("h3").ID("take-title").Text(d.Lang.Say("take")),
		app.Elem("div").Class("share-files").Body(app.Range(takings[:]).Slice(func(i int) app.UI {
			t := &takings[i]
			button := &parts.Button{Act: "take", Class: "button", Text: d.Lang.Say(t.name), Off: !d.Take.has(t.what), Do: act.Take, Value: t.what, Data: "value"}
			if t.what == takeNow {
				button.Text = d.Lang.Say(t.name, d.Clock)
			}
			if button.Off {
				button.Title = d.Lang.Say("take-wait")
			}
			return button
		})),
		&parts.Check{Act: "take-dark", Class: "check", Text: d.Lang.Say("take-dark"), On: d.Take.Dark, Do: act.TakeDark},
	)
}

// markdownPicture is a picture that leads to the run. The file is saved with the button.
func markdownPicture(l links, t takePart) string {
	return "[![" + markdownText.Replace(OneLine(t.Alt)) + "](" + t.File + ")](" + l.URL + ")"
}
