package yamltext

import (
	"testing"

	"github.com/rollplay/rollplay/scenarios"
)

// BenchmarkValue reads the first lesson.
func BenchmarkValue(b *testing.B) {
	text := scenarios.Text("three-replicas")
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range Split(text) {
			if _, err := d.Value(); err != nil {
				b.Fatal(err)
			}
		}
	}
}
