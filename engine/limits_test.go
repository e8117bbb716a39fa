package engine

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/limits"
)

// heapMax is how much a run may keep in use: with the garbage between two collections, a tab stays below 512 MB.
const heapMax = 256 << 20

// deploymentText is a Deployment of n pods, with more lines of a container.
func deploymentText(name string, n int64, container string) string {
	return fmt.Sprintf(`---
apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s}
spec:
  replicas: %[2]d
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}}
    spec:
      containers:
      - name: web
        image: "nginx:1"
%[3]s`, name, n, container)
}

// settings is a Scenario document with lines of its spec.
func settings(lines ...string) string {
	return "---\napiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  " + strings.Join(lines, "\n  ") + "\n"
}

// repeated is a list of n lines.
func repeated(n int, line string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(line, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// TestTooLargeAtTheLine: what is too large is refused at its line, and says what rollplay takes.
func TestTooLargeAtTheLine(t *testing.T) {
	web := deploymentText("web", 3, "")
	budget := "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b#}\nspec: {minAvailable: 1, selector: {}}\n"
	list := func(item string) string {
		return "---\napiVersion: v1\nkind: List\nitems:\n" + item
	}
	for _, tt := range []struct {
		name, text string
		line       int
		want       string
	}{
		{"200,000 replicas", deploymentText("web", 200_000, ""), 6, "rollplay simulates at most 20000 pods; up to here the workloads want 200000"},
		{"two billion replicas", deploymentText("web", 2_000_000_000, ""), 6, "up to here the workloads want 2000000000"},
		{"the second Deployment", deploymentText("a", 15_000, "") + deploymentText("b", 6000, ""), 19, "up to here the workloads want 21000"},
		{"a large StatefulSet", strings.Replace(strings.Replace(deploymentText("web", 3000, ""), "kind: Deployment", "kind: StatefulSet", 1),
			"spec:\n", "spec:\n  serviceName: web\n", 1), 7, "rollplay simulates at most 2500 pods of a StatefulSet, not 3000"},
		{"nodes", web + settings("nodes:", repeated(limits.Nodes+1, "- {name: node#}\n  ")), 19 + limits.Nodes, "spec.nodes: Too many: 5001"},
		{"commands", web + settings("timeline:", repeated(limits.Commands+1, "- {at: #ms, run: get po}\n  ")), 19 + limits.Commands, "spec.timeline: Too many: 5001"},
		{"captions", web + settings("captions:", repeated(limits.Entries+1, "- {at: #ms, text: x}\n  ")), 19 + limits.Entries, "spec.captions: Too many: 5001"},
		{"budgets", web + list(repeated(limits.Budgets+1, "- "+strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(budget, "---\n"), "\n", "\n  "), "\n  \n", "\n")+"\n")),
			0, "rollplay simulates at most 500 PodDisruptionBudgets"},
		{"objects", list(repeated(limits.Objects+1, "- {apiVersion: v1, kind: Pod, metadata: {name: p#}, spec: {containers: [{name: c, image: i}]}}\n")),
			0, "the text has more than 2000 objects"},
		{"a long text", web + "# " + strings.Repeat("x", limits.Text), 1, "at most 1048576 (1 MiB) are read"},
		{"a long value", web + settings("duration: "+strings.Repeat("x", 100_000)), 18, "more bytes)"},
	} {
		r, diagnostics := Start(Recording{Scenario: tt.text})
		if r != nil || len(diagnostics) == 0 {
			t.Errorf("%s: it runs", tt.name)
			continue
		}
		d := diagnostics[0]
		if !strings.Contains(d.Message, tt.want) || tt.line > 0 && d.Line != tt.line || len(d.Message) > limits.Message+100 {
			t.Errorf("%s: line %d: %.300s; want line %d: %s", tt.name, d.Line, d.Message, tt.line, tt.want)
		}
	}
}

// TestBadCommands: commands of a link or of a saved session can be wrong in ways that a timeline cannot.
func TestBadCommands(t *testing.T) {
	for _, tt := range []struct {
		commands []Command
		want     string
	}{
		{[]Command{{At: 5, Run: "get po"}, {At: -5, Run: "get po"}}, "command 2 is at -5 ms, before the run begins"},
		{make([]Command, limits.Commands+1), "the run has 5002 commands; rollplay carries out at most 5000"},
	} {
		r, d := Start(Recording{Scenario: texts.Rollout(3), Commands: tt.commands})
		if r != nil || len(d) != 1 || d[0].Message != tt.want {
			t.Errorf("%v, want %s", d, tt.want)
		}
	}
}

