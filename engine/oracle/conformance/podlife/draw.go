package podlife

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// gate is the condition of the readiness gates.
const gate = "example.com/gate"

// Draw returns the scenario of a number: one to three pods on a node, with everything drawn that decides over their lives.
func Draw(seed uint64, k int) string {
	r := &draws{Rand: rand.New(rand.NewPCG(seed, uint64(k))), gates: rand.New(rand.NewPCG(seed, 1<<32+uint64(k)))}
	var images, timeline, pods strings.Builder
	for i := range 1 + r.IntN(2)*r.IntN(3) {
		name := fmt.Sprintf("p%d", i+1)
		pods.WriteString(r.pod(name, &images))
		at := 3_000 + r.IntN(100_000)
		if r.one(5) {
			fmt.Fprintf(&timeline, "  - {at: %dms, do: crash pod/%s}\n", at/2, name)
		}
		if !r.one(6) {
			grace := ""
			if r.one(3) {
				grace = fmt.Sprintf(" --grace-period=%d", 1+r.IntN(40))
			}
			fmt.Fprintf(&timeline, "  - {at: %dms, run: kubectl delete pod %s --wait=false%s}\n", at, name, grace)
		}
	}
	if timeline.Len() > 0 {
		lines := timeline.String()
		timeline.Reset()
		timeline.WriteString("  timeline:\n" + lines)
	}
	return fmt.Sprintf("apiVersion: rollplay/v1alpha1\nkind: Scenario\nmetadata: {name: random}\nspec:\n  seed: %d\n  duration: 160s\n  nodes: {count: 1}\n"+
		"  images:\n%s%s%s", 1+r.IntN(1000), images.String(), timeline.String(), pods.String())
}

type draws struct {
	*rand.Rand
	gates *rand.Rand // says which pods have a readiness gate; what came before it stays as it was
	gate  string     // of the next image
}

// one is true once in n times.
func (r *draws) one(n int) bool { return r.IntN(n) == 0 }

// image adds an image of its own for a container.
func (r *draws) image(of string, init bool, b *strings.Builder) string {
	pull := fmt.Sprintf("%dms", 200+r.IntN(4000))
	if r.one(15) {
		pull = "fails"
	}
	more := fmt.Sprintf("start: %dms, stop: %dms", r.IntN(1000), r.IntN(12_000))
	switch {
	case r.one(12):
		more += ", ready: never"
	case r.one(2):
		more += fmt.Sprintf(", ready: %dms", r.IntN(15_000))
	}
	if !init && r.one(6) {
		more += fmt.Sprintf(", crash: %dms, exitCode: %d", 500+r.IntN(30_000), 1+r.IntN(3))
	}
	fmt.Fprintf(b, "  - {match: %q, pull: %s, %s%s}\n", of+":1", pull, more, r.gate)
	r.gate = ""
	return of + ":1"
}

func (r *draws) pod(name string, images *strings.Builder) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s}\nspec:\n  nodeName: node-1\n  terminationGracePeriodSeconds: %d\n", name, max(3, 1+r.IntN(40))) // no hook may sleep longer
	if r.one(3) {
		b.WriteString("  initContainers:\n")
		for i := range 1 + r.IntN(2) {
			if r.one(2) {
				b.WriteString(r.container(name, fmt.Sprintf("%s-%d", initPrefix, i), true, images, ""))
			} else {
				b.WriteString(r.container(name, fmt.Sprintf("side-%d", i), false, images, ", restartPolicy: Always"))
			}
		}
	}
	if r.gates.IntN(4) == 0 {
		r.gate = fmt.Sprintf(", gate: %dms", r.gates.IntN(20_000))
		b.WriteString("  readinessGates: [{conditionType: " + gate + "}]\n")
	}
	b.WriteString("  containers:\n")
	for i := range 1 + r.IntN(2)*r.IntN(2) {
		b.WriteString(r.container(name, fmt.Sprintf("c%d", i), false, images, ""))
	}
	return b.String()
}

func (r *draws) container(pod, name string, init bool, images *strings.Builder, more string) string {
	text := fmt.Sprintf("  - {name: %s, image: %q%s", name, r.image(pod+"-"+name, init, images), more)
	if !init {
		for _, kind := range []string{"readinessProbe", "livenessProbe", "startupProbe"} {
			if r.one(3) {
				text += fmt.Sprintf(", %s: %s", kind, r.probe(pod, name, kind == "readinessProbe"))
			}
		}
		if r.one(5) {
			text += fmt.Sprintf(", lifecycle: {preStop: {sleep: {seconds: %d}}}", 1+r.IntN(3))
		}
	}
	return text + "}\n"
}

func (r *draws) probe(pod, name string, ready bool) string {
	how := "exec: {command: [probe]}"
	if r.one(2) {
		how = fmt.Sprintf("httpGet: {path: /%s/%s, port: 80}", pod, name)
	}
	successes := 1
	if ready {
		successes += r.IntN(2) * r.IntN(3)
	}
	return fmt.Sprintf("{%s, initialDelaySeconds: %d, periodSeconds: %d, failureThreshold: %d, successThreshold: %d}", how,
		r.IntN(2)*r.IntN(15), 1+r.IntN(20), 1+r.IntN(5), successes)
}
