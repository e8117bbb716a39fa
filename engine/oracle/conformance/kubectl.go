package main

import (
	"fmt"
	"os"
	"time"

	"github.com/rollplay/rollplay/engine/oracle/conformance/kubectl"
)

// linesEach is how many lines are asked at one moment: starting the real server takes about as long as some hundred of them.
const linesEach = 100

// runKubectl compares lines of kubectl with the real one.
func runKubectl() (exit int) {
	tally, began := new(kubectl.Tally), time.Now()
	for k := 0; tally.Compared < *count; k++ {
		if *only >= 0 {
			k = *only
		}
		c, lines, err := kubectl.Draw(*seed, k, min(linesEach, *count-tally.Compared))
		if err == nil {
			var list []*kubectl.Difference
			list, err = kubectl.Compare(c, lines)
			tally.Add(len(lines), list)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "cluster %d of seed %d: %v\n", k, *seed, err)
			return 2
		}
		if *show {
			fmt.Printf("%d lines, %d different, %.0f s\n", tally.Compared, tally.Different(), time.Since(began).Seconds())
		}
		if *only >= 0 {
			break
		}
	}
	tally.Print(os.Stdout)
	if tally.Different() > 0 {
		return 1
	}
	return 0
}
