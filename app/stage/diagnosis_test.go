package stage

import (
	"strings"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/engine/diagnosis"
)

// TestOneDiagnosisADrawing: while the cursor moves a diagnosis may be late, but all that one drawing shows is of the same one, also if the
// drawing takes long; the next that is due shows the new one.
func TestOneDiagnosisADrawing(t *testing.T) {
	s := apptest.Session(t)
	s.LoadScenario("bad-image")
	apptest.Compute(t, s)
	p, now := New(s, false), time.Now()
	draw := func(want string, late bool) {
		t.Helper()
		for _, part := range []string{app.HTMLString(p.Status()), app.HTMLString(p.Diagnosis())} {
			if !strings.Contains(part, `data-state="`+want+`"`) {
				t.Errorf("want %s, got %s", want, part)
			}
		}
		if p.Late() != late {
			t.Errorf("late is %v", p.Late())
		}
	}
	s.Cursor.SeekTo(0)
	p.DiagnosisDue(now)
	before := p.diagnose().State
	draw(before, false)
	if before == diagnosis.StateStuck {
		t.Fatal("it is stuck from the beginning")
	}
	s.Cursor.SeekTo(50_000)
	if p.diagnosed.made = now; p.DiagnosisDue(now.Add(diagnoseEvery - 1)) {
		t.Error("it is due too early")
	}
	p.diagnosed.made = now.Add(-time.Hour) // the drawing takes long
	draw(before, true)
	if !p.DiagnosisDue(now) {
		t.Error("it is not due")
	}
	draw(diagnosis.StateStuck, false)
}
