package tries

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
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

// randomCommand is what somebody might do who looks for a way around the goals: type a line, edit the objects, or let something happen.
func randomCommand(r *rand.Rand, name, kind, object string) (c engine.Command) {
	switch r.IntN(8) {
	case 0, 1:
		c.Apply = randomEdit(r, name)
	case 2:
		c.Do = randomDeed(r, object)
	default:
		c.Run = randomLine(r, kind, object)
	}
	return c
}

func pick(r *rand.Rand, all ...string) string { return all[r.IntN(len(all))] }

func randomImage(r *rand.Rand) string {
	return pick(r, "shop:1.27", "shop:1.28", "shop:1.28-rc1", "shop:1.280", "shop:1.82", "postgres:17.5", "postgres:17.55", "postgres:17.4")
}

func randomLine(r *rand.Rand, kind, object string) string {
	n := r.IntN(13)
	return pick(r,
		fmt.Sprintf("kubectl set image %s/%s %s=%s", kind, object, object, randomImage(r)), fmt.Sprintf("kubectl scale %s/%s --replicas=%d", kind, object, n),
		fmt.Sprintf("kubectl rollout %s %s/%s", pick(r, "undo", "restart", "pause", "resume"), kind, object),
		fmt.Sprintf(`kubectl patch %s %s -p '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":%d,"maxUnavailable":%d}}}}'`, kind, object, r.IntN(3), r.IntN(3)),
		fmt.Sprintf(`kubectl patch %s %s -p '{"spec":{"minReadySeconds":%d}}'`, kind, object, n),
		fmt.Sprintf(`kubectl patch %s %s -p '{"spec":{"progressDeadlineSeconds":%d}}'`, kind, object, 10*n+1),
		fmt.Sprintf(`kubectl patch %s %s -p '{"spec":{"updateStrategy":{"type":"%s"}}}'`, kind, object, pick(r, "OnDelete", "RollingUpdate")),
		fmt.Sprintf(`kubectl patch %s %s --type=json -p '[{"op":"remove","path":"/spec/template/spec/containers/0/%s"}]'`, kind, object, pick(r, "readinessProbe", "resources")),
		fmt.Sprintf(`kubectl patch quota team -p '{"spec":{"hard":{"pods":"%d"}}}'`, n*8), fmt.Sprintf(`kubectl patch pdb web -p '{"spec":{"minAvailable":%d}}'`, r.IntN(5)),
		fmt.Sprintf(`kubectl patch pdb web -p '{"spec":{"selector":{"matchLabels":{"app":"%s"}}}}'`, pick(r, "none", "web")),
		`kubectl patch pdb web -p '{"spec":{"minAvailable":null,"maxUnavailable":1}}'`,
		"kubectl delete "+pick(r, "pdb web", "quota team", "pod "+object+"-2", "pods --all", "pods -l app="+object, "rs --all", kind+" "+object, "node node-1"),
		"kubectl "+pick(r, "uncordon", "cordon", "drain")+" node-"+pick(r, "1", "2", "3"), "kubectl label pods --all app-",
		fmt.Sprintf("kubectl set resources %s/%s --requests=cpu=%d00m", kind, object, 1+r.IntN(6)), fmt.Sprintf("kubectl autoscale %s/%s --min=%d --max=12", kind, object, 1+n),
		fmt.Sprintf("kubectl create deployment other --image=%s --replicas=%d", randomImage(r), n), fmt.Sprintf("kubectl set env %s/%s A=%d", kind, object, n),
	)
}

var numbers = regexp.MustCompile(`(replicas|maxSurge|maxUnavailable|minAvailable|progressDeadlineSeconds|pods|cpu): ?\S+?([},\n])`)

// randomEdit is the objects of an exercise with an image, some numbers and a strategy changed.
func randomEdit(r *rand.Rand, name string) string {
	_, text, _ := strings.Cut(scenarios.Text(name), "\n---\n")
	text = regexp.MustCompile(`image: \S+`).ReplaceAllString(text, "image: "+randomImage(r))
	text = numbers.ReplaceAllStringFunc(text, func(old string) string {
		m := numbers.FindStringSubmatch(old)
		if r.IntN(2) == 0 {
			return old
		}
		return m[1] + ": " + pick(r, "0", "1", "2", "3", "4", "8", "16", `"50%"`, "200m") + m[2]
	})
	return strings.Replace(text, "  replicas:", pick(r, "", "  minReadySeconds: 5\n", "  paused: true\n", "  strategy: {type: Recreate}\n")+"  replicas:", 1)
}

func randomDeed(r *rand.Rand, object string) string {
	return pick(r, "add node/node-4 cpu=4", "kill node/node-1", "restore node/node-1", "remove node/node-1", "crash pod/"+object+"-0", "fail-readiness pod/"+object+"-1")
}

// TestWildTries: whatever random commands, edits and deeds solve an exercise also reaches what it wants, recounted from the pods. With -v it prints what
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
			for at := int64(500 + 1000*r.IntN(50)); len(commands) < 1+r.IntN(3); at += int64(1 + r.IntN(30_000)) {
				c := randomCommand(r, name, kind, object)
				c.At = at
				commands = append(commands, c)
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
		{"fix-no-room", `equals: "node-1 node-2 node-3:1 1 1"`, `equals: ["node-1 node-2 node-3:1 1 1", "node-1 node-2 node-3 node-4:1 1 1 1"]`},
		{"fix-no-room", `:{.items[*].status.allocatable.cpu}", equals: "node-1 node-2 node-3:1 1 1"`, `", equals: "node-1 node-2 node-3"`},
		{"fix-no-room", "min: {desired: 3, available: 2}", "min: {available: 2}"},
		{"fix-crash-loop", ", max: {desired: 8}", ""},
		{"choose-surge", "from: 1s, extra", "from: 20s, extra"},
		{"fix-drain", "without: [delete]", "without: [drain]"},
		{"fix-release", `{.spec.template.spec.containers[*].readinessProbe.httpGet.path}", equals: "shop:1.28/"`, `", equals: "shop:1.28"`},
		{"fix-deadline", "from: 11s, to: 140s, run", "from: 45s, by: 45s, run"},
		{"fix-drain", `equals: ['{"app":"web"}3',`, `equals: ['{"app":"web"}0', '{"app":"web"}2', '{"app":"web"}3',`},
		{"fix-no-room", `containers[*].image}", equals: "shop:1.28"`, `containers[*].image}", equals: ["shop:1.27", "shop:1.28"]`},
		{"fix-drain", `{.spec.selector.*}{.status.desiredHealthy}", equals: [`, `{.status.desiredHealthy}", equals: ["3", "4", `},
		{"fix-drain", `.readinessProbe.httpGet.path}", equals: "shop:1.27/"`, `.name}", equals: "shop:1.27web"`},
		{"fix-deadline", `.readinessProbe.httpGet.path}", equals: "shop:1.28/"`, `.name}", equals: "shop:1.28web"`},
		{"fix-crash-loop", `{.spec.paused}", equals: "shop:1.28"`, `{.spec.paused}", equals: ["shop:1.28", "shop:1.27"]`},
		{"fix-crash-loop", `{.spec.paused}", equals: "shop:1.28"`, `", equals: "shop:1.28"`},
		{"choose-surge", `containers[*].image}", equals: "shop:1.27"`, `containers[*].image}", equals: ["shop:1.27", "shop:1.28"]`},
		{"fix-quota", `from: 1s, to: 9s, run: "kubectl get deployment web -o jsonpath={.spec.template.spec.containers[*].image}", equals: "shop:1.27"`, `from: 1s, min: {desired: 8}`},
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
