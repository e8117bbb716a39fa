package kubectl

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// Cluster is a state of the cluster to read from.
type Cluster interface {
	Get(api.Key) api.Object         // nil if there is none of that name
	All(kind api.Kind) []api.Object // by namespace and name
}

// Reader answers the reading commands at a moment of a run. Reading changes nothing, so an answer is a function of the
// cluster at that moment and, where kubectl goes on watching, of what changes afterwards.
type Reader struct {
	Cluster Cluster      // as it is at the moment
	Now     int64        // the moment, in virtual ms
	Trace   []sim.Record // of the whole run, as far as it is computed
	Record  int          // the last record of the trace that has happened; -1 if there is none
	Changes []sim.Change // what changes after it, as far as the run is computed
	End     int64        // the moment that the run is computed to, in virtual ms
}

// Reading is what a command prints: the first lines at once, more as time goes on.
type Reading struct {
	Lines  []Line // in the order of time
	Open   bool   // the command would wait for more than the run has
	Failed bool   // kubectl would exit with 1
}

// Line is a line of a terminal.
type Line struct {
	T      int64 // when it is printed, in virtual ms
	Text   string
	Stderr bool
}

// Text returns all lines.
func (r *Reading) Text() string {
	texts := make([]string, len(r.Lines))
	for i := range r.Lines {
		texts[i] = r.Lines[i].Text
	}
	return strings.Join(texts, "\n")
}

// readers carry out the reading verbs.
var readers = map[string]func(*reading) error{
	"describe":        (*reading).describe,
	"events":          (*reading).events,
	"explain":         (*reading).explain,
	"get":             (*reading).get,
	"rollout history": (*reading).history,
	"rollout status":  (*reading).status,
	"version":         (*reading).version,
	"wait":            (*reading).wait,
}

// kubernetesVersion is the version that is played: kubectl, the API server and the kubelets have the same.
const kubernetesVersion = "v1.37.1"

// version says which Kubernetes is played.
func (r *reading) version() error {
	r.print("Client Version: " + kubernetesVersion + "\nServer Version: " + kubernetesVersion)
	return nil
}

// Read carries out a line that reads, or that asks how a command is used. It is false for any other.
func (r *Reader) Read(line string) (answer *Reading, ok bool) {
	c, err := parse(line)
	if c == nil || !c.help && readers[c.verb] == nil {
		return nil, false
	}
	return r.read(c, err), true
}

// read carries out a parsed command. One that was not understood has an error.
func (r *Reader) read(c *command, err error) *Reading {
	out := &reading{Reader: r, command: c, now: r.Now}
	if err == nil && c.help {
		out.print(help(c.verb))
	} else if err == nil {
		err = readers[c.verb](out)
	}
	if err != nil {
		out.fail(err)
	}
	return &out.answer
}

// reading is a command while it is carried out.
type reading struct {
	*Reader
	*command
	answer Reading
	now    int64         // the moment of what is printed next
	fields fieldSelector // of --field-selector
	sent   []*event      // what eventObjects returns
}

// print adds lines. A text that ends its last line does not begin another one.
func (r *reading) print(text string) {
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		r.answer.Lines = append(r.answer.Lines, Line{T: r.now, Text: line})
	}
}

// complain adds a line to what goes beside the answer.
func (r *reading) complain(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		r.answer.Lines = append(r.answer.Lines, Line{T: r.now, Text: line, Stderr: true})
	}
}

// fail adds an error in kubectl's words.
func (r *reading) fail(err error) {
	r.complain(errorText(err))
	r.answer.Failed = true
}

// object is what kubectl get shows: an object of the cluster, or an event.
type object interface {
	Meta() *api.ObjectMeta
	Key() api.Key
}

// group is the objects of a type that one table shows.
type group struct {
	kind    api.Kind
	objects []object
}

// find returns what the command is about, in groups: of each type all that it selects, or the named objects, those of one
// type that follow each other together. What is not there is an error beside the rest (K-37).
func (r *reading) find() (groups []group, errs []error) {
	for _, kind := range r.kinds {
		groups = append(groups, group{kind, r.selected(kind)})
	}
	for _, key := range r.targets {
		o := r.named(key)
		if o == nil {
			errs = append(errs, notFound(key))
			continue
		}
		if n := len(groups); n > 0 && groups[n-1].kind == key.Kind {
			groups[n-1].objects = append(groups[n-1].objects, o)
		} else {
			groups = append(groups, group{key.Kind, []object{o}})
		}
	}
	return groups, errs
}

// selected lists the objects of a kind that the command selects, by namespace and name.
func (r *reading) selected(kind api.Kind) (objects []object) {
	if kind == kindEvent {
		for _, e := range r.eventObjects() {
			if r.selects(e) {
				objects = append(objects, e)
			}
		}
		return objects
	}
	for _, o := range r.Cluster.All(kind) {
		if r.selects(o) {
			objects = append(objects, o)
		}
	}
	return objects
}

// named returns an object by its name, nil if it is not there.
func (r *reading) named(key api.Key) object {
	if key.Kind == kindEvent {
		for _, e := range r.eventObjects() {
			if e.Key() == key {
				return e
			}
		}
		return nil
	}
	if o := r.Cluster.Get(key); o != nil {
		return o
	}
	return nil
}

// selects says whether an object is in the namespace of the command and fits its selectors.
func (r *reading) selects(o object) bool {
	m := o.Meta()
	return (r.allNamespaces || m.Namespace == r.namespaceOf(o.Key().Kind)) && r.selector.Matches(m.Labels) && r.fields.matches(o)
}

// notFound is the API server's answer to a name that it does not have.
func notFound(key api.Key) error {
	if key.Kind == kindEvent {
		return &api.StatusError{Reason: api.ReasonNotFound, Message: `events "` + key.Name + `" not found`}
	}
	return api.NotFound(key)
}

// read carries out a reading command of a timeline, in the cluster as it is. The answer is what is printed in this very
// moment, because a record of the trace is complete when it is made: get -w lists and does not watch, rollout status says
// how far the rollout is. Only wait goes on, see waiter.
func (k *Kubectl) read(c *command) (string, error) {
	trace := k.store.Kernel.Trace.Records
	r := Reader{Cluster: stored{k.store}, Now: int64(k.store.Kernel.Now()), Trace: trace, Record: len(trace) - 1}
	answer := r.read(c, nil)
	if answer.Failed {
		return "", &partial{done: []string{answer.Text()}}
	}
	return answer.Text(), nil
}

// stored is the cluster as it is stored now.
type stored struct{ store *sim.Store }

// Get returns an object, nil if there is none of that name.
func (s stored) Get(key api.Key) api.Object { return s.store.Get(key) }

// All lists the objects of a kind by namespace and name: the store has them in the order of their creation.
func (s stored) All(kind api.Kind) []api.Object {
	objects := slices.Collect(s.store.Table(kind).All())
	sort.Slice(objects, func(i, j int) bool {
		a, b := objects[i].Meta(), objects[j].Meta()
		return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name)) < 0
	})
	return objects
}
