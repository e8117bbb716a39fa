package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/validate"
)

// Manifest is one object of a text: as it was decoded, defaulted and validated, and the JSON that `kubectl apply` keeps of it.
type Manifest struct {
	Object api.Object
	JSON   []byte
}

// ParseManifests reads a YAML stream for `kubectl apply`. A Scenario document in it is ignored. Without errors, there is
// at least one manifest.
func ParseManifests(text string) ([]Manifest, []Diagnostic) {
	r := readStream(text, nil)
	if len(r.objects) == 0 && !r.failed() {
		r.noObjects(text)
	}
	return r.objects, r.diagnostics
}

// simulated are the kinds that the engine knows, with the version in which it knows them.
var simulated = map[string]string{
	"Deployment": "apps/v1", "ReplicaSet": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1",
	"PodDisruptionBudget": "policy/v1", "HorizontalPodAutoscaler": "autoscaling/v2", "Pod": "v1", "Node": "v1", "ResourceQuota": "v1",
}

// builtin are the other kinds of these API groups: any further word is a slip of the pen. Other groups may have kinds
// that nobody here knows. Revisions and claims are simulated, but only controllers make them.
var builtin = map[string][]string{
	"apps/v1":   {"ControllerRevision"},
	"policy/v1": {"Eviction"},
	"v1": {"Binding", "ConfigMap", "Endpoints", "Event", "LimitRange", "List", "Namespace", "PersistentVolume",
		"PersistentVolumeClaim", "PodTemplate", "ReplicationController", "Secret", "Service", "ServiceAccount"},
}

// reader collects the objects of a stream and what is wrong with them.
type reader struct {
	diagnostics []Diagnostic
	objects     []Manifest
	seen        map[api.Key]int // document in which an object stands
	scenario    func(*document) // reads a Scenario document; nil ignores it
	autoscalers []pendingAutoscaler
}

// pendingAutoscaler is a HorizontalPodAutoscaler that is only of use if the scenario has a load for its target: with none it
// would scale down what a person pasted.
type pendingAutoscaler struct {
	*api.HorizontalPodAutoscaler
	at      int // among the objects
	leftOut Diagnostic
}

// withoutIdle takes those away again.
func (r *reader) withoutIdle(loads []Load) {
	for i := len(r.autoscalers) - 1; i >= 0; i-- {
		a := &r.autoscalers[i]
		if !Loaded(loads, a.Target()) {
			r.objects = slices.Delete(r.objects, a.at, a.at+1)
			r.add(a.leftOut)
		}
	}
}

// The bounds of the work on hostile text. Like the API server's decoder, the reader stops at a hundred problems.
const (
	documentsMax   = 500
	diagnosticsMax = 100
)

// readStream reads all documents of a text.
func readStream(text string, scenario func(*document)) *reader {
	r := &reader{seen: map[api.Key]int{}, scenario: scenario}
	if len(text) > TextMax {
		r.add(Diagnostic{Document: 1, Line: 1, Column: 1, EndColumn: 2,
			Message: fmt.Sprintf("the text has %d bytes; at most %d (1 MiB) are read", len(text), TextMax)})
		return r
	}
	docs := SplitStream(text)
	if len(docs) > documentsMax {
		r.add(docs[documentsMax].at("", fmt.Sprintf("the text has %d documents; at most %d are read", len(docs), documentsMax)))
		return r
	}
	for _, d := range docs {
		if r.full() {
			break
		}
		if wrong := d.read(); len(wrong) > 0 {
			r.diagnostics = append(r.diagnostics, wrong...)
			continue
		}
		r.object(d, "", d.value)
	}
	return r
}

func (r *reader) add(d Diagnostic) { r.diagnostics = append(r.diagnostics, d) }

// full says whether there are enough diagnostics.
func (r *reader) full() bool { return len(r.diagnostics) >= diagnosticsMax }

// failed says whether a diagnostic is an error.
func (r *reader) failed() bool {
	return slices.ContainsFunc(r.diagnostics, func(d Diagnostic) bool { return !d.Warning })
}

