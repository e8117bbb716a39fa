package kubectl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// command is a parsed line: the verb, what it is about, what follows, and the flags.
type command struct {
	verb          string            // "scale", "rollout undo"
	kinds         []api.Kind        // types without names: get rs,pods
	targets       []api.Key         // the named objects
	rest          []string          // key=value and key- words, or the words of a verb that names no objects
	flags         map[string]string // by their long names; a flag without a value is "true"
	namespace     string
	allNamespaces bool
	selector      *selector // nil: everything
	all           bool      // --all
	help          bool      // --help: nothing is done
	stdin         string    // the text of a here-document
	hasStdin      bool
	dry           dryRun
	warnings      []string // what kubectl says first

	entry *verb    // of the table
	plain []string // all words that are no flags, the verb's own first
	order []string // the names of the flags as they came
}

// separator stands between the values of a flag that was given several times.
const separator = "\x00"

// parse reads a line, with or without the word kubectl in front. With an error, the command is as far as it was read.
func parse(text string) (*command, error) {
	line, err := split(text)
	if err != nil {
		return nil, err
	}
	words := line.words
	if len(words) > 0 && (words[0] == "kubectl" || words[0] == "k") {
		words = words[1:]
	}
	c := &command{flags: map[string]string{}, namespace: "default", stdin: line.stdin, hasStdin: line.hasStdin}
	words, err = c.takeVerb(words)
	if err != nil || c.help {
		return c, err
	}
	if err := c.takeFlags(words); err != nil || c.help {
		return c, err
	}
	if err := c.readFlags(); err != nil {
		return c, err
	}
	if check := c.entry.check; check != nil {
		if err := check(c); err != nil {
			return c, err
		}
	}
	return c, c.takeArguments()
}

// takeVerb finds the verb, in front of which flags may stand, and takes it out of the words.
func (c *command) takeVerb(words []string) (rest []string, err error) {
	first := nextPlain(words, 0, "")
	if first < 0 {
		c.help = wantsHelp(words)
		if c.help {
			return nil, nil
		}
		return nil, errors.New("a command is missing; for example: kubectl scale deployment/web --replicas=5")
	}
	name := words[first]
	rest = without(words, first)
	if name == "help" {
		c.verb, c.help = strings.Join(rest, " "), true
		return nil, nil
	}
	if groups[name] {
		second := nextPlain(rest, first, name)
		if second >= 0 && findVerb(name+" "+rest[second]) != nil {
			name += " " + rest[second]
			rest = without(rest, second)
		} else if second >= 0 || findVerb(name) == nil {
			return nil, c.noSubcommand(name, rest, second)
		}
	}
	c.verb = name
	if c.entry = findVerb(name); c.entry == nil {
		return nil, unknownVerb(name)
	}
	c.verb = c.entry.name
	c.plain = strings.Fields(name)
	return rest, nil
}

// noSubcommand is the answer to `kubectl rollout`, or to a word behind it that is not modelled.
func (c *command) noSubcommand(group string, rest []string, second int) error {
	if second >= 0 {
		return unknownVerb(group + " " + rest[second])
	}
	if c.help = wantsHelp(rest); c.help {
		c.verb = group
		return nil
	}
	return fmt.Errorf("kubectl %s needs one of %s", group, strings.Join(subcommands(group), ", "))
}

func wantsHelp(words []string) bool {
	for _, w := range words {
		if w == "-h" || w == "--help" {
			return true
		}
	}
	return false
}

func without(words []string, i int) []string {
	return append(append([]string(nil), words[:i]...), words[i+1:]...)
}

// nextPlain returns where the first word from i on is that is neither a flag nor a flag's value, -1 if there is none.
// Flags before the verb may be those of any verb of the group.
func nextPlain(words []string, i int, group string) int {
	for ; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return -1
		case !isFlag(w):
			return i
		case !strings.Contains(w, "=") && anyTakesValue(w, group):
			i++
		}
	}
	return -1
}

func isFlag(word string) bool { return len(word) > 1 && word[0] == '-' }

