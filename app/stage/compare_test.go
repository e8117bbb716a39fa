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
}
