package line

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/pipe"
	"github.com/rollplay/rollplay/engine/words"
)

// Command is a line as kubectl reads it. No other code reads the text, and it does not change afterwards.
type Command struct {
	Text        string            // as a terminal shows it: kubectl scale deployment/web --replicas=5
	Err         error             // why it cannot be carried out; the other fields then hold what was read before
	Verb        string            // "scale", "rollout undo"
	Kinds       []api.Kind        // types without names: get rs,pods
	Targets     []api.Key         // the named objects
	Rest        []string          // key=value and key- words, or the words of a verb that names no objects
	Flags       map[string]string // by their long names; a flag without a value is "true"
	Namespace   string
	Selector    Selector // nil: everything
	BadSelector error    // why Selector is not what was typed
	WantsHelp   bool     // --help: nothing is done
	Stdin       string   // the text of a here-document
	HasStdin    bool
	Dry         DryRun
	Verbose     bool            // the requests are printed, too
	Warnings    []string        // what kubectl says first
	Conditions  []WaitCondition // of kubectl wait
	Pairs       Pairs           // of label and annotate
	Grace       int64           // of delete
	From        *Command        // what is piped into it
	Filters     []pipe.Filter   // behind pipes
	Into        string          // the file behind >

	entry *verb    // of the table
	plain []string // all words but flags, those of the verb first
	order []string // the names of the flags as they came

	behind []string // the words behind --, which are in plain, too
}

// Separator separates the values of a flag that was given several times.
const Separator = "\x00"

// Parse reads a line, with or without the word kubectl in front. Its namespace is default unless it names one; see In.
func Parse(text string) *Command {
	text, err := watched(echoed(fromFile(text)))
	c := &Command{Text: inFull(text), Err: err, Flags: map[string]string{}, Namespace: api.NamespaceDefault}
	if err == nil {
		c.Err = c.read(text)
	}
	return c
}

// read reads the line as far as there is nothing wrong with it.
func (c *Command) read(text string) error {
	line, err := split(text)
	if err != nil {
		return err
	}
	c.Stdin, c.HasStdin = line.stdin, line.hasStdin
	if line.into > 0 {
		if len(line.words) != line.into+1 {
			return errors.New("write one name behind >, at the end of the line")
		}
		c.Into, line.words = FileName(line.words[line.into]), line.words[:line.into]
	}
	if c.Into != "" && c.HasStdin && line.before == nil && slices.Equal(line.words, []string{"cat"}) { // cat > FILE <<EOF
		c.Verb, c.entry = "cat", &verb{name: "cat", words: "writes"}
		return nil
	}
	return c.readPipe(append(line.before, line.words))
}

// readPipe reads programs that are piped together. The last kubectl is the command: it reads what those before print, the others are filters.
func (c *Command) readPipe(programs [][]string) error {
	if err := limits.AtMost(limits.Pipes, len(programs)-1, "pipes behind a command"); err != nil {
		return err
	}
	own := len(programs) - 1
	for own > 0 && len(withoutKubectl(programs[own])) == len(programs[own]) {
		own--
	}
	for _, words := range programs[own+1:] {
		f, err := pipe.Read(words)
		if err != nil {
			return err
		}
		c.Filters = append(c.Filters, f)
	}
	wrong := c.readProgram(programs[own])
	if own == 0 || ours(wrong) {
		return wrong
	}
	if before := programs[0]; own == 1 && c.HasStdin && len(before) == 1 && before[0] == "cat" { // cat <<EOF | kubectl apply -f -
		return wrong
	}
	from := &Command{Flags: map[string]string{}, Namespace: c.Namespace, Stdin: c.Stdin, HasStdin: c.HasStdin}
	from.Err = from.readPipe(programs[:own])
	if from.Waits() || from.Edits() || from.On("watch") || from.On("watch-only") || from.On("follow") || from.printsLater() {
		from.Err = fmt.Errorf("rollplay does not model a pipe to kubectl behind kubectl %s, which prints more later", from.Verb)
	}
	if ours(from.Err) { // else it prints why, and the command has nothing to read
		return from.Err
	}
	c.From, c.Stdin, c.HasStdin = from, "", true
	return wrong
}

// ours says whether an error is no answer of kubectl: the line has what rollplay does not model.
func ours(err error) bool { return err != nil && strings.HasPrefix(err.Error(), "rollplay") }