// anyTakesValue says whether a flag that stands before the verb has its value in the next word.
func anyTakesValue(word, group string) bool {
	if !strings.HasPrefix(word, "--") && len(word) > 2 {
		return false // -nshop
	}
	for i := range globalFlags {
		if f := &globalFlags[i]; f.is(word) {
			return f.takesValue
		}
	}
	for i := range verbs {
		if v := &verbs[i]; strings.HasPrefix(v.name, group) {
			if f := v.flag(word); f != nil {
				return f.takesValue && f.optional == ""
			}
		}
	}
	return false
}

// is says whether a word such as --namespace or -n names the flag.
func (f *flag) is(word string) bool {
	return word == "--"+f.name || f.short != "" && word == "-"+f.short
}

// flag returns the verb's flag that a word such as --replicas or -r names, nil if it has none.
func (v *verb) flag(word string) *flag {
	for i := range globalFlags {
		if globalFlags[i].is(word) {
			return &globalFlags[i]
		}
	}
	for i := range v.flags {
		if v.flags[i].is(word) {
			return &v.flags[i]
		}
	}
	return nil
}

// takeFlags sorts flags from plain words.
func (c *command) takeFlags(words []string) error {
	for len(words) > 0 {
		w := words[0]
		words = words[1:]
		var err error
		switch {
		case w == "--":
			c.plain = append(c.plain, words...)
			return nil
		case !isFlag(w):
			c.plain = append(c.plain, w)
		case strings.HasPrefix(w, "--"):
			words, err = c.longFlag(w, words)
		default:
			words, err = c.shortFlags(w, words)
		}
		if err != nil || c.help {
			return err
		}
	}
	return nil
}

// longFlag takes --name, --name=value or --name value.
func (c *command) longFlag(word string, words []string) (rest []string, err error) {
	name, value, hasValue := strings.Cut(word, "=")
	f := c.entry.flag(name)
	switch {
	case f == nil:
		return nil, c.noFlag(name)
	case hasValue:
	case !f.takesValue:
		value = "true"
	case f.optional != "":
		value = f.optional
	case len(words) == 0:
		return nil, fmt.Errorf("flag needs an argument: --%s", f.name)
	default:
		value, words = words[0], words[1:]
	}
	return words, c.setFlag(f, value)
}

// shortFlags takes -x, -xvalue, -x=value, -x value, and several in one word: -Aw.
func (c *command) shortFlags(word string, words []string) (rest []string, err error) {
	for i := 1; i < len(word); i++ {
		f := c.entry.flag("-" + word[i:i+1])
		if f == nil {
			return nil, c.noFlag("-" + word[i:i+1])
		}
		value, behind := "true", word[i+1:]
		if f.takesValue || strings.HasPrefix(behind, "=") {
			switch {
			case behind != "":
				value = strings.TrimPrefix(behind, "=")
			case len(words) == 0:
				return nil, fmt.Errorf("flag needs an argument: '%s' in %s", f.short, word)
			default:
				value, words = words[0], words[1:]
			}
			i = len(word)
		}
		if err := c.setFlag(f, value); err != nil {
			return nil, err
		}
	}
	return words, nil
}

// noFlag is the answer to a flag that the verb does not have, or not here.
func (c *command) noFlag(word string) error {
	var names []string
	for i := range c.entry.flags {
		names = append(names, "--"+c.entry.flags[i].name)
	}
	names = append(names, "--namespace")
	err := fmt.Sprintf("rollplay does not model the flag %s of %q", word, "kubectl "+c.verb)
	if near := api.Nearest(word, names); near != "" {
		return fmt.Errorf("%s; did you mean %s?", err, near)
	}
	return fmt.Errorf("%s; it models %s", err, strings.Join(names, ", "))
}

// setFlag keeps a value, checked as the flag library does.
func (c *command) setFlag(f *flag, value string) error {
	var err error
	switch {
	case f.name == "help":
		c.help = true
	case f.number:
		var n int64
		if n, err = strconv.ParseInt(value, 0, 64); err == nil {
			value = strconv.FormatInt(n, 10)
		}
	case !f.takesValue:
		var on bool
		if on, err = strconv.ParseBool(value); err == nil {
			value = strconv.FormatBool(on)
		}
	case f.repeat && c.flags[f.name] != "":
		value = c.flags[f.name] + separator + value
	}
	if err != nil {
		name := "--" + f.name
		if f.short != "" {
			name = "-" + f.short + ", " + name
		}
		return fmt.Errorf("invalid argument %q for %q flag: %w", value, name, err)
	}
	if _, again := c.flags[f.name]; !again {
		c.order = append(c.order, f.name)
	}
	c.flags[f.name] = value
	return nil
}

