package api

import (
	"math"
	"testing"
)

// Quantities compare by value (D-32) and are printed as the API server prints them.
func TestQuantity(t *testing.T) {
	tests := []struct {
		text      string
		canonical string
		milli     int64
	}{
		{"1", "1", 1000}, {"1000m", "1", 1000}, {"0.5", "500m", 500}, {"1500m", "1500m", 1500}, {"1.5", "1500m", 1500},
		{"100m", "100m", 100}, {"0", "0", 0}, {"0m", "0", 0}, {"2000", "2k", 2e6}, {"1k", "1k", 1e6}, {"1M", "1M", 1e9},
		{"1Ki", "1Ki", 1024e3}, {"1024Mi", "1Gi", 1 << 30 * 1000}, {"1Gi", "1Gi", 1 << 30 * 1000}, {"1536Mi", "1536Mi", 1536 << 20 * 1000},
		{"0.5Gi", "512Mi", 512 << 20 * 1000}, {"512", "512", 512e3}, {"0.1Ki", "102400m", 102400}, {"1e3", "1e3", 1e6},
		{"1E3", "1E3", 1e6}, {"12e-1", "1200e-3", 1200}, {"-1", "-1", -1000}, {"-1500m", "-1500m", -1500}, {"+1", "+1", 1000},
		{"1u", "1m", 1}, {"1n", "1m", 1}, {"0.0001", "1m", 1}, {"1.", "1.", 1000}, {"1.500", "1.500", 1500}, {"0.500", "500m", 500}, {".5", "500m", 500},
		{"1Ei", "1Ei", math.MaxInt64}, {"100E", "100E", math.MaxInt64},
		{"1e400", "9223372036854775807", math.MaxInt64}, {"1e-400", "1e-3", 1},
	}
	for _, test := range tests {
		q, err := ParseQuantity(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := q.Milli(); got != test.milli {
			t.Errorf("%s: got %d milli, want %d", test.text, got, test.milli)
		}
		if got := q.String(); got != test.canonical {
			t.Errorf("%s: got %s, want %s", test.text, got, test.canonical)
		}
	}
}

func TestQuantityErrors(t *testing.T) {
	for _, text := range []string{"", "x", "1.2.3", "1 Gi", "1Gix", "０"} {
		if _, err := ParseQuantity(text); err != errQuantityForm {
			t.Errorf("%q: got %v", text, err)
		}
	}
	for _, text := range []string{"1mm", "1i", "1KK", "1e", "1EE3", "1+", "--1"} {
		if _, err := ParseQuantity(text); err != errQuantitySuffix {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func TestQuantityArithmetic(t *testing.T) {
	sum := MustQuantity("500m").Add(MustQuantity("700m"))
	if got := sum.String(); got != "1200m" {
		t.Errorf("sum: got %s", got)
	}
	if got := MustQuantity("1Gi").Sub(MustQuantity("1536Mi")).String(); got != "-512Mi" {
		t.Errorf("difference: got %s", got)
	}
	if got := (Quantity{}).Add(MustQuantity("2Gi")).String(); got != "2Gi" {
		t.Errorf("format of the sum: got %s", got)
	}
	if got := MustQuantity("8Ei").Add(MustQuantity("8Ei")).Value(); got != math.MaxInt64 {
		t.Errorf("overflow: got %d", got)
	}
	if got := MustQuantity("1200m").Value(); got != 2 {
		t.Errorf("rounded up: got %d", got)
	}
	if MustQuantity("1").Cmp(MustQuantity("1000m")) != 0 || MustQuantity("1Gi").Cmp(MustQuantity("1G")) != 1 || MustQuantity("-1m").Cmp(Quantity{}) != -1 {
		t.Error("Cmp does not compare by value")
	}
}

// FuzzParseQuantity checks that the canonical text is an amount of the same size, and that nothing panics.
func FuzzParseQuantity(f *testing.F) {
	for _, s := range []string{"1", "0.5Gi", "1e3", "-1500m", "9223372036854775807", "1Ei", ".", "Ki"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := ParseQuantity(s)
		if err != nil {
			return
		}
		again, err := ParseQuantity(q.String())
		if err != nil || q.units < math.MaxInt64/1000 && q.units > math.MinInt64/1000 && again.Cmp(q) != 0 {
			t.Errorf("%q: got %v, printed and read again %v, %v", s, q, again, err)
		}
	})
}
