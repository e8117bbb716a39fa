package session

import (
	"slices"
	"strconv"
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
		target, list := command.Target(key.String()), others(was[key.String()], string(m.JSON))
		if kinds.IsWorkload(key.Kind) {
			now, there := d.computed.shown.Past().Workload(key.String(), record)
			if !there {
				all = append(all, d.visit.Lang.Say("change-new", target))
				continue
			}
			if list = append(differences(&now, past.RowOf(m.Object), string(m.JSON)), list...); len(list) > 0 && len(d.computed.shown.Workloads()) == 1 {
				all = append(all, strings.Join(list, ", "))
				continue
			}
		}
		if len(list) > 0 {
			target += ": " + strings.Join(list, ", ")
		}
		if len(list) > 0 || was[key.String()] != string(m.JSON) {
			all = append(all, target)
		}
	}
	return strings.Join(all, "; ")
}

// others names the fields in which two manifests differ, besides those that differences names.
func others(before, after string) (list []string) {
	for _, c := range past.Differences(before, after) {
		name := strings.TrimPrefix(c.Path[strings.LastIndexByte(c.Path, ']')+1:], ".")
		name = strings.TrimPrefix(strings.TrimPrefix(name, "spec."), "template.spec.")
		switch last := name[strings.LastIndexByte(name, '.')+1:]; {
		case slices.Contains([]string{"replicas", "image", "maxSurge", "maxUnavailable", "minReadySeconds"}, last):
		case c.Old == "":
			list = append(list, "+ "+name+" "+c.New)
		case c.New == "":
			list = append(list, "− "+name)
		default:
			list = append(list, name+" "+c.Old+" → "+c.New)
		}
	}
	return list
}

// differences names the fields in which two rows of a workload differ, in the order in which people look for them. A field that
// the manifest does not have stays as it is in the cluster.
func differences(a *past.WorkloadRow, b past.WorkloadRow, manifest string) (list []string) {
	add := func(name, from, to string) {
		if from != to && to != "" && strings.Contains(manifest, `"`+name+`":`) {
			list = append(list, name+" "+from+" → "+to)
		}
	}
	if b.Replicas >= 0 {
		add("replicas", strconv.Itoa(a.Replicas), strconv.Itoa(b.Replicas))
	}
	was, is := strings.Split(a.Images, ","), strings.Split(b.Images, ",")
	for i := range is {
		if i < len(was) {
			add("image", shortImage(was[i]), shortImage(is[i]))
		} else {
			add("image", "", shortImage(is[i]))
		}
	}
	add("maxSurge", a.MaxSurge, b.MaxSurge)
	add("maxUnavailable", a.MaxUnavailable, b.MaxUnavailable)
	add("minReadySeconds", strconv.Itoa(a.MinReady), strconv.Itoa(b.MinReady))
	return list
}

// shortImage leaves out the registry and its path.
func shortImage(image string) string { return image[strings.LastIndexByte(image, '/')+1:] }
