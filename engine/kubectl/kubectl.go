// Package kubectl turns commands, as people type them, into writes to the cluster, and answers with kubectl's texts.
package kubectl

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

const actor = "kubectl"

// Kubectl is a person's way to the cluster.
type Kubectl struct {
	// Manifests reads the YAML that apply, create and delete are given; refused is what they answer if it cannot be read.
	// Whoever makes a Kubectl sets it: where in a text something is wrong is known there.
	Manifests func(text string) (manifests []Manifest, refused string)

	// Loaded says whether something is known of the use of a workload's pods. Without it kubectl autoscale makes nothing. It may be nil.
	Loaded func(workload api.Key) bool

	client  *apiserver.Client
	store   *sim.Store
	drains  []*drain  // that ever began
	waiters []*waiter // that went on after their command
}

// New returns a kubectl for a server.
func New(s *apiserver.Server) *Kubectl { return &Kubectl{client: s.Client(actor), store: s.Store} }

// Answer is what a command prints. Failed means that kubectl would exit with 1.
type Answer struct {
	Output string
	Failed bool
	Edit   string // the object that kubectl edit opens: Deployment/default/web
}

// Run carries out one command line. A line that cannot be carried out changes nothing.
func (k *Kubectl) Run(line string) Answer {
	c, err := parse(line)
	if err != nil {
		return Answer{Output: errorText(err), Failed: true}
	}
	if c.help {
		return Answer{Output: help(c.verb)}
	}
	run := k.read
	if c.verb == "wait" {
		run = k.wait
	}
	if write := c.entry.write; write != nil {
		run = func(c *command) (string, error) { return write(k, c) }
	}
	out, err := run(c)
	a := Answer{Output: out}
	if err != nil {
		a = Answer{Output: errorText(err), Failed: true}
	} else if c.verb == "edit" {
		a.Edit = c.targets[0].String()
	}
	a.Output = joinLines(append(c.warnings, a.Output))
	return a
}

// joinLines joins the texts that are not empty.
func joinLines(texts []string) string {
	var lines []string
	for _, t := range texts {
		if t != "" {
			lines = append(lines, t)
		}
	}
	return strings.Join(lines, "\n")
}

// partial is what came of a command about several objects of which some failed.
type partial struct {
	done   []string
	failed []error
}

func (p *partial) Error() string {
	lines := p.done
	for _, err := range p.failed {
		lines = append(lines, errorText(err))
	}
	return strings.Join(lines, "\n")
}

// errorText words an error as kubectl does: an answer of the server is named as such, an invalid object has a
// sentence of its own, anything else is an error of the command.
func errorText(err error) string {
	var refused *api.StatusError
	if p, ok := err.(*partial); ok {
		return p.Error()
	}
	if errors.As(err, &refused) && refused == err {
		if refused.Reason == api.ReasonInvalid {
			return refused.Message
		}
		return fmt.Sprintf("Error from server (%s): %s", refused.Reason, refused.Message)
	}
	return "error: " + err.Error()
}

// resourceName returns what kubectl calls an object in its answers: deployment.apps/web.
func resourceName(key api.Key) string {
	kind := strings.ToLower(string(key.Kind))
	if _, group, ok := strings.Cut(key.Kind.Resource(), "."); ok {
		kind += "." + group
	}
	return kind + "/" + key.Name
}

// each does something for every object of a command and joins the answers, a line each. As kubectl does, it goes on with
// the others where one fails.
func (k *Kubectl) each(c *command, do func(api.Key) (string, error)) (string, error) {
	var p partial
	for _, key := range k.objects(c) {
		line, err := do(key)
		if err != nil {
			p.failed = append(p.failed, err)
		} else if line != "" {
			p.done = append(p.done, line)
		}
	}
	if len(p.failed) > 0 {
		return "", &p
	}
	return strings.Join(p.done, "\n"), nil
}

