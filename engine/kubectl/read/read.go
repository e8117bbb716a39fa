// Package read answers the commands that change nothing: get, describe, events, explain, logs, rollout status and history, wait.
// An answer is a function of the cluster at a moment and, where kubectl keeps watching, of what changes afterwards.
package read

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/controllers/autoscaler"
	"github.com/rollplay/rollplay/engine/kubectl/describe"
	"github.com/rollplay/rollplay/engine/kubectl/events"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/pipe"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/words"
)

// Cluster is a state of the cluster to read from.
type Cluster = describe.Cluster

// Reader answers the reading commands at a moment of a run.
type Reader struct {
	Cluster Cluster           // as it is at the moment
	Now     int64             // the moment, in virtual ms
	Trace   []*sim.Record     // of the whole run, as far as it is computed
	Record  int               // the last record of the trace that has happened; -1 if there is none
	Changes []sim.Change      // what changes after it, as far as the run is computed
	End     int64             // the moment that the run is computed to, in virtual ms
	Load    []autoscaler.Load // of the scenario
	Config  *line.Kubeconfig
	File    func(name string) (text string, ok bool) // of the timeline
}

// readers carry out the reading verbs.
var readers = map[string]func(*reading) error{
	"api-resources":          (*reading).types,
	"api-versions":           (*reading).versions,
	"auth can-i":             (*reading).canI,
	"auth whoami":            (*reading).whoAmI,
	"cluster-info":           (*reading).clusterInfo,
	"config current-context": (*reading).currentContext,
	"config get-contexts":    (*reading).contexts,
	"config view":            (*reading).configView,
	"describe":               (*reading).describe,
	"events":                 (*reading).events,
	"explain":                (*reading).explain,
	"get":                    (*reading).get,
	"logs":                   (*reading).logs,
	"rollout history":        (*reading).history,
	"rollout status":         (*reading).status,
	"top node":               (*reading).topNodes,
	"top pod":                (*reading).topPods,
	"version":                (*reading).version,
	"wait":                   (*reading).wait,
}

// Read carries out a line that reads or prints help. It is false for any other line.
func (r *Reader) Read(c *line.Command) (answer *Reading, ok bool) {
	if !c.Reads() {
		return nil, false
	}
	answer = r.Answer(c)
	answer.Pipe(c.Filters)
	return answer, true
}

// Answer carries out a line that reads, before any pipes.
func (r *Reader) Answer(c *line.Command) *Reading {
	out := newReading(r, c)
	if c.Verbose {
		out.log("loader.go:408", "Config loaded from file:  /home/you/.kube/config")
	}
	switch {
	case c.Err != nil:
		out.fail(c.Err)
	case c.WantsHelp:
		out.print(c.Help())
	default:
		out.fail(readers[c.Verb](out))
	}
	return &out.answer
}

// Edit answers kubectl edit: it names the object to open, Deployment/default/web, or says why there is none.
func (r *Reader) Edit(c *line.Command) (object string, answer *Reading) {
	key, err := Edited(r.Cluster, c)
	if err == nil {
		return key.String(), &Reading{}
	}
	out := newReading(r, c)
	out.fail(err)
	return "", &out.answer
}

// Edited returns the object that kubectl edit opens.
func Edited(cluster Cluster, c *line.Command) (key api.Key, err error) {
	switch {
	case c.Err != nil:
		return key, c.Err
	case len(c.Targets) != 1:
		return key, errors.New("rollplay opens one object at a time")
	case cluster.Get(c.Targets[0]) == nil:
		return key, kinds.NotFound(c.Targets[0])
	}
	return c.Targets[0], nil
}

func newReading(r *Reader, c *line.Command) *reading {
	return &reading{Reader: r, Command: c, now: r.Now}
}

// reading is a command while it is carried out.
type reading struct {
	*Reader
	*line.Command
	answer    Reading
	now       int64           // the moment of the next line
	fields    FieldSelector   // of --field-selector
	badFields error           // why it is not fields
	sent      []*events.Event // what eventObjects returns
}

func (r *reading) print(text string) { r.answer.Print(r.now, text) }

func (r *reading) complain(text string) { r.answer.Complain(r.now, text) }

// fail adds errors; nil is none.
func (r *reading) fail(errs ...error) {
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	for _, err := range errs {
		if refused, ok := err.(*api.StatusError); ok && r.Verbose {
			r.logRefusal(refused)
		}
	}
	r.answer.Fail(r.now, errs...)
}

// stateless are the kinds whose objects have no subresource status.
var stateless = strings.Fields("ControllerRevision EndpointSlice Event ConfigMap Secret ServiceAccount LimitRange IngressClass NetworkPolicy StorageClass " +
	"PriorityClass Role RoleBinding ClusterRole ClusterRoleBinding")

// find returns what the command is about, in groups: of each type all that it selects, or the named objects, those of one
// type that follow each other together. What is not there is an error beside the rest (K-37).
func (r *reading) find() (groups []print.Group, errs []error) {
	for _, kind := range r.Kinds {
		err := r.unselectable(kind)
		if r.request(kind, "", err); err != nil {
			errs = append(errs, err)
			continue
		}
		g := print.Group{Kind: kind}
		for _, o := range r.selected(kind) {
			if err := r.Unsupported(o.Key()); err != nil {
				errs = append(errs, err)
			} else {
				g.Objects = append(g.Objects, o)
			}
		}
		groups = append(groups, g)
	}
	for _, key := range r.Targets {
		var missing error
		o, err := r.named(key), r.Unsupported(key)
		if o == nil {
			missing = line.Missing(r.Cluster, key)
		}
		if anywhere := missing == nil || !strings.HasPrefix(missing.Error(), "namespaces "); anywhere && r.Flags["subresource"] != "" &&
			slices.Contains(stateless, string(key.Kind)) {
			missing = line.NoScale(key)
		}
		r.request(key.Kind, key.Name, missing)
		switch n := len(groups); {
		case missing != nil:
			errs = append(errs, missing)
		case err != nil:
			errs = append(errs, err)
		case n > 0 && groups[n-1].Kind == key.Kind:
			groups[n-1].Objects = append(groups[n-1].Objects, o)
		default:
			groups = append(groups, print.Group{Kind: key.Kind, Objects: []api.Object{o}})
		}
	}
	return groups, errs
}

