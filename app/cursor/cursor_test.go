package cursor

import "testing"

func TestWindow(t *testing.T) {
	for _, c := range []struct{ n, i, size, from, to int }{{0, -1, 10, 0, 0}, {5, 3, 10, 0, 5}, {100, 0, 9, 0, 9}, {100, 50, 9, 46, 55}, {100, 99, 9, 91, 100}} {
		if from, to := Window(c.n, c.i, c.size); from != c.from || to != c.to {
			t.Errorf("window(%d, %d, %d) = %d, %d; want %d, %d", c.n, c.i, c.size, from, to, c.from, c.to)
		}
	}
}

func TestClock(t *testing.T) {
	for ms, want := range map[int64]string{0: "00:00.000", 61234: "01:01.234", 3600000: "1:00:00.000"} {
		if got := Clock(ms); got != want {
			t.Errorf("clock(%d) = %q, want %q", ms, got, want)
		}
	}
}
