package stage

import (
	"slices"
	"testing"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/forecast"
)

// TestDifference: the third row is the first less the second, as they are shown.
func TestDifference(t *testing.T) {
	c := session.Comparison{
		Here:  session.Score{Took: 11_549, Figures: forecast.Figures{Lowest: 8, PeakPods: 13, ExtraPodMs: 15_140, AtZero: 40}},
		There: session.Score{Took: 5_350, Figures: forecast.Figures{Lowest: 8, PeakPods: 18, ExtraPodMs: 27_160, AtZero: 1_250}},
	}
	l := lang.English
	here, there := figures(l, "a", &c.Here, 9), figures(l, "b", &c.There, 7)
	if here[4] != "15.1" || there[4] != "27.2" || here[1] != "11.5 s and counting" {
		t.Errorf("the rows are %+v and %+v", here, there)
	}
	want := []string{"Difference", "+6.1 s", "0", "−5", "−12.1", "−1.3 s", "+2"}
	if got := difference(l, &c, 2); !slices.Equal(got, want) {
		t.Errorf("the difference is %+v, want %+v", got, want)
	}
	if row := asked(&c, here, ofAll(l, &c.Here)); len(row) != len(here) {
		t.Errorf("nothing is known of requests, and the row is %+v", row)
	}
	c.Here.Asked, c.Here.Failed, c.There.Asked = 12_000, 1_120, 9_000
	for _, tt := range []struct {
		s    *session.Score
		want string
	}{{&c.Here, "1,120 of 12,000"}, {&c.There, "0 of 9,000"}, {&session.Score{}, "none"}} {
		if row := asked(&c, []string{"a", "1 s"}, ofAll(l, tt.s)); !slices.Equal(row, []string{"a", tt.want, "1 s"}) {
			t.Errorf("the row is %+v, want %q", row, tt.want)
		}
	}
}