// noObjects reports a text that asks for nothing, in kubectl's words and some more.
func (r *reader) noObjects(text string) {
	message := "no objects passed to apply: paste a Deployment, or anything else that kubectl apply would take"
	if len(r.diagnostics) > 0 {
		message = "no objects passed to apply: there is none that can be simulated; add a Deployment"
	}
	r.add(Diagnostic{Document: 1, Line: 1, Column: 1, EndColumn: max(2, len([]rune(firstLine(text)))+1), Message: message})
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}

// object reads one object, which stands in its document at a path: the whole document, or an item of a List.
func (r *reader) object(d *document, path string, v map[string]any) {
	version, kind := r.word(d, path, v, "apiVersion"), r.word(d, path, v, "kind")
	if version == "" || kind == "" {
		return
	}
	known := simulated[kind]
	switch {
	case version == scenarioVersion && kind == scenarioKind:
		if r.scenario != nil && path == "" {
			r.scenario(d)
		}
	case strings.HasPrefix(version, "rollplay/") || kind == scenarioKind:
		r.noMatch(d, path, version, kind, scenarioVersion+" "+scenarioKind)
	case version == "v1" && kind == "List", known == "" && simulated[strings.TrimSuffix(kind, "List")] == version:
		r.list(d, path, v)
	case known == version:
		r.decode(d, path, api.Kind(kind), v)
	case known != "":
		r.noMatch(d, path, version, kind, known+" "+kind)
	default:
		r.otherKind(d, path, version, kind, v)
	}
}

// word returns the apiVersion or kind of an object, "" after reporting that there is none.
func (r *reader) word(d *document, path string, v map[string]any, name string) string {
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
	r.report(d, path, name, message)
	return ""
}

// excerpt returns the beginning of an object as JSON.
func excerpt(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("scenario: a parsed document cannot be printed: " + err.Error())
	}
	text := []rune(string(b))
	if len(text) > 60 {
		return string(text[:60]) + "…"
	}
	return string(text)
}

// report adds an error about a field of the object at a path. The diagnostic names the field as the object has it.
func (r *reader) report(d *document, path, field, message string) {
	x := d.at(joinPath(path, field), message)
	x.Field = field
	r.add(x)
}

func joinPath(path, field string) string {
	if path == "" || field == "" {
		return path + field
	}
	return path + "." + field
}

// noMatch reports a kind that the API server does not have, in kubectl's words, and the one that was meant.
func (r *reader) noMatch(d *document, path, version, kind, meant string) {
	field := "kind"
	if strings.HasSuffix(meant, " "+kind) {
		field = "apiVersion"
	}
	message := fmt.Sprintf("no matches for kind %q in version %q", kind, version)
	if meant != "" {
		message += fmt.Sprintf(" (did you mean %s?)", meant)
	}
	r.report(d, path, field, message)
}

// otherKind reports a slip in a kind's name; a real kind that is not simulated is left out with a warning.
func (r *reader) otherKind(d *document, path, version, kind string, v map[string]any) {
	others := builtin[version]
	if len(others) > 0 && !slices.Contains(others, strings.TrimSuffix(kind, "List")) {
		r.noMatch(d, path, version, kind, nearestKind(kind))
		return
	}
	name := ""
	if meta, ok := v["metadata"].(map[string]any); ok {
		if s, ok := meta["name"].(string); ok {
			name = fmt.Sprintf(" %q", s)
		}
	}
	r.add(d.leftOut(path, kind, name, "its kind is not simulated"))
}

// leaveOut reports an object that a cluster would take, and this one does not.
func (r *reader) leaveOut(d *document, path, kind, name, why string) {
	r.add(d.leftOut(path, kind, fmt.Sprintf(" %q", name), why))
}

func (d *document) leftOut(path, kind, name, why string) Diagnostic {
	x := d.at(joinPath(path, "kind"), fmt.Sprintf("%s%s is left out: %s", kind, name, why))
	x.Field, x.Warning = "kind", true
	return x
}

