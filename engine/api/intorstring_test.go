package api

import (
	"fmt"
	"testing"
)

// "Worked (25 %/25 %), surge/unavailable" and "Others" of D-21, as far as D-20 rounds: the fence posts (0/0, more than
// there is, Recreate) are the Deployment controller's.
func TestScaled(t *testing.T) {
	tests := []struct {
		replicas                    int32
		maxSurge, maxUnavailable    *IntOrString
		wantSurge, wantUnavailable  int32
		wantFencePost, wantResolved string // for the reader: what D-21 makes of it
	}{
		{1, Str("25%"), Str("25%"), 1, 0, "", "1/0"},
		{2, Str("25%"), Str("25%"), 1, 0, "", "1/0"},
		{3, Str("25%"), Str("25%"), 1, 0, "", "1/0"},
		{4, Str("25%"), Str("25%"), 1, 1, "", "1/1"},
		{5, Str("25%"), Str("25%"), 2, 1, "", "2/1"},
		{7, Str("25%"), Str("25%"), 2, 1, "", "2/1"},
		{8, Str("25%"), Str("25%"), 2, 2, "", "2/2"},
		{10, Str("25%"), Str("25%"), 3, 2, "", "3/2"},
		{15, Str("25%"), Str("25%"), 4, 3, "", "4/3"},
		{20, Str("25%"), Str("25%"), 5, 5, "", "5/5"},
		{25, Str("25%"), Str("25%"), 7, 6, "", "7/6"},
		{2, Str("0%"), Str("1%"), 0, 0, "both 0", "0/1"},
		{1, Str("1%"), Str("25%"), 1, 0, "", "1/0"},
		{3, Int(0), Int(10), 0, 10, "more than replicas", "0/3"},
		{3, Int(5), Str("100%"), 5, 3, "", "5/3"},
		{10, Str("33%"), Str("33%"), 4, 3, "", "4/3"},
		{0, Int(5), Int(2), 5, 2, "no replicas", "5/0"},
		{10, Str("300%"), nil, 30, 0, "", ""},
		{10, Str("abc"), Str("25"), 0, 0, "", ""},
		{2147483647, Str("100%"), Str("100%"), 2147483647, 2147483647, "", ""},
	}
	for _, test := range tests {
		name := fmt.Sprintf("%d replicas, %v/%v", test.replicas, test.maxSurge, test.maxUnavailable)
		if got := test.maxSurge.Scaled(test.replicas, true); got != test.wantSurge {
			t.Errorf("%s: surge: got %d, want %d", name, got, test.wantSurge)
		}
		if got := test.maxUnavailable.Scaled(test.replicas, false); got != test.wantUnavailable {
			t.Errorf("%s: unavailable: got %d, want %d", name, got, test.wantUnavailable)
		}
	}
}