// eachFound does the same for verbs that find all their objects before they change one.
func (k *Kubectl) eachFound(c *command, do func(api.Key) (string, error)) (string, error) {
	var p partial
	for _, key := range k.objects(c) {
		if _, err := k.client.Get(key); err != nil {
			p.failed = append(p.failed, err)
		}
	}
	if len(p.failed) > 0 {
		return "", &p
	}
	return k.each(c, do)
}

// objects returns the objects that a command is about: those that it names, or else those that it selects, by type and
// name as the API server lists them.
func (k *Kubectl) objects(c *command) []api.Key {
	if len(c.kinds) == 0 {
		return c.targets
	}
	var keys []api.Key
	for _, kind := range c.kinds {
		first := len(keys)
		for o := range k.store.Table(kind).All() {
			m := o.Meta()
			if (c.allNamespaces || m.Namespace == c.namespaceOf(kind)) && c.selector.Matches(m.Labels) {
				keys = append(keys, o.Key())
			}
		}
		list := keys[first:]
		sort.Slice(list, func(i, j int) bool {
			if list[i].Namespace != list[j].Namespace {
				return list[i].Namespace < list[j].Namespace
			}
			return list[i].Name < list[j].Name
		})
	}
	return keys
}

// dryRun says whether a command only says what it would do.
type dryRun uint8

const (
	noDryRun  dryRun = iota
	dryClient        // the server is not asked
	dryServer        // the server is asked whether it would take it
)

// said returns the line about an object that something was done to.
func (c *command) said(key api.Key, what string) string {
	return resourceName(key) + " " + what + c.dry.suffix()
}

func (d dryRun) suffix() string {
	return [...]string{"", " (dry run)", " (server dry run)"}[d]
}

// put validates a changed object as the API server does, and stores it, unless it is a dry run.
func (k *Kubectl) put(c *command, o api.Object, what string) (changed bool, err error) {
	stored, err := k.client.Get(o.Key())
	if err != nil {
		return false, err
	}
	if c.dry != dryClient {
		if err := checkUpdate(o, stored); err != nil {
			return false, err
		}
		c.warnOf(o)
	}
	if c.dry != noDryRun {
		return !o.SpecEqual(stored) || !api.SameMeta(o.Meta(), stored.Meta()), nil
	}
	written, err := k.client.Update(o, what, nil)
	if err != nil {
		return false, err
	}
	return written != stored, nil
}

// checkUpdate refuses what the API server refuses about a changed object.
//
// Simplified: of a pod that exists only the metadata can be changed. The API server lets the images be changed, too, and
// its kubelet starts those containers again.
func checkUpdate(o, stored api.Object) error {
	if errs := validate.Update(o, stored); len(errs) > 0 {
		return invalid(o, errs)
	}
	if _, ok := o.(*api.Pod); ok && !o.SpecEqual(stored) {
		return fmt.Errorf("rollplay does not model changes to the spec of a pod that exists; delete %s and create it anew",
			resourceName(o.Key()))
	}
	return nil
}

// warnOf keeps what the API server warns of in an object that it takes.
func (c *command) warnOf(o api.Object) {
	for _, w := range validate.Warnings(o) {
		c.warnings = append(c.warnings, "Warning: "+w.String())
	}
}

func invalid(o api.Object, errs validate.FieldErrors) error {
	return &api.StatusError{Reason: api.ReasonInvalid, Message: errs.KubectlMessage(o.Key().Kind, o.Key().Name)}
}

// add creates an object, unless it is a dry run.
//
// Simplified: a dry run does not ask the admission plugins, so that a ResourceQuota does not speak up.
func (k *Kubectl) add(c *command, o api.Object, what string) error {
	if c.dry == dryClient {
		return nil
	}
	if err := k.unmeasured(o); err != nil {
		return err
	}
	if errs := validate.Object(o); len(errs) > 0 {
		return invalid(o, errs)
	}
	c.warnOf(o)
	if c.dry == dryServer {
		if k.store.Get(o.Key()) != nil {
			return api.AlreadyExists(o.Key())
		}
		return nil
	}
	_, err := k.client.Create(o, what, nil)
	return err
}
