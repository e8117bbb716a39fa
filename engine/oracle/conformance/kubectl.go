package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/oracle/conformance/kubectl"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
)

// linesEach is how many lines are asked at one moment: starting the real server takes about as long as some hundred of them.
const linesEach = 100

// streamsEach is how many of them keep printing; each has a server of its own.
const streamsEach = 5

// runKubectl compares lines of kubectl with the real one.
func runKubectl() (exit int) {
	tally, began := new(kubectl.Tally), time.Now()
	for _, file := range flag.Args() {
		if err := kubectl.CompareFile(tally, file, tellLine); err != nil {
			fmt.Fprintln(os.Stderr, "conformance:", err)
			return 2
		}
	}
	if flag.NArg() > 0 {
		return tellAll(tally)
	}
	for k := 0; tally.Compared < *count; k++ {
		if *only >= 0 {
			k = *only
		}
		c, lines, streams, err := kubectl.Draw(*seed, k, min(linesEach-streamsEach, *count-tally.Compared), streamsEach)
		var list, on []*kubectl.Verdict
		if err == nil {
			list, err = kubectl.Compare(c, lines)
		}
		if err == nil {
			on, err = kubectl.CompareStreams(c, streams)
			tally.Add(append(list, on...))
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "cluster %d of seed %d: %v\n", k, *seed, err)
			return 2
		}
		if *show {
			fmt.Printf("%d lines, %d different, %.0f s\n", tally.Compared, tally.Different(), time.Since(began).Seconds())
		}
		if *only >= 0 {
			for _, v := range append(list, on...) {
				tellLine(v.Real.Line, v)
			}
			break
		}
	}
	return tellAll(tally)
}

// tellAll prints what came of a comparison, and returns the exit code.
func tellAll(tally *kubectl.Tally) int {
	tally.Print(os.Stdout, *show)
	if tally.Different() > 0 {
		return 1
	}
	return 0
}

// tellLine says what became of a line of a file.
func tellLine(line string, v *kubectl.Verdict) {
	switch {
	case !*show:
	case v.Refused != "":
		fmt.Printf("refused (%s): %s\n", v.Refused, line)
	case v.Different():
		fmt.Printf("different: %s\n--- real (exit %d)\n%s--- ours (exit %d)\n%s\n%s\n", line, v.Real.Code, timed(&v.Real), v.Ours.Code, timed(&v.Ours), v)
	case len(v.Choices) > 0:
		fmt.Printf("choice %s: %s\n", strings.Join(v.Choices, ", "), line)
	default:
		fmt.Printf("equal: %s\n", line)
	}
}

// timed returns what is printed, with the moment of each line if the command keeps printing.
func timed(a *realkubectl.Answer) string {
	if len(a.Lines) == 0 {
		return a.Text
	}
	var b strings.Builder
	for _, l := range a.Lines {
		fmt.Fprintf(&b, "%s %s\n", l.At.UTC().Format("15:04:05.000"), l.Text)
	}
	return b.String()
}
