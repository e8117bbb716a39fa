package engine

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/limits"
)

// hostileLines are commands that would take seconds or gigabytes if their work were not bounded, each with a part of its answer.
func hostileLines() map[string]string {
	operations := func(n int, op string) string {
		return "patch deployment web --type=json -p '[" + strings.TrimSuffix(strings.Repeat(op+",", n), ",") + "]'"
	}
	containers := func(n int) string { return repeated(n, `{"name":"c#","image":"i"},`) }
	wide := strings.Repeat("{...*}", 400)
	return map[string]string{
		"get pods -o jsonpath=" + wide:                                                                                                "rollplay reads at most 200 steps of a template, not 1200",
		"get pods -o jsonpath={.items}{.items}{.items}{.items}":                                                                       "rollplay prints at most 1 MB for one command",
		"get pods -o jsonpath={...*...*...*...*}":                                                                                     "rollplay looks at no more than 250000 values",
		"get pods -o 'jsonpath={range ...*}{...*}{end}'":                                                                              "rollplay looks at no more than 250000 values",
		"get pods -o 'jsonpath={range .items[*]}{...*...*...*}{end}'":                                                                 "rollplay looks at no more than 250000 values",
		"get pods --sort-by={...*...*...*...*...*...*...*}":                                                                           "rollplay looks at no more than 250000 values",
		"get pods -o custom-columns=" + strings.TrimSuffix(strings.Repeat("A:.a,", 5000), ","):                                        "rollplay reads at most 100 columns, not 5000",
		"get pods -o custom-columns=" + strings.TrimSuffix(strings.Repeat("A:...*,", 90), ","):                                        "rollplay looks at no more than 250000 values",
		"get pods -L " + strings.TrimSuffix(strings.Repeat("a,", 100_000), ","):                                                       "rollplay reads at most 100 columns, not 100000",
		"delete pods -l " + strings.TrimSuffix(strings.Repeat("!a,", 60_000), ","):                                                    "rollplay reads at most 500 keys and values of a selector, not 60",
		"get pods -l 'a in (" + strings.TrimSuffix(strings.Repeat("b,", 60_000), ",") + ")'":                                          "rollplay reads at most 500 keys and values of a selector, not 60",
		`patch deployment web -p '{"spec":{"template":{"spec":{"containers":[` + strings.TrimSuffix(containers(9000), ",") + `]}}}}'`: "rollplay reads at most 500 entries in a list of a patch, not 9000",
		operations(10_001, `{"op":"test","path":"/kind","value":"Deployment"}`):                                                       "The allowed maximum operations in a JSON patch is 10000, got 10001",
		operations(9000, `{"op":"add","path":"/spec/template/spec/containers/-","value":{"name":"x"}}`):                               "rollplay",
	}
}

// TestWorkOfACommandIsBounded: a command that would do too much answers so, changes nothing, and the run goes on.
func TestWorkOfACommandIsBounded(t *testing.T) {
	for command, want := range hostileLines() {
		r := mustRun(t, deploymentText("web", 200, ""), Command{At: 20_000, Run: command}, Command{At: 21_000, Run: "get deployment web"})
		answers := map[int64]string{}
		for i := range r.Len() {
			if rec := r.Record(i); rec.Kind == Input {
				answers[rec.T] = rec.What
			}
		}
		if !strings.Contains(answers[20_000], want) || len(answers[20_000]) > limits.Message+100 {
			t.Errorf("%.60s: %.300s; want %s", command, answers[20_000], want)
		}
		if r.Ended() != "" || !strings.Contains(answers[21_000], "200/200") {
			t.Errorf("%.60s: afterwards the run says %q, %s", command, answers[21_000], r.Cut())
		}
	}
}

