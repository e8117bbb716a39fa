package kubectl

import (
	_ "embed"

	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
	"github.com/rollplay/rollplay/scenarios"
)

// rich has what the random clusters have not: every field of a pod that kubectl describe prints.
//
//go:embed rich.yaml
var rich string

// services are added to clusters that have none.
//
//go:embed services.yaml
var services string

// scenarioText draws a cluster: of the other comparisons' generators, of the playground, or the rich one.
func scenarioText(g generate.Random, seed uint64, k int) string {
	switch n := g.IntN(10); {
	case n == 0:
		return rich + services
	case n < 4:
		return scenarios.Text(generate.Pick(g, scenarios.Names()...))
	}
	return generate.New(generate.Pick(g, generate.Kinds...), seed, k).Text() + services
}
