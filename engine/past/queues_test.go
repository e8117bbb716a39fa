package past_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/scenarios"
)

// TestQueuesAtTheEnd: when a shipped scenario is over, no key waits for a worker, nothing is under way, and every
// controller has seen what it did (H-3, H-11, R-6).
func TestQueuesAtTheEnd(t *testing.T) {
	for _, name := range scenarios.Names() {
		run := runs.Of(t, scenarios.Text(name))
		views := run.Past().QueuesAt(run.Len()-1, run.Now())
		if name == "first-rollout" && len(views) != 2 || len(views) == 0 {
			t.Fatalf("%s: %d queues, want those of the controllers that had something to do", name, len(views))
		}
		for _, v := range views {
			if len(v.Queued) > 0 || len(v.Processing) > 0 || len(v.Expectations) > 0 {
				t.Errorf("%s: at the end %+v", name, v)
			}
			if v.Synced == 0 && v.Added > 0 || v.Added != v.Coalesced+v.Synced {
				t.Errorf("%s: %s: %d additions, %d of them to a dirty key, %d reconciles", name, v.Controller, v.Added, v.Coalesced, v.Synced)
			}
		}
	}
}

// TestQueuesFollowTheTrace: within the records of a reconcile its key is being processed, and nothing else is (H-11).
func TestQueuesFollowTheTrace(t *testing.T) {
	run := runs.Of(t, scenarios.Text("first-rollout"))
	expected, retried := false, false
	for i := range run.Len() {
		want := map[string]string{}
		if s := run.Past().SyncOf(i); s >= 0 {
			want[run.Record(s).Actor] = run.Record(s).Object
		}
		for _, v := range run.Past().QueuesAt(i, run.Past().At(i)) {
			processing := ""
			for _, k := range v.Processing {
				processing = k.Key
			}
			if processing != want[v.Controller] {
				t.Fatalf("record %d: %s processes %q, want %q", i, v.Controller, processing, want[v.Controller])
			}
			for _, k := range v.Queued {
				if !k.Dirty || k.Additions == 0 || k.Key == processing {
					t.Errorf("record %d: %+v waits for the worker", i, k)
				}
			}
			for _, k := range append(v.Delayed, v.Retries...) {
				if k.Delayed && k.Due < run.Past().At(i) {
					t.Errorf("record %d at %d ms: %+v waits for a moment that is over", i, run.Past().At(i), k)
				}
				retried = retried || k.Failures > 0 && k.Due == run.Past().At(i)+5
			}
			for _, k := range v.Expectations {
				expected = expected || k.Creations == 10
			}
		}
	}
	if !expected || !retried {
		t.Errorf("ten creations are expected: %t, a retry is due in 5 ms: %t; want both", expected, retried)
	}
}

// TestQueuesAreTheSameFromEverywhere: a jump shows the same queues as going there record by record (H-11).
func TestQueuesAreTheSameFromEverywhere(t *testing.T) {
	run, jumping := runs.Of(t, texts.Rollout(1000)), runs.Of(t, texts.Rollout(1000))
	for _, v := range run.Past().QueuesAt(run.Len()-1, run.Now()) {
		if n := v.Added + 2*v.Synced; v.Controller == "replicaset-controller" && n < 2*4096 { // a sync takes a key and gives it back
			t.Fatalf("the log has %d operations, too few to begin at a checkpoint", n)
		}
	}
	var forward [][]past.QueueView
	for i := range run.Len() {
		forward = append(forward, run.Past().QueuesAt(i, run.Past().At(i)))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		i := random.IntN(run.Len())
		if got := jumping.Past().QueuesAt(i, jumping.Past().At(i)); !reflect.DeepEqual(got, forward[i]) {
			t.Fatalf("record %d: a jump shows\n%+v\nwant\n%+v", i, got, forward[i])
		}
	}
}

// BenchmarkQueues shows the queues of a rollout of ten thousand pods, forward and at random records.
func BenchmarkQueues(b *testing.B) {
	run := runs.Of(b, texts.Rollout(10_000))
	b.Logf("%d records", run.Len())
	random := rand.New(rand.NewPCG(1, 2))
	for name, at := range map[string]func(i int) int{
		"forward": func(i int) int { return i * 50 % run.Len() }, "random": func(int) int { return random.IntN(run.Len()) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if record := at(i); len(run.Past().QueuesAt(record, run.Past().At(record))) == 0 {
					b.Fatal(fmt.Errorf("no queues"))
				}
			}
		})
	}
}
