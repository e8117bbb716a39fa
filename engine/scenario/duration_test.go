package scenario

import "testing"

func TestParseDuration(t *testing.T) {
	tests := []struct {
		text string
		ms   int64
		err  error
	}{
		{"0", 0, nil}, {"0s", 0, nil}, {"500ms", 500, nil}, {"10s", 10000, nil}, {"1m30s", 90000, nil}, {"1.5s", 1500, nil},
		{"2h", 7200000, nil}, {"24h", 86400000, nil}, {".5s", 500, nil}, {"1.0005s", 1000, nil}, {"1h1m1s1ms", 3661001, nil},
		{"", 0, errDuration}, {"10", 0, errDurationUnit}, {"1m30", 0, errDurationUnit}, {"10 s", 0, errDuration}, {"s", 0, errDuration},
		{"1d", 0, errDuration}, {"1us", 0, errDuration}, {"-1s", 0, errNegative}, {"25h", 0, errDurationMax}, {"1..s", 0, errDuration},
		{"99999999999999999999h", 0, errDurationMax}, {"0.00000000000000000001s", 0, nil}, {"+1s", 0, errDuration}, {"1S", 0, errDuration}, {"0.000001h", 3, nil}, {"0.0000009h", 0, nil},
	}
	for _, test := range tests {
		if got, err := ParseDuration(test.text); got != test.ms || err != test.err {
			t.Errorf("%q: got %d, %v, want %d, %v", test.text, got, err, test.ms, test.err)
		}
	}
}

func TestParseRange(t *testing.T) {
	tests := []struct {
		text     string
		min, max int64
		err      error
	}{
		{"2s", 2000, 2000, nil}, {"1s..3s", 1000, 3000, nil}, {"500ms .. 1s", 500, 1000, nil}, {"3s..1s", 0, 0, errRange},
		{"1s..", 0, 0, errDuration}, {"..1s", 0, 0, errDuration}, {"1..3s", 0, 0, errDurationUnit}, {"1s...3s", 0, 0, errRange},
	}
	for _, test := range tests {
		got, err := parseRange(test.text)
		if err != test.err || err == nil && (got.Min != test.min || got.Max != test.max) {
			t.Errorf("%q: got %v, %v, want %d..%d, %v", test.text, got, err, test.min, test.max, test.err)
		}
	}
}