// all lists the objects of a kind, by namespace and name.
func (r *reading) all(kind api.Kind) (objects []api.Object) {
	if kind == api.KindEvent {
		for _, e := range r.eventObjects() {
			objects = append(objects, e)
		}
		return objects
	}
	if objects = slices.Clone(r.Cluster.All(kind)); kind == line.KindNamespace {
		return withOwnNamespaces(objects)
	}
	return objects
}

func (r *reading) selected(kind api.Kind) []api.Object {
	return slices.DeleteFunc(r.all(kind), func(o api.Object) bool { return !r.selects(o) })
}

// named returns an object by its name, nil if it is not there.
func (r *reading) named(key api.Key) api.Object {
	if key.Kind != api.KindEvent && key.Kind != line.KindNamespace {
		return r.Cluster.Get(key)
	}
	list := r.all(key.Kind)
	if i := slices.IndexFunc(list, func(o api.Object) bool { return o.Key() == key }); i >= 0 {
		return list[i]
	}
	return nil
}

// withOwnNamespaces adds the namespaces that every cluster has from the start.
//
// Simplified: they are only read; objects may be in a namespace that nobody has created.
func withOwnNamespaces(objects []api.Object) []api.Object {
	for _, name := range []string{"default", "kube-node-lease", "kube-public", "kube-system"} {
		if !slices.ContainsFunc(objects, func(o api.Object) bool { return o.Meta().Name == name }) {
			o := &api.Stored{Kind: line.KindNamespace, ObjectMeta: api.ObjectMeta{Name: name, CreationTimestamp: api.TimeAt(0), ResourceVersion: 1}}
			decode.Default(o)
			objects = append(objects, o)
		}
	}
	slices.SortFunc(objects, api.ByName)
	return objects
}

// selects says whether an object is in the namespace of the command and fits its selectors.
func (r *reading) selects(o api.Object) bool {
	m := o.Meta()
	return (r.On("all-namespaces") || m.Namespace == r.NamespaceOf(o.Key().Kind)) && r.Selector.Matches(m.Labels) && r.fields.matches(o)
}

// Reading is the output of a command: the first lines at the moment of the command, others as time passes.
type Reading struct {
	Lines  []Line // in the order of time
	Open   bool   // the command would wait for more than the run has
	Failed bool   // kubectl would not exit with 0
	Code   int    // what it would exit with then; 0 means 1

	size int  // bytes of Lines
	full bool // there was more than limits.Output
}

// Line is a line of a terminal.
type Line struct {
	T      int64 // when it is printed, in virtual ms
	Text   string
	Stderr bool
}

func (r *Reading) Text() string {
	return words.Join(r.Lines, "\n", func(l Line) string { return l.Text })
}

// Print adds lines that are printed at a moment. A text that ends its last line does not begin another one.
func (r *Reading) Print(t int64, text string) { r.add(t, strings.TrimSuffix(text, "\n"), false) }

func (r *Reading) Complain(t int64, text string) { r.add(t, text, true) }

// Fail adds errors in kubectl's words.
func (r *Reading) Fail(t int64, errs ...error) {
	for _, text := range line.ErrorTexts(errs...) {
		if len(errs) == 1 {
			text = strings.TrimSuffix(text, "\n")
		}
		r.Complain(t, text)
		r.Failed = true
	}
}

// add adds lines. What is more than a terminal takes is left out, and an error is cut: it may quote what was typed.
func (r *Reading) add(t int64, text string, stderr bool) {
	for line := range strings.SplitSeq(text, "\n") {
		if breath.Often(); r.full {
			return
		}
		if stderr {
			line = limits.Short(line)
		}
		if r.size += len(line) + 1; r.size > limits.Output {
			r.full = true
			line, stderr = tooLong, true
		}
		r.Lines = append(r.Lines, Line{T: t, Text: line, Stderr: stderr})
	}
}

// Pipe sends what is printed through programs; errors pass them by.
func (r *Reading) Pipe(filters []pipe.Filter) {
	for i := range filters {
		f := &filters[i]
		printed, errs := r.Split()
		if f.AtEnd() && r.Open {
			r.Lines = errs
			continue
		}
		end, texts := int64(0), make([]string, len(printed))
		for i, l := range printed {
			texts[i] = l.Text
		}
		if len(r.Lines) > 0 {
			end = r.Lines[len(r.Lines)-1].T
		}
		kept, from := f.Apply(texts)
		out := Reading{Lines: errs} // which takes no more than a terminal
		for i, text := range kept {
			at := end
			if !f.AtEnd() {
				at = printed[from[i]].T
			}
			out.Print(at, text)
		}
		sort.SliceStable(out.Lines, func(i, k int) bool { return out.Lines[i].T < out.Lines[k].T })
		r.Lines, r.Open = out.Lines, r.Open && !f.Full(len(kept))
	}
}

// Split returns what was printed, and what went to stderr.
func (r *Reading) Split() (printed, errs []Line) {
	for _, l := range r.Lines {
		if l.Stderr {
			errs = append(errs, l)
		} else {
			printed = append(printed, l)
		}
	}
	return printed, errs
}
