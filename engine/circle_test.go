package engine

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/limits"
)

// TestCircle: upstream can loop (S-17, S-21): with a parallel StatefulSet without rollingUpdate that loses the last pod of its
// old revision during an update, one sync creates that pod in the old revision and deletes it. That would make currentReplicas
// -1, which the API server rejects, so the next sync does the same. The run is stopped, says so, and stays readable.
func TestCircle(t *testing.T) {
	if testing.Short() {
		t.Skip("a million records")
	}
	text := texts.Sets("podManagementPolicy: Parallel\n  updateStrategy: {type: RollingUpdate}", "", "minAvailable: 1")
	text = strings.Replace(text, "spec:\n", "spec:\n  clientConnection: {qps: 0}\n", 1) // else the client's limit holds the loop up
	r := mustRun(t, text, Command{At: 20_000, Run: "set image statefulset/db db=db:2"},
		Command{At: 24_000, Run: "delete pod db-0 --force --grace-period=0"}) // the last one of the old revision, db-1 is on its way
	if r.Cut() == "" {
		t.Fatalf("it ends at %d ms after %d records", r.Now(), r.Len())
	}
	if r.Len() > limits.Records+1000 || !r.Done() || r.Now() > 600_000 || !strings.Contains(r.Cut(), "repeats itself in a loop") {
		t.Errorf("%s (%d records)", r.Cut(), r.Len())
	}
	if d := diagnosis.Of(r.Past(), texts.Set, r.Len()-1, r.Now()); d.Title == "" {
		t.Error("no diagnosis")
	}
}
