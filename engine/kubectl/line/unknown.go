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

// typosMax is how many typos kubectl takes a word to have.
const typosMax = 2

// unknownVerb is the answer to a verb that is not in the table: one of kubectl that is not supported here, or a typo, with all words that
// are close (cobra's SuggestionsFor).
func unknownVerb(name string) error {
	if text, known := insteadOf(name, "kubectl --help lists what it models"); known {
		return fmt.Errorf("rollplay does not model %q: %s", "kubectl "+name, text)
	}
	names := wordsBehind("")
	for other := range refused {
		if !strings.ContainsAny(other, " -#") || other == "port-forward" {
			names = append(names, other)
		}
	}
	slices.Sort(names)
	text, head, word := fmt.Sprintf("unknown command %q for \"kubectl\"", name), "\n\nDid you mean this?", strings.ToLower(name)
	for _, known := range slices.Compact(names) {
		if api.Typos(word, known, false) <= typosMax || strings.HasPrefix(known, word) {
			text += head + "\n\t" + known
			head = ""
		}
	}
	return errors.New(text)
}

// NoScale is the server's answer to scaling an object without replicas.
func NoScale(api.Key) error {
	return &api.StatusError{Reason: api.ReasonNotFound, Message: "the server could not find the requested resource"}
}

// answerAbout returns what makes the answer about an object of sentences with places: the first that is about all kinds or, in front of
// an arrow, names this one. With nothing behind the arrow the verb works on it.
func answerAbout(sentences []string) func(api.Key) error {
	return func(key api.Key) error {
		k := kinds.Of(key.Kind)
		places := strings.NewReplacer("{kind}", string(key.Kind), "{group kind}", k.GroupKind(), "{type}", ResourceVersion(key.Kind),
			"{resource}", k.Resource(), "{name}", key.Name, "{plural}", k.Plural, "{group}", k.Group, "{version}", k.Version)
		for _, sentence := range sentences {
			of, text, some := strings.Cut(sentence, " ->")
			switch {
			case !some:
				return errors.New(places.Replace(sentence))
			case slices.Contains(strings.Fields(of), string(key.Kind)) && text != "":
				return errors.New(places.Replace(text[1:]))
			case slices.Contains(strings.Fields(of), string(key.Kind)):
				return nil
			}
		}
		return nil
	}
}
