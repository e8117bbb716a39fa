package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/patch"
	"github.com/rollplay/rollplay/engine/limits"
)

// Manifest is one object of a text: as it was decoded, defaulted and validated, and the JSON that `kubectl apply` keeps of it.
type Manifest struct {
	Object    api.Object
	JSON      []byte
	Namespace string // as the text has it, "" if it says nothing
}

// Tree returns what was written, as a tree.
func (m *Manifest) Tree() (tree map[string]any) {
	json.Unmarshal(m.JSON, &tree) //nolint:errcheck // it was made of a tree
	return tree
}

// object reads the object at a path of its document: the whole document, or an item of a List.
func (r *Source) object(d *document, path string, v map[string]any) {
	version, kind := r.word(d, path, v, "apiVersion"), r.word(d, path, v, "kind")
	if version == "" || kind == "" {
		return
	}
	known := applied(kind)
	if kinds.Older(version, api.Kind(kind)) {
		version = known
	}
	switch {
	case known == version && r.tooManyObjects(d, path):
	case version == scenarioVersion && kind == scenarioKind: // read before the objects
	case strings.HasPrefix(version, "rollplay/") || kind == scenarioKind:
		r.noMatch(d, path, version, kind, scenarioVersion+" "+scenarioKind)
	case version == "v1" && kind == "List", known == "" && applied(strings.TrimSuffix(kind, "List")) == version:
		r.list(d, path, v)
	case known == version:
		if k := kinds.Of(api.Kind(kind)); LimitsPods(k.Name, v) {
			r.add(d.warn(path, "kind", "LimitRange"+quotedName(v)+" sets what pods request, or refuses them; it is not modelled."))
		} else if k.Inert && !k.Routes {
			r.addInert(d.warn(path, "kind", fmt.Sprintf("%s%s is stored, not simulated", kind, quotedName(v))))
		}
		r.decode(d, path, api.Kind(kind), v)
	case known != "" && !kinds.Custom(version):
		before := len(r.diagnostics)
		if r.noMatch(d, path, version, kind, known+" "+kind); kinds.Gone(version, api.Kind(kind)) {
			r.refuse(before)
		}
	default:
		r.otherKind(d, path, version, kind, v)
	}
}

// applied returns the version in which people create objects of a kind, "" if they do not create them here.
func applied(kind string) string {
	if k := kinds.Find(api.Kind(kind)); k != nil && k.Applied() {
		return k.APIVersion()
	}
	return ""
}

// word returns the apiVersion or kind of an object; it reports a missing word and returns "".
func (r *Source) word(d *document, path string, v map[string]any, name string) string {
	s, ok := v[name].(string)
	if ok && s != "" {
		return s
	}
	kubectlName := name
	if name == "kind" {
		kubectlName = "Kind"
	}
	message := fmt.Sprintf("Object '%s' is missing in '%s'", kubectlName, excerpt(v))
	if v[name] != nil && !ok {
		message = fmt.Sprintf("%s must be a string", name)
	}
	r.add(d.at(path, name, message))
	return ""
}

// excerpt returns the beginning of an object as JSON.
func excerpt(v any) string {
	text := []rune(string(api.JSON(v)))
	if len(text) > 60 {
		return string(text[:60]) + "…"
	}
	return string(text)
}

func joinPath(path, field string) string {
	if path == "" || field == "" {
		return path + field
	}
	return path + "." + field
}

// noMatch reports an unknown kind in kubectl's words, with the kind that was probably meant.
func (r *Source) noMatch(d *document, path, version, kind, meant string) {
	field := "kind"
	if strings.HasSuffix(meant, " "+kind) {
		field = "apiVersion"
	}
	message := fmt.Sprintf("no matches for kind %q in version %q", kind, version)
	if meant != "" {
		message += fmt.Sprintf(" (did you mean %s?)", meant)
	}
	r.add(d.at(path, field, message))
}

// otherKind reports a typo in a kind's name; a real kind that is not simulated is left out with a warning.
func (r *Source) otherKind(d *document, path, version, kind string, v map[string]any) {
	if kinds.Typo(version, strings.TrimSuffix(kind, "List")) {
		r.noMatch(d, path, version, kind, kinds.Nearest(kind))
		return
	}
	r.addInert(d.leftOut(path, kind, quotedName(v), "its kind is not simulated"))
}

