package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/sim"
)

// FuzzCost lets random lines meet random clusters up to the limits. Whatever they are, no piece of work between two breaths is long or
// takes much memory: the oracle is the cost.
func FuzzCost(f *testing.F) {
	for i := range costLines {
		f.Add([]byte{byte(i), 3, 1, 2, 3, 1, byte(i), 2, 1, 3, byte(i), 3, byte(i + 1), 3, byte(i + 2), 2})
		f.Add([]byte{3, byte(i), 2, 0, byte(i / 2), 2, 1, 0, 2, byte(i), 3, byte(i + 5), 3})
	}
	f.Add([]byte{2, 0, 0, 5, 3, 3, 3, 0, 1, 2, 37, 3}) // annotate large pods without a change: no write takes a breath
	f.Fuzz(func(t *testing.T, data []byte) {
		text, commands := costly(data)
		const tries = 3 // other programs share the machine: the best of some counts
		c := runCost(text, commands)
		for range tries - 1 {
			if c.tooMuch() {
				c = runCost(text, commands)
			}
		}
		if c.tooMuch() {
			t.Errorf("%s\n%d bytes: %.3000s\n%s", &c, len(text), text, shortLines(commands))
		}
	})
}

// unlimited begins a text whose controllers may send all their requests at once.
const unlimited = "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {clientConnection: {qps: 0}}\n"

// TestCostSeesMissingBreaths: without the breaths within events, a seed of the fuzzer and some of its lines cost too much. So the oracle sees a breath
// that is missing.
func TestCostSeesMissingBreaths(t *testing.T) {
	const line = 24
	seeded, commands := costly([]byte{line, 3, 1, 2, 3, 1, line, 2, 1, 3, line, 3, line + 1, 3, line + 2, 2})
	for _, in := range []Recording{
		{seeded, commands},
		{unlimited + deploymentText("w0", 1000, ""), []Command{{At: 3000, Run: "label pods --all " + repeated(200, "k#=v ")}}},
		{unlimited + deploymentText("w0", 1000, ""), []Command{{At: 3000, Run: "get pods -o jsonpath={...*...*}"}}},
	} {
		deafWithin = true
		c := runCost(in.Scenario, in.Commands)
		if deafWithin = false; !c.tooMuch() {
			t.Errorf("without breaths: %v\n%s", &c, shortLines(in.Commands))
		}
	}
}

func shortLines(commands []Command) string {
	var b strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&b, "%d: %d bytes: %.300s\n", c.At, len(c.Run), c.Run)
	}
	return b.String()
}

// timeOfCost is how long a random run is computed: a fuzzer should see many. Go gives up after ten seconds by the clock, which may be
// less than a second on a busy processor.
const (
	timeOfCost = time.Second
	waitOfCost = 2 * time.Second
)

// runCost measures a run from its text on.
func runCost(text string, commands []Command) cost {
	began := threadTime()
	var r *Run
	doing := func() string {
		if r == nil {
			return "start"
		}
		for _, record := range slices.Backward(r.records()) {
			if record.Kind == sim.Input {
				return fmt.Sprintf("at %d ms, after %.80s", r.Now(), record.Command)
			}
		}
		return "before the first command"
	}
	return costOf(func() {
		r, _ = Start(Recording{Scenario: text, Commands: commands})
		for r != nil && threadTime()-began < timeOfCost && !r.Advance(1) {
			breath.Take() // as a caller that computes a slice
		}
		if r != nil && r.Broken() != "" {
			panic(r.Broken())
		}
	}, doing, waitOfCost)
}

// joined is a list of n parts with commas between them.
func joined(n int, part string) string { return strings.TrimSuffix(repeated(n, part+","), ",") }

// costParts are what makes a pod large.
var costParts = [...]func(n int) string{
	func(n int) string { return "" },
	func(n int) string { return "      nodeSelector: {" + joined(min(n, 400), "k#: v") + "}\n" },
	func(n int) string { return "      tolerations: [" + joined(n, "{key: k#, operator: Exists}") + "]\n" },
	func(n int) string { return "      volumes: [" + joined(n, "{name: v#, emptyDir: {}}") + "]\n" },
	func(n int) string {
		return "      affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [" +
			joined(n, "{weight: 1, podAffinityTerm: {labelSelector: {matchLabels: {app: w0, k: v#}}, topologyKey: zone}}") + "]}}\n"
	},
	func(n int) string {
		return "      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [" +
			joined(n, "{labelSelector: {matchLabels: {app: w#}}, topologyKey: zone}") + "]}}\n"
	},
	func(n int) string {
		return "      affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [" +
			joined(n, "{weight: 1, podAffinityTerm: {labelSelector: {matchExpressions: [{key: app, operator: NotIn, values: [x#, y]}]}, topologyKey: zone}}") + "]}}\n"
	},
	func(n int) string {
		return "      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [" +
			joined(n, "{matchExpressions: [{key: zone, operator: NotIn, values: [x#]}]}") + "]}}}\n"
	},
	func(n int) string {
		return "      topologySpreadConstraints: [" +
			joined(min(n, 60), "{maxSkew: 1, topologyKey: zone#, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: w0}}}") + "]\n"
	},
}

