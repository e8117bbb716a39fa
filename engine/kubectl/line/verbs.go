package line

import (
	_ "embed" // the table
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// verb is the entry of a command of kubectl: the parser, the completion, the help and the documentation all use it.
type verb struct {
	hooks
	name, brief string // "rollout undo", and what it does here in one line
	use         string // TYPE/NAME --to-revision=N
	flags       []flag
	on          func(*kinds.Kind) bool // says on which kinds it works; nil means all that have objects
	pairs       string                 // what its key=value words change, "" if it has none
	missing     string                 // what it answers if no object is named
	required    string                 // flags that must be there
	aliases     []string
	others      string   // flags of kubectl that rollplay does not have
	words       string   // behind "is" in verbs.txt, which says what they mean
	sentences   []string // behind "unsupported"
}

// flag is an option of a verb.
type flag struct {
	name, short string
	brief       string
	takesValue  bool
	number      uint8    // the value is a whole number with this many bits
	duration    bool     // the value is 30s, 2m
	repeat      bool     // it may be given several times
	optional    string   // the value of a flag without one
	values      []string // the choices, if there are few
}

// globalFlags are the last of every verb.
var globalFlags = []flag{
	{name: "namespace", short: "n", takesValue: true, brief: "the namespace; that of the context if it is not given"},
	{name: "help", short: "h", brief: "print how the command is used"},
}

//go:embed verbs.txt
var verbsText string

// verbs is the table, in the order of the alphabet. A function fills it, because the checks of verbs look into it.
var verbs []verb

func init() { verbs = readVerbs(verbsText) }

// hooks are what a verb does that no table can say.
type hooks struct {
	unsupported func(api.Key) error  // the answer about a kind that it does not work on
	early       func(*Command) error // refuses flags before those that all verbs have are read
	check       func(*Command) error // refuses flags before the objects are read
}

var hooksOf = map[string]hooks{
	"autoscale":     {check: checkAutoscale},
	"create secret": {early: checkSecret},
	"delete":        {early: checkDelete},
	"get":           {check: checkGet},
	"logs":          {early: checkLogs},
	"patch":         {check: checkPatch},
	"run":           {early: checkRestart},
	"scale":         {unsupported: NoScale, check: checkScale},
	"wait":          {check: checkWait},
}

// kindsOf are the words behind "on".
var kindsOf = map[string]func(*kinds.Kind) bool{
	"all":         func(*kinds.Kind) bool { return true },
	"applied":     (*kinds.Kind).Applied,
	"deployments": func(k *kinds.Kind) bool { return k.Name == api.KindDeployment },
	"exposed": func(k *kinds.Kind) bool {
		return strings.Contains("Deployment Pod ReplicaSet ReplicationController Service", string(k.Name))
	},
	"logged":    func(k *kinds.Kind) bool { return k.Name == api.KindPod || k.HasTemplate() || k.Name == "Job" },
	"nodes":     func(k *kinds.Kind) bool { return k.Name == api.KindNode },
	"rollouts":  func(k *kinds.Kind) bool { return k.Revisions },
	"scales":    Scales,
	"templates": (*kinds.Kind).HasTemplate,
}

// Scales says whether objects of a kind have a number of replicas, whether anything here makes pods for them or not.
func Scales(k *kinds.Kind) bool { return k.Scales() || k.Name == "ReplicationController" }

// readVerbs reads the table. The first entry has the flags that several verbs share.
func readVerbs(text string) (list []verb) {
	common := map[string]flag{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		entry, indented := strings.CutPrefix(line, "  ")
		switch {
		case line == "" || line[0] == '#':
		case !indented:
			name, use, _ := strings.Cut(line, ":")
			list = append(list, verb{name: name, use: strings.TrimSpace(use), hooks: hooksOf[name]})
		case strings.HasPrefix(entry, "--"):
			f, shared := common[entry]
			if !shared {
				f = readFlag(entry)
			}
			if len(list) == 1 {
				common["--"+f.name] = f
			}
			last := &list[len(list)-1]
			last.flags = append(last.flags, f)
		default:
			list[len(list)-1].read(strings.Cut(entry, " "))
		}
	}
	for i := range list {
		list[i].flags = append(list[i].flags, globalFlags...)
	}
	return list[1:]
}

// read takes a line of an entry.
func (v *verb) read(word, text string, _ bool) {
	texts := map[string]*string{"brief": &v.brief, "is": &v.words, "missing": &v.missing, "others": &v.others, "pairs": &v.pairs, "required": &v.required}
	switch field := texts[word]; {
	case field != nil:
		*field = strings.ReplaceAll(text, `\n`, "\n")
	case word == "on" && kindsOf[text] != nil:
		v.on = kindsOf[text]
	case word == "alias":
		v.aliases = strings.Split(text, ", ")
	case word == "unsupported":
		v.sentences = append(v.sentences, strings.ReplaceAll(text, `\n`, "\n"))
		v.unsupported = answerAbout(v.sentences)
	default:
		panic("verbs.txt: an entry has no " + word + " " + text)
	}
}

// readFlag reads --NAME -SHORT: TYPE CHOICES: BRIEF.
func readFlag(entry string) (f flag) {
	parts := strings.SplitN(entry, ": ", 3)
	f.brief = parts[2]
	f.name, f.short, _ = strings.Cut(strings.TrimPrefix(parts[0], "--"), " -")
	for i, word := range strings.Fields(parts[1]) {
		bits, isNumber := strings.CutPrefix(word, "int")
		optional, isOptional := strings.CutPrefix(word, "optional=")
		switch {
		case i > 0 && word == "repeated":
			f.repeat = true
		case i > 0 && isOptional:
			f.optional = optional
		case i > 0:
			f.values = strings.Split(word, "|")
		case isNumber:
			n, _ := strconv.ParseUint(bits, 10, 8)
			f.takesValue, f.number = true, uint8(n)
		default:
			f.takesValue, f.duration = word != "on", word == "duration"
		}
	}
	return f
}

// is says whether verbs.txt has a word about the verb.
func (v *verb) is(word string) bool { return strings.Contains(" "+v.words+" ", " "+word+" ") }

// kinds returns the kinds that the verb works on, in the order in which they are offered.
func (v *verb) kinds() []api.Kind {
	if v.on == nil {
		return kinds.Stored()
	}
	return kinds.Where(v.on)
}

// groups are the words that have further verbs behind them.
var groups = map[string]bool{"auth": true, "config": true, "create": true, "rollout": true, "set": true, "top": true}

func findVerb(name string) *verb {
	for i := range verbs {
		if verbs[i].name == name || slices.Contains(verbs[i].aliases, name) {
			return &verbs[i]
		}
	}
	return nil
}

// wordsBehind returns the words that may follow a group such as "rollout ": undo, pause …; behind nothing, the first words of all verbs.
func wordsBehind(group string) (words []string) {
	for i := range verbs {
		if rest, ok := strings.CutPrefix(verbs[i].name, group); ok {
			word, _, _ := strings.Cut(rest, " ")
			words = append(words, word)
		}
	}
	return words
}

// VerbDoc says how a command is used, for documentation.
type VerbDoc struct {
	Name, Use, Brief string
	Writes           bool
	Flags            []FlagDoc
}

// FlagDoc says what an option of a command does.
type FlagDoc struct {
	Name  string // --replicas, or -n, --namespace
	Brief string
}

// Modelled lists the commands that are modelled, in the order of the alphabet.
func Modelled() []VerbDoc {
	docs := make([]VerbDoc, len(verbs))
	for i := range verbs {
		docs[i] = verbs[i].doc()
	}
	return docs
}

func (v *verb) doc() VerbDoc {
	d := VerbDoc{Name: v.name, Use: strings.TrimSpace("kubectl " + v.name + " " + v.use), Brief: v.brief, Writes: v.is("writes")}
	for i := range v.flags[:len(v.flags)-len(globalFlags)] {
		d.Flags = append(d.Flags, v.flags[i].doc())
	}
	return d
}

func (f *flag) doc() FlagDoc {
	name := "--" + f.name
	if f.short != "" {
		name = "-" + f.short + ", " + name
	}
	if len(f.values) > 0 {
		name += "=" + strings.Join(f.values, "|")
	}
	return FlagDoc{name, f.brief}
}

func (c *Command) Help() string { return help(c.Verb) }

// help says how a verb, a group of verbs or kubectl itself is used.
func help(name string) string {
	var b strings.Builder
	if v := findVerb(name); v != nil {
		d := v.doc()
		fmt.Fprintf(&b, "%s: %s\n\nUsage:\n  %s\n\nOptions:\n", d.Name, d.Brief, d.Use)
		for _, f := range append(d.Flags, globalFlags[0].doc()) {
			fmt.Fprintf(&b, "  %s: %s\n", f.Name, f.Brief)
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	for i := range verbs {
		if v := &verbs[i]; strings.HasPrefix(v.name, name) {
			fmt.Fprintf(&b, "kubectl %s: %s\n", v.name, v.brief)
		}
	}
	if b.Len() == 0 {
		return help("")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
