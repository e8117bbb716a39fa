package details

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
)

// podsPage is a page with the first scenario at a moment.
func podsPage(t *testing.T, at int64) *Panels {
	t.Helper()
	p := New(apptest.Session(t))
	p.s.Cursor.SeekTo(at)
	return p
}

func TestPodsByReplicaSet(t *testing.T) {
	p := podsPage(t, 12_500)
	v := p.PodView()
	if len(v.Groups) != 2 {
		t.Fatalf("%d groups in the middle of a rollout, want the old and the new ReplicaSet", len(v.Groups))
	}
	last := lastFrameAt(p)
	for i, g := range v.Groups {
		rs := last.ReplicaSets[i]
		if g.ID != "default/"+rs.Name || !strings.HasPrefix(g.Title, fmt.Sprintf("rev %d · nginx:1.1", i+1)) || g.Swatch != fmt.Sprintf("sw-rs-%d sw-%s", i, chart.Pattern(i)) {
			t.Errorf("group %d is %s, %q with swatch %q", i, g.ID, g.Title, g.Swatch)
		}
		if g.Count != fmt.Sprintf("%d of %d", rs.Available, rs.Spec) || g.Size < rs.Replicas {
			t.Errorf("group %s counts %s of %d tiles; the frame says %+v", g.ID, g.Count, g.Size, rs)
		}
	}
	checkRows(t, p, v)
}

// TestPodsWithoutWorkload: a ReplicaSet that has lost its Deployment keeps its pods, and the box counts them. If it is deleted
// with its Deployment, those that still terminate count.
func TestPodsWithoutWorkload(t *testing.T) {
	for line, want := range map[string]string{"--cascade=orphan": "10 of 10", "--cascade=foreground": "0 of 10", "--cascade=background": "0 of 10"} {
		p := podsPage(t, 0)
		apptest.Act(t, p.s, 8_000, "kubectl delete deployment nginx-deployment --wait=false "+line)
		p.s.Cursor.SeekTo(8_300)
		v := p.PodView()
		if len(v.Groups) != 1 || v.Groups[0].Title != "rev 1 · nginx:1.18.0" || v.Groups[0].Count != want {
			t.Errorf("%s: %+v, want one group with %s", line, v.Groups, want)
		}
	}
}

// TestPodsByRevision: the pods of StatefulSets and DaemonSets are grouped by their revisions, and no group is drawn twice.
func TestPodsByRevision(t *testing.T) {
	p := podsPage(t, 0)
	p.s.LoadScenario("sts-partition-canary")
	apptest.Compute(t, p.s)
	p.s.Cursor.SeekTo(30_000)
	v := p.PodView()
	var groups []string
	for _, g := range v.Groups {
		groups = append(groups, fmt.Sprintf("%s: %s (%d)", g.Title, g.Count, g.Size))
	}
	if got, want := strings.Join(groups, "; "), "rev 1 · postgres:17.4: 2 of 2 (2); rev 2 · postgres:17.5: 2 of 2 (2)"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	checkRows(t, p, v)
}

func lastFrameAt(p *Panels) engine.Frame {
	frames := p.s.Run().Frames(p.s.Workload())
	return frames[chart.FrameAt(frames, p.s.Cursor.Place)]
}

// checkRows asserts that each pod is in the view once, with its state.
func checkRows(t *testing.T, p *Panels, v podView) {
	t.Helper()
	tiles := p.s.Run().Past().Pods(p.s.Cursor.Record, p.s.Cursor.T)
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
	p.Pods.By = ByNode
	p.s.Cursor.SeekTo(p.s.Run().Past().At(p.s.Run().Past().Find(2))) // created, and not scheduled yet
	if v := p.PodView(); len(v.Groups) != 1 || v.Groups[0].Title != "on no node yet" || v.Groups[0].Count != "0 of 10" {
		t.Errorf("before the scheduler: %+v", v.Groups)
	}
	p.s.Cursor.ToEnd()
	v := p.PodView()
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
	p.Pods.Order = true
	v := p.PodView()
	rows := strings.Split(v.Rows, "\n")
	checkRows(t, p, v)
	ranked := 0
	for _, g := range v.Groups {
		order := p.s.Run().Past().DeletionOrder(g.ID, p.s.Cursor.Record, p.s.Cursor.T)
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
			p.Pods.Card = order[0].Key
			if c := p.PodCard(); c == nil || c.Rank != fmt.Sprintf("1 of %d to be deleted, before the next: %s", len(order), order[0].Why) {
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
	if p.PodCard() != nil {
		t.Error("a card, although no pod is pointed at")
	}
	tile := p.s.Run().Past().Pods(p.s.Cursor.Record, p.s.Cursor.T)[0]
	p.Pods.Card = tile.Key
	c, name := p.PodCard(), strings.TrimPrefix(tile.Key, "default/")
	if c == nil || c.Name != name || c.State != lang.English.PodWords()[tile.State] || c.Facts != tile.Node+" · 0 restarts" || c.Rank != "" {
		t.Fatalf("the card is %+v", c)
	}
	if c.Delete != "kubectl delete pod "+name || c.Crash != "crash pod/"+name || c.Fail != "fail-readiness pod/"+name || c.Restore != "restore-readiness pod/"+name {
		t.Errorf("the lines are %q, %q, %q, %q", c.Delete, c.Crash, c.Fail, c.Restore)
	}
	if r := p.s.Run().Record(c.Record); r.Object != "Pod/"+tile.Key || r.T > p.s.Cursor.T {
		t.Errorf("the record that made the state is %+v", r)
	}
	if first := c.Life[0]; first.State != "pending" || first.Title != cursor.Clock(first.From)+" – "+cursor.Clock(first.To)+": pending: on no node yet" {
		t.Errorf("the life begins with %+v", first)
	}
	p.s.Cursor.SeekTo(0)
	if p.PodCard() != nil {
		t.Error("a card of a pod that is not there yet")
	}
}

// TestDoIsInTheTimeline: what the environment does is listed like a kubectl line, with its answer.
func TestDoIsInTheTimeline(t *testing.T) {
	p := podsPage(t, 9000)
	line := "crash pod/" + strings.TrimPrefix(p.s.Run().Past().Pods(p.s.Cursor.Record, p.s.Cursor.T)[0].Key, "default/")
	p.s.Do(line)
	apptest.Compute(t, p.s)
	items := p.timelineItems()
	i := slices.IndexFunc(items, func(item timelineItem) bool { return item.Line == "# "+line })
	if i < 0 || items[i].Failed || items[i].Answer == "" || items[i].Index != 0 {
		t.Errorf("the timeline is %+v", items)
	}
}

// BenchmarkPodView is what the pod view of a thousand pods costs of an animation frame, before the browser.
func BenchmarkPodView(b *testing.B) {
	p := New(session.New(false))
	p.s.Open(session.Kept{}, "")
	p.s.Document.Set(strings.Replace(p.s.Document.Text, "replicas: 10", "replicas: 1000", 1))
	p.s.Restart()
	for p.s.Compute(session.Slice) {
	}
	p.s.Cursor.SeekTo(15_000)
	for _, order := range []bool{false, true} {
		b.Run(fmt.Sprintf("order=%t", order), func(b *testing.B) {
			p.Pods.By, p.Pods.Order = ByReplicaSet, order
			b.ReportAllocs()
			for b.Loop() {
				browser.JSON(p.PodView().Groups)
			}
		})
	}
}
