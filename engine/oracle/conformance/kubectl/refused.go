package kubectl

import (
	_ "embed"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/kubectl/pkg/cmd"

	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// refusedText is the list of what ours may refuse: the commands and flags that the real kubectl has and our table has not (a test prints
// them), and below them patterns of lines with a reason each.
//
//go:embed refused.txt
var refusedText string

// refusals matches the sentences of a refusal.
var refusals = regexp.MustCompile(`rollplay (does not|models|simulates|opens|has |is not a shell|runs|explains)|is left out: |a closing . is missing`)

// refusal returns the entry of the list that lets ours refuse a line: ours must do so in words, and fail, and change nothing.
func refusal(asked string, real, ours *outcome) string {
	asked = asked[strings.LastIndex(asked, "| kubectl ")+1:]
	asked = strings.TrimPrefix(asked, " kubectl ") // whose exit code it is
	said := ours.text
	for _, l := range ours.lines {
		said += l.Text + "\n"
	}
	if ours.code <= 0 || len(ours.objects) > 0 || !refusals.MatchString(said) {
		return ""
	}
	if entry := foreign(asked); entry != "" {
		return entry
	}
	_, patterns, _ := strings.Cut(refusedText, "\n-- lines --\n")
	head, _, _ := strings.Cut(asked, "\n")
	for entry := range strings.Lines(patterns) {
		pattern, reason, _ := strings.Cut(strings.TrimSpace(entry), "   # ")
		ofManifest := strings.HasPrefix(pattern, "(?s)") // it looks into the manifest, and then ours must give the reason
		switch {
		case pattern == "" || pattern[0] == '#':
		case ofManifest && matches(pattern, asked) && strings.Contains(said, reason), !ofManifest && matches(pattern, head):
			return pattern
		}
	}
	return ""
}

// tree is the real kubectl's tree of commands.
var tree = sync.OnceValue(func() *cobra.Command {
	return cmd.NewKubectlCommand(cmd.KubectlOptions{ConfigFlags: genericclioptions.NewConfigFlags(true),
		IOStreams: genericiooptions.IOStreams{In: strings.NewReader(""), Out: io.Discard, ErrOut: io.Discard}})
})

// ourFlags are the flags of each of our verbs.
var ourFlags = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, v := range line.Modelled() {
		flags := []string{"namespace", "help"}
		for _, f := range v.Flags {
			_, name, _ := strings.Cut(f.Name, "--")
			name, _, _ = strings.Cut(name, "=")
			flags = append(flags, name)
		}
		all[v.Name] = flags
	}
	return all
})

// foreign returns the command or flag of a line that the list has.
func foreign(asked string) string {
	asked, _, _ = strings.Cut(asked, "<<")
	words := strings.Fields(asked)
	command, _, err := tree().Find(words)
	if err != nil || command == tree() {
		return ""
	}
	name := nameOf(command)
	if listed(name) {
		return name
	}
	for _, w := range words {
		if f := flagOf(command, w); f != nil && listed(name+" --"+f.Name) {
			return name + " --" + f.Name
		}
	}
	return ""
}

// nameOf is what a command is called in our table, which has one kind of secrets.
func nameOf(c *cobra.Command) string {
	return strings.TrimSuffix(strings.TrimPrefix(c.CommandPath(), "kubectl "), " generic")
}

// flagOf returns the flag of a command that a word is, nil if it is no flag.
func flagOf(c *cobra.Command, word string) *pflag.Flag {
	c.InheritedFlags() // it joins the flags of the parents
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	switch {
	case strings.HasPrefix(word, "--"):
		return c.Flags().Lookup(name)
	case strings.HasPrefix(word, "-") && name != "":
		return c.Flags().ShorthandLookup(name[:1])
	}
	return nil
}

func listed(entry string) bool {
	head, _, _ := strings.Cut(refusedText, "\n-- lines --\n")
	return slices.Contains(strings.Split(head, "\n"), entry)
}

// unmodelled lists the commands and flags of the real kubectl that our table has not.
func unmodelled() (entries []string) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		name := nameOf(c)
		flags, modelled := ourFlags()[name]
		c.InheritedFlags()
		switch {
		case modelled:
			c.Flags().VisitAll(func(f *pflag.Flag) {
				if !slices.Contains(flags, f.Name) {
					entries = append(entries, name+" --"+f.Name)
				}
			})
		case !c.HasSubCommands():
			entries = append(entries, name)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	for _, c := range tree().Commands() {
		walk(c)
	}
	slices.Sort(entries)
	return slices.Compact(entries)
}
