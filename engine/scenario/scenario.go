// Package scenario reads the texts that a person writes: a YAML stream of manifests, perhaps with one Scenario document, which
// says what happens when. A text is read once into a Source, which Start, Apply and the editor share; whatever is wrong with it
// is a Diagnostic with its line.
package scenario

import (
	"cmp"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/node/nodescaler"
	"github.com/rollplay/rollplay/engine/sim"
)

// ImageBehaviour describes the containers of an image; a nil field has the kubelet's default. The first behaviour that matches an image
// counts.
type ImageBehaviour = kubelet.Behaviour

// Scenario is a parsed scenario text. A pasted Deployment alone is one, with everything else at its default.
type Scenario struct {
	Name      string
	Title     Text
	Question  Text                 // one sentence with a question from real life, which the run answers
	Lesson    Text                 // in English the text's opening comment, without the #
	Fields    []string             // the fields of the API that it is about: maxSurge, minReadySeconds, ...
	Links     []Link               // where upstream says more
	Seed      uint64               // 1 by default
	Keyed     bool                 // random numbers depend on their purpose, so that runs of different scenarios correspond
	Namespace string               // kubectl's current namespace at the start
	Minor     int                  // the simulated version of Kubernetes is 1.Minor; the latest one by default
	Clients   sim.ClientConnection // of kube-controller-manager's controllers: 20 requests a second after a burst of 30 by default
	Duration  int64                // virtual ms until the run ends; 0: when nothing more can happen, after DurationDefault at the latest

	// Nodes exist before anything else. There are three, without limits, unless the Scenario says otherwise or the text
	// has Node objects of its own.
	Nodes    []*api.Node
	Groups   []nodescaler.Group // of nodes that come and go with the pods; Min of each are among Nodes
	Images   []ImageBehaviour
	Objects  []Manifest // applied at time zero, in the order of the text
	Load     []Load     // the cpu that workloads use, in order of time; see autoscaler.MetricsServer
	Traffic  []Traffic  // requests to Services; see package traffic
	Timeline []Command  // the scenario's own commands, in order of time
	Captions []Caption  // in order of time
	Expects  []Expect   // compared with the run; see Run.Check
	Goals    []Goal     // of an exercise, for the learner's run; see Run.Goals
	Try      *Try       // an edit to try after the last caption; nil means no edit
}

// DurationDefault is when a run ends at the latest that names no end, in virtual ms: half an hour.
const DurationDefault = 30 * 60 * 1000

// The defaults of kube-controller-manager's --kube-api-qps and --kube-api-burst.
const qpsDefault, burstDefault = 20, 30

// Object returns the object of a manifest, nil if there is none of that name.
func (s *Scenario) Object(key api.Key) api.Object {
	for _, m := range s.Objects {
		if m.Object.Key() == key {
			return m.Object
		}
	}
	return nil
}

// chooseNamespace makes the namespace that all objects share kubectl's current one, as for somebody who works on them.
func (s *Scenario) chooseNamespace() {
	for _, m := range s.Objects {
		switch ns := m.Object.Key().Namespace; {
		case ns == "" || ns == s.Namespace:
		case s.Namespace == "":
			s.Namespace = ns
		default:
			s.Namespace = api.NamespaceDefault
			return
		}
	}
	s.Namespace = cmp.Or(s.Namespace, api.NamespaceDefault)
}

// Command is one thing a person does at a moment of virtual time. Exactly one of Run, Apply and Do is set.
type Command struct {
	At    int64  `json:"at"`              // virtual ms since the start
	Run   string `json:"run,omitempty"`   // a kubectl line, with or without the word kubectl
	Apply string `json:"apply,omitempty"` // a YAML stream for `kubectl apply -f -`
	Do    string `json:"do,omitempty"`    // an event of the environment: crash pod/web-x (see Deed)
}

// Line returns the command as the trace shows it. An event of the environment is not a kubectl line, so it looks like a comment of a
// shell.
func (c *Command) Line() string {
	line := strings.TrimSpace(c.Run)
	switch {
	case c.Apply != "":
		return "kubectl apply -f -"
	case c.Do != "":
		return "# " + DeedLine(c.Do)
	case strings.HasPrefix(line, "kubectl "):
		return line
	}
	return "kubectl " + line
}

// Text is something that a person reads, in the languages that a scenario is written in.
type Text struct {
	En string // English
	Zh string // simplified Chinese; empty without a translation
}

// In returns the text in a language, "en" or "zh". A text without a translation is returned in English.
func (t Text) In(lang string) string {
	if lang == "zh" && t.Zh != "" {
		return t.Zh
	}
	return t.En
}

// inWords reads a Text: a plain string, which is English, or one string for each language.
//
//go:noinline
func (r *specReader) inWords(to *Text) func(string, any) {
	return func(path string, v any) {
		if _, ok := v.(map[string]any); !ok {
			r.text(&to.En)(path, v)
			return
		}
		if r.object(path, v, fields{"en": r.text(&to.En), "zh": r.text(&to.Zh)}) != nil && to.En == "" {
			r.required(path + ".en")
		}
	}
}
