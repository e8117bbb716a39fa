package main

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
)

// event is a line of go test -json, as `go doc test2json` describes it.
type event struct {
	Action     string
	Package    string
	ImportPath string // of a failed build, instead of Package
	Test       string
	Output     string
	Elapsed    float64
}

// key names a test, or a package if test is empty.
type key struct{ pkg, test string }

// summary counts results, and keeps the output of each test until it knows whether the test failed.
type summary struct {
	mu                      sync.Mutex // modules report at the same time
	w                       io.Writer
	passed, failed, skipped int
	output                  map[key]string
	brokenTests             map[string]int // failed tests by package
}

func newSummary(w io.Writer) *summary {
	return &summary{w: w, output: map[key]string{}, brokenTests: map[string]int{}}
}

func (s *summary) read(line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		fmt.Fprintf(s.w, "%s", line) // the go command prints plain text when it cannot start
		return
	}
	switch {
	case e.Action == "build-output":
		fmt.Fprint(s.w, e.Output)
	case e.Action == "output":
		s.output[key{e.Package, e.Test}] += e.Output
	case e.Test != "":
		s.testDone(e)
	default:
		s.packageDone(e)
	}
}

// testDone counts a test or a subtest. The output of a subtest has its own key, so each line is printed once.
func (s *summary) testDone(e event) {
	k := key{e.Package, e.Test}
	switch e.Action {
	case "pass":
		s.passed++
	case "skip":
		s.skipped++
		fmt.Fprintf(s.w, "%s", s.output[k])
	case "fail":
		s.failed++
		s.brokenTests[e.Package]++
		fmt.Fprintf(s.w, "%s", s.output[k])
	default:
		return
	}
	delete(s.output, k)
}

// packageDone prints the line of a package. One that fails without a failing test (it does not compile, or it
// crashed) counts as a failure of its own.
func (s *summary) packageDone(e event) {
	k := key{e.Package, ""}
	switch e.Action {
	case "pass":
		fmt.Fprintf(s.w, "ok    %s (%.1f s)\n", e.Package, e.Elapsed)
	case "fail":
		if s.brokenTests[e.Package] == 0 {
			s.failed++
		}
		s.showUnfinished(e.Package)
		fmt.Fprintf(s.w, "%sFAIL  %s (%.1f s)\n", s.output[k], e.Package, e.Elapsed)
	default:
		return
	}
	delete(s.output, k)
}

// showUnfinished prints the output of unfinished tests: the process died in one of them.
func (s *summary) showUnfinished(pkg string) {
	for k, out := range s.output {
		if k.pkg == pkg && k.test != "" {
			fmt.Fprint(s.w, out)
			delete(s.output, k)
		}
	}
}

// finish prints the last line and returns the exit code for the error that go test ended with.
func (s *summary) finish(err error) int {
	if err != nil && s.failed == 0 {
		s.failed++
		fmt.Fprintln(s.w, "go test:", err)
	}
	fmt.Fprintf(s.w, "%d passed, %d failed, %d skipped\n", s.passed, s.failed, s.skipped)
	if s.failed > 0 {
		return 1
	}
	return 0
}
