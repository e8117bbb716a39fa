package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/rollplay/rollplay/engine/oracle/conformance/podlife"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realcluster"
	"github.com/rollplay/rollplay/engine/words"
)

// podsEach is how many scenarios of pods, or rollouts, one process compares: about 28 MiB stay of each real run.
const podsEach = 10

// runPods compares the lives of pods with upstream's kubelet, or rollouts with a real cluster, in processes one after the other.
func runPods() (exit int) {
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		return 2
	}
	parts, failed := 0, 0
	for k := 0; k < *count; k += podsEach {
		parts++
		c := exec.Command(self, "-kind", *kind, "-seed", fmt.Sprint(*seed), "-first", fmt.Sprint(k), "-n", fmt.Sprint(min(*count, k+podsEach)))
		c.Stdout, c.Stderr = os.Stdout, os.Stderr
		if err := c.Run(); err != nil {
			failed++
		}
	}
	fmt.Printf("%s, seed %d, 0 to %d: %d of %s found a difference or failed\n", *kind, *seed, *count-1, failed, words.Plural(parts, "part"))
	return min(failed, 1)
}

// compareRollouts compares rollouts with those of a real cluster.
func compareRollouts(t *testing.T) (exit int) {
	from, end := max(*first, 0), *count
	if *only >= 0 {
		from, end = *only, *only+1
	}
	different, chosen := 0, 0
	for k := from; k < end; k++ {
		r := realcluster.Draw(*seed, k)
		differs, choice := false, false
		for _, run := range r.Runs(t) {
			if run.Difference != "" {
				fmt.Printf("rollout %d of seed %d, %s: %s %s\n", k, *seed, r, run.Difference, run.Choice)
			}
			differs = differs || run.Difference != "" && run.Choice == ""
			choice = choice || run.Choice != ""
			if *show {
				fmt.Printf("%s\n  real %v\n  ours %v\n", r, run.Real, run.Ours)
			}
		}
		switch {
		case differs:
			different++
		case choice:
			chosen++
		}
	}
	fmt.Printf("rollouts %d to %d: %d different, %d by choice (%s: a kubelet's client has no limit in ours)\n", from, end-1, different, chosen,
		realcluster.KubeletLimit)
	return min(different, 1)
}

// comparePods compares the scenarios of this process, or those of files.
func comparePods(t *testing.T) (exit int) {
	texts := map[int]string{}
	first, end := max(*first, 0), *count
	if *only >= 0 {
		first, end = *only, *only+1
	}
	for k := first; k < end; k++ {
		texts[k] = podlife.Draw(*seed, k)
	}
	if flag.NArg() > 0 {
		b, err := os.ReadFile(flag.Arg(0))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		texts, first, end = map[int]string{0: string(b)}, 0, 1
	}
	different, ties, entries := 0, 0, 0
	for k := first; k < end; k++ {
		v := podlife.Scenario(t, texts[k])
		entries += v.Entries
		if v.Difference == nil {
			if v.Again > 0 {
				fmt.Printf("scenario %d of seed %d: the same after %s more of the real kubelet\n", k, *seed, words.Plural(v.Again, "run"))
			}
			if v.Shifted {
				ties++
			}
			continue
		}
		different++
		fmt.Printf("scenario %d of seed %d: %s\n", k, *seed, v.Difference.Text)
		if *show {
			fmt.Printf("%s\nreal\n%s\nours\n%s\n", texts[k], v.Real, v.Ours)
		}
	}
	fmt.Printf("scenarios %d to %d: %d statuses and events compared, %d scenarios different, %d by choice (ties)\n", first, end-1, entries, different, ties)
	return min(different, 1)
}
