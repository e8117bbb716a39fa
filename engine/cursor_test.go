package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/past"
)

// reads are lines whose answers depend on everything that a cluster has.
var reads = [...]string{
	"get deploy,rs,sts,ds,pods -o wide -A", "get pods -o yaml", "get nodes,pdb,hpa -o yaml", "get deploy,sts,ds,rs -o json",
	"describe pods", "describe deploy,rs", "describe sts,ds,pdb", "describe nodes", "get events", "get pods -w",
	"get rs --show-labels --sort-by=.metadata.creationTimestamp", "events", "get controllerrevisions -o yaml",
	"rollout status deployment/web", "rollout status sts/db --timeout=20s", "rollout status ds/agent --watch=false",
	"rollout history deployment/web", "rollout history sts/db", "wait pods --all --for=condition=Ready --timeout=10s",
	"wait deploy/web --for=delete", "get pods --field-selector=status.phase=Running -o name", "events -w --types=Warning",
}

// FuzzPast: what a finished run shows at a cursor, wherever the cursor has been before, is what a run shows that is computed
// only up to there, and what kubectl answers that asks the API server at that moment. The frames are a recount of the pods.
func FuzzPast(f *testing.F) {
	for i := range 36 {
		f.Add(uint64(i), byte(i), uint16(i*40), uint16(900-i*30), randomData(uint64(i), 40))
	}
	f.Fuzz(func(t *testing.T, seed uint64, line byte, first, second uint16, data []byte) {
		rec, ok := pastRecording(seed, data)
		if !ok {
			return
		}
		c := cursors{line: reads[int(line)%len(reads)], rec: rec, whole: mustRun(t, rec.Scenario, rec.Commands...)}
		for _, name := range c.whole.Workloads() {
			recount(t, c.whole, name)
		}
		c.compare(t, first, second)
		c.live(t, first)
		stored(t, c.whole)
	})
}

// pastRecording is a small world with commands, and a duration that keeps it small; false if it has no run.
func pastRecording(seed uint64, data []byte) (Recording, bool) {
	var rec Recording
	switch seed % 3 {
	case 0:
		rec.Scenario, rec.Commands = texts.Fuzz(seed, data)
	case 1:
		rec.Scenario, rec.Commands = fuzzCluster(seed, data)
		rec.Scenario = strings.Replace(rec.Scenario, "duration: 10m", "duration: 100s", 1)
	case 2:
		rec = mutantRecording(data)
	}
	const eventsMax = 10_000 // what has more is a loop, or large
	run, _ := Start(rec)
	return rec, run != nil && run.Advance(eventsMax) && run.Len() > 0
}

// cursors compares the whole run of a recording with runs that are computed less far.
type cursors struct {
	line  string
	rec   Recording
	whole *Run
}

// moment returns the time of some record, or shortly after it.
func (c *cursors) moment(choice uint16) int64 {
	k := int(choice) % c.whole.Len()
	return min(c.whole.Past().At(k)+[...]int64{0, 0, 1, 700}[int(choice>>8)%4], c.whole.Now())
}

// compare looks at the whole run at several cursors, the last one first, and at a run that is on its way to each, the
// first one first.
func (c *cursors) compare(t *testing.T, first, second uint16) {
	moments := []int64{c.moment(first), c.moment(second)}
	slices.Sort(moments)
	var want [][]string
	for _, at := range slices.Backward(moments) {
		want = append(want, c.shown(c.whole, c.whole.Past().Find(at), at))
	}
	run, _ := Start(c.rec)
	for k, at := range moments {
		run.AdvancePast(at, 1<<20)
		got := c.shown(run, run.Past().Find(at), at)
		c.same(t, fmt.Sprintf("computed up to %d ms", at), got, want[len(want)-1-k])
	}
}

func (c *cursors) same(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s:\n%s\nnot\n%s\n%s\n%+v", what, got[i], want[i], c.rec.Scenario, c.rec.Commands)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d parts, not %d\n%s\n%+v", what, len(got), len(want), c.rec.Scenario, c.rec.Commands)
	}
}

// shown is what the page shows at a cursor, in parts.
func (c *cursors) shown(run *Run, i int, t int64) (parts []string) {
	p := run.Past()
	add := func(name string, v any) { parts = append(parts, fmt.Sprintf("%s: %+v", name, v)) }
	add("record", i)
	add("pods", p.Pods(i, t))
	add("tables", p.Tables(i, t, 1000))
	rows, all := p.Nodes(i, 100)
	add("nodes", rows)
	add("how many", all)
	add("queues", busyQueues(p.QueuesAt(i, t)))
	for _, rs := range p.Objects(api.KindReplicaSet, i) {
		add("deletion", p.DeletionOrder(rs.Key().Namespace+"/"+rs.Key().Name, i, t))
	}
	for _, name := range existed(run, i) {
		row, ok := p.Workload(name, i)
		add(name, row)
		add("is there", ok)
		for _, f := range framesUpTo(run.Frames(name), i, t) {
			add("frame", frameText(f))
		}
		add("lanes", lanesUpTo(p.Lanes(name, 20), i, t))
		add("conditions", stripsUpTo(p.Conditions(name), i, t))
	}
	if answer, ok := p.Read(past.Parse(c.line), i, t); ok {
		add(c.line, linesUpTo(answer.Lines, t))
	}
	for k := i; k >= 0 && k > i-5; k-- {
		add("causes", p.Chain(k, 20))
		add("diff", p.Diff(k))
		add("transcript", linesUpTo(transcript(p, k), t))
	}
	return parts
}

