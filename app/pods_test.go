package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// podsPage is a page with the first scenario at a moment.
func podsPage(t *testing.T, at int64) *page {
	t.Helper()
	p := &page{s: newTestSession(t), tab: "pods", theme: themes[0]}
	p.pods.by = byReplicaSet
	p.s.SeekTo(at)
	return p
}

func TestPodsByReplicaSet(t *testing.T) {
	p := podsPage(t, 12_500)
	v := p.podView()
	if len(v.Groups) != 2 {
		t.Fatalf("%d groups in the middle of a rollout, want the old and the new ReplicaSet", len(v.Groups))
	}
	last := lastFrameAt(p)
	for i, g := range v.Groups {
		rs := last.ReplicaSets[i]
		if g.ID != "default/"+rs.Name || !strings.HasPrefix(g.Title, fmt.Sprintf("rev %d · nginx:1.1", i+1)) || g.Swatch != fmt.Sprintf("sw-rs-%d sw-%s", i, rsPattern(i)) {
			t.Errorf("group %d is %s, %q with swatch %q", i, g.ID, g.Title, g.Swatch)
		}
		if g.Count != fmt.Sprintf("%d of %d", rs.Available, rs.Spec) || g.Size < rs.Replicas {
			t.Errorf("group %s counts %s of %d tiles; the frame says %+v", g.ID, g.Count, g.Size, rs)
		}
	}
	checkRows(t, p, v)
}

// TestPodsByRevision: the pods of StatefulSets and DaemonSets are grouped by their revisions, and no group is drawn twice.
func TestPodsByRevision(t *testing.T) {
	p := podsPage(t, 0)
	p.s.LoadScenario("sts-partition-canary")
	computeAll(t, p.s)
	p.s.SeekTo(30_000)
	v := p.podView()
	var groups []string
	for _, g := range v.Groups {
		groups = append(groups, fmt.Sprintf("%s: %s (%d)", g.Title, g.Count, g.Size))
	}
	if got, want := strings.Join(groups, "; "), "rev 1 · postgres:17.4: 2 of 2 (2); rev 2 · postgres:17.5: 2 of 2 (2)"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	checkRows(t, p, v)
}

func lastFrameAt(p *page) engine.Frame {
	frames := p.s.run.Frames(p.s.watched())
	return frames[frameAt(frames, p.s.cursor.Record)]
}

// checkRows asserts that each pod is in the view once, with its state.
func checkRows(t *testing.T, p *page, v podView) {
	t.Helper()
	tiles := p.s.run.Past().Pods(p.s.cursor.Record, p.s.cursor.T)
	rows := strings.Split(v.Rows, "\n")
	size := 0
	for _, g := range v.Groups {
		size += g.Size
	}
	if len(rows) != len(tiles) || len(v.States) != len(tiles) || size != len(tiles) {
		t.Fatalf("%d rows, %d states, groups of %d; want %d pods", len(rows), len(v.States), size, len(tiles))
	}
	for _, tile := range tiles {
		i := slices.Index(rows, tile.Key+"\t"+tile.Node)
		if i < 0 || v.States[i] != byte(tile.State) {
			t.Errorf("%s is in row %d, or in another state than %s", tile.Key, i, tile.State)
		}
	}
}

func TestPodsByNode(t *testing.T) {
	p := podsPage(t, 0)
	p.pods.by = byNode
	p.s.SeekTo(p.s.run.Past().At(p.s.run.Past().Find(2))) // created, and not scheduled yet
	if v := p.podView(); len(v.Groups) != 1 || v.Groups[0].Title != "on no node yet" || v.Groups[0].Count != "0 of 10" {
		t.Errorf("before the scheduler: %+v", v.Groups)
	}
	p.s.ToEnd()
	v := p.podView()
	var titles []string
	for _, g := range v.Groups {
		titles = append(titles, g.Title)
		if want := fmt.Sprintf("%d of %d", g.Size, g.Size); g.Count != want || g.Swatch != "" {
			t.Errorf("%s counts %s, want %s", g.Title, g.Count, want)
		}
	}
	if want := []string{"node-1", "node-2", "node-3"}; !slices.Equal(titles, want) {
		t.Errorf("the groups are %q, want %q", titles, want)
	}
	checkRows(t, p, v)
}

// TestPodsInOrderOfDeletion: the tiles of a ReplicaSet stand as its controller ranks them, and the card says why.
func TestPodsInOrderOfDeletion(t *testing.T) {
	p := podsPage(t, 12_500)
	p.pods.order = true
	v := p.podView()
	rows := strings.Split(v.Rows, "\n")
	checkRows(t, p, v)
	ranked := 0
	for _, g := range v.Groups {
		order := p.s.run.Past().DeletionOrder(g.ID, p.s.cursor.Record, p.s.cursor.T)
		for k, r := range order {
			if !strings.HasPrefix(rows[k], r.Key+"\t") {
				t.Errorf("place %d of %s has %q, want %s", k+1, g.ID, rows[k], r.Key)
			}
		}
		if g.Numbered != min(len(order), numbered) {
			t.Errorf("%s numbers %d of %d", g.ID, g.Numbered, len(order))
		}
		if len(order) > 1 {
			ranked++
			p.pods.card = order[0].Key
			if c := p.podCard(); c == nil || c.Rank != fmt.Sprintf("1 of %d to be deleted, before the next: %s", len(order), order[0].Why) {
				t.Errorf("the card of the first pod is %+v", c)
			}
		}
		rows = rows[g.Size:]
	}
	if ranked == 0 {
		t.Error("nothing was ranked")
	}
}

