// Command rollplay builds and serves the playground, and plays scenarios in a terminal:
//
//	rollplay serve                    build the playground and serve it
//	rollplay build -o dist            write it as static files
//	rollplay run first-rollout        print the trace of a scenario
//	rollplay forecast first-rollout   print how its rollouts went, in numbers
//	rollplay sweep first-rollout      compare settings of maxSurge and maxUnavailable
//	rollplay capacity first-rollout   say which free slots and which quota it needs
//	rollplay prove first-rollout      try every order in which its pods become Ready
//	rollplay check deploy.yaml        say whether an update stays within limits
//	rollplay merge 0.jsonl 1.jsonl    join what the shards of a command have printed
//	rollplay link first-rollout       print the link of a scenario
//	rollplay export first-rollout     write it as YAML, a trace or a picture
//	rollplay poster LINK -o x.svg     draw it, light and dark
//
// "rollplay help COMMAND" explains a command. In a clone "go run ./web/rollplay" does the same without installing anything. Installed as
// kubectl-rollplay, the program is the plugin "kubectl rollplay".
package main

import (
	_ "embed" // the help
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/rollplay/rollplay/app/version"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/web/must"
)

// The errors with an exit code or a message of their own.
var (
	errUsage   = errors.New("usage")   // the command line is wrong
	errSaid    = errors.New("failed")  // the command has printed why
	errUnknown = errors.New("unknown") // the command has printed a verdict that is neither yes nor no
)

// exitCodes is a part of each help page. Scripts rely on the codes.
const exitCodes = `Exit codes:
  0  the command worked, and everything that was to be checked holds
  1  no: a limit, bound, expectation or goal is not met, or the line of --kubectl fails
  2  the command line or the input is wrong: it cannot be read, written or played, or it is too large
  3  the answer is unknown: something decides that is not modelled or only assumed (check, prove), there are more runs than
     --max (prove), a run grows too large, or --timeout or --memory is exceeded; also a bug of rollplay, with its traceback
`

func main() {
	os.Exit(execute(programName(os.Args[0]), pluginArguments(os.Args), stdConsole()))
}

// stdConsole is the console of the process. Progress is for people: only a terminal gets it.
func stdConsole() console {
	c := console{os.Stdin, os.Stdout, os.Stderr, newWatch()}
	if stat, err := os.Stderr.Stat(); err == nil && stat.Mode()&os.ModeCharDevice != 0 {
		c.watch.terminal = os.Stderr
	}
	return c
}

// programName returns the name that people type: kubectl looks for the plugin "kubectl rollplay" in a file called kubectl-rollplay.
func programName(path string) string {
	if strings.HasPrefix(filepath.Base(path), "kubectl") {
		return "kubectl rollplay"
	}
	return "rollplay"
}

// pluginArguments returns the arguments of a command line. kubectl completes the lines of a plugin with a program of another name, which
// may be a symbolic link: kubectl_complete-rollplay.
func pluginArguments(args []string) []string {
	if strings.HasPrefix(filepath.Base(args[0]), "kubectl_complete-") {
		return append([]string{cobra.ShellCompRequestCmd}, args[1:]...)
	}
	return args[1:]
}

// execute carries out one command line and returns its exit code.
func execute(name string, args []string, c console) (code int) {
	c, flush := c.safe()
	defer func() {
		if wrong := recover(); wrong != nil {
			b, of := wrong.(bug)
			if !of {
				b = bug{wrong, debug.Stack()}
			}
			fmt.Fprintf(c.err, "rollplay has a bug: %v\n%s", b.wrong, b.stack)
			code = 3
		}
		if err := flush(); err != nil && code == 0 {
			code = 2
		}
	}()
	root := newRoot(name, c)
	args = doubleDashes(root, args)
	c.watch.shard.args = withoutShard(args)
	root.SetArgs(args)
	cmd, err := root.ExecuteC()
	return exitCode(cmd, err, c)
}

// helpText has what each command does, and examples.
//
//go:embed help.txt
var helpText string

