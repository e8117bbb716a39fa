package traffic_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// allMutants makes TestMutants try all of its mutants; otherwise it tries the first two.
var allMutants = flag.Bool("mutants", false, "try all mutants of the model")

// mutants are changes of the model that the tests of the model must notice: a file, what is there once, and what takes its place.
var mutants = []struct{ name, file, old, new string }{
	{"a rest is lost", "lanes.go", "counts[largest] += left", "counts[largest] += 0"},
	{"a crash is a stop", "steps.go", "min(c.At, a.ends), Crashed)", "min(c.At, a.ends), Reset)"},
	{"requests are counted twice", "lanes.go", "owed[k] -= float64(counts[k])", ""},
	{"a pod without a rest of its own loses none", "model.go", "if int64(k) < n%int64(len(of))", "if false"},
	{"the last resort is no cause", "model.go", "last != Served && l.leaving", "false"},
	{"everybody is refused at the second try, too", "model.go", "l.retries && len(l.by[Served]) > 0", "l.retries"},
	{"the hook forgets a late slice", "verdict.go", "const retry = 1000", "const retry = 0"},
	{"the hook forgets the requests in flight", "verdict.go", "if r.Drains < longest && !r.keeps()", "if false"},
	{"the hook forgets the delay", "verdict.go", "reach := p.takes + p.delay + p.leaves", "reach := p.takes"},
	{"apps drain for ever", "steps.go", "has = b.Stop.Min", "has = never"},
	{"a probe tells nothing", "steps.go", "w.steps[a.serves-1].at = min(w.steps[a.serves-1].at, c.At)", ""},
	{"all weights are 1", "routes.go", "max(0, ref.Number(\"weight\"))", "1"},
	{"a route does not change", "routes.go", "path.takes + path.delay}", "path.takes + never}"},
	{"an Ingress sends nothing", "routes.go", "k.Kind != scenario.KindIngress && ", ""},
	{"pods have room for all", "crowd.go", "l.queue, l.grows = min(l.queue, full), come-answer", "l.grows = -1"},
	{"nobody gives up", "crowd.go", "case l.grows > 0 && l.queue >= full:", "case l.grows > 0 && l.queue > 2*full:"},
	{"the queue is forgotten", "crowd.go", "l.queue = max(0, l.queue+l.grows*float64(ms))", "l.queue = 0"},
	{"users do not meet", "crowd.go", "users /= float64(len(l.targeted))", "users = 0"},
	{"a load balancer does not check", "rules.go", "rules[i].at + p.joinsAfter(uid)", "rules[i].at"},
	{"a readiness gate waits for no check", "runner.go", "if p.known[uid] {", "if false {"},
	{"a load balancer forgets at once", "rules.go", "rules[i].at+p.leaves)", "rules[i].at)"},
	{"a load balancer has a last resort", "rules.go", "if !e.Conditions.Ready && path.checks()", "if false"},
	{"no pod waits for a check", "rules.go", "return NoTarget", "return NoEndpoint"},
	{"a check is over when a pod is ready", "verdict.go", "p.delay + p.joins + 999", "p.delay + 999"},
	{"connections are closed at once", "users.go", "if one.on > 0 &&", "if one.on > 1e9 &&"},
	{"connections never age", "users.go", "one.next-one.began < of.MaxAge", "true"},
	{"affinity never ends", "users.go", "one.next-one.ended < l.affinity", "l.affinity > 0"},
	{"a proxy of requests keeps connections", "verdict.go", "&& !paths[r.Of.Via].each }", "}"},
	{"all requests are as long as the longest", "users.go", "return r.Min + int64(", "return r.Max + 0*int64("},
	{"of a range the longest counts", "steps.go", "w.of.Unanswered(ends-last)", "max(0, w.of.Takes.Max-(ends-last))"},
	{"every pod that was sent to is an endpoint", "rules.go", "was && !is &&", "false &&"},
	{"a pod that is removed crashes", "steps.go", "removed := c.New == nil && !pod.Terminating()", "removed := false"},
	{"proxies know at once", "rules.go", "at: start + path.takes + path.delay", "at: start"},
}

// TestMutants: a wrong model does not pass.
func TestMutants(t *testing.T) {
	list := mutants
	if !*allMutants {
		list = list[:2]
	}
	for _, m := range list {
		source, err := os.ReadFile(m.file)
		if err != nil || strings.Count(string(source), m.old) != 1 {
			t.Fatalf("%s: %q is not once in %s: %v", m.name, m.old, m.file, err)
		}
		dir := t.TempDir()
		changed, overlay, here := filepath.Join(dir, m.file), filepath.Join(dir, "overlay.json"), must(filepath.Abs(m.file))
		table := must(json.Marshal(map[string]any{"Replace": map[string]string{here: changed}}))
		if err := os.WriteFile(changed, []byte(strings.Replace(string(source), m.old, m.new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(overlay, table, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "test", "-vet=off", "-overlay", overlay, "-run", "^(TestRandom|TestVerdicts|TestRoute.*|TestIngress|TestCrowd.*|TestLengths|TestConnections|TestBalancers|TestDisruptionsUnderLoad)$", ".").CombinedOutput()
		if err == nil || !strings.Contains(string(out), "--- FAIL: Test") {
			t.Errorf("nobody notices that %s: %v\n%s", m.name, err, out)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