func TestPodCard(t *testing.T) {
	p := podsPage(t, 12_500)
	if p.podCard() != nil {
		t.Error("a card, although no pod is pointed at")
	}
	tile := p.s.run.Past().Pods(p.s.cursor.Record, p.s.cursor.T)[0]
	p.pods.card = tile.Key
	c, name := p.podCard(), strings.TrimPrefix(tile.Key, "default/")
	if c == nil || c.Name != name || c.State != english.podWords()[tile.State] || c.Facts != tile.Node+" · 0 restarts" || c.Rank != "" {
		t.Fatalf("the card is %+v", c)
	}
	if c.Delete != "kubectl delete pod "+name || c.Crash != "crash pod/"+name || c.Fail != "fail-readiness pod/"+name || c.Restore != "restore-readiness pod/"+name {
		t.Errorf("the lines are %q, %q, %q, %q", c.Delete, c.Crash, c.Fail, c.Restore)
	}
	if r := p.s.run.Record(c.Record); r.Object != "Pod/"+tile.Key || r.T > p.s.cursor.T {
		t.Errorf("the record that made the state is %+v", r)
	}
	if first := c.Life[0]; first.State != "pending" || first.Title != clock(first.From)+" – "+clock(first.To)+": pending: on no node yet" {
		t.Errorf("the life begins with %+v", first)
	}
	p.s.SeekTo(0)
	if p.podCard() != nil {
		t.Error("a card of a pod that is not there yet")
	}
}

func TestEachPodStateHasItsWords(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range Langs() {
		words := lang(l).scriptWords()
		for i, name := range podStates() {
			label, means := words[message("state-"+name)], words[message("is-"+name)]
			if label == "" || means == "" || means != lang(l).podWords()[i] || seen[l+name] || seen[l+means] {
				t.Errorf("state %s is called %q, and means %q", name, label, means)
			}
			seen[l+name], seen[l+means] = true, true
		}
	}
}

// TestDoIsACommand: what the environment does is kept, shown, undone and forked like a kubectl line.
func TestDoIsACommand(t *testing.T) {
	p := podsPage(t, 9000)
	tile := p.s.run.Past().Pods(p.s.cursor.Record, p.s.cursor.T)[0]
	line := "crash pod/" + strings.TrimPrefix(tile.Key, "default/")
	before := p.s.rec
	p.s.Do(line)
	computeAll(t, p.s)
	if !strings.HasSuffix(p.s.said, " crashed") || len(p.s.rec.Commands) != 1 || p.s.rec.Commands[0].Do != line {
		t.Errorf("said %q, commands %v", p.s.said, p.s.rec.Commands)
	}
	if got, _ := p.s.run.Past().Pod(tile.Key, p.s.cursor.Record, p.s.cursor.T); got.State != past.PodCrashLoop {
		t.Errorf("the pod is %s after its crash", got.State)
	}
	items := p.timelineItems()
	i := slices.IndexFunc(items, func(item timelineItem) bool { return item.Line == "# "+line })
	if i < 0 || items[i].Failed || items[i].Answer == "" || items[i].Index != 0 {
		t.Errorf("the timeline is %+v", items)
	}
	again := newSession(false)
	again.Open(p.s.Save())
	if !sameRecording(again.rec, p.s.rec) {
		t.Errorf("after a reload the commands are %v", again.rec.Commands)
	}
	p.s.Undo()
	if !sameRecording(p.s.rec, before) {
		t.Errorf("after Undo the commands are %v", p.s.rec.Commands)
	}
	p.s.Do("crash pod/nobody")
	if !strings.Contains(p.s.said, "not found") {
		t.Errorf("said %q of a pod that is not there", p.s.said)
	}
}

// BenchmarkPodView is what the pod view of a thousand pods costs of an animation frame, before the browser.
func BenchmarkPodView(b *testing.B) {
	p := &page{s: newSession(false), tab: "pods"}
	p.s.Open("")
	p.s.SetText(strings.Replace(p.s.text, "replicas: 10", "replicas: 1000", 1))
	p.s.Restart()
	for p.s.Compute(slice) {
	}
	p.s.SeekTo(15_000)
	for _, order := range []bool{false, true} {
		b.Run(fmt.Sprintf("order=%t", order), func(b *testing.B) {
			p.pods.by, p.pods.order = byReplicaSet, order
			b.ReportAllocs()
			for b.Loop() {
				marshal(p.podView().Groups)
			}
		})
	}
}
