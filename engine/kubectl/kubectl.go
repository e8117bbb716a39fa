// Package kubectl carries out commands: it writes to the cluster and answers in kubectl's words. It is the largest part of the
// engine, because people know its texts by heart: they are the answer.
//
// The packages below it do the rest, and import only those to their right: read → describe, explain → events → print → line.
// Package patch is independent of them. One table (package line) defines everything about a verb: parser, completion, help and
// the site's list of commands read it.
//
// A line is parsed once into a line.Command; prompt, run, transcript, completion and undo use that value. A reading command is a
// function of a past state and of the changes after it (past.Read): its answer consists of lines with times, so -w, rollout status
// and wait can be scrubbed through. In a timeline, a reading command answers at its moment only; wait continues there, as drain
// does: later output becomes records (Output), and past.Transcript combines them with their times. So a link to a blocked drain
// replays it.
//
// If all objects of a scenario share a namespace, it is the current one, until kubectl config
// chooses another. A recorded command without -n whose object is not in default finds it there.
//
// The conformance module sends random lines to this package and to the real kubectl. A named choice (choices.go there) may
// explain a difference only if what is left is equal. The real server gets the changes of our run at the same moments, and decides
// over evictions of one moment in the order of names, because kubectl sends them all at once.
//
// Simplified: objects that are applied without a namespace go to default.
package kubectl

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/sim"
)

const actor = "kubectl"

// Kubectl is how a person acts on the cluster.
type Kubectl struct {
	// Manifests reads the YAML that apply, create and delete are given; refused is what they answer if it cannot be read.
	// The caller sets it, because only the caller has the position of an error in the text.
	Manifests func(text string, merge Merge) (manifests []scenario.Manifest, refused string)

	// Load is that of the scenario. An autoscaler of a workload without one is refused.
	Load []scenario.Load

	// Config has the current namespace: of lines that name none.
	Config *line.Kubeconfig

	client  *apiserver.Client
	store   *sim.Store
	files   map[string]string   // that lines have written with >
	waiters []*waiter           // that continue after their command
	outputs map[int][]read.Line // what commands print later, by record
}

// Merge returns what becomes of a manifest that is applied. It is nil for verbs that do not merge.
type Merge func(scenario.Manifest) (api.Object, error)

// New returns a kubectl for a server.
func New(s *apiserver.Server) *Kubectl {
	return &Kubectl{Config: line.NewKubeconfig(api.NamespaceDefault), client: s.Client(actor), store: s.Store,
		files: map[string]string{}, outputs: map[int][]read.Line{}}
}

// command is a parsed line while it is carried out.
type command struct {
	line.Command
	kernel *sim.Kernel
	answer *read.Reading

	last    api.Object                    // what it has looked up or written last
	draft   map[string]any                // the object of a client-side dry run, or the subresource
	given   map[api.Key]scenario.Manifest // what a manifest has, of a verb that takes it as it is
	wrong   map[api.Key]error             // why a verb that reads it as Go's types cannot
	printed int                           // how many objects it has printed with -o
	dropped bool                          // the manifest, or the patch, has fields that the server does not know
}

func (k *Kubectl) command(c *line.Command) *command {
	own := &command{Command: *c, kernel: k.store.Kernel, answer: &read.Reading{}, given: map[api.Key]scenario.Manifest{}, wrong: map[api.Key]error{}}
	own.Warnings = slices.Clip(own.Warnings)
	return own
}

// print adds lines to the answer. An empty text adds none.
func (c *command) print(text string) {
	if text != "" {
		c.answer.Print(c.kernel.Now(), text)
	}
}

func (c *command) complain(text string) { c.answer.Complain(c.kernel.Now(), text) }

// fail ends the command with an error, or with several. diff exits with 1 where something differs.
func (c *command) fail(err error) {
	several, _ := join(err).(failures)
	if c.answer.Fail(c.kernel.Now(), several...); err != nil && c.Verb == "diff" {
		c.answer.Code = 2
	}
}

// done puts the warnings in front of the answer, where kubectl prints them. More may be printed later: see Transcript.
func (k *Kubectl) done(c *command) *read.Reading {
	var first read.Reading
	for _, w := range c.Warnings {
		first.Complain(c.kernel.Now(), w)
	}
	c.answer.Lines = append(first.Lines, c.answer.Lines...)
	if c.answer.Pipe(c.Filters); c.Into != "" { // errors are still shown; a run has no more files than commands
		k.files[c.Into], c.answer.Lines = printedBy(c.answer)
	}
	return c.answer
}

