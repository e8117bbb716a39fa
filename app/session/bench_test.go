package session

import "testing"

// BenchmarkType types a command that writes, in the middle of the first scenario's rollout. What it costs until the answer
// stands on the screen is "answer"; "run" computes the new run to its end, too.
func BenchmarkType(b *testing.B) {
	for _, bench := range []struct {
		name string
		end  bool
	}{{"answer", false}, {"run", true}} {
		b.Run(bench.name, func(b *testing.B) {
			s := New(false)
			s.Open(Kept{}, "")
			for s.Compute(Slice) {
			}
			first := s.Computed.rec
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				if !s.start(first) {
					b.Fatal("no run")
				}
				for s.Compute(Slice) {
				}
				s.Cursor.SeekTo(12_000)
				b.StartTimer()
				s.Type("kubectl scale deployment/nginx-deployment --replicas=5")
				for bench.end && s.Compute(Slice) {
				}
			}
			if len(s.Computed.rec.Commands) != 1 {
				b.Fatal(s.Computed.rec.Commands)
			}
		})
	}
}
