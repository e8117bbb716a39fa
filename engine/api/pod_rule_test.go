package api

import "testing"

// TestPodActive is R-1: a pod is active unless its phase is final or its deletion was asked for.
func TestPodActive(t *testing.T) {
	for phase, want := range map[string]bool{PodPending: true, PodRunning: true, "Unknown": true, "": true, PodSucceeded: false, PodFailed: false} {
		p := &Pod{Status: PodStatus{Phase: phase}}
		if got := p.Active(); got != want {
			t.Errorf("phase %q: active is %t, want %t", phase, got, want)
		}
		p.DeletionTimestamp = TimeAt(0)
		if p.Active() {
			t.Errorf("phase %q: a terminating pod is active", phase)
		}
	}
}

// TestPodReady is R-17: only the condition counts, not the phase.
func TestPodReady(t *testing.T) {
	for _, phase := range []string{PodPending, PodRunning, PodFailed} {
		for status, want := range map[string]bool{"True": true, "False": false, "Unknown": false, "": false} {
			p := &Pod{Status: PodStatus{Phase: phase}}
			if status != "" {
				p.Status.Conditions = []Condition{{Type: "ContainersReady", Status: "True"}, {Type: "Ready", Status: status}}
			}
			if got := p.IsReady(); got != want {
				t.Errorf("phase %s, Ready=%q: %t, want %t", phase, status, got, want)
			}
		}
	}
}

// TestTime is A-5 and SIM-4: objects keep whole seconds, so what happens within a second has the same time.
func TestTime(t *testing.T) {
	for ms, want := range map[int64]string{0: "2026-01-01T00:00:00Z", 999: "2026-01-01T00:00:00Z", 1000: "2026-01-01T00:00:01Z", 61_500: "2026-01-01T00:01:01Z"} {
		at := TimeAt(ms)
		text, err := at.MarshalText()
		if err != nil || string(text) != want {
			t.Errorf("%d ms is %s (%v), want %s", ms, text, err, want)
		}
		var back Time
		if err := back.UnmarshalText(text); err != nil || back != at {
			t.Errorf("%s is read as %d (%v), want %d", text, back, err, at)
		}
		if got := at.Milli(); got != ms/1000*1000 {
			t.Errorf("%d ms comes back as %d", ms, got)
		}
	}
}
