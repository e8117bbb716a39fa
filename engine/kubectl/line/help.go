package line

import (
	"fmt"
	"strings"
)

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
	d := VerbDoc{Name: v.name, Use: strings.TrimSpace("kubectl " + v.name + " " + v.use), Brief: v.brief, Writes: v.writes}
	for i := range v.flags {
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

// Help says how the command of a line with --help is used.
func (c *Command) Help() string { return help(c.Verb) }

// help says how a verb, a group of verbs or kubectl itself is used.
func help(name string) string {
	var b strings.Builder
	if v := findVerb(name); v != nil {
		d := v.doc()
		fmt.Fprintf(&b, "%s: %s\n\nUsage:\n  %s\n", d.Name, d.Brief, d.Use)
		for i, f := range append(d.Flags, globalFlags[0].doc()) {
			if i == 0 {
				b.WriteString("\nOptions:\n")
			}
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
