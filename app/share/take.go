package share

import (
	"io"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/words"
)

// takings are what of a run somebody can take along as a file, as buttons in their order: the value of act.Take, the end of the file's name
// and its type, whether it is there, and what writes it. The command writes the same bytes. A browser's file takes everything, so there is
// no error.
var takings = [...]struct {
	what, suffix, mime string
	name               lang.Message
	there              func(*Panel) bool
	write              func(*Panel, io.Writer)
}{
	{"yaml", ".yaml", "application/yaml", "take-yaml", func(p *Panel) bool { return p.s.Document.Text != "" },
		func(p *Panel, w io.Writer) { io.WriteString(w, p.s.Document.Text) }},
	{"now", "-now.yaml", "application/yaml", "take-now", func(p *Panel) bool { return p.s.Run() != nil },
		func(p *Panel, w io.Writer) { io.WriteString(w, export.Manifests(p.s.Run().Past(), p.s.Cursor.Record)) }},
	{"json", "-trace.jsonl", "application/jsonl", "take-json", func(p *Panel) bool { return p.s.Computed.Finished() },
		func(p *Panel, w io.Writer) {
			visible := words.NewWriter(w)
			export.Trace(visible, p.s.Run())
			visible.Flush()
		}},
	{"svg", ".svg", "image/svg+xml", "take-svg", (*Panel).draws, func(p *Panel, w io.Writer) { w.Write(p.svg()) }},
	{"png", ".png", "image/png", "take-png", (*Panel).draws, nil}, // the browser draws it from the SVG
	{"animated", "-animated.svg", "image/svg+xml", "take-animated", (*Panel).draws,
		func(p *Panel, w io.Writer) { w.Write(p.picture().Animated(p.s.Lang(), p.links(browser.PageURL()).URL)) }},
}

// taking is the state of that part of the dialog.
type taking struct {
	dark  bool
	saved string                                 // the file that was saved last
	last  session.Memo[[3]any, *picture.Picture] // by the run, the workload and the moment
}

// picture returns the picture of the run that is shown, at the moment of the link; nil while the run is computed, or without a
// workload.
func (p *Panel) picture() *picture.Picture {
	if !p.s.Computed.Finished() {
		return nil
	}
	run, workload, at := p.s.Run(), p.s.Workload(), int64(picture.Telling)
	if p.moment {
		at = p.s.Cursor.T
	}
	return session.Recall(&p.take.last, [...]any{run, workload, at}, func() *picture.Picture { return picture.New(run, workload, at) })
}

func (p *Panel) draws() bool { return p.picture() != nil }

// onTake saves a file of the run.
func (p *Panel) onTake(what string) {
	for i := range takings {
		t := &takings[i]
		if t.what != what {
			continue
		}
		suffix := t.suffix
		if p.take.dark && (what == "svg" || what == "png") {
			suffix = "-dark" + suffix
		}
		p.take.saved, p.copied = export.FileName(p.s.Workload(), suffix), ""
		if t.write == nil {
			browser.SavePicture(p.take.saved, string(p.svg()))
		} else {
			browser.Save(p.take.saved, t.mime, func(w io.Writer) { t.write(p, w) })
		}
	}
}

func (p *Panel) svg() []byte {
	theme := picture.Light
	if p.take.dark {
		theme = picture.Dark
	}
	return p.picture().SVG(theme, p.s.Lang())
}

// takeAlong is the part of the dialog with the files.
func (p *Panel) takeAlong() app.UI {
	say := p.s.Lang().Say
	return app.Elem("section").Class("share-take").Aria("labelledby", "take-title").Body(
		app.Elem("h3").ID("take-title").Text(say("take")),
		app.Elem("div").Class("share-files").Body(app.Range(takings[:]).Slice(func(i int) app.UI {
			t := &takings[i]
			button := &parts.Button{Act: "take", Class: "button", Text: say(t.name), Off: !t.there(p), Do: act.Take, Value: t.what, Data: "value"}
			if t.what == "now" {
				button.Text = say(t.name, cursor.Clock(p.s.Cursor.T))
			}
			if button.Off {
				button.Title = say("take-wait")
			}
			return button
		})),
		&parts.Check{Act: "take-dark", Class: "check", Text: say("take-dark"), On: p.take.dark, Do: act.TakeDark},
	)
}

// markdownPicture is a picture that leads to the run. The file is saved with the button.
func markdownPicture(url, file, alt string) string {
	return "[![" + markdownText.Replace(OneLine(alt)) + "](" + file + ")](" + url + ")"
}