// addInert adds a warning about an object of a kind that is not simulated.
func (r *Source) addInert(d Diagnostic) {
	d.Inert = true
	r.add(d)
}

// quotedName returns the name of an object in quotes behind a blank, "" if it has none.
func quotedName(v map[string]any) string {
	if name := api.Fields(v).Object("metadata").Text("name"); name != "" {
		return fmt.Sprintf(" %q", name)
	}
	return ""
}

// leftOut returns a warning about an object that a real cluster would accept.
func (d *document) leftOut(path, kind, name, why string) Diagnostic {
	return d.warn(path, "kind", fmt.Sprintf("%s%s is left out: %s", kind, name, why))
}

// warn is at for a warning.
func (d *document) warn(path, field, message string) Diagnostic {
	x := d.at(path, field, message)
	x.Warning = true
	return x
}

func (r *Source) list(d *document, path string, v map[string]any) {
	list, ok := v["items"].([]any)
	if !ok && v["items"] != nil {
		r.add(d.at(path, "items", "items must be a list of objects"))
		return
	}
	for i, item := range list {
		breath.Take()
		itemPath := fmt.Sprintf("%s[%d]", joinPath(path, "items"), i)
		m, ok := item.(map[string]any)
		if !ok {
			r.add(d.at("", itemPath, "an item of a List must be a Kubernetes object"))
			return
		}
		if r.object(d, itemPath, m); r.enough() {
			return
		}
	}
}

// decode reads an object strictly, fills in its defaults and validates it, as the API server does. Like there, the
// validation waits until the object can be read.
func (r *Source) decode(d *document, path string, kind api.Kind, v map[string]any) {
	if path == "" && d.manifest != nil {
		r.keep(d, path, *d.manifest)
		return
	}
	before := len(r.diagnostics)
	status, given := v["status"]
	o, issues := decode.Tree(kind, v)
	if given && v["status"] == nil {
		v["status"] = status // kubectl keeps it, and nobody else looks at it
	}
	for _, issue := range issues {
		r.add(d.issue(path, issue))
	}
	if len(issues) > 0 {
		if r.refuse(before); !slices.ContainsFunc(issues, func(i decode.Issue) bool { return !i.Unknown && strings.HasPrefix(i.Path, "metadata.") }) {
			o := readable(kind, v, issues)
			r.fault(before, newManifest(o, v), nil)
		} // kubectl itself reads the metadata
		return
	}
	m := o.Meta()
	if m.Name == "" && m.GenerateName != "" {
		r.add(d.at(path, "metadata.generateName", fmt.Sprintf("from %s: cannot use generate name with apply", m.GenerateName)))
		r.fault(before, newManifest(o, v), nil)
		return
	}
	wrong := validate.Object(o)
	if len(wrong) > 0 && wrong[0].NotSimulated() {
		r.add(d.leftOut(path, string(kind), fmt.Sprintf(" %q", m.Name), wrong[0].Field+": "+wrong[0].Detail))
		return
	}
	manifest := newManifest(o, v)
	if wrong = wrong[:min(len(wrong), limits.Problems)]; len(wrong) > 0 {
		for _, e := range wrong {
			r.add(d.at(path, e.Field, e.Error()))
		}
		r.refuse(before)
		r.fault(before, manifest, wrong)
		return
	}
	if !r.keep(d, path, manifest) {
		return
	}
	for _, w := range validate.Warnings(o, nil) {
		r.add(d.warn(path, w.Field, w.String()))
	}
	NotModelled(o, func(field, text string) { r.add(d.warn(path, "spec.template.spec."+field, text)) })
	if path == "" && len(r.diagnostics) == before {
		d.manifest = &manifest
	}
}

