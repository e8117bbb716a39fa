package main

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"text/tabwriter"
	"time"
)

// result is what go test printed about a target.
type result struct {
	target
	execs   int
	elapsed time.Duration
	added   int // inputs that reached new code, added to the corpus in Go's cache
	failed  bool
	file    string // the failing input
}

var (
	// Go prints this every three seconds and at the end. The line while it collects the coverage of the corpus has no execs.
	progressed = regexp.MustCompile(`(?m)^fuzz: elapsed: (\S+), execs: (\d+) .*?new interesting: (\d+)`)
	written    = regexp.MustCompile(`Failing input written to (\S+)`)
)

// read reads the output of go test -fuzz. Its last line of progress has the sums.
func read(t target, out string) result {
	r := result{target: t}
	if all := progressed.FindAllStringSubmatch(out, -1); len(all) > 0 {
		last := all[len(all)-1]
		r.elapsed, _ = time.ParseDuration(last[1]) // Go's own format; zero gives no rate
		r.execs, _ = strconv.Atoi(last[2])
		r.added, _ = strconv.Atoi(last[3])
	}
	if m := written.FindStringSubmatch(out); m != nil {
		r.file = t.dir + "/" + m[1]
	}
	return r
}

// perSecond is how often the target ran in a second.
func (r result) perSecond() string {
	if r.elapsed <= 0 {
		return "-"
	}
	return strconv.Itoa(int(float64(r.execs) / r.elapsed.Seconds()))
}

func (r result) verdict() string {
	switch {
	case r.file != "":
		return "FAILED: " + r.file
	case r.failed:
		return "FAILED"
	case r.execs == 0:
		return "did not run"
	}
	return "ok"
}

func table(w io.Writer, results []result) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "executions\tper second\tnew inputs\t  target\n")
	for _, r := range results {
		fmt.Fprintf(t, "%d\t%s\t%d\t  %s: %s\n", r.execs, r.perSecond(), r.added, r.target, r.verdict())
	}
	t.Flush()
	if len(results) == 0 {
		fmt.Fprintln(w, "no fuzz function has that name")
	}
}
