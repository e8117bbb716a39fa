package past

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/kubectl"
)

// Reading is the output of a reading command, see Past.Read.
type Reading = kubectl.Reading

// ReadLine is a line of a Reading.
type ReadLine = kubectl.Line

// SplitLines splits a pasted text into commands.
func SplitLines(text string) []string { return kubectl.SplitLines(text) }

// Refused returns kubectl's answer to a line that it cannot parse. Such a line should not become a command of a run.
func Refused(line string) (answer string, refused bool) { return kubectl.Refused(line) }

// Modelled lists the supported kubectl commands.
func Modelled() []kubectl.VerbDoc { return kubectl.Modelled() }

// Edit returns the object that a kubectl edit line names, in the cluster after a record, or an answer with the error; ok is
// false for any other line.
func (p *Past) Edit(line string, record int) (object string, answer *Reading, ok bool) {
	reader := kubectl.Reader{Cluster: cluster{p.StateAfter(record)}}
	return reader.Edit(line)
}

// Complete offers completions of a typed line in the cluster after a record: kept is the part that stays, and each
// candidate may follow it.
func (p *Past) Complete(typed string, record int) (kept string, candidates []string) {
	v := p.StateAfter(record)
	from, candidates := kubectl.Complete(typed, len(typed), v.names, v.containers)
	return typed[:from], candidates
}

// kindNamespace is the kind with which kubectl.Complete asks for namespaces, of which there are no objects.
const kindNamespace api.Kind = "Namespace"

// names lists the objects of a kind in a namespace, or the namespaces that have objects.
func (s *state) names(kind api.Kind, namespace string) (names []string) {
	if kind == kindNamespace {
		return s.namespaces()
	}
	for _, o := range s.All(kind) {
		if m := o.Meta(); m.Namespace == namespace {
			names = append(names, m.Name)
		}
	}
	return names
}

// namespaces lists default and every namespace with objects.
func (s *state) namespaces() []string {
	names := []string{"default"}
	for _, objects := range s.kinds {
		for _, o := range objects {
			if ns := o.Meta().Namespace; ns != "" && !slices.Contains(names, ns) {
				names = append(names, ns)
			}
		}
	}
	slices.Sort(names)
	return names
}

// containers lists the containers of an object's template.
func (s *state) containers(key api.Key) []string {
	o := s.get(key)
	t := frames.TemplateOf(o)
	if rs, ok := o.(*api.ReplicaSet); ok {
		t = &rs.Spec.Template
	}
	if t == nil {
		return nil
	}
	names, _ := containers(t)
	return strings.Split(names, ",")
}