// readable returns what can be read of an object: all but the unknown fields, or only its metadata.
func readable(kind api.Kind, v map[string]any, issues []decode.Issue) api.Object {
	known := api.CopyTree(v, nil)
	for _, issue := range issues {
		patch.DeletePath(known, issue.Path)
	}
	if o, issues := decode.Tree(kind, known); len(issues) == 0 {
		return o
	}
	o, _ := decode.Tree(kind, map[string]any{"metadata": known.(map[string]any)["metadata"]})
	return o
}

// refuse marks the diagnostics from one on as those of an object that the API server refuses.
func (r *Source) refuse(from int) {
	for i := range r.diagnostics[from:] {
		r.diagnostics[from+i].Refused = true
	}
}

// faulty is an object that is wrong: where it would be among the objects, and the places of its diagnostics, one for each error.
type faulty struct {
	Manifest
	wrong          validate.FieldErrors // nil if it could not be read in full
	at, first, end int
}

// fault keeps an object that is wrong, with the diagnostics from one on.
func (r *Source) fault(from int, m Manifest, wrong validate.FieldErrors) {
	r.faulty = append(r.faulty, faulty{m, wrong, len(r.objects), from, len(r.diagnostics)})
}

// MergedManifests returns the same as Manifests, and the objects that are right after merging with those of the cluster; its errors show
// wrong values as they are then. Of an object that merge returns as nil nothing is checked.
func (r *Source) MergedManifests(merge func(Manifest) (api.Object, error)) (manifests []Manifest, diagnostics []Diagnostic) {
	objects, told := r.Manifests()
	at, next := 0, 0
	for _, f := range r.faulty {
		manifests, at = append(manifests, objects[at:f.at]...), f.at
		first := len(diagnostics) + f.first - next
		diagnostics, next = append(diagnostics, told[next:f.end]...), f.end
		o, err := merge(f.Manifest)
		if err != nil {
			continue
		}
		var merged validate.FieldErrors
		if o != nil {
			merged = validate.Object(o)
		}
		if len(merged) == 0 {
			manifests, diagnostics = append(manifests, f.Manifest), diagnostics[:first]
			continue
		}
		for i, e := range f.wrong {
			same := func(m validate.FieldError) bool {
				return m.Field == e.Field && m.Kind == e.Kind && m.Detail == e.Detail
			}
			if at := slices.IndexFunc(merged, same); at >= 0 && !slices.Contains(merged, e) {
				diagnostics[first+i].Message = limits.Short(merged[at].Error())
			}
		}
	}
	return append(manifests, objects[at:]...), append(diagnostics, told[next:]...)
}

// keep adds an object to those of the text, unless that has one of the same name.
func (r *Source) keep(d *document, path string, m Manifest) bool {
	key := m.Object.Key()
	if first := r.places[key]; first.document != nil {
		r.add(d.at(path, "metadata.name", fmt.Sprintf("%s (document %d)", kinds.AlreadyExists(key), first.Number)))
		return false
	}
	r.places[key] = origin{d, path}
	r.objects = append(r.objects, m)
	r.tooManyOf(key)
	return true
}

// issue returns a diagnostic for a field that could not be decoded.
func (d *document) issue(path string, issue decode.Issue) Diagnostic {
	message := issue.Message
	if issue.Unknown {
		message = "strict decoding error: " + message
	}
	if issue.Near != "" {
		message += fmt.Sprintf(" (did you mean %q?)", issue.Near)
	}
	if word := d.booleanWord(joinPath(path, issue.Path)); word != "" && !issue.Unknown {
		message += fmt.Sprintf(" (YAML reads %s as true or false: write it in quotes)", word)
	}
	return d.mark(path, issue.Path, message, issue.Unknown)
}

// newManifest keeps an object with the JSON that kubectl keeps of it when it is applied: with a namespace, with annotations, but without what
// it kept the last time.
func newManifest(o api.Object, v map[string]any) Manifest {
	v = maps.Clone(v)
	meta := api.Fields(v).Own("metadata")
	namespace := meta.Text("namespace")
	delete(meta.Own("annotations"), api.LastAppliedAnnotation)
	if meta["namespace"] = o.Meta().Namespace; meta["namespace"] == "" {
		delete(meta, "namespace")
	}
	return Manifest{o, api.JSON(v), namespace}
}
