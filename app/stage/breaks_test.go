package stage

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/scenarios"
)

var (
	everyBreak = flag.Bool("everyBreak", false, "break every lesson instead of every fourth")
	published  = flag.String("manifests", "", "a folder with manifests that are broken, too")
)

// manifests are written as people publish them: kinds, probes, limits, strategies and sizes in many combinations.
func manifests() (all []string) {
	const probe = "        readinessProbe: {httpGet: {path: /, port: 80}}\n"
	const limits = "        resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {cpu: 250m, memory: 128Mi}}\n"
	for i, spec := range []string{
		"  replicas: 1\n", "  replicas: 3\n", "  replicas: 6\n  minReadySeconds: 10\n", "  replicas: 2\n  strategy: {type: Recreate}\n",
		"  replicas: 4\n  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}\n", "  replicas: 3\n  paused: true\n", "  replicas: 0\n",
		"  replicas: 5\n  progressDeadlineSeconds: 30\n", "  replicas: 3\n  strategy: {rollingUpdate: {maxSurge: 100%, maxUnavailable: 0}}\n",
	} {
		for _, more := range []string{"", probe, probe + limits} {
			all = append(all, fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: shop-%d}
spec:
%s  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec:
      terminationGracePeriodSeconds: %d
      containers:
      - name: web
        image: registry.example.com/team/shop:1.4.2
%s`, i, spec, []int{20, 5, 60}[i%3], more))
		}
	}
	for _, update := range []string{"{type: OnDelete}", "{rollingUpdate: {partition: 2}}", "{}"} {
		all = append(all, `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 3
  serviceName: db
  updateStrategy: `+update+`
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers:
      - name: db
        image: postgres:16.1
`+probe)
	}
	for _, update := range []string{"{type: OnDelete}", "{}"} {
		all = append(all, `apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: ops}
spec:
  updateStrategy: `+update+`
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers:
      - name: agent
        image: agent@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
`)
	}
	return all
}

// promised are the findings to which the entries of the menu lead; "" for slow stops, which nothing waits for.
var promised = [...]string{"bad-image", "crash-loop", "not-ready", "starting", "", "node-lost", "unschedulable", "quota", "budget"}

// TestBreaksBreak: each entry of the menu reaches the finding that it promises, on any text, or says why it cannot; and whatever makes it
// possible does so.
func TestBreaksBreak(t *testing.T) {
	reached := map[string]int{}
	for i, name := range scenarios.Names() {
		if *everyBreak || i%4 == 0 {
			breakAll(t, name, func(s *session.Session) { s.LoadScenario(name) }, reached)
		}
	}
	for i, text := range manifests() {
		breakAll(t, fmt.Sprintf("manifest %d", i), func(s *session.Session) { s.NewText(text) }, reached)
	}
	files, err := filepath.Glob(filepath.Join(*published, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		breakAll(t, filepath.Base(file), func(s *session.Session) { s.NewText(string(text)) }, reached)
	}
	t.Logf("findings reached: %v", reached)
	for _, id := range promised {
		if reached[id] < 5 {
			t.Errorf("%q was reached %d times", id, reached[id])
		}
	}
}

func breakAll(t *testing.T, name string, load func(*session.Session), reached map[string]int) {
	t.Helper()
	settled := func() (*session.Session, *Panels) {
		s := apptest.Session(t)
		load(s)
		apptest.Compute(t, s)
		s.Cursor.ToEnd()
		return s, New(s, false)
	}
	s, p := settled()
	if s.Workload() == "" {
		t.Logf("%s has no workload: %s", name, s.Visit.Notice.Text)
		return
	}
	for k, d := range p.controls().damages() {
		s, p := settled()
		for steps := 0; d.Off != "" && d.Allow.Run != "" && steps < 3; steps++ {
			BreakIt(s, d.Allow)
			apptest.Compute(t, s)
			s.Cursor.ToEnd()
			p.diagnosed = diagnosed{}
			was := d.Off
			if d = p.controls().damages()[k]; d.Off == was {
				t.Errorf("%s, %s: still %q after what makes it possible", name, d.Name, d.Off)
			}
		}
		if d.Off != "" {
			if text := s.Lang().Say(d.Off); !strings.HasSuffix(text, ".") {
				t.Errorf("%s, %s: %q is no sentence", name, d.Name, text)
			}
			continue
		}
		from := s.Cursor.T
		s.Control(func() { BreakIt(s, d.Damage) })
		apptest.Compute(t, s)
		if !leads(s, promised[k], from) {
			end := diagnosis.Of(s.Run().Past(), s.Workload(), s.Run().Len()-1, s.End())
			t.Errorf("%s, %s: no %q, but %s; %s", name, d.Name, promised[k], end.Title, s.Visit.Notice.Text)
		}
		reached[promised[k]]++
	}
}

// leads says whether the diagnosis has a finding at some moment after another.
func leads(s *session.Session, id string, from int64) bool {
	if id == "" { // pods that take at least ten seconds to stop
		since := int64(-1)
		for _, f := range s.Run().Frames(s.Workload()) {
			switch {
			case f.T < from || f.Terminating == 0:
				if since >= 0 && f.T-since >= 10_000 {
					return true
				}
				since = -1
			case since < 0:
				since = f.T
			case f.T-since >= 10_000:
				return true
			}
		}
		return since >= 0 && s.End()-since >= 10_000
	}
	for _, after := range []int64{1_000, 2_000, 5_000, 10_000, 20_000, 45_000, 90_000, 200_000, 700_000, 1 << 40} {
		at := min(from+after, s.End())
		d := diagnosis.Of(s.Run().Past(), s.Workload(), s.Run().Past().Find(at), at)
		if slices.ContainsFunc(d.Findings, func(f diagnosis.Finding) bool { return f.ID == id }) {
			return true
		}
	}
	return false
}

// TestBreakWithBudget: pods that have a budget get no second one, with which the API server refuses every eviction for another reason.
func TestBreakWithBudget(t *testing.T) {
	s := apptest.Session(t)
	s.LoadScenario("drain-blocked")
	apptest.Compute(t, s)
	s.Cursor.SeekTo(10_000)
	list := New(s, false).controls().damages()
	want := `kubectl patch pdb web -p '{"spec":{"maxUnavailable":null,"minAvailable":3}}'`
	if d := list[len(list)-1]; d.Off != "" || d.Run != want {
		t.Errorf("%q (%s), want %q", d.Run, d.Off, want)
	}
	s.Control(func() { BreakIt(s, list[len(list)-1].Damage) })
	apptest.Compute(t, s)
	at := s.Cursor.Record
	refused := 0
	for ; at < s.Run().Len(); at++ {
		switch r := s.Run().Record(at); {
		case strings.Contains(r.What, "more than one PodDisruptionBudget"):
			t.Error(r.What)
		case strings.Contains(r.What, "not evicted"):
			refused++
		}
	}
	if refused == 0 {
		t.Error("no eviction is refused")
	}
}

// TestWithoutWorkload: where there is no workload, there is nothing to break, and no menu that would open empty; a sentence says what to do.
func TestWithoutWorkload(t *testing.T) {
	for text, want := range map[string]int{"apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: web}, ports: [{port: 80}]}": 0, manifests()[0]: 2} {
		s := apptest.Session(t)
		s.NewText(text)
		apptest.Compute(t, s)
		panels := New(s, false)
		html, says := apptest.HTML(panels.controls()), panels.Says()
		if (says == "Nothing to roll out: add a Deployment, StatefulSet or DaemonSet.") != (want == 0) {
			t.Errorf("it says %q", says)
		}
		if got := strings.Count(html, `data-act="break"`) + strings.Count(html, `data-act="more"`); got != want || !strings.Contains(html, `data-act="undo"`) {
			t.Errorf("%d menus, want %d: %s", got, want, html)
		}
	}
}
