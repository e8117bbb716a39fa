package podlife

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// pod returns a scenario with one pod p.
func pod(images, timeline, grace, spec string) string {
	return fmt.Sprintf("apiVersion: rollplay/v1alpha1\nkind: Scenario\nmetadata: {name: pod}\nspec:\n  duration: 160s\n  nodes: {count: 1}\n  images:\n%s"+
		"%s---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  nodeName: node-1\n  terminationGracePeriodSeconds: %s\n%s",
		images, timed(timeline), grace, spec)
}

const at = "  - {at: %s, run: kubectl delete pod p --wait=false%s}\n"

var sidecars = pod("  - {match: \"s1:1\", pull: 1s, start: 0s, stop: 1s}\n  - {match: \"s2:1\", pull: 1s, start: 0s, stop: 2s}\n"+
	"  - {match: \"main:1\", pull: 1s, start: 0s, stop: 3s}\n", fmt.Sprintf(at, "20s", ""), "30",
	"  initContainers:\n  - {name: s1, image: \"s1:1\", restartPolicy: Always}\n  - {name: s2, image: \"s2:1\", restartPolicy: Always}\n"+
		"  containers:\n  - {name: main, image: \"main:1\"}\n")

const (
	simple   = "  containers:\n  - {name: c, image: \"c:1\"}\n"
	stopping = "Stopping container"
)

const one = "  - {match: \"c:1\", pull: 1s, start: 0s, stop: 1s%s}\n"

// row is a moment in the life of a pod: when the n-th entry comes that contains a text. All real runs have it between two ms.
type row struct {
	name, scenario, text string
	n                    int
	first, last          int64
}

var table = []row{
	{"readiness with a delay of 5 s and a period of 10 s", pod(fmt.Sprintf(one, ""), fmt.Sprintf(at, "60s", ""), "30",
		"  containers:\n  - {name: c, image: \"c:1\", readinessProbe: {exec: {command: [r]}, initialDelaySeconds: 5, periodSeconds: 10}}\n"),
		" Ready=True", 1, 11_100, 12_900},
	{"startup probe after 5.3 s, then readiness with period 30", pod(fmt.Sprintf(one, ", ready: 5300ms"), fmt.Sprintf(at, "60s", ""), "30",
		"  containers:\n  - {name: c, image: \"c:1\", startupProbe: {exec: {command: [s]}, periodSeconds: 1, failureThreshold: 60},\n"+
			"     readinessProbe: {exec: {command: [r]}, periodSeconds: 30}}\n"), " Ready=True", 1, 7_001, 7_001},
	{"preStop of 40 s with a grace period of 30 s: SIGKILL two seconds after the hook is cut off", pod(fmt.Sprintf(
		strings.Replace(one, "stop: 1s", "stop: 100s", 1), ""), fmt.Sprintf(at, "10s", " --grace-period=30"), "60",
		"  containers:\n  - {name: c, image: \"c:1\", lifecycle: {preStop: {sleep: {seconds: 40}}}}\n"), "terminated:Error(137)", 1, 42_001, 42_001},
	{"sidecars stop one after the other", sidecars, "status Succeeded", 1, 26_001, 26_900},
	{"a terminated pod is removed at the next relist", sidecars, gone, 1, 26_100, 26_900},
	{"a pod without a grace period is removed at once, and its container killed", pod(fmt.Sprintf(one, ""), fmt.Sprintf(at, "20s", ""), "0", simple),
		stopping, 1, 20_001, 20_001},
	{"so is one that is deleted with --force", pod(fmt.Sprintf(one, ""), fmt.Sprintf(at, "20s", " --grace-period=0 --force"), "30", simple),
		stopping, 1, 20_001, 20_001},
	{"right after its start, it is killed at the second relist", pod(fmt.Sprintf(one, ""), fmt.Sprintf(at, "1050ms", ""), "0", simple), stopping, 1, 2_100, 2_900},
	{"a delay of 2 s counts from the second in which the container started, at 1.9 s", pod(fmt.Sprintf(
		strings.Replace(one, "start: 0s", "start: 900ms", 1), ""), fmt.Sprintf(at, "60s", ""), "30",
		"  containers:\n  - {name: c, image: \"c:1\", readinessProbe: {exec: {command: [r]}, initialDelaySeconds: 2, periodSeconds: 1}}\n"),
		" Ready=True", 1, 2_990, 4_000},
	{"a node pulls one image at a time", pod("  - {match: \"*\", pull: 3s, start: 0s, stop: 1s}\n", "", "30",
		"  containers:\n  - {name: c, image: \"c:1\"}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: q}\nspec:\n  nodeName: node-1\n"+
			"  containers:\n  - {name: c, image: \"c:2\"}\n"), "Container started", 2, 6_000, 6_100},
}

// crashing is a container that exits 2 s after each start.
var crashing = pod(fmt.Sprintf(one, ", crash: 2s"), "", "30", "  containers:\n  - {name: c, image: \"c:1\"}\n")

// crashes are the spans of the starts of a container that crashes: back-offs of 10, 20 and 40 s with their jitter, and a relist each.
var crashes = [][2]int64{{1_001, 1_001}, {3_100, 3_900}, {16_000, 22_000}, {38_000, 56_000}}

// rows are the table with the starts of a container that crashes.
func rows() []row {
	list := table
	for n, span := range crashes {
		list = append(list, row{fmt.Sprintf("crash loop: start %d", n+1), crashing, "Container started", n + 1, span[0], span[1]})
	}
	return list
}

// TestTable measures these moments with the real kubelet and with ours: they are the same for each chance, and within the spans.
func TestTable(t *testing.T) {
	for _, r := range rows() {
		s, diagnostics := scenario.Parse(r.scenario)
		if s == nil {
			t.Fatal(diagnostics)
		}
		for _, c := range Chances {
			real, ours := moment(Real(t, s, c), r.text, r.n), moment(Ours(r.scenario, c), r.text, r.n)
			if real < r.first || real > r.last {
				t.Errorf("%s, %v: the real kubelet has it at %d ms, want %d to %d", r.name, c, real, r.first, r.last)
			}
			if ours < real-slack || ours > real+slack {
				t.Errorf("%s, %v: real at %d ms, ours at %d ms", r.name, c, real, ours)
			}
		}
	}
}

// moment returns when the n-th entry with a text comes, or -1.
func moment(list Timeline, text string, n int) int64 {
	if i := nth(list, text, n); i >= 0 {
		return list[i].At
	}
	return -1
}

// nth returns the index of the n-th entry with a text, or -1.
func nth(list Timeline, text string, n int) int {
	for i, e := range list {
		if strings.Contains(e.Text, text) {
			if n--; n == 0 {
				return i
			}
		}
	}
	return -1
}

func timed(lines string) string {
	if lines == "" {
		return ""
	}
	return "  timeline:\n" + lines
}