// TestLimitsOfObjects: lists, maps and kinds have a limit at their line, because controllers and tables look at every entry.
func TestLimitsOfObjects(t *testing.T) {
	quota := "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q#}\nspec: {hard: {pods: 1k}}\n"
	web := deploymentText("web", 3, "")
	for _, tt := range []struct{ name, text, want string }{
		{"quotas", web + repeated(limits.Quotas+1, quota), "rollplay simulates at most 100 ResourceQuotas"},
		{"variables", deploymentText("web", 3, "        env:\n"+repeated(501, "        - {name: V#}\n")),
			"spec.template.spec.containers[0].env: rollplay reads at most 500 entries here, not 501"},
		{"annotations", strings.Replace(web, "{name: web}", "{name: web, annotations: {"+repeated(501, "a#: b, ")+"}}", 1),
			"metadata.annotations: rollplay reads at most 500 entries here, not 501"},
	} {
		r, diagnostics := Start(Recording{Scenario: tt.text})
		if r != nil || len(diagnostics) == 0 || !strings.Contains(diagnostics[0].Message, tt.want) {
			t.Errorf("%s: %.300v, want %s", tt.name, diagnostics, tt.want)
		}
	}
}

// TestARunEndsInTheMiddleOfAnEvent: one event can write more than fits; the run ends there and stays readable.
func TestARunEndsInTheMiddleOfAnEvent(t *testing.T) {
	r, _ := Start(Recording{Scenario: deploymentText("web", 3000, ""), Commands: []Command{{At: 60_000, Run: "delete pods --all"}}})
	r.world.kernel.Check = func() {
		if r.world.kernel.Now() == 60_000 {
			panic(full{})
		}
	}
	r.Finish()
	command := 0
	for r.Record(command).T < 60_000 {
		command++
	}
	if r.Ended() != TooLarge || r.Len() != command+1 {
		t.Errorf("ended %q, %d records after the command", r.Ended(), r.Len()-command)
	}
	last := r.Len() - 1
	if d := r.Past().Objects(api.KindDeployment, last); len(d) != 1 || r.Past().Transcript(command) == nil {
		t.Errorf("the end shows %d Deployments; %d is %+v", len(d), command, r.Record(command))
	}
}

// TestTheLimitHoldsAtEachRecord: one event can write few records that take a lot. The run ends at the first record beyond the limit, so the excess is
// what one record takes.
func TestTheLimitHoldsAtEachRecord(t *testing.T) {
	const workloads, each = 400, 12 // Deployments without pods, and annotations of 20 kB
	text := repeated(workloads, deploymentText("web#", 0, ""))
	var commands []Command
	for i := range int64(4 * each) {
		commands = append(commands, Command{At: 1000 + i, Run: "annotate deployments --all --overwrite k" + strconv.Itoa(int(i)%each) + "=" + strings.Repeat("x", 20_000)})
	}
	r, _ := Start(Recording{Scenario: text, Commands: commands})
	for !r.Advance(1000) {
	}
	if over := r.Bytes() - limits.Memory; r.Ended() != TooLarge || over < 0 || over > 1<<20 {
		t.Errorf("ended %q, %d kB beyond the limit", r.Ended(), over>>10)
	}
}

// TestEstimateHoldsTheHeap: the estimate that ends a run is at least half of what the run keeps in memory, whatever its commands
// make large.
func TestEstimateHoldsTheHeap(t *testing.T) {
	big := strings.Repeat("x", 8000)
	shapes := map[string]string{
		"labels":      "label pods --all k#=v# --overwrite",
		"values":      "annotate pods --all k=#" + big + " --overwrite",
		"annotations": "annotate deployment web k#=" + big,
		"answers":     "get pods -o yaml",
		"images":      "set image deployment/web web=nginx:#",
		"variables":   "set env deployment/web V#=" + big[:2000],
		"scalings":    "scale deployment/web --replicas=#0",
	}
	for name, command := range shapes {
		text := deploymentText("web", 200, "") + settings("timeline:", repeated(40, "- {at: #1s, run: \""+command+"\"}\n  "))
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		r := mustRun(t, text)
		runtime.GC()
		runtime.ReadMemStats(&after)
		live := int64(after.HeapAlloc) - int64(before.HeapAlloc)
		if most := 2*r.Bytes() + 10<<20; live > most {
			t.Errorf("%s: %d records keep %d kB; at most %d kB follow from the estimate", name, r.Len(), live>>10, most>>10)
		}
		t.Logf("%s: %d records keep %d kB, estimated %d kB", name, r.Len(), live>>10, r.Bytes()>>10)
		runtime.KeepAlive(r)
	}
}
