// Package kubectl turns commands, as people type them, into writes to the cluster, and answers with kubectl's texts.
package kubectl

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
)

const actor = "kubectl"

// Kubectl is a person's way to the cluster.
type Kubectl struct {
	client *apiserver.Client
}

// New returns a kubectl for a server.
func New(s *apiserver.Server) *Kubectl { return &Kubectl{client: s.Client(actor)} }

// Answer is what a command prints. Failed means that kubectl would exit with 1.
type Answer struct {
	Output string
	Failed bool
}

// verbs are the commands that are modelled. The two words of `rollout pause` make one verb.
var verbs = map[string]func(*Kubectl, *command) (string, error){
	"annotate":        (*Kubectl).annotate,
	"delete":          (*Kubectl).delete,
	"rollout pause":   (*Kubectl).rolloutPause,
	"rollout restart": (*Kubectl).rolloutRestart,
	"rollout resume":  (*Kubectl).rolloutResume,
	"rollout undo":    (*Kubectl).rolloutUndo,
	"scale":           (*Kubectl).scale,
	"set image":       (*Kubectl).setImage,
}

// Run carries out one command line. A line that cannot be carried out changes nothing.
func (k *Kubectl) Run(line string) Answer {
	c, err := parse(line)
	if err == nil {
		verb, ok := verbs[c.verb]
		if !ok {
			err = fmt.Errorf("rollplay does not model %q; it knows %s", "kubectl "+c.verb, knownVerbs())
		} else {
			var out string
			if out, err = verb(k, c); err == nil {
				return Answer{Output: out}
			}
		}
	}
	return Answer{Output: errorText(err), Failed: true}
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

// each does something for every named object and joins the answers, a line each. As kubectl does, it goes on with the
// others where one fails.
func each(targets []api.Key, do func(api.Key) (string, error)) (string, error) {
	var p partial
	for _, key := range targets {
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

// deployment reads a Deployment to be changed.
func (k *Kubectl) deployment(key api.Key) (*api.Deployment, error) {
	o, err := k.client.Get(key)
	if err != nil {
		return nil, err
	}
	return o.(*api.Deployment).DeepCopy(), nil
}

// store validates a changed object as the API server does, and stores it.
func (k *Kubectl) store(o api.Object, what string) (changed bool, err error) {
	stored, err := k.client.Get(o.Key())
	if err != nil {
		return false, err
	}
	if errs := api.ValidateUpdate(o, stored); len(errs) > 0 {
		return false, invalid(o, errs)
	}
	written, err := k.client.Update(o, what, nil)
	if err != nil {
		return false, err
	}
	return written != stored, nil
}

func invalid(o api.Object, errs api.FieldErrors) error {
	return &api.StatusError{Reason: api.ReasonInvalid, Message: errs.KubectlMessage(o.Key().Kind, o.Key().Name)}
}
