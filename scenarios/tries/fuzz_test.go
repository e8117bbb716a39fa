package tries

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/scenarios"
)

var wild = flag.Int("wild", 25, "how many random tries each exercise gets")

// wanted is what each exercise wants in the end, recounted from the pods themselves: how many of which image there are at a moment, and how
// few may be Ready from a moment on.
var wanted = map[string]struct {
	image       string
	pods, ready int
	from, by    int64
}{
	"fix-image": {"shop:1.28", 8, 6, 10_000, 90_000}, "fix-zero": {"shop:1.28", 4, 3, 10_000, 70_000}, "zero-downtime": {"shop:1.28", 1, 1, 10_000, 60_000},
	"choose-surge": {"shop:1.28", 10, 9, 20_000, 40_000}, "fix-crash-loop": {"shop:1.27", 8, 6, 19_000, 90_000}, "fix-quota": {"shop:1.28", 8, 7, 10_000, 170_000},
	"fix-no-room": {"shop:1.28", 3, 2, 10_000, 80_000}, "fix-deadline": {"shop:1.28", 4, 3, 10_000, 140_000}, "fix-sts": {"postgres:17.5", 3, 2, 15_000, 100_000},
	"fix-drain": {"shop:1.27", 3, 3, 10_000, 110_000}, "fix-release": {"shop:1.28", 4, 3, 10_000, 110_000},
}

// recount says what is wrong with a run that meets its goals, read with kubectl, without frames and goals.
func recount(run *engine.Run, name string) string {
	w := wanted[name]
	pods := func(at int64) (images, ready int) {
		line := "get pods --no-headers -o custom-columns=I:.spec.containers[*].image,R:.status.containerStatuses[*].ready,D:.metadata.deletionTimestamp"
		reading, ok := run.Past().Read(past.Parse(line), run.Past().Find(at), at)
		if !ok {
			return -1, -1
		}
		for _, l := range reading.Lines {
			f := strings.Fields(l.Text)
			if len(f) == 3 && f[1] == "true" {
				ready++
			}
			if len(f) == 3 && f[0] == w.image && f[2] == "<none>" {
				images++
			}
		}
		return images, ready
	}
	if images, _ := pods(w.by); images < w.pods {
		return fmt.Sprintf("%d pods of %s at %d ms", images, w.image, w.by)
	}
	for at := w.from; at <= w.by; at += 250 {
		if _, ready := pods(at); ready < w.ready {
			return fmt.Sprintf("%d pods are ready at %d ms", ready, at)
		}
	}
	return ""
}

// randomLine is a line that somebody might type who looks for a way around the goals.
func randomLine(r *rand.Rand, kind, object string) string {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	image := pick("shop:1.27", "shop:1.28", "shop:1.28-rc1", "shop:1.280", "shop:1.82", "postgres:17.5", "postgres:17.55", "postgres:17.4")
	n := r.IntN(13)
	container := object
	return pick(
		fmt.Sprintf("kubectl set image %s/%s %s=%s", kind, object, container, image), fmt.Sprintf("kubectl scale %s/%s --replicas=%d", kind, object, n),
		fmt.Sprintf("kubectl rollout %s %s/%s", pick("undo", "restart", "pause", "resume"), kind, object),
		fmt.Sprintf(`kubectl patch %s %s -p '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":%d,"maxUnavailable":%d}}}}'`, kind, object, r.IntN(3), r.IntN(3)),
		fmt.Sprintf(`kubectl patch %s %s -p '{"spec":{"minReadySeconds":%d}}'`, kind, object, n),
		fmt.Sprintf(`kubectl patch %s %s -p '{"spec":{"progressDeadlineSeconds":%d}}'`, kind, object, 10*n+1),
		fmt.Sprintf(`kubectl patch quota team -p '{"spec":{"hard":{"pods":"%d"}}}'`, n*8), fmt.Sprintf(`kubectl patch pdb web -p '{"spec":{"minAvailable":%d}}'`, r.IntN(5)),
		"kubectl delete "+pick("pdb web", "quota team", "pod "+object+"-2", "pods --all", "rs --all"), "kubectl uncordon node-1",
		fmt.Sprintf("kubectl set resources %s/%s --requests=cpu=%d00m", kind, object, 1+r.IntN(6)),
	)
}

// TestWildTries: whatever random commands solve an exercise also reaches what it wants, recounted from the pods. With -v it prints what
// solved it, to be read: go test ./scenarios/tries -run WildTries -v -args -wild 2000.
func TestWildTries(t *testing.T) {
	solved := 0
	check := func(name string, commands []engine.Command) {
		run, _ := engine.Start(engine.Recording{Scenario: scenarios.Text(name), Commands: commands})
		if run == nil || !run.Finish().Solved() {
			return
		}
		solved++
		t.Logf("%s is solved by %v", name, commands)
		if wrong := recount(run, name); wrong != "" {
			t.Errorf("%s is solved by %v, but %s", name, commands, wrong)
		}
	}
	for _, try := range All() {
		check(try.Exercise, try.Commands)
	}
	for name := range wanted {
		kind, object := "deployment", "web"
		if name == "fix-sts" {
			kind, object = "statefulset", "db"
		}
		r := rand.New(rand.NewPCG(1, uint64(len(name))))
		for range *wild {
			var commands []engine.Command
			for at := int64(9_000 + 1000*r.IntN(40)); len(commands) < 1+r.IntN(3); at += int64(1 + r.IntN(30_000)) {
				commands = append(commands, engine.Command{At: at, Run: randomLine(r, kind, object)})
			}
			check(name, commands)
		}
	}
	if solved < len(wanted) {
		t.Errorf("only %d tries solved anything", solved)
	}
}

// TestLaxGoals: goals as they were once, too easy to meet, are noticed by the recount or by a try.
func TestLaxGoals(t *testing.T) {
	for _, m := range []struct{ name, from, to string }{
		{"fix-quota", `run: "kubectl get quota -o jsonpath={.items[*].spec.hard.pods}", equals: "8"`, `by: 170s, run: kubectl get quota, contains: "/8"`},
		{"fix-no-room", `equals: node-1 node-2 node-3`, `equals: [node-1 node-2 node-3, node-1 node-2 node-3 node-4]`},
		{"fix-deadline", "from: 11s, to: 140s, run", "from: 45s, by: 45s, run"},
		{"fix-drain", `equals: ["3",`, `equals: ["0", "1", "2", "3",`},
		{"fix-no-room", `containers[*].image}", equals: "shop:1.28"`, `containers[*].image}", equals: ["shop:1.27", "shop:1.28"]`},
		{"fix-sts", `equals: "postgres:17.5"`, `contains: "postgres:17.5"`},
	} {
		text := strings.Replace(scenarios.Text(m.name), m.from, m.to, 1)
		noticed := text != scenarios.Text(m.name)
		if !noticed {
			t.Errorf("%s has no %s", m.name, m.from)
		}
		noticed = false
		for _, try := range All() {
			if try.Exercise != m.name || try.Solves {
				continue
			}
			run, diagnostics := engine.Start(engine.Recording{Scenario: text, Commands: try.Commands})
			if run == nil {
				t.Fatalf("%s: %v", m.name, diagnostics)
			}
			noticed = noticed || run.Finish().Solved()
		}
		if !noticed {
			t.Errorf("%s with %s: no wrong try solves it, so none would notice", m.name, m.to)
		}
	}
}
