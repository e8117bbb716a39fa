package session

import (
	"strings"

	"github.com/rollplay/rollplay/app/command"
	kinds "github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/past"
)

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