// printsLater says whether the command prints more after its first answer, though it watches nothing.
func (c *Command) printsLater() bool {
	return c.Verb == "drain" || c.Verb == "wait" || c.Verb == "replace" && c.On("force")
}

// withoutKubectl returns the words behind kubectl, or all if they do not begin with it.
func withoutKubectl(words []string) []string {
	if len(words) > 0 && (words[0] == "kubectl" || words[0] == "k") {
		return words[1:]
	}
	return words
}

func (c *Command) readProgram(words []string) error {
	if len(words) > 0 {
		if name, _, set := strings.Cut(words[0], "="); name == "KUBE_EDITOR" || name == "EDITOR" { // the page has its own
			words = words[1:]
		} else if set && !isFlag(name) {
			return fmt.Errorf("rollplay is not a shell and sets no variable %s; begin with kubectl", name)
		}
	}
	words, err := c.takeVerb(withoutKubectl(words))
	if err != nil || c.WantsHelp {
		return err
	}
	if err := c.takeFlags(words); err != nil || c.WantsHelp {
		return err
	}
	c.Verbose = c.Flags["v"] == "6"
	missing := slices.DeleteFunc(strings.Fields(c.entry.required), func(name string) bool { return slices.Contains(c.order, name) })
	if len(missing) > 0 {
		return errors.New(`required flag(s) "` + strings.Join(missing, `", "`) + `" not set`)
	}
	if check := c.entry.early; check != nil {
		if err := check(c); err != nil {
			return err
		}
	}
	if n := len(c.plain) - len(c.behind) - 2; strings.HasPrefix(c.Verb, "create ") && n != 1 {
		return c.Usage(fmt.Errorf("exactly one NAME is required, got %d", n))
	}
	if (len(c.Filters) > 0 || c.Into != "") && c.printsLater() {
		return fmt.Errorf("rollplay does not model a pipe or > behind kubectl %s, which prints more later", c.Verb)
	}
	if i := slices.IndexFunc(c.Filters, func(f pipe.Filter) bool { return f.Is("jq") }); i > 0 || i == 0 && c.Flags["output"] != "json" {
		return errors.New("jq reads JSON: put it right behind -o json")
	}
	if err := c.readFlags(); err != nil {
		return err
	}
	if check := c.entry.check; check != nil {
		if err := check(c); err != nil {
			return err
		}
	}
	if err := c.takeArguments(); err != nil || c.BadSelector == nil || !c.entry.is("writes") && c.Verb != "wait" || strings.HasPrefix(c.Verb, "create ") {
		return err
	}
	return c.notSelectable()
}

// notSelectable is the server's answer about each type of a command that writes or waits, if it cannot read the selector.
func (c *Command) notSelectable() error {
	chosen := c.Kinds
	if len(chosen) == 0 {
		chosen = []api.Kind{api.KindPod}
		if c.entry.on != nil {
			chosen = c.entry.kinds()[:1]
		}
	}
	return Whole(words.Join(chosen, "\n", func(kind api.Kind) string { return ErrorText(NotSelectable(kind, c.Flags, c.BadSelector)) }))
}

// NotSelectable is the server's answer to a selector that it cannot apply to a kind.
func NotSelectable(kind api.Kind, flags map[string]string, err error) error {
	return &api.StatusError{Reason: api.ReasonBadRequest, Message: fmt.Sprintf("Unable to find %q that match label selector %q, "+
		"field selector %q: %v", ResourceVersion(kind), flags["selector"], flags["field-selector"], err)}
}

