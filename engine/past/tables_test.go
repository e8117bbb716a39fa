package past_test

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/scenarios"
)

// TestTablesAreAsPrinted goes forth and back in each scenario: whatever was shown before, a table has what kubectl get prints of its objects
// at that moment.
func TestTablesAreAsPrinted(t *testing.T) {
	rows := 0
	for _, name := range scenarios.Names() {
		run := runs.Of(t, scenarios.Text(name))
		for _, part := range []int{1, 2, 3, 4, 3, 2, 1} {
			record := (run.Len() - 1) * part / 4
			for _, later := range []int64{0, 1500, 100_000} {
				now := run.Record(record).T + later
				for _, table := range run.Past().Tables(record, now, 1000) {
					objects := run.Past().Objects(api.Kind(table.Kind), record)
					if len(objects) != len(table.Rows) {
						t.Fatalf("%s: %d rows of %d objects", name, len(table.Rows), len(objects))
					}
					for i, o := range objects {
						rows++
						want := strings.Join(print.FormatOf(api.Kind(table.Kind)).Cells(o, now, false)[1:len(print.Columns(api.Kind(table.Kind)))], "\t")
						if got := table.Rows[i].Cells; got != want && !strings.HasPrefix(got, want+"\t") {
							t.Fatalf("%s at %d ms: the table has %q, kubectl prints %q", name, now, got, want)
						}
					}
				}
			}
		}
	}
	if rows < 10_000 {
		t.Errorf("only %d rows", rows)
	}
}
