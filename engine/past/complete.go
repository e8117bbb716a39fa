package past

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/kubectl/read"
)

// Reading is the output of a command, see Past.Read.
type Reading = read.Reading

// ReadLine is a line of a Reading.
type ReadLine = read.Line

// Command is a line of kubectl, parsed once: it says whether it reads, writes, edits or waits, or cannot be read at all.
type Command = line.Command

// Parse reads a line of kubectl, with or without the word kubectl in front.
func Parse(text string) *Command { return line.Parse(text) }

// SplitLines cuts a pasted text into commands, one each.
func SplitLines(text string) []string { return line.SplitLines(text) }

// Condition takes && or || off a command.
func Condition(text string) (sign, command string) { return line.Condition(text) }

// Modelled lists the commands of kubectl that are modelled.
func Modelled() []line.VerbDoc { return line.Modelled() }

// Edit returns the object that a kubectl edit line names, in the cluster after a record; the answer is a refusal. ok is false for
// any other line.
func (p *Past) Edit(c *Command, record int) (object string, answer *Reading, ok bool) {
	if !c.Edits() {
		return "", nil, false
	}
	reader := read.Reader{Cluster: p.StateAfter(record)}
	return reader.Edit(c.In(p.Namespace(record)))
}

// Complete returns completions of a typed line in the cluster after a record: kept is the part that stays, and each candidate may
// follow it.
func (p *Past) Complete(typed string, record int) (kept string, candidates []string) {
	v := p.StateAfter(record)
	from, candidates := line.Complete(typed, len(typed), p.Namespace(record), v.names, v.containers)
	return typed[:from], candidates
}

// names lists the objects of a kind in a namespace, or the namespaces that have objects.
func (s *state) names(kind api.Kind, namespace string) (names []string) {
	if kind == line.KindNamespace {
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
	t := api.TemplateOf(s.Get(key))
	if t == nil {
		return nil
	}
	names, _ := print.Containers(t)
	return strings.Split(names, ",")
}
