package generate

import (
	"fmt"
	"strings"
)

// Scenario is what New draws and Shrink simplifies; Text prints it as the engine reads it.
type Scenario struct {
	seed     uint64
	duration int // s
	nodes    int
	nodePods int  // pods that a node has room for; 0: no limit
	nodeList bool // the nodes are listed, with labels
	images   []imageBehaviour
	objects  []workload
	quota    int // pods that the namespace may have; -1: no quota
	commands []command
}

// imageBehaviour says how the pods of an image behave. An empty field is left out.
type imageBehaviour struct{ match, pull, start, ready, stop, crash string }

// workload is an object of a scenario that can be printed and simplified.
type workload interface {
	text() string
	simpler() []workload // versions of it with a little less
}

// Text prints the scenario. Names that depend on what has happened are found by running the engine up to that moment.
func (s *Scenario) Text() string {
	lines := make([]string, len(s.commands))
	for i, c := range s.commands {
		lines[i] = c.text(s.find(c, lines[:i]))
	}
	return s.withTimeline(lines)
}

// withTimeline prints the scenario with these entries of the timeline.
func (s *Scenario) withTimeline(lines []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: rollplay/v1alpha1\nkind: Scenario\nmetadata: {name: random}\nspec:\n  seed: %d\n  duration: %ds\n", s.seed, s.duration)
	if s.nodeList {
		b.WriteString("  nodes:\n")
		for i := range s.nodes {
			fmt.Fprintf(&b, "  - {name: node-%d, labels: {zone: %q}}\n", i+1, string(rune('a'+i%2)))
		}
	} else if s.nodePods > 0 {
		fmt.Fprintf(&b, "  nodes: {count: %d, pods: %d}\n", s.nodes, s.nodePods)
	} else {
		fmt.Fprintf(&b, "  nodes: {count: %d}\n", s.nodes)
	}
	if len(s.images) > 0 {
		b.WriteString("  images:\n")
		for _, i := range s.images {
			b.WriteString("  - " + i.text() + "\n")
		}
	}
	if len(lines) > 0 {
		b.WriteString("  timeline:\n" + strings.Join(lines, ""))
	}
	if s.quota >= 0 {
		b.WriteString("---\n" + quotaText(s.quota))
	}
	for _, o := range s.objects {
		b.WriteString("---\n" + o.text())
	}
	return b.String()
}

func (i *imageBehaviour) text() string {
	return flow("match", fmt.Sprintf("%q", i.match), "pull", i.pull, "start", i.start, "ready", i.ready, "stop", i.stop, "crash", i.crash)
}

func quotaText(pods int) string {
	return fmt.Sprintf("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: %d}}\n", pods)
}
