package scenario

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync/atomic"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/engine/yamltext"
)

// Source is a text that has been read: its documents with their positions, the objects in them, the Scenario, and what is
// wrong. The diagnostics of an editor, `kubectl apply` and the start of a run share one Source. It does not change.
type Source struct {
	Text string

	collected // about the objects
	docs      []*document
	objects   []Manifest
	places    map[api.Key]origin // of the objects
	count     map[api.Kind]int   // of the objects
	full      bool               // there are too many of a kind: the rest of the text is not read
	faulty    []faulty
	spec      specReader

	scenario *Scenario    // nil if there is an error
	all      []Diagnostic // of the scenario, in the order of the text
	done     bool         // scenario and all are filled in
}

// Read reads a text.
func Read(text string) *Source { return new(Library).Read(text) }

// Parse reads a text as a scenario.
func Parse(text string) (*Scenario, []Diagnostic) { return Read(text).Scenario() }

func (r *Source) read(known map[string]*document) {
	if len(r.Text) > limits.Text {
		r.add(Diagnostic{Document: 1, Line: 1, Column: 1, EndColumn: 2,
			Message: fmt.Sprintf("the text has %d bytes; at most %d (1 MiB) are read", len(r.Text), limits.Text)})
		return
	}
	for _, d := range yamltext.Split(r.Text) {
		r.docs = append(r.docs, &document{Document: d})
	}
	if len(r.docs) > limits.Documents {
		r.add(r.docs[limits.Documents].at("", "", fmt.Sprintf("the text has %d documents; at most %d are read", len(r.docs), limits.Documents)))
		return
	}
	wrong := make([][]Diagnostic, len(r.docs))
	for i, d := range r.docs {
		if same := known[d.Text]; same != nil {
			d.value, d.manifest = same.value, same.manifest
		} else {
			wrong[i] = d.read()
		}
		if d.isScenario() { // its load says which autoscalers count
			r.spec.document(d)
		}
	}
	r.count[api.KindNode] = len(r.spec.scenario.Nodes)
	for i, d := range r.docs {
		for _, x := range wrong[i] {
			r.add(x)
		}
		if d.value != nil && !r.enough() {
			r.object(d, "", d.value)
		}
	}
}

// enough says that the rest of the text is not read.
func (r *Source) enough() bool { return r.full || len(r.diagnostics) >= limits.Problems }

// Scenario returns the scenario of the text, nil if a diagnostic is an error. Diagnostics come in the order of the text.
func (r *Source) Scenario() (*Scenario, []Diagnostic) {
	if !r.done {
		r.scenario, r.all = r.complete()
		r.done = true
	}
	return r.scenario, r.all
}

func (r *Source) complete() (*Scenario, []Diagnostic) {
	s := r.spec.scenario
	s.Objects = r.objects
	d := slices.Concat(r.diagnostics, r.unmeasured(s.Load), r.spec.diagnostics)
	s.chooseNamespace()
	d = append(d, r.tooMuch(s)...)
	applies := slices.ContainsFunc(s.Timeline, func(c Command) bool { return c.Apply != "" })
	if len(r.objects) == 0 && !applies && !failed(d) {
		d = append(d, r.noObjects(d))
	}
	sort.SliceStable(d, func(i, j int) bool {
		return cmp.Or(d[i].Document-d[j].Document, d[i].Line-d[j].Line, d[i].Column-d[j].Column) < 0
	})
	if failed(d) {
		return nil, d
	}
	if !r.spec.nodes && r.count[api.KindNode] == 0 {
		s.Nodes = makeNodes(nodesDefault, nil)
		FitNodes(s.Nodes, s.Objects)
	}
	s.Nodes = append(s.Nodes, s.firstNodes()...)
	return s, d
}

// unmeasured warns of each autoscaler with a metric that is not known.
func (r *Source) unmeasured(loads []Load) (warnings []Diagnostic) {
	for _, m := range r.objects {
		h, ok := m.Object.(*api.HorizontalPodAutoscaler)
		if !ok {
			continue
		}
		if says := unmeasured(h, loads); says != "" {
			at := r.places[h.Key()]
			warnings = append(warnings, at.warn(at.path, "kind", says))
		}
	}
	return warnings
}

// Manifests returns the objects of the text for `kubectl apply`, which ignores a Scenario document. Without errors, there is
// at least one.
func (r *Source) Manifests() ([]Manifest, []Diagnostic) {
	if len(r.objects) == 0 && !failed(r.diagnostics) {
		return nil, append(slices.Clip(r.diagnostics), r.noObjects(r.diagnostics))
	}
	return r.objects, r.diagnostics
}

// Empty reports whether the text has no objects, and nothing is to be said about it: an empty text, comments, a List without items.
func (r *Source) Empty() bool { return len(r.objects)+len(r.diagnostics) == 0 }

// failed reports whether a diagnostic is an error.
func failed(diagnostics []Diagnostic) bool {
	return slices.ContainsFunc(diagnostics, func(d Diagnostic) bool { return !d.Warning })
}

// noObjects reports a text without objects, in kubectl's words and some more.
func (r *Source) noObjects(others []Diagnostic) Diagnostic {
	message := "no objects passed to apply: paste a Deployment, or anything else that kubectl apply would take"
	if len(others) > 0 {
		message = "no objects passed to apply: none of the objects can be simulated; add a Deployment"
	}
	line, _, _ := strings.Cut(r.Text, "\n")
	return Diagnostic{Document: 1, Line: 1, Column: 1, EndColumn: max(2, len([]rune(strings.TrimSpace(line)))+1), Message: message}
}

