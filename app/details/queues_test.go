package details

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/words"
)

// TestQueuesPanel: one for each controller, at every moment, and chips where keys wait (H-11).
func TestQueuesPanel(t *testing.T) {
	p := New(apptest.Session(t))
	p.Tab = "queues"
	i := apptest.Find(t, p.s.Run(), 10_000, func(r engine.Record) bool { return strings.HasPrefix(r.What, "tries again") })
	p.s.Cursor.LookAt(i)
	queues := p.queues()
	if len(queues) != 2 || queues[0].Controller != "deployment-controller" || queues[1].Controller != "replicaset-controller" {
		t.Fatalf("queues: %+v", queues)
	}
	d := queues[0]
	if len(d.Processing) != 1 || textOf(&d.Processing[0]) != "nginx-deployment|in 5 ms · retry 1" || d.Processing[0].Class != "queue-key failed" {
		t.Errorf("processing: %+v", d.Processing)
	}
	if n := len(d.Reconciles); n != syncsOf || !isNow(&d.Reconciles[0]) || isNow(&d.Reconciles[1]) || d.Reconciles[0].Value != p.s.Run().Past().SyncOf(i) ||
		!strings.Contains(textOf(&d.Reconciles[0]), "|modified deployment/nginx-deployment") || !strings.HasSuffix(textOf(&d.Reconciles[0]), "|rolling update, scale down") {
		t.Errorf("reconciles: %+v", d.Reconciles)
	}
	html := apptest.HTML(p.Tabs())
	for act, want := range map[string]int{"queues": 1, "queue-lane": 2, "queue-sync": 2 * syncsOf} {
		if n := strings.Count(html, `data-act="`+act+`"`); n != want {
			t.Errorf("%d elements with data-act=%q, want %d", n, act, want)
		}
	}
	if !strings.Contains(html, `data-act="queue-key"`) || !strings.Contains(html, `data-controller="replicaset-controller"`) {
		t.Error("no key or no controller")
	}
	p.s.Cursor.SeekTo(p.s.End())
	for _, l := range p.queues() {
		if len(l.Processing)+len(l.Queued) > 0 || len(l.Reconciles) != syncsOf || isNow(&l.Reconciles[0]) {
			t.Errorf("at the end: %+v", l)
		}
	}
}

// textOf is what a button says, with bars between its parts.
func textOf(b *parts.Button) string {
	return words.Join(b.Spans, "|", func(s parts.Span) string { return s.Text })
}

func isNow(b *parts.Button) bool { return strings.HasSuffix(b.Class, " now") }

// TestChip: what is written on a key.
func TestChip(t *testing.T) {
	for _, tt := range []struct {
		key  past.QueueKey
		want string
	}{
		{past.QueueKey{}, ""},
		{past.QueueKey{Dirty: true, Additions: 1}, "dirty"},
		{past.QueueKey{Dirty: true, Additions: 3, Delayed: true, Due: 601_500}, "in 601 s · dirty · added ×3"},
		{past.QueueKey{Delayed: true, Due: 1005, Failures: 2}, "in 5 ms · retry 2"},
		{past.QueueKey{Creations: 3}, "expects +3 −0"},
	} {
		tt.key.Key = "ReplicaSet/default/web-1"
		want := strings.TrimSuffix("web-1|"+tt.want, "|")
		if c := chipOf(lang.English, tt.key, 1000); textOf(&c) != want || strings.HasSuffix(c.Class, " failed") != (tt.key.Failures > 0) {
			t.Errorf("%+v: %+v, want the marks %q", tt.key, c, tt.want)
		}
	}
}

// BenchmarkQueuesPanel makes the queues for one record after the other.
func BenchmarkQueuesPanel(b *testing.B) {
	p := New(session.New(false))
	p.s.Open(session.Kept{}, "")
	for p.s.Compute(session.Slice) {
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.s.Cursor.LookAt(i % p.s.Run().Len())
		p.queuesPanel()
	}
}
