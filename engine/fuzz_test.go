package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/past"
)

// FuzzRun gives a Deployment random bounds and random commands at random moments. Whatever they are, the run comes to rest
// with what was asked for last, keeps the invariants and the laws, and has the same bytes when it is computed again.
func FuzzRun(f *testing.F) {
	f.Add(uint64(1), []byte{3, 1, 1, 0, 0, 10, 0, 2})
	f.Add(uint64(2), []byte{10, 25, 125, 0, 0, 10, 0, 2, 3, 1, 7, 9, 4, 2})
	f.Add(uint64(3), []byte{5, 0, 1, 4, 1, 9, 1, 0, 5, 5, 5, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		text, commands := texts.Fuzz(seed, data)
		run, diagnostics := Start(Recording{Scenario: text, Commands: commands})
		if run == nil {
			for _, d := range diagnostics {
				if !strings.Contains(d.Message, "may not be 0 when `maxSurge` is 0") {
					t.Fatalf("unexpected refusal: %s\n%s", d, text)
				}
			}
			return
		}
		const eventsMax = 300_000 // far above what 30 minutes of such a small world need
		if !run.Advance(eventsMax) {
			t.Fatalf("the run does not come to rest within %d events\n%s\n%v", eventsMax, text, commands)
		}
		for _, v := range violations(run) {
			t.Errorf("%s\n%s\n%v", v, text, commands)
		}
		if f, ok := unfinished(run); ok {
			t.Errorf("the run rests with %+v\n%s\n%v", f, text, commands)
		}
		if broken := brokenLaws(run); len(broken) > 0 {
			t.Error(report(broken, run.Recording()))
		}
		if seed%8 == 0 { // whatever makes two runs differ does so for many of them
			sameAgain(t, run)
		}
	})
}

// unfinished returns the last frame of a run whose Deployment does not have what it asks for, although nothing keeps it
// from that: it is not paused, and not wedged by an annotation (D-27).
func unfinished(run *Run) (Frame, bool) {
	const name = "Deployment/default/web"
	frames, last := run.Frames(name), run.Len()-1
	f := frames[len(frames)-1]
	d, _ := run.Past().ObjectAt(past.ParseKey(name), last).(*api.Deployment)
	if d == nil || d.Spec.Paused || f.Updated == f.Desired && f.Available == f.Desired && f.Total == f.Desired {
		return f, false
	}
	for _, o := range run.Past().Objects(api.KindReplicaSet, last) {
		rs := o.(*api.ReplicaSet)
		desired := rs.Annotations[api.DesiredReplicasAnnotation]
		if *rs.Spec.Replicas > 0 && rs.IsControlledBy(d.UID) && desired != fmt.Sprint(f.Desired) {
			return f, false
		}
	}
	return f, true
}