// ManifestText returns the documents of the text but the Scenario, as a YAML stream.
func (r *Source) ManifestText() string {
	others := slices.DeleteFunc(slices.Clone(r.docs), (*document).isScenario)
	return words.Join(others, "---\n", func(d *document) string { return d.Text })
}

// SameSetting reports whether the Scenario documents of two texts have the same values; comments and spelling do not count.
func (r *Source) SameSetting(other *Source) bool {
	return reflect.DeepEqual(r.setting(), other.setting())
}

// AddsImages reports whether another text is this one with entries in front of its images, each for one image that this text does not
// name: nothing that happens here changes.
func (r *Source) AddsImages(other *Source) bool {
	was, images := r.apartImages()
	is, all := other.apartImages()
	added := len(all) - len(images)
	if added < 0 || r.ManifestText() != other.ManifestText() || !reflect.DeepEqual(was, is) || !slices.EqualFunc(all[added:], images, reflect.DeepEqual) {
		return false
	}
	return !slices.ContainsFunc(all[:added], func(v any) bool {
		entry, _ := v.(map[string]any)
		match, _ := entry["match"].(string)
		return strings.Contains(match, "*") || strings.Contains(r.Text, match)
	})
}

// apartImages returns the setting without the images, and these.
func (r *Source) apartImages() (others map[string]any, images []any) {
	others = maps.Clone(r.setting())
	if spec, ok := others["spec"].(map[string]any); ok {
		spec = maps.Clone(spec)
		images, _ = spec["images"].([]any)
		delete(spec, "images")
		others["spec"] = spec
	}
	return others, images
}

func (r *Source) setting() map[string]any {
	for _, d := range r.docs {
		if d.isScenario() {
			return d.value
		}
	}
	return nil
}

// SharesObject reports whether both texts have a manifest of the same object.
func (r *Source) SharesObject(other *Source) bool {
	for key := range r.places {
		if other.places[key].document != nil {
			return true
		}
	}
	return false
}

// Line returns the line, from 1, on which the document of an object begins, 0 if the text has no manifest of it. The object is
// written Kind/namespace/name.
func (r *Source) Line(object string) int {
	for key, d := range r.places {
		if key.String() == object {
			return d.First + d.FirstContent() - 1
		}
	}
	return 0
}

// SpecDiagnostic returns a diagnostic about a field of the Scenario document, which the text must have.
func (r *Source) SpecDiagnostic(field, message string) Diagnostic {
	return r.spec.first.at("", field, message)
}

// Library keeps the last texts that it has read, so that each is read once. Of a new text it reads only the documents that
// that are new: typing in a manifest leaves the Scenario document alone. The zero Library is empty.
type Library struct {
	Enough *atomic.Bool // ends each run that reads here at its next record, while it is set; nil without such a flag

	sources   []*Source // the most recently used one is the last
	documents map[string]*document
}

// Over says that nobody wants more.
func (l *Library) Over() bool { return l.Enough != nil && l.Enough.Load() }

// sourcesMax is the number of texts that a Library keeps: those of a recording, and some that a person typed.
const sourcesMax = 16

// Read returns the Source of a text.
func (l *Library) Read(text string) *Source {
	i := slices.IndexFunc(l.sources, func(s *Source) bool { return s.Text == text })
	if i >= 0 {
		s := l.sources[i]
		l.sources = append(slices.Delete(l.sources, i, i+1), s)
		return s
	}
	s := &Source{Text: text, places: map[api.Key]origin{}, count: map[api.Kind]int{}}
	s.spec.scenario = &Scenario{Lesson: Text{En: openingComment(text)}, Seed: 1, Minor: apiserver.MinorLatest,
		Clients: sim.ClientConnection{QPS: qpsDefault, Burst: burstDefault}}
	s.read(l.documents)
	l.keep(s)
	return s
}

func (l *Library) keep(s *Source) {
	if len(l.sources) == sourcesMax {
		l.sources = slices.Delete(l.sources, 0, 1)
	}
	l.sources, l.documents = append(l.sources, s), map[string]*document{}
	for _, s := range l.sources {
		for _, d := range s.docs {
			if d.value != nil {
				l.documents[d.Text] = d
			}
		}
	}
}

// collected is what a reader has found to be wrong.
type collected struct{ diagnostics []Diagnostic }

func (c *collected) add(d Diagnostic) {
	d.Message = limits.Short(d.Message)
	c.diagnostics = append(c.diagnostics, d)
}

// Diagnostic is an error or a warning about a text, with its place, in the API server's own words.
type Diagnostic struct {
	Document  int    `json:"document"`          // the YAML document, from 1
	Line      int    `json:"line"`              // in the whole text, from 1
	Column    int    `json:"column"`            // from 1
	EndColumn int    `json:"endColumn"`         // exclusive; at least Column+1
	Field     string `json:"field,omitempty"`   // for example spec.strategy.rollingUpdate.maxSurge; empty for broken YAML
	Message   string `json:"message"`           // one sentence, without the position
	Warning   bool   `json:"warning,omitempty"` // true: the scenario runs all the same
	Refused   bool   `json:"-"`                 // the API server refuses an object of the document because of this
	Inert     bool   `json:"-"`                 // the object is not simulated and changes nothing; the message begins with its kind
}

func (d Diagnostic) String() string {
	return fmt.Sprintf("document %d, line %d: %s", d.Document, d.Line, d.Message)
}