// takeVerb finds the verb, which flags may precede, and takes it out of the words.
func (c *Command) takeVerb(words []string) (rest []string, err error) {
	first := nextPlain(words, 0, "")
	if first < 0 {
		if c.WantsHelp = wantsHelp(words); !c.WantsHelp {
			err = errors.New("a command is missing; for example: kubectl scale deployment/web --replicas=5")
		}
		return nil, err
	}
	name := words[first]
	rest = without(words, first)
	if name == "help" {
		c.Verb, c.WantsHelp = strings.Join(rest, " "), true
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
	c.Verb = name
	if c.entry = findVerb(name); c.entry == nil {
		return nil, unknownVerb(name)
	}
	c.Verb = c.entry.name
	c.plain = strings.Fields(name)
	return rest, nil
}

// noSubcommand is the answer to `kubectl rollout`, or to a word behind it that is not modelled, with the word that was probably meant.
func (c *Command) noSubcommand(name string, rest []string, second int) error {
	group := &Command{entry: &verb{name: name, flags: globalFlags}, Verb: name, Flags: map[string]string{}}
	if second < 0 {
		if c.WantsHelp = wantsHelp(rest); c.WantsHelp {
			c.Verb = name
			return nil
		}
		if err := group.takeFlags(rest); err != nil {
			return err
		}
		return fmt.Errorf("kubectl %s needs one of %s", name, strings.Join(wordsBehind(name+" "), ", "))
	}
	word := rest[second]
	if _, known := insteadOf(name+" "+word, ""); known {
		return unknownVerb(name + " " + word)
	}
	if err := group.takeFlags(rest); err != nil {
		return err
	}
	words := strings.Join(slices.DeleteFunc(slices.Clone(rest[second:]), isFlag), " ")
	err := fmt.Errorf("unknown command %q", words)
	if name == "create" {
		err = fmt.Errorf("Unexpected args: [%s]", words)
	}
	err = group.Usage(err)
	if near := api.Nearest(word, wordsBehind(name+" ")); near != "" {
		return fmt.Errorf("%w\nDid you mean %s?", err, near)
	}
	return err
}

func wantsHelp(words []string) bool {
	return slices.Contains(words, "-h") || slices.Contains(words, "--help")
}

func without(words []string, i int) []string {
	return slices.Delete(slices.Clone(words), i, i+1)
}

// nextPlain returns where the first word from i on is that is neither a flag of a verb of the group nor its value, -1 if there is none.
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

// takeArguments reads the plain words behind the verb.
func (c *Command) takeArguments() error {
	words := c.plain[len(strings.Fields(c.Verb)):]
	switch {
	case c.Is("words"):
		c.Rest = words
		return nil
	case c.Is("nodes"):
		return c.takeNodes(words)
	}
	if c.entry.pairs != "" {
		var err error
		if words, err = c.takePairs(words); err != nil {
			return err
		}
		switch {
		case c.labels():
			err = c.readPairs(words)
		case c.Verb == "set env":
			if given := c.Flags["env"]; given != "" {
				c.Rest = append(strings.Split(given, Separator), c.Rest...)
			}
			c.Pairs, err = readVariables(c.Rest)
		}
		if err != nil {
			return err
		}
	}
	if c.Flags["filename"] != "" {
		if len(words) > 0 {
			return errors.New("when paths, URLs, or stdin is provided as input, you may not specify a resource by arguments as well")
		}
		return nil
	}
	return c.takeResources(words)
}

// takePairs takes key=value and key- out of the words; they come last.
func (c *Command) takePairs(words []string) (resources []string, err error) {
	for _, w := range words {
		switch {
		case strings.Index(w, "=") > 0 || strings.HasSuffix(w, "-") && w != "-":
			c.Rest = append(c.Rest, w)
		case len(c.Rest) > 0 && c.entry.pairs == "environment": // set env alone names all its words
			return nil, fmt.Errorf("all resources must be specified before environment changes: %s", strings.Join(words, " "))
		case len(c.Rest) > 0:
			return nil, fmt.Errorf("all resources must be specified before %s changes: %s", c.entry.pairs, w)
		default:
			resources = append(resources, w)
		}
	}
	return resources, nil
}

// takeNodes reads the words of a verb that is about nodes; their type is optional.
func (c *Command) takeNodes(words []string) error {
	for _, w := range words {
		kind, name, slash := strings.Cut(w, "/")
		if !slash {
			kind, name = "node", w
		}
		k, err := FindKind(kind)
		if err != nil {
			return err
		}
		c.AddTarget(k, name)
	}
	switch {
	case len(words) > 0 && c.Selector != nil:
		return c.Usage(errors.New("error: cannot specify both a node name and a --selector option"))
	case len(words) == 0 && slices.Contains(c.order, "selector") && c.Selector == nil:
		return c.nothingNamed(false)
	case len(words) == 0 && c.Selector == nil:
		return c.Usage(fmt.Errorf("USAGE: %s NODE [flags]", c.Verb))
	case len(words) == 0:
		c.Kinds = []api.Kind{api.KindNode}
	}
	return nil
}
