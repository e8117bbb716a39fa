// Command conformance compares the engine's controllers of workloads and budgets with the real ones of Kubernetes.
//
// It draws random scenarios and runs them. Whenever one of the engine's controllers reconciles an object, the real
// controller reconciles it first: the same code that runs in kube-controller-manager, in fake time, with the same
// objects in its caches and the same ones behind its API server. Then what both wrote, in which order, what they
// stored, which events they sent, which error they returned and which keys they queued is compared. So is every eviction:
// the real handler decides about it first (evictions.go).
//
//	go run . -n 5000 -seed 7         compare that many scenarios
//	go run . -kind daemonset         of DaemonSets (or statefulset, pdb)
//	go run . -seed 7 -only 123       compare one of them again
//	go run . scenario.yaml           compare a scenario of one's own
//
// A scenario that differs is simplified as long as the difference stays, and printed.
//
// Not compared are the names of new pods, the hashes of pod templates, the order of what upstream does in parallel, and
// which of several pods or nodes comes first where upstream's own order leaves it open (ties.go, daemonties.go). Retry delays are compared without the
// token bucket of ten a second, which the engine leaves out.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// kinds are the subjects of random scenarios. pdb has budgets over pods of several owners.
var kinds = []string{"deployment", "statefulset", "daemonset", "pdb"}

var (
	count = flag.Int("n", 500, "how many scenarios to compare")
	kind  = flag.String("kind", "deployment", "what the scenarios are about: "+strings.Join(kinds, ", "))
	seed  = flag.Uint64("seed", 1, "what the scenarios are drawn from")
	only  = flag.Int("only", -1, "compare only the scenario of this number")
	show  = flag.Bool("show", false, "print the scenarios before they are compared")
	plain = flag.Bool("noshrink", false, "do not simplify scenarios that differ")
)

func main() {
	flag.Parse()
	if !slices.Contains(kinds, *kind) {
		fmt.Fprintf(os.Stderr, "conformance: -kind is one of %s\n", strings.Join(kinds, ", "))
		os.Exit(2)
	}
	quiet()
	// A bubble of fake time needs a *testing.T; testing.Main is how a program that is no test gets one.
	testing.Main(func(_, _ string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "conformance", F: func(t *testing.T) { os.Exit(run(t)) }}}, nil, nil)
}

func run(t *testing.T) (exit int) {
	if flag.NArg() > 0 {
		return runFiles(t, flag.Args())
	}
	first, end := 0, *count
	if *only >= 0 {
		first, end = *only, *only+1
	}
	tally, began := tally{known: map[string]int{}}, time.Now()
	for k := first; k < end; k++ {
		s := generate(*kind, *seed, k)
		if *show {
			fmt.Printf("scenario %d\n%s", k, s.text())
		}
		v := compare(t, s.text())
		tally.add(v)
		if v.difference != nil && (v.known == "" || *only >= 0) {
			tell(t, k, s, v)
		}
		if n := k - first + 1; n%100 == 0 && n < end-first {
			fmt.Printf("%d scenarios, %d syncs, %.0f syncs/s\n", n, tally.syncs, float64(tally.syncs)/time.Since(began).Seconds())
		}
	}
	return tally.print(time.Since(began))
}

// runFiles compares scenarios from files.
func runFiles(t *testing.T, files []string) (exit int) {
	tally, began := tally{known: map[string]int{}}, time.Now()
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		v := compare(t, string(b))
		tally.add(v)
		if v.difference != nil {
			fmt.Printf("%s: %s\n", f, v.difference)
		}
	}
	return tally.print(time.Since(began))
}

// tell shrinks a scenario that differs and prints it.
func tell(t *testing.T, k int, s *scenario, v verdict) {
	fmt.Printf("\nscenario %d of seed %d: %s\n", k, *seed, v.difference)
	if *plain {
		return
	}
	small := shrink(s, v.sort(), func(s *scenario) verdict { return compare(t, s.text()) })
	fmt.Printf("the smallest scenario with it:\n%s\n", indent(small.text()))
	fmt.Printf("difference there: %s\n\n", compare(t, small.text()).difference)
}

// tally adds verdicts up.
type tally struct {
	scenarios, syncs, wakes, evictions, different int
	known                                         map[string]int
}

func (t *tally) add(v verdict) {
	t.scenarios++
	t.syncs += v.syncs
	t.wakes += v.wakes
	t.evictions += v.evictions
	switch {
	case v.known != "":
		t.known[v.known]++
	case v.difference != nil:
		t.different++
	}
}

// print prints the sum and returns the exit code.
func (t *tally) print(took time.Duration) int {
	for _, k := range knownDifferences {
		fmt.Printf("known: %s: %d (%s)\n", k.name, t.known[k.name], k.reason)
	}
	fmt.Printf("%d calls of event handlers compared, %.0f syncs/s\n", t.wakes, float64(t.syncs)/took.Seconds())
	fmt.Println(summary(t.scenarios, t.syncs, t.evictions, t.different))
	if t.different > 0 {
		return 1
	}
	return 0
}
