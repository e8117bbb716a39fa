package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/words"
)

// Environment is the actor of events that no request to the API server causes: containers
// crash, probes fail, machines die and come back.
const Environment = "environment"

// deedVerb is a verb of the environment, spelled like those of kubectl: crash pod/web-x -n shop.
type deedVerb struct {
	name    string
	kind    api.Kind // that it acts on
	example string   // of a name
}

// Deed is a line of the environment: a verb, the object that it acts on, and words like cpu=4 behind it.
type Deed struct {
	Verb  string
	Key   api.Key
	Words []string
}

var deedVerbs = [...]deedVerb{
	{"crash", api.KindPod, "pod/web-x"},
	{"fail-readiness", api.KindPod, "pod/web-x"},
	{"restore-readiness", api.KindPod, "pod/web-x"},
	{"kill", api.KindNode, "node/node-2"},
	{"restore", api.KindNode, "node/node-2"},
	{"add", api.KindNode, "node/node-4"},
	{"remove", api.KindNode, "node/node-2"},
}

// DeedLine returns a line of the environment without the sign in front that the trace shows it with.
func DeedLine(line string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "#"))
}

// ParseDeed reads a line: a verb, one pod (pod/web-x or pod web-x) and perhaps its namespace, or one node.
func ParseDeed(line string) (*Deed, error) {
	words, namespace, err := takeNamespace(strings.Fields(DeedLine(line)))
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("a verb is missing; for example: crash pod/web-x")
	}
	i := slices.IndexFunc(deedVerbs[:], func(v deedVerb) bool { return v.name == words[0] })
	if i < 0 {
		return nil, fmt.Errorf("the environment knows no %q; it knows %s", words[0], knownDeedVerbs())
	}
	verb := &deedVerbs[i]
	d := &Deed{Verb: verb.name, Key: api.Key{Kind: verb.kind}}
	words = words[1:]
	if at := slices.IndexFunc(words, func(w string) bool { return strings.Contains(w, "=") }); at >= 0 {
		words, d.Words = words[:at], words[at:]
	}
	if len(d.Words) > 0 && d.Verb != "add" {
		return nil, fmt.Errorf("%s takes no %q", d.Verb, d.Words[0])
	}
	if d.Key.Kind == api.KindPod {
		d.Key.Namespace = namespace
	}
	d.Key.Name, err = verb.nameOf(words)
	return d, err
}

// takeNamespace takes the namespace out of the words of a line, wherever it is.
func takeNamespace(words []string) (rest []string, namespace string, err error) {
	namespace = "default"
	for i := 0; i < len(words); i++ {
		flag, value, hasValue := strings.Cut(words[i], "=")
		switch {
		case flag != "-n" && flag != "--namespace":
			rest = append(rest, words[i])
		case hasValue:
			namespace = value
		case i+1 == len(words):
			return nil, "", fmt.Errorf("flag needs an argument: %s", flag)
		default:
			i++
			namespace = words[i]
		}
	}
	return rest, namespace, nil
}

// nameOf reads the words behind a verb, which name one pod or node.
func (v *deedVerb) nameOf(words []string) (string, error) {
	for _, w := range words {
		if strings.HasPrefix(w, "-") {
			return "", fmt.Errorf("unknown flag: %s", w)
		}
	}
	on := kinds.Of(v.kind)
	kind, name, _ := strings.Cut(strings.Join(words, "/"), "/")
	switch {
	case len(words) == 0 || name == "":
		return "", fmt.Errorf("%s needs the name of a %s, for example %s", v.name, on.Singular(), v.example)
	case kind != on.Singular() && kind != on.Plural && kind != on.Short:
		return "", fmt.Errorf("%s is for a %s, not for a %s", v.name, on.Singular(), kind)
	case strings.Contains(name, "/"):
		return "", fmt.Errorf("%s is for one %s", v.name, on.Singular())
	}
	return name, nil
}

func knownDeedVerbs() string {
	return words.Join(deedVerbs[:], ", ", func(v deedVerb) string { return v.name })
}