// costContainers are the containers of a pod.
var costContainers = [...]func(n int) string{
	func(n int) string { return "{name: web, image: i}" },
	func(n int) string { return joined(n, "{name: web#, image: i}") },
	func(n int) string { return "{name: web, image: i, args: [" + joined(n, "a#") + "]}" },
	func(n int) string { return "{name: web, image: i, env: [" + joined(n, "{name: V#, value: x}") + "]}" },
	func(n int) string { return "{name: web, image: i, ports: [" + joined(n, "{containerPort: 1#}") + "]}" },
	func(n int) string {
		return joined(max(1, n/10), "{name: web#, image: i, env: ["+joined(50, "{name: V#, value: xxxxxxxx}")+"]}")
	},
	func(n int) string { return "{name: web, image: i, args: ['" + strings.Repeat("x", 1000*n) + "']}" },
	func(n int) string { return "{name: web, image: i, resources: {requests: {cpu: 100m, memory: 1Mi}}}" },
}

// costObjects are other objects beside the workload.
var costObjects = [...]func(n int) string{
	func(n int) string { return "" },
	func(n int) string {
		return repeated(min(n, 100), "---\n{apiVersion: v1, kind: ResourceQuota, metadata: {name: q#}, spec: {hard: {pods: 99999, requests.cpu: 10k}}}\n")
	},
	func(n int) string {
		return repeated(min(n, 400), "---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b#}, spec: {minAvailable: 1, selector: {matchLabels: {app: w0}}}}\n")
	},
	func(n int) string {
		return repeated(min(n, 250), "---\n{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h#}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: w0}, "+
			"minReplicas: 1, maxReplicas: 2000, metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]}}\n")
	},
	func(n int) string {
		return repeated(min(n, 400), "---\n{apiVersion: apps/v1, kind: Deployment, metadata: {name: d#}, spec: {replicas: 2, selector: {matchLabels: {app: d#}}, "+
			"template: {metadata: {labels: {app: d#}}, spec: {containers: [{name: c, image: i}]}}}}\n")
	},
	func(n int) string {
		return fmt.Sprintf("---\n{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: s}, spec: {replicas: %d, podManagementPolicy: Parallel, serviceName: s, "+
			"selector: {matchLabels: {app: s}}, template: {metadata: {labels: {app: s}}, spec: {containers: [{name: c, image: i}]}}}}\n", n*4)
	},
	func(n int) string {
		return "---\n{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: a}, spec: {selector: {matchLabels: {app: a}}, " +
			"template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: i}]}}}}\n"
	},
	func(n int) string {
		return "---\n{apiVersion: v1, kind: List, items: [" + joined(n, "{apiVersion: v1, kind: ConfigMap, metadata: {name: c#}, data: {"+joined(20, "k#: v")+"}}") + "]}\n"
	},
}

// costNodes are the nodes of a cluster.
var costNodes = [...]func(n int) string{
	func(n int) string { return "" },
	func(n int) string { return fmt.Sprintf("nodes: {count: %d, pods: 110}", n*4) },
	func(n int) string { return fmt.Sprintf("nodes: {count: %d, pods: 5}", max(1, n/5)) },
	func(n int) string {
		return "nodes: [" + joined(max(1, n/20), "{name: n#, pods: 500, labels: {zone: z#, "+joined(100, "l#: v")+"}}") + "]"
	},
}

// costly turns bytes into a cluster and lines: each byte is a choice.
func costly(data []byte) (string, []Command) {
	choose := texts.Choices(&data)
	size := func() int { return [...]int{1, 20, 200, 500}[choose(4)] }
	pods := [...]int{3, 30, 200, 1000}[choose(4)]
	part, container := costParts[choose(len(costParts))](size()), costContainers[choose(len(costContainers))](size())
	marks := joined(size(), "m#: "+strings.Repeat("x", size()/10))
	text := fmt.Sprintf("---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w0, annotations: {%s}}\nspec:\n  replicas: %d\n  selector: {matchLabels: {app: w0}}\n"+
		"  template:\n    metadata: {labels: {app: w0}, annotations: {%s}}\n    spec:\n%s      containers: [%s]\n", marks, pods, marks, part, container)
	for range choose(3) {
		text += costObjects[choose(len(costObjects))](size())
	}
	if nodes := costNodes[choose(len(costNodes))](size()); nodes != "" {
		text += settings(nodes)
	}
	var commands []Command
	for at := int64(3000); len(data) > 0 && len(commands) < 8; at += 1000 {
		commands = append(commands, Command{At: at, Run: costLines[choose(len(costLines))](size())})
	}
	return text, commands
}