// newRoot returns the command with all of its subcommands.
func newRoot(name string, c console) *cobra.Command {
	root := &cobra.Command{
		Use:   "rollplay",
		Short: "a playground for Kubernetes rollouts",
		Long: `rollplay shows what Kubernetes does with your pods when you change a workload.

FILE is a YAML file, - for standard input, the name of a shipped scenario, or a link: '#1.…',
'#s=first-rollout' or a whole URL.`,
		Version:       version.Number,
		SilenceErrors: true,
		SilenceUsage:  true,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: name},
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("%w: which command?", errUsage)
			}
			return fmt.Errorf("%w: there is no command %q%s", errUsage, args[0], didYouMean(cmd.SuggestionsFor(args[0])))
		},
	}
	root.SuggestionsMinimumDistance = 2
	root.SetIn(c.in)
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.SetVersionTemplate("rollplay {{.Version}}\n")
	root.SetHelpTemplate(root.HelpTemplate() + "\n" + exitCodes)
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(&cobra.Group{ID: playing, Title: "Play and share:"}, &cobra.Group{ID: deciding, Title: "Numbers before you deploy:"},
		&cobra.Group{ID: building, Title: "The playground (in a clone of the project):"})
	root.AddCommand(runCommand(c), exportCommand(c), posterCommand(c), linkCommand(c),
		forecastCommand(c), sweepCommand(c), capacityCommand(c), proveCommand(c), checkCommand(c), mergeCommand(name, c),
		serveCommand(c), buildCommand(c), docsCommand(c), versionCommand(c))
	for _, cmd := range root.Commands() {
		setHelp(cmd, name)
	}
	return root
}

// setHelp gives a command its text and its examples, which have the name under which the program is installed.
func setHelp(cmd *cobra.Command, name string) {
	_, text, _ := strings.Cut("\n"+helpText, "\n== "+cmd.Name()+"\n")
	text, _, _ = strings.Cut(text, "\n== ")
	long, examples, _ := strings.Cut(strings.TrimSuffix(text, "\n"), "\n-- examples --\n")
	cmd.Long = strings.Replace(long, "{settings}", strings.Join(sweep.AxisNames(), ", "), 1)
	cmd.Example = strings.ReplaceAll(examples, "rollplay ", name+" ")
}

// The groups of commands in the help.
const (
	playing  = "play"
	deciding = "decide"
	building = "build"
)

func versionCommand(c console) *cobra.Command {
	return &cobra.Command{Use: "version", Short: "print the version", Args: expects(0), Run: func(*cobra.Command, []string) {
		fmt.Fprintln(c.out, "rollplay", version.Number)
	}}
}

// exitCode prints an error, unless the command has done so, and returns its code.
func exitCode(cmd *cobra.Command, err error, c console) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errSaid):
		return 1
	case errors.Is(err, errUnknown):
		return 3
	case errors.Is(err, errUsage):
		printUsage(cmd, err, c)
		return 2
	}
	fmt.Fprintln(c.err, err)
	return 2
}

// printUsage prints a wrong command line's error and how the command is used.
func printUsage(cmd *cobra.Command, err error, c console) {
	fmt.Fprintf(c.err, "%s: %s\n\n", cmd.CommandPath(), strings.TrimPrefix(err.Error(), errUsage.Error()+": "))
	if !cmd.HasParent() {
		fmt.Fprint(c.err, cmd.UsageString())
		return
	}
	fmt.Fprintf(c.err, "Usage:\n  %s\n\n\"%s --help\" shows its flags and examples.\n", cmd.UseLine(), cmd.CommandPath())
}

// console is where a command reads and writes.
type console struct {
	in       io.Reader
	out, err io.Writer
	watch    *watch // over the time and memory of the command
}

// safe is a console that shows control characters instead of obeying them: names and texts may come from a stranger's link.
func (c console) safe() (console, func() error) {
	out, err := words.NewWriter(c.out), words.NewWriter(c.err)
	return console{c.in, out, err, c.watch}, func() error { return errors.Join(out.Flush(), err.Flush()) }
}

func docsCommand(c console) *cobra.Command {
	docs := &cobra.Command{Use: "docs", GroupID: building, Short: "write the documentation of the command"}
	var dir string
	man := &cobra.Command{Use: "man", Short: "write a man page for each command", Args: expects(0),
		RunE: ends(func([]string) { manPages(docs.Root(), dir, c) })}
	man.Example = "  rollplay docs man --output /usr/local/share/man/man1"
	man.Flags().StringVarP(&dir, "output", "o", "man", "the `folder` to write")
	docs.AddCommand(man)
	return docs
}

// manPages writes a man page for each command. Pages of the same version have the same bytes if SOURCE_DATE_EPOCH is set.
func manPages(root *cobra.Command, dir string, c console) {
	must.Do(os.MkdirAll(dir, 0o755))
	root.DisableAutoGenTag = true
	for _, cmd := range append(root.Commands(), root) {
		cmd.Long = cmd.Long + "\n\n" + exitCodes
	}
	header := &doc.GenManHeader{Section: "1", Source: "rollplay " + version.Number, Manual: "rollplay"}
	must.Do(doc.GenManTree(root, header, dir))
	fmt.Fprintf(c.out, "The man pages are in %s: man %s/rollplay.1\n", dir, dir)
}