// Run carries out a command. A line that cannot be carried out changes nothing.
func (k *Kubectl) Run(parsed *line.Command) *read.Reading {
	c := k.command(parsed.In(k.Config.Namespace()))
	if c.From != nil {
		c.Stdin, c.answer.Lines = printedBy(k.Run(c.From))
	}
	write := writers[c.Verb]
	switch {
	case c.Err != nil: // before it warns of anything but flags
		c.Warnings = slices.DeleteFunc(slices.Clone(c.Warnings), func(w string) bool {
			return !strings.HasPrefix(w, "Flag --") && !strings.HasPrefix(w, "warning: --cascade")
		})
		if c.Verb == "scale" && errors.Is(c.Err, line.ErrReplicas) { // it looks for its printer first
			c.Err = cmp.Or(c.checkOutput(), c.Err)
		}
		c.fail(c.Err)
	case c.WantsHelp:
		c.print(c.Help())
	case c.Configures():
		said, err := k.Config.Change(&c.Command)
		c.print(said)
		c.fail(err)
	case c.Verb == "wait":
		k.wait(c)
	case c.Verb == "cat":
		c.print(strings.TrimSuffix(c.Stdin, "\n"))
	case write == nil:
		k.read(c)
	default:
		err := c.checkOutput()
		if _, unknown := err.(noPrinter); err == nil || unknown && c.Is("late") {
			err = k.takeNamed(c)
		}
		if err == nil {
			err = write(k, c)
		}
		c.fail(err)
	}
	return k.done(c)
}

// writers carry out the writing verbs.
var writers = map[string]func(*Kubectl, *command) error{
	"annotate":                   (*Kubectl).annotate,
	"apply":                      ofManifests((*Kubectl).applyAll),
	"autoscale":                  (*Kubectl).autoscale,
	"cordon":                     setUnschedulable(true, "cordoned"),
	"create":                     ofManifests((*Kubectl).create),
	"create configmap":           createData("ConfigMap"),
	"create cronjob":             (*Kubectl).createCronJob,
	"create deployment":          (*Kubectl).createDeployment,
	"create job":                 (*Kubectl).createJob,
	"create namespace":           func(k *Kubectl, c *command) error { return k.createTree(c, "Namespace", "", nil, map[string]any{}) },
	"create poddisruptionbudget": (*Kubectl).createBudget,
	"create quota":               (*Kubectl).createQuota,
	"create secret":              createData("Secret"),
	"create serviceaccount": func(k *Kubectl, c *command) error {
		return k.createFields(c, "ServiceAccount", "serviceaccount", nil, map[string]any{})
	},
	"delete":          (*Kubectl).delete,
	"drain":           (*Kubectl).drain,
	"diff":            ofManifests((*Kubectl).diff),
	"edit":            (*Kubectl).edit,
	"expose":          (*Kubectl).expose,
	"label":           (*Kubectl).label,
	"patch":           (*Kubectl).patch,
	"replace":         ofManifests((*Kubectl).replace),
	"rollout pause":   setPaused(true, "paused", "already paused"),
	"rollout restart": (*Kubectl).rolloutRestart,
	"rollout resume":  setPaused(false, "resumed", "not paused"),
	"rollout undo":    (*Kubectl).rolloutUndo,
	"run":             (*Kubectl).runPod,
	"scale":           (*Kubectl).scale,
	"set env":         (*Kubectl).setEnv,
	"set image":       (*Kubectl).setImage,
	"set resources":   (*Kubectl).setResources,
	"taint":           (*Kubectl).taint,
	"uncordon":        setUnschedulable(false, "uncordoned"),
}

// failures are what went wrong with some of the objects of a command.
type failures []error

func (f failures) Error() string { return errors.Join(f...).Error() }

// join makes one list of errors and lists of them, nil if there are none.
func join(errs ...error) error {
	var all failures
	for _, err := range errs {
		if several, ok := err.(failures); ok {
			all = append(all, several...)
		} else if err != nil {
			all = append(all, err)
		}
	}
	if all == nil {
		return nil
	}
	return all
}

// each does something with every object of a command, also after a failure, and prints the answers.
func (k *Kubectl) each(c *command, do func(api.Object) (string, error)) error {
	return forEach(c, k.objects(c), func(key api.Key) (string, error) {
		o, err := k.find(c, key)
		if o == nil || err != nil && c.Verb != "rollout undo" { // which warns before it refuses a kind
			return "", err
		}
		return do(o)
	})
}