// nearestKind returns the version and kind that was meant, "" if none is close.
func nearestKind(kind string) string {
	versions := maps.Clone(simulated)
	for version, kinds := range builtin {
		for _, k := range kinds {
			versions[k] = version
		}
	}
	meant := api.Nearest(kind, slices.Collect(maps.Keys(versions)))
	if meant == "" {
		return ""
	}
	return versions[meant] + " " + meant
}

// list reads the items of a List.
func (r *reader) list(d *document, path string, v map[string]any) {
	list, ok := v["items"].([]any)
	if !ok && v["items"] != nil {
		r.report(d, path, "items", "items must be a list of objects")
		return
	}
	for i, item := range list {
		itemPath := fmt.Sprintf("%s[%d]", joinPath(path, "items"), i)
		m, ok := item.(map[string]any)
		if !ok {
			r.add(d.at(itemPath, "an item of a List must be a Kubernetes object"))
			return
		}
		if r.object(d, itemPath, m); r.full() {
			return
		}
	}
}

// decode reads an object strictly, fills in its defaults and validates it, as the API server does. Like there, the
// validation waits until the object can be read.
func (r *reader) decode(d *document, path string, kind api.Kind, v map[string]any) {
	o, issues := decode.Tree(kind, v)
	for _, issue := range issues {
		r.add(d.issue(path, issue))
	}
	if len(issues) > 0 {
		return
	}
	m := o.Meta()
	if m.Name == "" && m.GenerateName != "" {
		r.report(d, path, "metadata.generateName", fmt.Sprintf("from %s: cannot use generate name with apply", m.GenerateName))
		return
	}
	wrong := validate.Object(o)
	if len(wrong) > 0 && wrong[0].NotSimulated() {
		r.leaveOut(d, path, string(kind), m.Name, wrong[0].Field+": "+wrong[0].Detail)
		return
	}
	for _, e := range wrong[:min(len(wrong), diagnosticsMax)] {
		r.report(d, path, e.Field, e.Error())
	}
	if len(wrong) > 0 {
		return
	}
	key := o.Key()
	if first, ok := r.seen[key]; ok {
		r.report(d, path, "metadata.name", fmt.Sprintf("%s (document %d)", api.AlreadyExists(key), first))
		return
	}
	r.seen[key] = d.Number
	if hpa, ok := o.(*api.HorizontalPodAutoscaler); ok {
		r.autoscalers = append(r.autoscalers, pendingAutoscaler{hpa, len(r.objects), d.leftOut(path, string(kind), fmt.Sprintf(" %q", m.Name),
			WithoutLoad(hpa))})
	}
	for _, w := range validate.Warnings(o) {
		x := d.at(joinPath(path, w.Field), w.String())
		x.Field, x.Warning = w.Field, true
		r.add(x)
	}
	r.objects = append(r.objects, Manifest{Object: o, JSON: appliedJSON(v, m.Namespace)})
}

// issue returns a diagnostic for what could not be decoded.
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
	x := d.mark(joinPath(path, issue.Path), message, issue.Unknown)
	x.Field = issue.Path
	return x
}

// appliedJSON returns what kubectl keeps of an applied object: with a namespace, with annotations, but without what it
// kept the last time.
func appliedJSON(v map[string]any, namespace string) []byte {
	v = maps.Clone(v)
	given, _ := v["metadata"].(map[string]any)
	meta := map[string]any{}
	maps.Copy(meta, given)
	annotations := map[string]any{}
	if given, ok := meta["annotations"].(map[string]any); ok {
		maps.Copy(annotations, given)
	}
	delete(annotations, api.LastAppliedAnnotation)
	meta["annotations"] = annotations
	if namespace != "" {
		meta["namespace"] = namespace
	}
	v["metadata"] = meta
	b, err := json.Marshal(v)
	if err != nil {
		panic("scenario: a parsed document cannot be printed: " + err.Error())
	}
	return b
}
