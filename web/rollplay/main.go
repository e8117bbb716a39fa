// Command rollplay builds and serves the playground, and plays scenarios in a terminal:
//
//	rollplay serve                    build the playground and serve it
//	rollplay build -o dist            write it as static files
//	rollplay run first-rollout        print the trace of a scenario
//	rollplay forecast first-rollout   print how its rollouts went, in numbers
//	rollplay sweep first-rollout      compare settings of maxSurge and maxUnavailable
//	rollplay capacity first-rollout   say how many nodes and which quota it needs
//	rollplay prove first-rollout      try every order in which its pods become Ready
//	rollplay check deploy.yaml        say whether an update stays within limits
//	rollplay link first-rollout       print the link of a scenario
//	rollplay export first-rollout     write it as YAML, a trace or a picture
//	rollplay poster LINK -o x.svg     draw it, light and dark
//	rollplay version                  print the version
//
// In a clone `go run ./web/rollplay` does the same without installing anything.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/rollplay/rollplay/app/version"
)

const usage = `Usage:

  rollplay serve [-addr localhost:8000]
        build the playground and serve it
  rollplay build [-o dist] [-url https://example.org/rollplay/] [-debug]
        write the playground as static files, which work under any path;
        the sitemap, previews and oEmbed contain whole addresses and need -url;
        -debug keeps what helps to find a bug in app.wasm: lines, and names for profiles
  rollplay run [-o text|json] [-kubectl LINE [-at 12s]] [-check] FILE
        play a scenario without a browser and print its trace, or the answer
        of a reading command: -kubectl 'get rs -w'; -check says whether the
        run meets the expectations of the scenario; of a link to a tried
        exercise, which of its goals are met;
        FILE is a YAML file, - for standard input, the name of a shipped scenario,
        or a link: '#1.…', '#s=first-rollout' or a whole URL
  rollplay forecast [-o table|json] [-seeds 1000 [-of deployment/web] [-base URL]] FILE
        print the scorecard of each rollout of a scenario: how long it took, how
        low it went, what it cost; run -o json ends with the same lines;
        -seeds says how the figures of the first update vary by chance
  rollplay sweep [-x maxSurge] [-y maxUnavailable=0,1,25%] [-of deployment/web]
        [-o table|json|csv|svg] [-color duration] [-paired] [-base URL] FILE
        measure the first update of a workload with many settings; they are
        maxSurge, maxUnavailable, replicas, minReadySeconds, partition, grace,
        readinessPeriod, start (of containers) and nodes; with -paired, cells
        differ only by their settings, because corresponding pods have the same
        random numbers
  rollplay capacity [-node cpu=4,memory=8Gi,pods=110] [-of deployment/web] [-o text|json] FILE
        say which free slots and which quota the first update of a workload
        needs, and how few nodes of a size are enough
  rollplay prove [-crash] [-node] [-min-available N] [-max-pods N] [-max 20000]
        [-every] [-of deployment/web] [-o text|json] [-base URL] FILE
        try every order in which the pods of the first update become Ready, and
        with -crash or -node one crash or one lost node at every moment; say that
        the bounds hold and the update completes for all of them, or print the
        shortest counterexample as a link; one run stands for all that differ only
        in names and ages, unless -every asks for each; -max bounds the runs
        exit code: 0 holds, 1 counterexample, 3 more runs than -max
  rollplay check [-from OLD] [-nodes NODES] [-policy POLICY] [-min-available 75%]
        [-max-outage 0s] [-max-duration 10m] [-max-pods N] [-max-cpu N]
        [-max-memory N] [-seeds 20] [-o text|json|sarif|markdown] [-v]
        [-svg FILE] [-base URL] [-skip-others] MANIFESTS...
        say how low an update goes, how long it takes, what it needs and whether
        nodes can be drained; MANIFESTS are files, or - for standard input:
        helm template . | rollplay check -; -skip-others leaves out files without
        a workload or a budget
        exit code: 0 pass, 1 fail, 2 bad input, 3 unknown, because something
        that is not modelled decides
  rollplay link [-base URL] FILE
        print the link of a scenario, which opens it in the playground at URL
  rollplay export [-o yaml|now|json|svg|png|animated] [-at 12s] [-of deployment/web]
        [-theme light|dark] [-lang en|zh] [-font FILE] [-base URL] [-to FILE] FILE
        write a run as a file: the YAML as written; its objects as they are at a
        moment, ready to apply; the trace; its chart; or its chart in motion, an
        SVG without a script; a PNG in Chinese needs a -font that has Chinese
  rollplay poster -o poster.svg [-at 12s] [-of deployment/web] [-lang en|zh] FILE
        draw the chart of a run as poster.svg and poster-dark.svg (or poster.png,
        with -font as for export), and print the
        text for people who do not see it; -alt instead of -o prints the text alone
  rollplay version
        print the version

serve and build run in a clone of the project, where "go run ./web/rollplay" is the same as "rollplay".
`

