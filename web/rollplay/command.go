package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/must"
)

// ends returns what cobra runs for a command that its first error ends.
func ends(run func(args []string)) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) (err error) {
		defer must.Caught(&err)
		run(args)
		return nil
	}
}

// wrongIf ends a command whose command line is wrong.
func wrongIf(wrong bool, format string, args ...any) {
	must.Be(!wrong, "%w: %s", errUsage, fmt.Sprintf(format, args...))
}

// fileCommand returns a command with one argument: a file, a shipped scenario or a link.
func fileCommand(use, group, short string, run func(name string)) *cobra.Command {
	return &cobra.Command{
		Use: use + " FILE", GroupID: group, Short: short, Args: expects(1),
		RunE: ends(func(args []string) { run(args[0]) }),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return scenarios.Names(), cobra.ShellCompDirectiveDefault
		},
	}
}

// expects checks the number of arguments.
func expects(n int) cobra.PositionalArgs {
	return ends(func(args []string) {
		wrongIf(len(args) != n, "it expects %s, got %d", words.Plural(n, "argument"), len(args))
	})
}

// doubleDashes writes the flags of a command line as pflag reads them. Scripts have other spellings, because earlier versions read
// flags with Go's flag package: -seeds 1000, -min-available=75%, --o json. Values keep their dashes.
func doubleDashes(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil {
		return args
	}
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	args = slices.Clone(args)
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		text, dashed := strings.CutPrefix(args[i], "-")
		text = strings.TrimPrefix(text, "-")
		name, _, joined := strings.Cut(text, "=")
		flag, dashes := cmd.Flags().Lookup(name), "--"
		if len(name) == 1 {
			flag, dashes = cmd.Flags().ShorthandLookup(name), "-"
		}
		if !dashed || flag == nil {
			continue
		}
		args[i] = dashes + text
		if !joined && flag.NoOptDefVal == "" {
			i++ // its value
		}
	}
	return args
}

// flagError explains a flag that does not exist or has a wrong value.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name, dashes := unknown.GetSpecifiedName(), "--"
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			name, dashes = short, "-"
		}
		return fmt.Errorf("%w: there is no flag %s%s%s", errUsage, dashes, name, didYouMean(similarFlags(cmd, name)))
	case errors.As(err, &invalid):
		name := "--" + invalid.GetFlag().Name
		if short := invalid.GetFlag().Shorthand; short != "" {
			name = "-" + short
		}
		return fmt.Errorf("%w: %s %v", errUsage, name, invalid.Unwrap())
	}
	return fmt.Errorf("%w: %v", errUsage, err)
}

// similarFlags returns the flags that a typo may mean, by cobra's own measure for commands.
func similarFlags(cmd *cobra.Command, name string) (similar []string) {
	names := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		names.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	for _, s := range names.SuggestionsFor(name) {
		similar = append(similar, "--"+s)
	}
	return similar
}

// didYouMean ends an error with suggestions, if there are any.
func didYouMean(suggestions []string) string {
	if len(suggestions) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(suggestions, " or ") + "?"
}

// choice is the value of a flag that has one of a few values.
type choice struct {
	value string
	among []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.among, "|") }

func (c *choice) Set(value string) error {
	if !slices.Contains(c.among, value) {
		last := len(c.among) - 1
		return fmt.Errorf("is %s or %s, not %q", strings.Join(c.among[:last], ", "), c.among[last], value)
	}
	c.value = value
	return nil
}

// choose adds a flag with a few values, which the shell completes.
func choose(cmd *cobra.Command, name, short, value, usage string, among ...string) *choice {
	c := &choice{value, among}
	cmd.Flags().VarP(c, name, short, usage)
	completes(cmd, name, among)
	return c
}

// completes lets the shell complete the values of a flag.
func completes(cmd *cobra.Command, name string, values []string) {
	if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag exists
	}
}

// output adds the flag -o for the format, the first of which is the default.
func output(cmd *cobra.Command, formats ...string) *choice {
	return choose(cmd, "output", "o", formats[0], "the format", formats...)
}

// between is the value of a flag that is a number within limits.
type between struct {
	value     *int
	low, high int
}

func (b between) String() string { return strconv.Itoa(*b.value) }
func (b between) Type() string   { return "int" }

func (b between) Set(text string) error {
	n, err := strconv.Atoi(text)
	switch {
	case err == nil && n >= b.low && n <= b.high:
		*b.value = n
		return nil
	case b.high == math.MaxInt:
		return fmt.Errorf("is at least %d, not %q", b.low, text)
	}
	return fmt.Errorf("is a number from %d to %d, not %q", b.low, b.high, text)
}

// workloadFlag and baseFlag add flags that many commands share.
func workloadFlag(f *pflag.FlagSet, of *string) {
	f.StringVar(of, "of", "", "the `workload`: deployment/web, or web; by default the first one")
}

func baseFlag(f *pflag.FlagSet, base *string) {
	f.StringVar(base, "base", "", "the `address` of the playground, which links begin with")
}

// noDefault leaves the default out of the help, where it only marks a flag that is not given.
func noDefault(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		f.Lookup(name).DefValue = "0"
	}
}

// outputs is the value of a flag -o that may be given several times: FORMAT, or FORMAT=FILE.
type outputs struct {
	among []string
	list  []outputTo
}

// outputTo is a format with its file, "" for standard output.
type outputTo struct{ format, file string }

func (o *outputs) String() string {
	if len(o.list) == 0 {
		return o.among[0]
	}
	return words.Join(o.list, ",", func(x outputTo) string { return strings.TrimSuffix(x.format+"="+x.file, "=") })
}

func (o *outputs) Type() string { return strings.Join(o.among, "|") + "[=FILE]" }

func (o *outputs) Set(text string) error {
	format, file, named := strings.Cut(text, "=")
	toScreen := func(x outputTo) bool { return x.file == file }
	switch {
	case !slices.Contains(o.among, format):
		return fmt.Errorf("is one of %s, perhaps with =FILE, not %q", strings.Join(o.among, ", "), text)
	case named && file == "":
		return fmt.Errorf("needs a file behind %s=", format)
	case slices.ContainsFunc(o.list, toScreen) && named:
		return fmt.Errorf("is written to %s twice", file)
	case slices.ContainsFunc(o.list, toScreen):
		return fmt.Errorf("has two formats for standard output; write one of them to a file: %s=FILE", format)
	}
	o.list = append(o.list, outputTo{format, file})
	return nil
}

// outputFlag adds a flag -o that may be given several times; the first format is the default.
func outputFlag(cmd *cobra.Command, formats ...string) *outputs {
	o := &outputs{among: formats}
	cmd.Flags().VarP(o, "output", "o", "the format; =FILE writes it to a file beside what is printed, and the flag may be repeated")
	completes(cmd, "output", formats)
	return o
}

// write writes every format. What has only files also prints the default format.
func (o *outputs) write(screen io.Writer, as func(format string, w io.Writer)) {
	list := o.list
	if !slices.ContainsFunc(list, func(x outputTo) bool { return x.file == "" }) {
		list = append([]outputTo{{o.among[0], ""}}, list...)
	}
	for _, x := range list {
		if x.file == "" {
			as(x.format, screen)
			continue
		}
		f := must.Have(os.Create(x.file))
		safe := words.NewWriter(f)
		as(x.format, safe)
		must.Do(safe.Flush())
		must.Do(f.Close())
	}
}
