package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/sim"
)

// BenchmarkRollout computes the creation and one update of a Deployment, without parsing. The budget for ten replicas is
// 1 ms.
func BenchmarkRollout(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			benchmarkRun(b, texts.Rollout(n))
		})
	}
}

func benchmarkRun(b *testing.B, text string) {
	library := new(scenario.Library)
	if scenario, diagnostics := library.Read(text).Scenario(); scenario == nil {
		b.Fatal(diagnostics)
	}
	b.ReportAllocs()
	for b.Loop() {
		run, _ := StartIn(library, Recording{Scenario: text})
		run.Finish()
	}
}

// BenchmarkSets computes the creation and one update of a parallel StatefulSet and of a DaemonSet on as many nodes, with a
// budget.
func BenchmarkSets(b *testing.B) {
	const percent = "updateStrategy: {rollingUpdate: {maxUnavailable: 25%}}"
	for _, n := range []int{10, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			text := texts.Sets("podManagementPolicy: Parallel\n  "+percent, percent, "minAvailable: 50%")
			text = strings.Replace(text, "replicas: 3", fmt.Sprintf("replicas: %d", n), 1)
			text = strings.Replace(text, "  duration: 10m\n", fmt.Sprintf("  nodes: {count: %d}\n  timeline:\n  - {at: 30s, run: kubectl set image "+
				"statefulset/db db=db:2}\n  - {at: 30s, run: kubectl set image daemonset/agent agent=agent:2}\n", n), 1)
			benchmarkRun(b, text)
		})
	}
}

// BenchmarkStart parses a scenario and computes its first reconcile: the user's wait after a keystroke.
func BenchmarkStart(b *testing.B) {
	text := texts.Rollout(10)
	b.ReportAllocs()
	for b.Loop() {
		run, _ := Start(Recording{Scenario: text})
		run.Advance(10)
	}
}

// BenchmarkTables shows a cluster of a thousand pods, one record after the other.
func BenchmarkTables(b *testing.B) {
	run := mustRun(b, texts.Rollout(1000))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		run.Past().Tables(i%run.Len(), run.Now(), 1000)
	}
}

// BenchmarkSeek jumps around in more than 100,000 records and makes the tables each time: the cost of dragging the scrubber.
func BenchmarkSeek(b *testing.B) {
	text := strings.Replace(texts.Rollout(1000), "  timeline:\n", "  timeline:\n"+
		"  - {at: 2m, run: kubectl rollout restart deployment/web}\n  - {at: 4m, run: kubectl rollout restart deployment/web}\n"+
		"  - {at: 6m, run: kubectl rollout restart deployment/web}\n  - {at: 8m, run: kubectl rollout restart deployment/web}\n", 1)
	run := mustRun(b, text)
	if run.Len() < 100_000 {
		b.Fatalf("only %d records", run.Len())
	}
	rnd := sim.NewRand(1, "seek")
	b.ReportAllocs()
	for b.Loop() {
		i := int(rnd.Intn(int64(run.Len())))
		run.Past().Tables(i, run.Past().At(i), 60)
	}
}
