package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
)

// scenario is what the generator makes and the shrinker simplifies; text prints it as the engine reads it.
type scenario struct {
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

// manifest is the Deployment. An empty field is left out.
type manifest struct {
	name                                                      string // web if empty
	stray                                                     bool   // a ReplicaSet without an owner instead
	replicas, surge, unavailable, minReady, deadline, history string
	recreate, paused, probe                                   bool
	grace                                                     string
	image                                                     int
	labels                                                    string // one more label of the template
	annotation                                                string
}

// workload is an object of a scenario that can be printed, and made simpler.
type workload interface {
	text() string
	simpler() []workload // versions of it that have a little less
}

// command is an entry of the timeline. In run and do, {pod 3} stands for the name of a pod that is there at that moment,
// and so on with placeholders.
type command struct {
	at    int // ms
	run   string
	do    string // to the environment
	apply workload
	quota *int // a ResourceQuota to apply
}

// placeholders are the kinds whose names a command may leave open.
var placeholders = map[string]api.Kind{"pod": api.KindPod, "rs": api.KindReplicaSet, "node": api.KindNode,
	"revision": api.KindControllerRevision, "claim": api.KindPersistentVolumeClaim, "budget": api.KindPodDisruptionBudget}

// text prints the scenario. Names that depend on what has happened are found by running the engine up to that moment.
func (s *scenario) text() string {
	lines := make([]string, len(s.commands))
	for i, c := range s.commands {
		lines[i] = c.text(s.find(c, lines[:i]))
	}
	return s.withTimeline(lines)
}

// withTimeline prints the scenario with these entries of the timeline.
func (s *scenario) withTimeline(lines []string) string {
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
			b.WriteString("  - {" + i.fields() + "}\n")
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

func (i *imageBehaviour) fields() string {
	text := fmt.Sprintf("match: %q", i.match)
	for _, f := range [][2]string{{"pull", i.pull}, {"start", i.start}, {"ready", i.ready}, {"stop", i.stop}, {"crash", i.crash}} {
		if f[1] != "" {
			text += ", " + f[0] + ": " + f[1]
		}
	}
	return text
}

// text prints an entry of the timeline, with the name that a placeholder stands for.
func (c *command) text(name string) string {
	manifest := ""
	switch {
	case c.apply != nil:
		manifest = c.apply.text()
	case c.quota != nil:
		manifest = quotaText(*c.quota)
	case c.do != "":
		return fmt.Sprintf("  - {at: %dms, do: %q}\n", c.at, filled(c.do, name))
	default:
		return fmt.Sprintf("  - {at: %dms, run: %q}\n", c.at, filled(c.run, name))
	}
	return fmt.Sprintf("  - at: %dms\n    apply: |\n      %s\n", c.at, strings.ReplaceAll(strings.TrimSpace(manifest), "\n", "\n      "))
}

func filled(line, name string) string {
	if from, to, ok := placeholder(line); ok {
		line = line[:from] + name + line[to:]
	}
	return line
}

func placeholder(run string) (from, to int, ok bool) {
	from, to = strings.IndexByte(run, '{'), strings.IndexByte(run, '}')+1
	return from, to, from >= 0 && to > from
}

// find returns the name that a command's placeholder stands for, "none" if there is no such object.
func (s *scenario) find(c command, before []string) string {
	line := c.run + c.do
	from, to, ok := placeholder(line)
	if !ok {
		return ""
	}
	var kind string
	var k int
	if _, err := fmt.Sscanf(line[from:to], "{%s %d}", &kind, &k); err != nil {
		panic("conformance: " + line)
	}
	run, diagnostics := engine.Start(engine.Recording{Scenario: s.withTimeline(before)})
	if run == nil {
		panic(fmt.Sprintf("conformance: a scenario is not valid: %v\n%s", diagnostics, s.withTimeline(before)))
	}
	kernel, server := worldOf(run)
	for at, ok := kernel.Next(); ok && at < int64(c.at); at, ok = kernel.Next() {
		kernel.Step()
	}
	table := server.Store.Table(placeholders[kind])
	if table.Len() == 0 {
		return "none"
	}
	k %= table.Len()
	for o := range table.All() {
		if k == 0 {
			return o.Key().Name
		}
		k--
	}
	return "none"
}

// text prints the Deployment.
func (m *manifest) text() string {
	var b strings.Builder
	if m.stray {
		return m.replicaSetText()
	}
	fmt.Fprintf(&b, "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: %s\n", cmp.Or(m.name, "web"))
	if m.annotation != "" {
		fmt.Fprintf(&b, "  annotations: {note: %q}\n", m.annotation)
	}
	b.WriteString("spec:\n")
	for _, f := range [][2]string{{"replicas", m.replicas}, {"minReadySeconds", m.minReady}, {"progressDeadlineSeconds", m.deadline}, {"revisionHistoryLimit", m.history}} {
		if f[1] != "" {
			fmt.Fprintf(&b, "  %s: %s\n", f[0], f[1])
		}
	}
	if m.paused {
		b.WriteString("  paused: true\n")
	}
	b.WriteString(m.strategy())
	b.WriteString("  selector: {matchLabels: {app: web}}\n")
	b.WriteString(m.templateText())
	return b.String()
}

// replicaSetText prints a ReplicaSet that nobody owns, though every Deployment here selects it.
func (m *manifest) replicaSetText() string {
	text := "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata:\n  name: stray\n  labels: {app: web}\nspec:\n"
	if m.replicas != "" {
		text += "  replicas: " + m.replicas + "\n"
	}
	return text + "  selector: {matchLabels: {app: web, tier: x}}\n" + m.templateText()
}

func (m *manifest) templateText() string {
	var b strings.Builder
	labels := "app: web"
	if m.labels != "" {
		labels += ", tier: " + m.labels
	}
	fmt.Fprintf(&b, "  template:\n    metadata: {labels: {%s}}\n    spec:\n", labels)
	if m.grace != "" {
		fmt.Fprintf(&b, "      terminationGracePeriodSeconds: %s\n", m.grace)
	}
	fmt.Fprintf(&b, "      containers:\n      - name: app\n        image: app:%d\n", m.image)
	if m.probe {
		b.WriteString("        readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}\n")
	}
	return b.String()
}

func (m *manifest) strategy() string {
	switch {
	case m.recreate:
		return "  strategy: {type: Recreate}\n"
	case m.surge == "" && m.unavailable == "":
		return ""
	}
	var fields []string
	if m.surge != "" {
		fields = append(fields, "maxSurge: "+m.surge)
	}
	if m.unavailable != "" {
		fields = append(fields, "maxUnavailable: "+m.unavailable)
	}
	return "  strategy: {rollingUpdate: {" + strings.Join(fields, ", ") + "}}\n"
}

func quotaText(pods int) string {
	return fmt.Sprintf("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: %d}}\n", pods)
}
