package line

import (
	"cmp"
	_ "embed" // the table
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

//go:embed refused.txt
var refusedText string

// refused gives the verbs and flags that kubectl has and rollplay does not, with what to type in their place.
func refused(yield func(name, instead string) bool) {
	for line := range strings.Lines(refusedText) {
		names, instead, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		for name := range strings.SplitSeq(names, ", ") {
			if !yield(name, instead) {
				return
			}
		}
	}
}

// insteadOf returns what to type in place of a verb or a flag; known is false for what kubectl does not have either.
func insteadOf(word, otherwise string) (text string, known bool) {
	for name, instead := range refused {
		if name == word {
			return cmp.Or(instead, otherwise), true
		}
	}
	return otherwise, false
}

// unknownVerb is the answer to a verb that is not in the table: one of kubectl that is not supported here, or a typo.
func unknownVerb(name string) error {
	if text, known := insteadOf(name, "kubectl --help lists what it models"); known {
		return fmt.Errorf("rollplay does not model %q: %s", "kubectl "+name, text)
	}
	return typo(name)
}

// typosMax is how many typos kubectl takes a word to have.
const typosMax = 2

// typo is kubectl's answer to a word that is not a command, with all that are close (cobra's SuggestionsFor).
func typo(word string) error {
	names := wordsBehind("")
	for name := range refused {
		if !strings.ContainsAny(name, " -#") || name == "port-forward" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	text := fmt.Sprintf("unknown command %q for \"kubectl\"", word)
	head := "\n\nDid you mean this?"
	for _, name := range slices.Compact(names) {
		if api.Typos(strings.ToLower(word), name, false) <= typosMax || strings.HasPrefix(name, strings.ToLower(word)) {
			text += head + "\n\t" + name
			head = ""
		}
	}
	return errors.New(text)
}

// noVisitor returns kubectl's answer to a kind that has no revisions.
func noVisitor(visitor, what string) func(api.Key) error {
	return func(key api.Key) error {
		k := kinds.Of(key.Kind)
		if key.Kind == api.KindPod || key.Kind == api.KindReplicaSet || key.Kind == "ReplicationController" { // upstream has a case for them
			return fmt.Errorf("no %s has been implemented for %q", visitor, k.GroupKind())
		}
		return fmt.Errorf("error retrieving %s for %q, no visitor method exists for {%s %s}", what, k.GroupKind(), k.Group, key.Kind)
	}
}

// noTemplate is the answer of the verbs that change templates to another kind. They change pods, too.
func noTemplate(key api.Key) error {
	k := kinds.Of(key.Kind)
	switch key.Kind {
	case api.KindPod:
		return nil
	case "Job", "CronJob", "ReplicationController":
		return fmt.Errorf("rollplay does not model changes of the template of %s: apply another manifest", k.Plural)
	}
	return fmt.Errorf("error: %s/%s the object is not a pod or does not have a pod template: *%s.%s\n", k.Plural, key.Name, k.Version, key.Kind)
}

// NoScale is the server's answer to scaling an object without replicas.
func NoScale(api.Key) error {
	return &api.StatusError{Reason: api.ReasonNotFound, Message: "the server could not find the requested resource"}
}

// answerAbout returns what makes the answer about an object of a sentence with places.
func answerAbout(sentence string) func(api.Key) error {
	return func(key api.Key) error {
		k := kinds.Of(key.Kind)
		return errors.New(strings.NewReplacer("{kind}", string(key.Kind), "{group kind}", k.GroupKind(), "{type}", ResourceVersion(key.Kind),
			"{resource}", k.Resource(), "{name}", key.Name).Replace(sentence))
	}
}
