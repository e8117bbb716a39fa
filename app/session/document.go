package session

import (
	"strings"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/engine"
	kinds "github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/past"
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
	d.Text, d.Diagnostics = text, nil
	if !Blank(text) {
		_, d.Diagnostics = d.computed.library.Read(text).Scenario()
	}
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

// Changes lists what Apply would change at the cursor: of the workloads replicas 3 → 5, image 1.19.1 → 1.18.0, and all other fields and
// objects whose manifests differ. It is empty for a text that was not edited, that has errors, or that is about other objects.
func (d *Document) Changes(record int) string {
	if d.computed.shown == nil || !d.Dirty() || d.Errors() > 0 || Blank(d.Text) {
		return ""
	}
	source := d.computed.library.Read(d.Text)
	if !source.SharesObject(d.computed.library.Read(d.applied)) {
		return ""
	}
	manifests, _ := source.Manifests()
	before, _ := d.computed.library.Read(d.applied).Manifests()
	was := map[string]string{}
	for _, m := range before {
		was[m.Object.Key().String()] = string(m.JSON)
	}
	var all []string
	for _, m := range manifests {
		key := m.Object.Key()
		target, old, now := command.Target(key.String()), was[key.String()], string(m.JSON)
		if old == now && !kinds.IsWorkload(key.Kind) {
			continue
		}
		live := d.computed.shown.Past().ObjectAt(key, record)
		if live == nil {
			all = append(all, d.visit.Lang.Say("change-new", target))
			continue
		}
		list := differences(past.Differences(live, m.Object), old, now)
		switch {
		case list != "" && len(manifests) == 1:
			all = append(all, list)
		case list != "":
			all = append(all, target+": "+list)
		case old != now:
			all = append(all, target)
		}
	}
	return strings.Join(all, "; ")
}

// differences writes the fields that a manifest changes. A field that is absent from the manifest keeps its value in the
// cluster, unless the manifest before had it.
func differences(changes []past.FieldChange, old, now string) string {
	var list []string
	for _, c := range changes {
		name := strings.TrimPrefix(c.Path[strings.LastIndexByte(c.Path, ']')+1:], ".")
		name = strings.TrimPrefix(strings.TrimPrefix(name, "spec."), "template.spec.")
		field := `"` + name[strings.LastIndexByte(name, '.')+1:] + `":`
		switch has := strings.Contains(now, field); {
		case has && c.Old != "" && c.New != "":
			list = append(list, name+" "+c.Old+" → "+c.New)
		case has && c.New != "":
			list = append(list, "+ "+name+" "+c.New)
		case c.New == "" && strings.Contains(old, field):
			list = append(list, "− "+name)
		}
	}
	return strings.Join(list, ", ")
}

// Field is a field of a manifest in the editor's text: spec.strategy.rollingUpdate.maxSurge of a Deployment.
type Field struct {
	Path, Value, Kind string
	Line              int
}

// fieldsMax bounds the fields of a text that are listed.
const fieldsMax = 600

// Fields lists the fields of the manifests in the editor's text, without the scenario's own document. It reads lines, so a text
// with errors has fields, too.
func (d *Document) Fields() (all []Field) {
	var path fieldPath
	first := 0 // of the document
	kind := ""
	for i, line := range strings.Split(d.Text+"\n---", "\n") {
		if strings.HasPrefix(line, "---") { // the end of a document
			if kind == "Scenario" {
				all = all[:first]
			}
			for k := first; k < len(all); k++ {
				all[k].Kind = kind
			}
			path, first, kind = nil, len(all), ""
			continue
		}
		key, value, ok := path.take(line)
		if !ok {
			continue
		}
		if key == "kind" {
			kind = value
		}
		if len(all) < fieldsMax {
			all = append(all, Field{Path: key, Value: value, Line: i + 1})
		}
	}
	return all
}

// fieldPath is the keys above a line.
type fieldPath []indented

type indented struct {
	indent int
	key    string
}

// take reads a line: its path of keys and its value, ok if it has a key. An entry of a list counts as indented to what follows
// the dash, so both ways to indent lists have the same paths.
func (p *fieldPath) take(line string) (path, value string, ok bool) {
	rest := strings.TrimLeft(line, " ")
	indent := len(line) - len(rest)
	for strings.HasPrefix(rest, "- ") {
		trimmed := strings.TrimLeft(rest[2:], " ")
		indent += len(rest) - len(trimmed)
		rest = trimmed
	}
	key, value, found := strings.Cut(rest, ":")
	if !found || key == "" || strings.ContainsAny(key, " #{}[]\"'") || value != "" && value[0] != ' ' {
		return "", "", false
	}
	for n := len(*p); n > 0 && (*p)[n-1].indent >= indent; n-- {
		*p = (*p)[:n-1]
	}
	for _, above := range *p {
		path += above.key + "."
	}
	*p = append(*p, indented{indent, key})
	return path + key, strings.TrimSpace(value), true
}