// busyQueues leaves out queues that have had no work yet: whether they are listed depends on the rest of the run.
func busyQueues(queues []past.QueueView) []past.QueueView {
	return slices.DeleteFunc(queues, func(q past.QueueView) bool { return q.Added == 0 && len(q.Delayed) == 0 })
}

func transcript(p *past.Past, i int) []past.ReadLine {
	if r := p.Transcript(i); r != nil {
		return r.Lines
	}
	return nil
}

// existed lists the workloads that existed at or before a record.
func existed(run *Run, i int) (names []string) {
	for _, name := range run.Workloads() {
		if f := run.Frames(name); len(f) > 0 && f[0].Record <= i {
			names = append(names, name)
		}
	}
	return names
}

func framesUpTo(frames []Frame, i int, t int64) []Frame {
	return slices.DeleteFunc(slices.Clone(frames), func(f Frame) bool { return f.Record > i || f.T > t })
}

// frameText prints a frame with its sets, which frames share by pointer.
func frameText(f Frame) string {
	sets := f.ReplicaSets
	f.ReplicaSets = nil
	text := fmt.Sprintf("%+v", f)
	for _, rs := range sets {
		text += fmt.Sprintf(" %+v", *rs)
	}
	return text
}

func linesUpTo(lines []past.ReadLine, t int64) []past.ReadLine {
	return slices.DeleteFunc(slices.Clone(lines), func(l past.ReadLine) bool { return l.T > t })
}

// lanesUpTo ends lanes at a moment. It leaves out the number of a revision, because a later undo may change it.
func lanesUpTo(lanes []past.Lane, i int, t int64) (texts []string) {
	for _, l := range lanes {
		text := ""
		for _, s := range l.Segments {
			if s.From < t && s.Record <= i {
				text += fmt.Sprintf(" %s %s %s %d-%d", s.Pod, s.Set, s.State, s.From, min(s.To, t))
			}
		}
		if text != "" {
			texts = append(texts, l.Name+text)
		}
	}
	return texts
}

func stripsUpTo(strips []past.Strip, i int, t int64) (texts []string) {
	for _, s := range strips {
		text := ""
		for _, g := range s.Segments {
			if g.From < t && g.Record <= i {
				text += fmt.Sprintf(" %s %s %q %d-%d", g.Status, g.Reason, g.Message, g.From, min(g.To, t))
			}
		}
		if text != "" && text != fmt.Sprintf("   %q 0-%d", "", t) {
			texts = append(texts, s.Type+text)
		}
	}
	return texts
}

// live gives the line to the API server, as a command of the run: it answers what the cursor of that moment shows.
func (c *cursors) live(t *testing.T, choice uint16) {
	at := c.whole.ActAt(c.moment(choice))
	parsed := past.Parse(c.line)
	if at > c.whole.Now() || c.whole.ActAt(at) != at || !parsed.Reads() {
		return
	}
	commands := append(slices.Clone(c.rec.Commands), Command{At: at, Run: c.line})
	run, _ := Start(Recording{Scenario: c.rec.Scenario, Commands: commands})
	run.AdvancePast(at, 1<<20)
	record := c.whole.Past().Find(at) + 1
	if record >= run.Len() || run.Record(record).Kind != Input {
		t.Fatalf("record %d at %d ms is not the command\n%s\n%+v", record, at, c.rec.Scenario, commands)
	}
	want, _ := c.whole.Past().Read(parsed, record-1, at)
	c.same(t, fmt.Sprintf("%s at %d ms", c.line, at), lineTexts(run.Past().Printed(record)), lineTexts(linesUpTo(want.Lines, at)))
}

func lineTexts(lines []past.ReadLine) (out []string) {
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return out
}

// stored compares the end of a run with the objects that the store holds then.
func stored(t *testing.T, run *Run) {
	for _, kind := range []api.Kind{api.KindDeployment, api.KindReplicaSet, api.KindStatefulSet, api.KindDaemonSet, api.KindPod, api.KindNode,
		api.KindPodDisruptionBudget, api.KindControllerRevision, api.KindPersistentVolumeClaim, api.KindResourceQuota} {
		shown := run.Past().Objects(kind, run.Len()-1)
		n := 0
		for o := range run.world.server.Store.Table(kind).All() {
			if n++; !slices.Contains(shown, o) {
				t.Errorf("the store has %s, the end of the run does not", o.Key())
			}
		}
		if n != len(shown) {
			t.Errorf("the store has %d of kind %s, the end of the run %d", n, kind, len(shown))
		}
	}
}
