package line

import (
	_ "embed" // the table
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

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
	"autoscale":       {check: checkAutoscale},
	"create secret":   {early: checkSecret},
	"delete":          {early: checkDelete},
	"get":             {check: checkGet},
	"logs":            {early: checkLogs},
	"patch":           {check: checkPatch},
	"rollout history": {unsupported: noVisitor("history viewer", "history")},
	"rollout undo":    {unsupported: noVisitor("rollbacker", "rollbacker")},
	"run":             {early: checkRestart},
	"scale":           {unsupported: NoScale, check: checkScale},
	"set env":         {unsupported: noTemplate},
	"set image":       {unsupported: noTemplate},
	"set resources":   {unsupported: noTemplate},
	"wait":            {check: checkWait},
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
	"rollouts":  (*kinds.Kind).RollsOut,
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
		v.unsupported = answerAbout(text)
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
