package past

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/kubectl/read"
)

// Read answers a kubectl line that reads (get, describe, rollout status …) after a record, at a moment from there on. The
// answer has everything that the command prints up to the end of the computed part, each line with its moment; the prompt shows
// the lines up to t. It returns false for a line that would change the cluster, or might: that needs a run with one more command
// (see ActAt).
func (p *Past) Read(c *Command, record int, t int64) (reading *Reading, ok bool) {
	defer func() {
		if wrong := recover(); wrong != nil {
			reading, ok = &Reading{}, true
			reading.Fail(t, fmt.Errorf("rollplay has a bug and cannot answer this: %v", wrong))
		}
	}()
	if !c.Reads() {
		return nil, false
	}
	config := p.kubeconfig(record)
	c = c.In(config.Namespace())
	reader := read.Reader{
		Cluster: p.StateAfter(record), Now: t, Trace: p.Records(), Record: record,
		Changes: p.ChangesAfter(record), End: max(t, p.Now()), Load: p.source.Scenario.Load, Config: config,
	}
	return reader.Read(c)
}

// Namespace returns kubectl's current namespace after a record. It begins as the namespace that all objects of the scenario share.
func (p *Past) Namespace(record int) string { return p.kubeconfig(record).Namespace() }

// kubeconfig returns that of kubectl after a record.
func (p *Past) kubeconfig(record int) *line.Kubeconfig {
	config := line.NewKubeconfig(p.source.Scenario.Namespace)
	for _, i := range p.inputsUpTo(record) {
		if c := p.Command(int(i)); c != nil && c.Configures() {
			config.Change(c) //nolint:errcheck // it changes nothing then
		}
	}
	return config
}

// Answer is the output of a command so far.
type Answer struct {
	*Reading
	Command *Command // nil if it is not a line of kubectl
	First   int      // how many lines it printed at once
}

// Transcript returns the output of the command of record i, up to the end of the computed part, each line with its moment. Most
// commands print everything at once; a drain continues, and is open until it ends. It returns nil for a record that is not a
// command.
func (p *Past) Transcript(i int) *Reading { return p.answer(i).Reading }

// Printed returns the lines that a command, or its later output, printed in record i, and which of them go to stderr.
func (p *Past) Printed(i int) []ReadLine {
	if a := p.source.Answers[i]; a != nil {
		return a.Lines[:a.First]
	}
	return p.source.Output(i)
}

// Command returns the line of kubectl that record i carries out; nil for any other record.
func (p *Past) Command(i int) *Command { return p.answer(i).Command }

// answer returns the answer to the command of record i, an empty one for any other record.
func (p *Past) answer(i int) *Answer { return cmp.Or(p.source.Answers[i], &Answer{}) }

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

// Edit returns the object that a kubectl edit line names, in the cluster after a record; without one, the answer is a refusal.
func (p *Past) Edit(c *Command, record int) (object string, answer *Reading) {
	reader := read.Reader{Cluster: p.StateAfter(record)}
	return reader.Edit(c.In(p.Namespace(record)))
}

// Complete returns completions of a typed line in the cluster after a record: kept is the part that stays, and each candidate may
// follow it.
func (p *Past) Complete(typed string, record int) (kept string, candidates []string) {
	v := p.StateAfter(record)
	return line.Complete(typed, p.Namespace(record), v.names, v.containers)
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
