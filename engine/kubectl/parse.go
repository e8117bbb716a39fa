package kubectl

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// command is a parsed line: the verb, what it is about, what follows, and the flags.
type command struct {
	verb      string            // "scale", "rollout undo"
	targets   []api.Key         // the named objects
	rest      []string          // key=value and key- words
	flags     map[string]string // without dashes; a flag without a value is "true"
	namespace string
}

// flagNames are the flags that are modelled, by verb; true if the flag takes a value.
var flagNames = map[string]map[string]bool{
	"annotate":     {"overwrite": false},
	"delete":       {"grace-period": true, "force": false, "now": false, "cascade": true, "wait": true},
	"rollout undo": {"to-revision": true},
	"scale":        {"replicas": true, "current-replicas": true},
}

// kinds are the names under which kubectl knows the kinds.
var kinds = map[string]api.Kind{
	"deploy": api.KindDeployment, "deployment": api.KindDeployment, "deployments": api.KindDeployment,
	"deployment.apps": api.KindDeployment, "deployments.apps": api.KindDeployment,
	"rs": api.KindReplicaSet, "replicaset": api.KindReplicaSet, "replicasets": api.KindReplicaSet,
	"replicaset.apps": api.KindReplicaSet, "replicasets.apps": api.KindReplicaSet,
	"po": api.KindPod, "pod": api.KindPod, "pods": api.KindPod,
	"quota": api.KindResourceQuota, "resourcequota": api.KindResourceQuota, "resourcequotas": api.KindResourceQuota,
	"no": api.KindNode, "node": api.KindNode, "nodes": api.KindNode,
}

func knownVerbs() string {
	return strings.Join(slices.Sorted(maps.Keys(verbs)), ", ")
}

// parse reads a line, with or without the word kubectl in front.
func parse(line string) (*command, error) {
	words, err := split(line)
	if err != nil {
		return nil, err
	}
	if len(words) > 0 && words[0] == "kubectl" {
		words = words[1:]
	}
	c := &command{flags: map[string]string{}, namespace: "default"}
	if words, err = c.takeNamespace(words); err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("a command is missing; for example: kubectl scale deployment/web --replicas=5")
	}
	c.verb, words = words[0], words[1:]
	if (c.verb == "rollout" || c.verb == "set") && len(words) > 0 {
		c.verb += " " + words[0]
		words = words[1:]
	}
	plain, err := c.takeFlags(words)
	if err != nil {
		return nil, err
	}
	return c, c.takeTargets(plain)
}

// takeNamespace takes the namespace out of a line, wherever it stands.
func (c *command) takeNamespace(words []string) (rest []string, err error) {
	for i := 0; i < len(words); i++ {
		name, value, hasValue := strings.Cut(words[i], "=")
		if name != "-n" && name != "--namespace" {
			rest = append(rest, words[i])
			continue
		}
		if !hasValue {
			if i++; i == len(words) {
				return nil, fmt.Errorf("flag needs an argument: %s", name)
			}
			value = words[i]
		}
		c.namespace = value
	}
	return rest, nil
}

// takeFlags sorts flags from plain words. Values may follow after = or as the next word.
func (c *command) takeFlags(words []string) (plain []string, err error) {
	known := flagNames[c.verb]
	for i := 0; i < len(words); i++ {
		w := words[i]
		if !strings.HasPrefix(w, "-") || w == "-" {
			plain = append(plain, w)
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimLeft(w, "-"), "=")
		takesValue, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("unknown flag: %s (rollplay models no such flag of kubectl %s)", w, c.verb)
		}
		switch {
		case !hasValue && takesValue && i+1 < len(words):
			i++
			value = words[i]
		case !hasValue && takesValue:
			return nil, fmt.Errorf("flag needs an argument: --%s", name)
		case !hasValue:
			value = "true"
		}
		c.flags[name] = value
	}
	return plain, nil
}

// takeTargets reads `type/name …` or `type name …`; words with = or a final - belong to the verb.
func (c *command) takeTargets(words []string) error {
	var kind api.Kind
	for _, w := range words {
		typeName, name, slash := strings.Cut(w, "/")
		switch {
		case strings.Contains(w, "=") && !(slash && !strings.Contains(typeName, "=") && kinds[typeName] != ""),
			c.verb == "annotate" && strings.HasSuffix(w, "-"):
			c.rest = append(c.rest, w)
		case slash:
			k, ok := kinds[strings.ToLower(typeName)]
			if !ok {
				return fmt.Errorf("the server doesn't have a resource type %q", typeName)
			}
			c.targets = append(c.targets, api.Key{Kind: k, Namespace: c.namespaceOf(k), Name: name})
		case kind == "":
			k, ok := kinds[strings.ToLower(w)]
			if !ok {
				return fmt.Errorf("the server doesn't have a resource type %q", w)
			}
			kind = k
		default:
			c.targets = append(c.targets, api.Key{Kind: kind, Namespace: c.namespaceOf(kind), Name: w})
		}
	}
	if len(c.targets) == 0 {
		return fmt.Errorf("kubectl %s needs the name of an object, for example deployment/web", c.verb)
	}
	return nil
}

func (c *command) namespaceOf(kind api.Kind) string {
	if kind == api.KindNode {
		return ""
	}
	return c.namespace
}

// only refuses targets of other kinds than the one that the verb can work on.
func (c *command) only(kind api.Kind) error {
	for _, t := range c.targets {
		if t.Kind != kind {
			return fmt.Errorf("rollplay models kubectl %s only for a %s, not for a %s", c.verb, strings.ToLower(string(kind)), strings.ToLower(string(t.Kind)))
		}
	}
	return nil
}

// split cuts a line into words; single and double quotes keep blanks together.
func split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	inWord := false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a closing %c is missing", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
