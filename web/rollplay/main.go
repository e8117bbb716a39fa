// Command rollplay builds, serves and plays rollplay:
//
//	go run ./web/rollplay serve                    build the playground and serve it
//	go run ./web/rollplay build -o dist            write it as static files
//	go run ./web/rollplay run first-rollout        print the trace of a scenario
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

const usage = `Usage:

  go run ./web/rollplay serve [-addr localhost:8000]
        build the playground and serve it
  go run ./web/rollplay build [-o dist] [-url https://example.org/rollplay/]
        write the playground as static files, which work under any path;
        what has to name a whole address needs -url: sitemap, previews, oEmbed
  go run ./web/rollplay run [-o text|json] [-kubectl LINE [-at 12s]] [-check] FILE
        play a scenario without a browser and print its trace, or what a
        reading command prints: -kubectl 'get rs -w'; with -check say
        whether the run shows what the scenario expects;
        FILE is a YAML file, - for standard input, the name of a shipped scenario,
        or a link: '#1.…', '#s=first-rollout' or a whole URL
  go run ./web/rollplay link [-base URL] FILE
        print the link of a scenario, which opens it in the playground at URL
`

// errSaid is a failure of which everything has been said.
var errSaid = errors.New("failed")

// errUsage is returned for a command line that cannot be understood.
var errUsage = errors.New("usage")

func main() {
	os.Exit(run(os.Args[1:], console{os.Stdin, os.Stdout, os.Stderr}))
}

// console is where a command reads and writes.
type console struct {
	in       io.Reader
	out, err io.Writer
}

// run carries out one command line and returns the exit code: 1 for a failure, 2 for a wrong command line.
func run(args []string, c console) int {
	err := dispatch(args, c)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(c.out, usage)
		return 0
	case errors.Is(err, errSaid):
		return 1
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
	case "link":
		return printLink(args[1:], c)
	case "help", "-h", "-help", "--help":
		return flag.ErrHelp
	default:
		return fmt.Errorf("%w: there is no command %q", errUsage, args[0])
	}
}

// parse reads the flags of a command and returns the other arguments, of which there must be n. A flag may stand
// behind an argument, as people type it.
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
	if len(rest) != n {
		return nil, fmt.Errorf("%w: %s takes %d arguments, got %d", errUsage, fs.Name(), n, len(rest))
	}
	return rest, nil
}

func usageError(fs *flag.FlagSet, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	return fmt.Errorf("%w: %s: %v", errUsage, fs.Name(), err)
}
