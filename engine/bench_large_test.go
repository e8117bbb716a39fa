package engine

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
)

// sizes are those that a person may try: a large Deployment, a very large one, and the largest that rollplay is made for.
var sizesOfBenchmarks = []int{1000, 5000, 10_000}

// BenchmarkLarge measures what a person waits for with large Deployments: to open one and to see its whole run, to give it a
// command, and to read about its pods. MB-live is what the run keeps in use.
func BenchmarkLarge(b *testing.B) {
	for _, n := range sizesOfBenchmarks {
		b.Run(fmt.Sprintf("open/%d", n), func(b *testing.B) { benchmarkOpen(b, Recording{Scenario: texts.Rollout(n)}) })
		b.Run(fmt.Sprintf("set-image/%d", n), func(b *testing.B) {
			benchmarkOpen(b, Recording{Scenario: texts.Rollout(n), Commands: []Command{{At: 9000, Run: "set image deployment/web web=nginx:3"}}})
		})
		b.Run(fmt.Sprintf("play/%d", n), func(b *testing.B) { benchmarkPlay(b, texts.Rollout(n)) })
		b.Run(fmt.Sprintf("describe-pods/%d", n), func(b *testing.B) { benchmarkDescribe(b, texts.Rollout(n)) })
	}
}

// BenchmarkGrowth measures inputs whose cost once grew with the square of their size, at three sizes each. A size that is twice
// as large should take about twice as long.
func BenchmarkGrowth(b *testing.B) {
	for _, shape := range []struct {
		name  string
		text  func(n int) string
		sizes []int
	}{
		{"deployments", manyDeployments, []int{250, 500, 1000}},
		{"revisions", manyRevisions, []int{50, 100, 200}},
		{"daemonset", func(n int) string { return daemonOn(n) }, []int{250, 500, 1000}},
		{"statefulset", ordered, []int{500, 1000, 2000}},
		{"anti-affinity", apart, []int{250, 500, 1000}},
	} {
		for _, n := range shape.sizes {
			b.Run(fmt.Sprintf("%s/%d", shape.name, n), func(b *testing.B) { benchmarkOpen(b, Recording{Scenario: shape.text(n)}) })
		}
	}
}

// benchmarkOpen computes a whole run from a text that has been read.
func benchmarkOpen(b *testing.B, rec Recording) {
	library := new(scenario.Library)
	if s, diagnostics := library.Read(rec.Scenario).Scenario(); s == nil {
		b.Fatal(diagnostics)
	}
	b.ReportAllocs()
	var run *Run
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		run, _ = StartIn(library, rec)
		run.Finish()
	}
	reportLive(b, &before)
	runtime.KeepAlive(run)
}

func reportLive(b *testing.B, before *runtime.MemStats) {
	var after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/(1<<20), "MB-live")
}

// playFrames is how many frames a benchmark plays: ten seconds of them.
const playFrames = 600

// benchmarkPlay moves a cursor over a finished run, as playing does, and reads what the page shows of each frame: the pods, the
// tables and the chosen workload.
func benchmarkPlay(b *testing.B, text string) {
	run, _ := Start(Recording{Scenario: text})
	run.Finish()
	p, end := run.Past(), run.Now()
	b.ReportAllocs()
	for b.Loop() {
		for i := range int64(playFrames) {
			t := end * i / playFrames
			at := p.Find(t)
			p.Pods(at, t)
			p.Tables(at, t, 60)
			if _, ok := p.Workload("Deployment/default/web", at); !ok && t > 1000 {
				b.Fatalf("no Deployment at %d ms", t)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*playFrames), "us/frame")
}

// benchmarkDescribe reads about all pods when they run.
func benchmarkDescribe(b *testing.B, text string) {
	run, _ := Start(Recording{Scenario: text})
	for !run.AdvancePast(9000, math.MaxInt) && run.Now() <= 9000 {
	}
	command := past.Parse("describe pods")
	record := run.Past().Find(9000)
	b.ReportAllocs()
	for b.Loop() {
		if r, ok := run.Past().Read(command, record, 9000); !ok || len(r.Lines) < 1000 {
			b.Fatalf("%v", r)
		}
	}
}

func manyDeployments(n int) string {
	text := ""
	for i := range n {
		text += fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"w%[1]d"},"spec":{"selector":{"matchLabels":{"a":"%[1]d"}},`+
			`"template":{"metadata":{"labels":{"a":"%[1]d"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}},`, i)
	}
	return `{"apiVersion":"v1","kind":"List","items":[` + text[:len(text)-1] + "]}\n"
}

func manyRevisions(n int) string {
	text := "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  timeline:\n"
	for i := range n {
		text += fmt.Sprintf("  - {at: %ds, run: set image deployment/web web=nginx:%d}\n", 10+i, 10+i)
	}
	return text + `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 100, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "nginx:1"}]}}}
`
}

func daemonOn(nodes int) string {
	return fmt.Sprintf(`apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  nodes: {count: %d}
  duration: 1m
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: d}
spec: {selector: {matchLabels: {app: d}}, template: {metadata: {labels: {app: d}}, spec: {containers: [{name: c, image: "i:1"}]}}}
`, nodes)
}

// ordered is a StatefulSet whose pods start together.
func ordered(pods int) string {
	return fmt.Sprintf(`apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: %d
  podManagementPolicy: Parallel
  serviceName: web
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "nginx:1"}]}}
`, pods)
}

// apart is a Deployment with a pod on each node.
func apart(nodes int) string {
	return fmt.Sprintf(`apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  nodes: {count: %[1]d}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: %[1]d
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}
      containers: [{name: web, image: "nginx:1"}]
`, nodes)
}
