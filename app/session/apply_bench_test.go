package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/scenarios"
)

// BenchmarkApply types another image into the first lesson and applies it in the middle of the run.
func BenchmarkApply(b *testing.B) {
	text := scenarios.Text(FirstScenario)
	s := New(true)
	s.LoadScenario(FirstScenario)
	for s.Compute(1 << 16) {
	}
	n := 0
	for b.Loop() {
		n++
		s.Cursor.seek(20000)
		s.Document.Set(strings.ReplaceAll(text, "nginx:1.18.0", fmt.Sprintf("nginx:2.%d", n)))
		s.Apply()
		if s.Visit.Notice.Bad || len(s.Computed.rec.Commands) == 0 {
			b.Fatalf("%+v", s.Visit.Notice)
		}
		b.StopTimer()
		s.Undo()
		s.History.past, s.History.future, s.Branches.list = nil, nil, nil
		for s.Compute(1 << 16) {
		}
		b.StartTimer()
	}
}