// find looks an object up for a command. If its namespace is not there either, the answer is only that.
func (k *Kubectl) find(c *command, key api.Key) (api.Object, error) {
	if err := c.wrong[key]; err != nil {
		return nil, err
	}
	o, err := k.client.Get(key)
	m, given := c.given[key]
	if c.draft = nil; given {
		c.draft = asGiven(m)
	}
	switch {
	case given && c.Dry == line.DryClient:
		o = m.Object
	case given && err != nil && (c.Verb == "patch" || c.Verb == "scale"): // which do not look it up first
		return nil, cmp.Or(c.Unsupported(key), err)
	case given && err != nil:
		return nil, cmp.Or(c.Unsupported(key), line.Missing(stored{k.store}, key))
	case err != nil && key.Name == "": // of a manifest
		return nil, c.Unsupported(key)
	case err != nil:
		return nil, line.Missing(stored{k.store}, key)
	}
	c.last = o
	return o, c.Unsupported(key)
}

func forEach[T any](c *command, list []T, do func(T) (string, error)) error {
	if len(list) == 0 && c.Is("some") {
		return errors.New("no objects passed to " + c.Verb)
	}
	var failed []error
	for _, item := range list {
		breath.Take() // an object may be large, and a write that changes nothing is none
		text, err := do(item)
		if err == nil && text != "" {
			err = c.checkOutput()
		}
		if err == nil {
			c.print(text)
		}
		failed = append(failed, err)
	}
	return join(failed...)
}

// findAll looks up all objects of a command, and says which are not there.
func (k *Kubectl) findAll(c *command) (found []api.Object, missing error) {
	var errs []error
	for _, key := range k.objects(c) {
		if o, err := k.find(c, key); o == nil {
			errs = append(errs, err)
		} else {
			found = append(found, o)
		}
	}
	return found, join(errs...)
}

// objects returns the objects that a command names, or else those that it selects, as the API server lists them.
func (k *Kubectl) objects(c *command) []api.Key {
	if len(c.Kinds) == 0 {
		return c.Targets
	}
	var keys []api.Key
	for _, kind := range c.Kinds {
		for _, o := range (stored{k.store}).All(kind) {
			m := o.Meta()
			if (c.On("all-namespaces") || m.Namespace == c.NamespaceOf(kind)) && c.Selector.Matches(m.Labels) {
				keys = append(keys, o.Key())
			}
		}
	}
	return keys
}

// said returns what a command prints of an object that something was done to.
func (c *command) said(key api.Key, what string) string {
	return c.says(key, what+c.Dry.Suffix())
}

// saidUnless does so if there was no error.
func (c *command) saidUnless(err error, key api.Key, what string) (string, error) {
	if err != nil {
		return "", err
	}
	return c.said(key, what), nil
}

// says does the same for the verbs that do not mention a dry run. With -o the object is printed, or its name.
func (c *command) says(key api.Key, what string) string {
	return c.saysOf(line.ResourceName(key), what)
}

func (c *command) saysOf(name, what string) (text string) {
	switch output := c.Flags["output"]; {
	case output == "":
		return name + " " + what
	case output == "name":
		return name
	case c.draft != nil:
		text = print.TreeText(c.draft, output)
	default:
		text = print.ObjectText(c.last, output)
	}
	ofEach := []string{"autoscale", "label", "patch", "taint"} // which have a printer for each object
	if c.printed++; c.printed > 1 && c.Flags["output"] == "yaml" && !slices.Contains(ofEach, c.Verb) {
		text = "---\n" + text
	}
	return text
}

// outputs are the forms in which a write prints an object.
const outputs = "go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,kyaml,name,template,templatefile,yaml"

// checkOutput refuses other forms.
func (c *command) checkOutput() error {
	form, _, _ := strings.Cut(c.Flags["output"], "=")
	switch {
	case form != "" && c.On("list"):
		return line.ErrListed
	case form == "" || form == "name":
		return nil
	case c.Verb == "delete":
		return fmt.Errorf("unexpected -o output mode: %v. We only support '-o name'", c.Flags["output"])
	case form == "yaml" || form == "json":
		return nil
	case slices.Contains(strings.Split(outputs, ","), form):
		return fmt.Errorf("rollplay does not model the output format %q of a write; it models json, name and yaml", form)
	}
	return noPrinter(form)
}

// noPrinter is kubectl's answer to a form that it does not know.
type noPrinter string

func (n noPrinter) Error() string {
	return fmt.Sprintf("unable to match a printer suitable for the output format %q, allowed formats are: %s", string(n), outputs)
}