// TestTooLargeAtTheMoment: a command that makes the cluster too large, or an answer too long, is refused or cut when it runs.
func TestTooLargeAtTheMoment(t *testing.T) {
	env := "        env:\n" + repeated(24, "        - {name: V#, value: "+strings.Repeat("x", 10_000)+"}\n")
	copies := `[{"op":"add","path":"/x","value":["a"]}` + strings.Repeat(`,{"op":"copy","from":"/x","path":"/x/-"}`, 40) + "]"
	for _, tt := range []struct {
		text, run, want string
		longest         int
	}{
		{deploymentText("web", 30, ""), "scale deployment/web --replicas=1000000000",
			"error: rollplay simulates at most 20000 pods; with this change the workloads would want 1000000000", 200},
		{deploymentText("web", 30, ""), "create deployment x --image=i --replicas=20000", "would want 20030", 200},
		{deploymentText("web", 3, ""), "patch deployment web --type=json -p '" + copies + "'",
			"the accumulated size increase of copy is 393194, exceeding the limit 262144", 400},
		{deploymentText("web", 3, env), "set env deployment/web " + repeated(120, "W#="+strings.Repeat("y", 12_000)+" "),
			"Error from server: etcdserver: request is too large", 200},
		{deploymentText("web", 30, env), "describe pods", "rollplay prints the first 2 of 30 objects in full; name one, or use a selector", limits.Output},
		{deploymentText("web", 30, env), "get pods -o yaml", "rollplay prints the first 2 of 30 objects in full", limits.Output},
		{deploymentText("web", 3, ""), "set image deployment/" + strings.Repeat("z", 50_000) + " a=b", "more bytes)", limits.Message + 100},
	} {
		r := mustRun(t, tt.text, Command{At: 20_000, Run: tt.run})
		answer := ""
		for i := range r.Len() {
			if rec := r.Record(i); rec.Kind == Input && rec.T == 20_000 {
				answer = rec.What
			}
		}
		if !strings.Contains(answer, tt.want) || len(answer) > tt.longest || r.Ended() != "" {
			t.Errorf("%.60s: %d bytes, ends with %s; want %s", tt.run, len(answer), answer[max(0, len(answer)-300):], tt.want)
		}
	}
}

// TestARunThatIsTooLarge: a run that would fill the memory of a page ends, says that it is large and not that it repeats itself, and
// stays readable.
func TestARunThatIsTooLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of thousands of records")
	}
	flap := repeated(200, "- {at: #s, run: scale deployment/web --replicas=0}\n  - {at: #500ms, run: scale deployment/web --replicas=1000}\n  ")
	text := deploymentText("web", 1, "") + settings("duration: 24h", "clientConnection: {qps: 0}", "timeline:", flap)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r := mustRun(t, text)
	runtime.GC()
	runtime.ReadMemStats(&after)
	live := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	if live > heapMax || r.Bytes() < live/2 || r.Bytes() > 2*live {
		t.Errorf("%d records take %d MB, estimated %d MB", r.Len(), live>>20, r.Bytes()>>20)
	}
	if r.Ended() != TooLarge || !strings.Contains(r.Cut(), "it is too large") {
		t.Errorf("ended %q at %d ms with %d records: %s", r.Ended(), r.Now(), r.Len(), r.Cut())
	}
	if d := r.Past().Objects(api.KindDeployment, r.Len()-1); len(d) != 1 {
		t.Errorf("the end shows %d Deployments", len(d))
	}
	runtime.KeepAlive(r)
}

// TestManyRevisions: frames share what does not change, so a run with many revisions takes about as much for each record.
func TestManyRevisions(t *testing.T) {
	perRecord := func(n int) float64 {
		r := mustRun(t, deploymentText("web", 20, "")+settings("timeline:", repeated(n, "- {at: #s, run: set image deployment/web web=nginx:#}\n  ")))
		return float64(r.Bytes()) / float64(r.Len())
	}
	if few, many := perRecord(20), perRecord(160); many > 1.5*few {
		t.Errorf("a record takes %.0f bytes with 160 revisions, %.0f with 20", many, few)
	}
}
