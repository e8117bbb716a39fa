package line

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// Complete offers continuations of a line that is being typed: each candidate may follow the part of it that is kept. names lists the
// objects of a kind in a namespace, or the namespaces; containers lists those of an object's template.
func Complete(line, namespace string, names func(kind api.Kind, namespace string) []string, containers func(key api.Key) []string) (kept string,
	candidates []string) {
	from := strings.LastIndexAny(line, " \t\n") + 1
	c := completion{words: strings.Fields(line[:from]), word: line[from:], namespace: namespace, names: names, containers: containers}
	if strings.ContainsAny(line, `'"|;&<>`+"`") {
		return line[:from], nil // no guess within quotes or behind a shell's operators
	}
	all, skip := c.candidates()
	seen := map[string]bool{"": true} // of a kind without a short name
	for _, candidate := range all {
		if strings.HasPrefix(candidate, c.word[skip:]) && !seen[candidate] {
			candidates, seen[candidate] = append(candidates, candidate), true
		}
	}
	return line[:from+skip], candidates
}

// KindNamespace is the kind of namespaces, which are only stored. Completion offers those that have objects.
const KindNamespace api.Kind = "Namespace"

// completion is a line that is being typed: the whole words, and the beginning of the last one.
type completion struct {
	words      []string
	word       string
	namespace  string // the current one
	names      func(api.Kind, string) []string
	containers func(api.Key) []string
}

// candidates returns all words that are valid here; the first letters of the word that are skipped stay as they are.
func (c *completion) candidates() (all []string, skip int) {
	if len(c.words) == 0 && c.word != "" && strings.HasPrefix("kubectl", c.word) {
		return []string{"kubectl"}, 0
	}
	cmd := &Command{Flags: map[string]string{}, Namespace: c.namespace}
	v, rest, offers := c.verbOf(withoutKubectl(c.words))
	if v == nil {
		return offers, 0
	}
	cmd.entry, cmd.Verb = v, v.name
	flag, plain := cmd.typedFlags(rest)
	if flag != nil {
		return c.flagValues(flag), 0
	}
	if name, _, ok := strings.Cut(c.word, "="); ok && isFlag(name) {
		if f := v.flag(name); f != nil {
			return c.flagValues(f), len(name) + 1
		}
	}
	if strings.HasPrefix(c.word, "-") {
		return flagWords(v), 0
	}
	return c.argument(cmd, plain), 0
}

// verbOf finds the verb among the words, and returns the others; or else the verbs that are valid here.
func (c *completion) verbOf(words []string) (v *verb, rest, offers []string) {
	first := nextPlain(words, 0, "")
	if first < 0 {
		return nil, nil, wordsBehind("")
	}
	name := words[first]
	rest = without(words, first)
	if groups[name] {
		if second := nextPlain(rest, first, name); second >= 0 {
			return findVerb(name + " " + rest[second]), without(rest, second), nil
		}
		if findVerb(name) == nil || !strings.HasPrefix(c.word, "-") && len(rest) == 0 {
			return nil, nil, wordsBehind(name + " ")
		}
	}
	return findVerb(name), rest, nil
}

// typedFlags reads the flags before the cursor, as far as they are right. It returns the last one if that still needs a value.
func (c *Command) typedFlags(words []string) (open *flag, plain []string) {
	if n := len(words) - 1; n >= 0 && isFlag(words[n]) {
		if f := c.entry.flag(words[n]); f != nil && f.takesValue && f.optional == "" {
			open, words = f, words[:n]
		}
	}
	for len(words) > 0 && c.takeFlags(words) != nil { // up to a flag that is wrong
		words = words[:len(words)-1]
		c.plain = nil
	}
	c.Namespace = cmp.Or(c.Flags["namespace"], c.Namespace)
	return open, c.plain
}

// flagWords returns the flags of a verb, those with a value with the sign for it.
func flagWords(v *verb) (words []string) {
	for i := range v.flags {
		word := "--" + v.flags[i].name
		if v.flags[i].takesValue {
			word += "="
		}
		words = append(words, word)
	}
	return words
}

func (c *completion) flagValues(f *flag) []string {
	if f.name == "namespace" {
		return c.names(KindNamespace, "")
	}
	return f.values
}

// argument completes a plain word: a type, a name, or what a verb has behind them.
func (c *completion) argument(cmd *Command, plain []string) []string {
	known := cmd.entry.kinds()
	typeName, _, slash := strings.Cut(c.word, "/")
	switch {
	case cmd.Is("nodes"):
		return c.namesOf(api.KindNode, cmd)
	case cmd.Is("words") && cmd.Verb != "explain" && cmd.Verb != "taint":
		return nil
	case len(plain) > 0 && strings.Contains(plain[0], "/"):
		return append(c.updates(cmd, plain), c.typeNames(typeName, slash, known, cmd)...)
	case len(plain) > 0 && cmd.Verb != "explain":
		kind, err := FindKind(plain[0])
		if err != nil {
			return nil
		}
		return append(c.updates(cmd, plain), c.namesOf(kind, cmd)...)
	case slash:
		return c.typeNames(typeName, slash, known, cmd)
	}
	return kindWords(known)
}

// kindWords returns the names of kinds, the short ones behind the long ones.
func kindWords(known []api.Kind) []string {
	var words, singular, short []string
	for _, kind := range known {
		k := kinds.Of(kind)
		words, singular, short = append(words, k.Plural), append(singular, k.Singular()), append(short, k.Short)
	}
	return slices.Concat(words, singular, short)
}

// typeNames returns TYPE/NAME for a type that is typed, and else every type with its names, if there are few.
func (c *completion) typeNames(typeName string, slash bool, known []api.Kind, cmd *Command) (all []string) {
	if !slash {
		for _, k := range known {
			all = append(all, kinds.Of(k).Singular()+"/")
		}
		return all
	}
	kind, err := FindKind(typeName)
	if err != nil || !slices.Contains(known, kind) {
		return nil
	}
	for _, name := range c.namesOf(kind, cmd) {
		all = append(all, typeName+"/"+name)
	}
	return all
}

func (c *completion) namesOf(kind api.Kind, cmd *Command) []string {
	return c.names(kind, cmd.NamespaceOf(kind))
}

// updates returns container= for set image, once an object is named.
func (c *completion) updates(cmd *Command, plain []string) (all []string) {
	named := strings.Split(strings.Join(plain, "/"), "/") // deployment/web, or deployment web
	if cmd.entry.pairs != "image" || len(named) < 2 {
		return nil
	}
	k, err := FindKind(named[0])
	if err != nil {
		return nil
	}
	for _, container := range c.containers(api.Key{Kind: k, Namespace: cmd.NamespaceOf(k), Name: named[1]}) {
		all = append(all, container+"=")
	}
	return append(all, "*=")
}
