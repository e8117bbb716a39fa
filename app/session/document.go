package session

import (
	"strings"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/engine"
)

// Document is the text of the editor, and where it comes from.
type Document struct {
	Text        string
	Diagnostics []engine.Diagnostic
	Preset      string // the shipped scenario that the run started from; empty for a text of one's own

	applied string // the text that was last started or applied
	linked  string // the text that a link brought

	visit    *Visit
	computed *Run
}

// Set takes the editor's text and checks it. The run stays as it is.
func (d *Document) Set(text string) {
	if text != d.Text {
		d.visit.Notice = Notice{}
	}
	d.Text = text
	d.Diagnostics = nil
	if Blank(text) {
		return
	}
	_, d.Diagnostics = d.computed.library.Read(text).Scenario()
}

// Blank says whether a text is empty but for blanks.
func Blank(text string) bool { return strings.TrimSpace(text) == "" }

// Edit takes what the person has typed in the editor.
func (d *Document) Edit(text string) {
	d.Set(text)
	d.visit.Touched = true
}

// Dirty says whether the editor's text differs from what was last started or applied.
func (d *Document) Dirty() bool { return d.Text != d.applied }

// Errors counts the diagnostics that keep the text from running.
func (d *Document) Errors() int {
	n := 0
	for _, d := range d.Diagnostics {
		if !d.Warning {
			n++
		}
	}
	return n
}

// rewrite changes the text that runs, and the editor's with it. A draft that cannot be changed stays.
func (d *Document) rewrite(change func(string) (string, error)) {
	changed := func(text string) string {
		if text, err := change(text); err == nil {
			return text
		}
		return text
	}
	dirty := d.Dirty()
	d.applied = changed(d.applied)
	if dirty {
		d.Set(changed(d.Text))
	} else {
		d.Set(d.applied)
	}
	d.Preset, d.visit.Notice = "", Notice{}
}

// Label names what is shown, for a list of drafts: an edited lesson by its title, any other text by its first workload.
func (d *Document) Label() string {
	if Blank(d.Text) {
		return d.visit.Lang.Say("draft-empty")
	}
	source := d.computed.library.Read(d.Text)
	if sc, _ := source.Scenario(); sc != nil {
		if sc.Title.En != "" {
			return d.visit.Lang.Say("draft-edited", d.visit.Lang.In(sc.Title))
		}
		if name := workloadLabel(sc); name != "" {
			return name
		}
	}
	if name := d.computed.Workload(); name != "" {
		return command.Name(name)
	}
	return d.visit.Lang.Say("draft-unnamed")
}