// readFlags reads the flags that mean the same to all verbs.
func (c *command) readFlags() (err error) {
	if ns, ok := c.flags["namespace"]; ok && ns != "" {
		c.namespace = ns
	}
	c.all = c.flags["all"] == "true"
	c.allNamespaces = c.flags["all-namespaces"] == "true"
	if c.selector, err = parseSelector(c.flags["selector"]); err != nil && strings.HasPrefix(c.verb, "create ") {
		return fmt.Errorf("couldn't parse the selector string \"%s\": %w", c.flags["selector"], err)
	} else if err != nil {
		return err
	}
	if c.all && c.selector != nil {
		return errors.New("cannot set --all and --selector at the same time")
	}
	if c.flags["record"] == "true" {
		c.warnings = append(c.warnings, "Flag --record has been deprecated, --record will be removed in the future")
	}
	return c.readDryRun()
}

// readDryRun reads --dry-run, also in the ways that are deprecated.
func (c *command) readDryRun() error {
	value, ok := c.flags["dry-run"]
	on, err := strconv.ParseBool(value)
	switch {
	case !ok, value == "none":
	case value == "client":
		c.dry = dryClient
	case value == "server":
		c.dry = dryServer
	case value == unchanged:
		c.dry = dryClient
		c.warnings = append(c.warnings, "--dry-run is deprecated and can be replaced with --dry-run=client.")
	case err != nil:
		return fmt.Errorf(`Invalid dry-run value (%s). Must be "none", "server", or "client".`, value)
	default:
		instead := "none"
		if on {
			c.dry, instead = dryClient, "client"
		}
		c.warnings = append(c.warnings, fmt.Sprintf("--dry-run=%s is deprecated (boolean value) and can be replaced with "+
			"--dry-run=%s.", value, instead))
	}
	return nil
}

// takeArguments reads the plain words behind the verb.
func (c *command) takeArguments() error {
	words := c.plain[len(strings.Fields(c.verb)):]
	switch c.entry.args {
	case wordArgs:
		c.rest = words
		return nil
	case nodeArgs:
		return c.takeNodes(words)
	}
	if c.entry.pairs != "" {
		var err error
		if words, err = c.takePairs(words); err != nil {
			return err
		}
	}
	if c.flags["filename"] != "" {
		if len(words) > 0 {
			return errors.New("when paths, URLs, or stdin is provided as input, you may not specify a resource by arguments as well")
		}
		return nil
	}
	return c.takeResources(words)
}

// takePairs takes key=value and key- out of the words; they come last.
func (c *command) takePairs(words []string) (resources []string, err error) {
	for _, w := range words {
		switch {
		case strings.Index(w, "=") > 0 || strings.HasSuffix(w, "-") && w != "-":
			c.rest = append(c.rest, w)
		case len(c.rest) > 0 && c.entry.pairs == "environment": // set env alone names all its words
			return nil, fmt.Errorf("all resources must be specified before environment changes: %s", strings.Join(words, " "))
		case len(c.rest) > 0:
			return nil, fmt.Errorf("all resources must be specified before %s changes: %s", c.entry.pairs, w)
		default:
			resources = append(resources, w)
		}
	}
	return resources, nil
}

// takeNodes reads the words of a verb that is about nodes; their type may stand in front or not.
func (c *command) takeNodes(words []string) error {
	for _, w := range words {
		kind, name, slash := strings.Cut(w, "/")
		if !slash {
			kind, name = "node", w
		}
		k, err := findKind(kind)
		if err != nil {
			return err
		}
		if k != api.KindNode {
			return fmt.Errorf("expected resource of type node, got %q", kind)
		}
		c.targets = append(c.targets, api.Key{Kind: k, Name: name})
	}
	switch {
	case len(words) > 0 && c.selector != nil:
		return errors.New("cannot specify both a node name and a --selector option")
	case len(words) == 0 && c.selector == nil:
		return fmt.Errorf("USAGE: %s NODE [flags]", c.verb)
	case len(words) == 0:
		c.kinds = []api.Kind{api.KindNode}
	}
	return nil
}
