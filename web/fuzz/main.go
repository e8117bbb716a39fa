// Command fuzz runs each fuzz function below the given folders for some time, one after the other, because go test accepts
// only one. It ends with a table: how often each of them ran, and what it found.
//
//	fuzz -time 30s -only 'engine FuzzRun' engine app web
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

func main() {
	time := flag.String("time", "30s", "how long each function runs: a duration, or a number of executions such as 1000x")
	only := flag.String("only", "", "a regular expression for `FOLDER NAME` of the functions to run")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz: -only:", err)
		os.Exit(2)
	}
	targets, err := find(".", flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
	var results []result
	for _, t := range targets {
		if pattern.MatchString(t.String()) {
			results = append(results, t.run(*time, os.Stderr))
		}
	}
	table(os.Stdout, results)
	os.Exit(code(results))
}

// run fuzzes a target and shows its progress in one line.
//
// Minimizing an interesting input takes up to a minute by default, during which the target does not run. Ten executions
// are enough: the input is only kept as a start for others, and a failing one is short because the generators are.
func (t target) run(time string, progress io.Writer) result {
	fmt.Fprintf(progress, "%s for %s: ", t, time)
	cmd := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", time, "-fuzzminimizetime", "10x", "./"+t.dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	r := read(t, out.String())
	if err != nil {
		r.failed = true
		fmt.Fprintf(progress, "%v\n%s\n", err, strings.TrimSpace(out.String()))
		return r
	}
	fmt.Fprintf(progress, "%d executions\n", r.execs)
	return r
}

// code is the exit code: zero if every target ran and nothing failed.
func code(results []result) int {
	if len(results) == 0 {
		return 1
	}
	for _, r := range results {
		if r.failed || r.execs == 0 {
			return 1
		}
	}
	return 0
}
