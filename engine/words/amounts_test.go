package words

import "testing"

func TestAmounts(t *testing.T) {
	for milli, want := range map[int64]string{0: "0", 250: "250m", 1500: "1500m", 2000: "2"} {
		if got := Cores(milli); got != want {
			t.Errorf("Cores(%d) = %s, want %s", milli, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 1000: "1000", 512 << 20: "512Mi", 2304 << 20: "2304Mi", 1 << 30: "1Gi", 1 << 50: "1024Ti"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %s, want %s", n, got, want)
		}
	}
}
