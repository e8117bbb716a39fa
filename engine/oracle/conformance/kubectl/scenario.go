package kubectl

import (
	_ "embed"
	"strings"

	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
	"github.com/rollplay/rollplay/scenarios"
)

// rich has what the random clusters have not: every field of a pod that kubectl describe prints.
//
//go:embed rich.yaml
var rich string

// scenarioText draws a cluster: of the other comparisons' generators, of the playground, or the rich one.
func scenarioText(g generate.Random, seed uint64, k int) string {
	switch n := g.IntN(10); {
	case n == 0:
		return rich
	case n < 4:
		for {
			// The judge's server keeps no Services.
			if text := scenarios.Text(generate.Pick(g, scenarios.Names()...)); !strings.Contains(text, "kind: Service") {
				return text
			}
		}
	}
	return generate.New(generate.Pick(g, generate.Kinds...), seed, k).Text()
}
