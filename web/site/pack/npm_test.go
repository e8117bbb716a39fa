package pack

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestFresh(t *testing.T) {
	now := time.Now()
	tests := []struct {
		name           string
		lock, packages time.Time // zero: missing
		want           bool
	}{
		{"nothing installed", now, time.Time{}, false},
		{"installed before the lockfile changed", now, now.Add(-time.Minute), false},
		{"installed after the lockfile changed", now.Add(-time.Minute), now, true},
		{"no lockfile", time.Time{}, now, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			web := t.TempDir()
			touch(t, filepath.Join(web, "package-lock.json"), tt.lock)
			touch(t, filepath.Join(web, "node_modules", ".package-lock.json"), tt.packages)
			if got := fresh(web); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func touch(t *testing.T, name string, at time.Time) {
	t.Helper()
	if at.IsZero() {
		return
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, at, at); err != nil {
		t.Fatal(err)
	}
}