// errSaid is a failure that has printed its message already.
var errSaid = errors.New("failed")

// errUsage is the error for a wrong command line.
var errUsage = errors.New("usage")

func main() {
	os.Exit(run(os.Args[1:], console{os.Stdin, os.Stdout, os.Stderr}))
}

// run carries out one command line and returns the exit code: 1 for a failure, 2 for a wrong command line, 3 for a bug of rollplay.
func run(args []string, c console) (code int) {
	c, flush := c.safe()
	defer func() {
		if wrong := recover(); wrong != nil {
			fmt.Fprintf(c.err, "rollplay has a bug: %v\n%s", wrong, debug.Stack())
			code = 3
		}
		if err := flush(); err != nil && code == 0 {
			code = 1
		}
	}()
	return exitCode(dispatch(args, c), c)
}

// exitCode prints an error unless that has been done.
func exitCode(err error, c console) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(c.out, usage)
		return 0
	case errors.Is(err, errSaid):
		return 1
	case errors.Is(err, errUnknown):
		return 3
	case errors.Is(err, errInput):
		fmt.Fprintln(c.err, err)
		return 2
	case errors.Is(err, errUsage):
		fmt.Fprintf(c.err, "%v\n\n%s", err, usage)
		return 2
	default:
		fmt.Fprintln(c.err, err)
		return 1
	}
}

func dispatch(args []string, c console) error {
	if len(args) == 0 {
		return fmt.Errorf("%w: which command?", errUsage)
	}
	switch args[0] {
	case "serve":
		return serve(args[1:], c)
	case "build":
		return build(args[1:], c)
	case "run":
		return play(args[1:], c)
	case "forecast":
		return foretell(args[1:], c)
	case "sweep":
		return sweepFile(args[1:], c)
	case "capacity":
		return room(args[1:], c)
	case "prove":
		return proveFile(args[1:], c)
	case "check":
		return judge(args[1:], c)
	case "export":
		return exportFile(args[1:], c)
	case "poster":
		return posterFile(args[1:], c)
	case "link":
		return printLink(args[1:], c)
	case "version", "-version", "--version":
		fmt.Fprintln(c.out, "rollplay", version.Number)
		return nil
	case "help", "-h", "-help", "--help":
		return flag.ErrHelp
	default:
		return fmt.Errorf("%w: there is no command %q", errUsage, args[0])
	}
}

// some stands for any number of arguments but none.
const some = -1

// parse reads the flags of a command and returns its n other arguments. Flags may follow arguments, as people type them.
func parse(fs *flag.FlagSet, args []string, n int) ([]string, error) {
	fs.SetOutput(io.Discard) // run prints the error and one usage for all
	var rest []string
	for {
		if err := fs.Parse(args); err != nil {
			return nil, usageError(fs, err)
		}
		if fs.NArg() == 0 {
			break
		}
		rest = append(rest, fs.Arg(0))
		args = fs.Args()[1:]
	}
	if len(rest) != n && (n != some || len(rest) == 0) {
		noun := "arguments"
		if n == some {
			return nil, fmt.Errorf("%w: %s expects a file", errUsage, fs.Name())
		}
		if n == 1 {
			noun = "argument"
		}
		return nil, fmt.Errorf("%w: %s expects %d %s, got %d", errUsage, fs.Name(), n, noun, len(rest))
	}
	return rest, nil
}

func usageError(fs *flag.FlagSet, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	return fmt.Errorf("%w: %s: %v", errUsage, fs.Name(), err)
}
