// Command conformance compares the engine's controllers of workloads and budgets with the real ones of Kubernetes.
//
// It draws random scenarios (package generate) and runs them (package compare). Whenever one of the engine's controllers
// reconciles an object, the real controller reconciles it first (package upstream): the same code that runs in
// kube-controller-manager, in fake time, with the same objects in its caches and behind its API server. Then everything the
// two did is compared: what they wrote, in which order, what they stored, which events they sent, which error they returned
// and which keys they queued. The same holds for every eviction: the real handler decides about it first.
//
//	go run . -n 5000 -seed 7         compare 5000 scenarios
//	go run . -kind daemonset         of DaemonSets (or statefulset, pdb, story)
//	go run . -kind kubectl -n 3000   compare 3000 lines of kubectl with the real one
//	go run . -kind kubectl lines.txt compare the lines of a file: SCENARIO MS LINE
//	go run . -kind kubelet -n 100    compare the lives of pods with upstream's whole kubelet (package podlife)
//	go run . -kind service -n 2000   compare Services with the real EndpointSlice controller, and kube-proxy's choices (package service)
//	go run . -kind cluster -n 20     compare rollouts with a whole cluster of upstream's programs (package realcluster)
//	go run . -seed 7 -only 123       compare one of them again
//	go run . scenario.yaml           compare a scenario of your own
//
// A scenario that differs is simplified as long as the difference stays, and printed.
//
// Not compared are the names of new pods, the hashes of pod templates, the order of what upstream does in parallel, and
// which of several pods or nodes comes first where upstream's own order leaves it open. The delays of retries are compared
// as client-go's default rate limiter computes them, its token bucket included; the queues themselves are not: when a key
// is worked on is the engine's decision, and a test of package sim checks it.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/engine/oracle/conformance/compare"
	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubectl"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
)

var (
	count = flag.Int("n", 500, "how many scenarios to compare")
	kind  = flag.String("kind", "deployment", "what the scenarios are about: "+strings.Join(generate.Kinds, ", ")+"; or service, kubectl, kubelet, cluster")
	seed  = flag.Uint64("seed", 1, "the seed from which the scenarios are drawn")
	first = flag.Int("first", -1, "of -kind kubelet: compare in this process, from this number on")
	only  = flag.Int("only", -1, "compare only the scenario of this number")
	show  = flag.Bool("show", false, "print the scenarios before they are compared")
	plain = flag.Bool("noshrink", false, "do not simplify scenarios that differ")
)

// whole are the kinds that compare whole programs of upstream with ours, in processes of their own.
var whole = []string{"kubelet", "cluster"}

// services is the kind of the EndpointSlice controller and kube-proxy.
const services = "service"

func main() {
	realkubectl.Serve()
	flag.Parse()
	if *kind == "kubectl" {
		os.Exit(runKubectl())
	}
	if slices.Contains(whole, *kind) && *first < 0 && *only < 0 && flag.NArg() == 0 {
		os.Exit(runPods())
	}
	if *kind != services && !slices.Contains(whole, *kind) && !slices.Contains(generate.Kinds, *kind) {
		fmt.Fprintf(os.Stderr, "conformance: -kind is one of %s, service, kubectl, kubelet, cluster\n", strings.Join(generate.Kinds, ", "))
		os.Exit(2)
	}
	upstream.Quiet()
	// A bubble of fake time needs a *testing.T; testing.Main gives a program one that is not a test.
	testing.Main(func(_, _ string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "conformance", F: func(t *testing.T) { os.Exit(runAndClear(t)) }}}, nil, nil)
}

// runAndClear removes the run's temporary folders, as the end of a test does; os.Exit would leave them.
func runAndClear(t *testing.T) (exit int) {
	t.Run("run", func(t *testing.T) { exit = run(t) })
	return exit
}

func run(t *testing.T) (exit int) {
	if *kind == "kubelet" {
		return comparePods(t)
	}
	if *kind == services {
		return compareServices(t)
	}
	if *kind == "cluster" {
		return compareRollouts(t)
	}
	if flag.NArg() > 0 {
		return runFiles(t, flag.Args())
	}
	first, end := 0, *count
	if *only >= 0 {
		first, end = *only, *only+1
	}
	tally, began := tally{known: map[string]int{}}, time.Now()
	for k := first; k < end; k++ {
		s := generate.New(*kind, *seed, k)
		if *show {
			fmt.Printf("scenario %d\n%s", k, s.Text())
		}
		v := compare.Scenario(t, s.Text())
		tally.add(v)
		if v.Difference != nil && (v.Known == "" || *only >= 0) {
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
		v := compare.Scenario(t, string(b))
		tally.add(v)
		if v.Difference != nil {
			fmt.Printf("%s: %s\n", f, v.Difference)
		}
	}
	return tally.print(time.Since(began))
}

// tell simplifies a scenario that differs and prints it.
func tell(t *testing.T, k int, s *generate.Scenario, v compare.Verdict) {
	fmt.Printf("\nscenario %d of seed %d: %s\n", k, *seed, v.Difference)
	if *plain {
		return
	}
	small := generate.Shrink(s, func(s *generate.Scenario) bool {
		d := compare.Scenario(t, s.Text()).Difference
		return d != nil && d.Sort() == v.Difference.Sort()
	})
	text := strings.ReplaceAll(strings.TrimSpace(small.Text()), "\n", "\n    ")
	fmt.Printf("the smallest scenario with it:\n    %s\n", text)
	fmt.Printf("difference there: %s\n\n", compare.Scenario(t, small.Text()).Difference)
}

// tally adds verdicts up.
type tally struct {
	scenarios, syncs, wakes, evictions, different int
	known                                         map[string]int
}

func (t *tally) add(v compare.Verdict) {
	t.scenarios++
	t.syncs += v.Syncs
	t.wakes += v.Wakes
	t.evictions += v.Evictions
	switch {
	case v.Known != "":
		t.known[v.Known]++
	case v.Difference != nil:
		t.different++
	}
}

// print prints the sums and returns the exit code.
func (t *tally) print(took time.Duration) int {
	for _, k := range compare.KnownDifferences {
		fmt.Printf("known: %s: %d (%s)\n", k.Name, t.known[k.Name], k.Reason)
	}
	fmt.Printf("%d calls of event handlers compared, %.0f syncs/s\n", t.wakes, float64(t.syncs)/took.Seconds())
	fmt.Printf("%d scenarios, %d syncs and %d evictions compared, %d different\n", t.scenarios, t.syncs, t.evictions, t.different)
	if t.different > 0 {
		return 1
	}
	return 0
}
