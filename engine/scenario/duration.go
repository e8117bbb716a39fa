package scenario

import (
	"cmp"
	"errors"
	"strings"

	"github.com/rollplay/rollplay/engine/node/kubelet"
)

// timeMax is the longest duration and the latest moment of a scenario, in ms: a day.
const timeMax = 24 * 60 * 60 * 1000

var (
	errDuration     = errors.New("a duration is a number with a unit: 500ms, 10s, 1m30s, 2h")
	errDurationUnit = errors.New("a duration needs a unit: 500ms, 10s, 1m30s, 2h")
	errDurationMax  = errors.New("must not be more than 24h")
	errNegative     = errors.New("must be greater than or equal to 0")
	errRange        = errors.New("a range goes from the smaller to the larger duration: 1s..3s")
)

// durationUnits are the units in ms. A minute is tried after a millisecond.
var durationUnits = []struct {
	name string
	ms   int64
}{{"ms", 1}, {"s", 1000}, {"m", 60 * 1000}, {"h", 60 * 60 * 1000}}

// ParseDuration reads Go's syntax for durations with the units ms, s, m and h: 1m30s, 1.5s. The result is in ms; what
// is finer is dropped.
func ParseDuration(s string) (int64, error) {
	switch {
	case s == "0":
		return 0, nil
	case s == "":
		return 0, errDuration
	case s[0] == '-':
		return 0, errNegative
	}
	var total int64
	for s != "" {
		n, scale, rest := leadingNumber(s)
		if scale == 0 {
			return 0, errDuration
		}
		if rest == "" {
			return 0, errDurationUnit
		}
		unit := int64(0)
		for _, u := range durationUnits {
			if after, ok := strings.CutPrefix(rest, u.name); ok && unit == 0 {
				unit, rest = u.ms, after
			}
		}
		if unit == 0 {
			return 0, errDuration
		}
		// n is at most 10^9 and a unit 3.6·10^6, so the product fits; more than a day is an error anyway.
		if total += n * unit / scale; total > timeMax {
			return 0, errDurationMax
		}
		s = rest
	}
	return total, nil
}

// leadingNumber splits the number off: its digits without the point, and the power of ten that the point divides them
// by; 0 if there is no number. A number too large to matter is cut to 10^9, of a fraction six digits count.
func leadingNumber(s string) (n, scale int64, rest string) {
	const digits, most = "0123456789", 1e9
	rest = strings.TrimLeft(s, digits)
	whole, fraction := s[:len(s)-len(rest)], ""
	if after, pointed := strings.CutPrefix(rest, "."); pointed {
		rest = strings.TrimLeft(after, digits)
		fraction = after[:len(after)-len(rest)]
	}
	if whole+fraction == "" {
		return 0, 0, s
	}
	for _, c := range whole {
		n = min(n*10+int64(c-'0'), most)
	}
	scale = 1
	for _, c := range fraction {
		if scale < 1e6 && n < most {
			n, scale = n*10+int64(c-'0'), scale*10
		}
	}
	return n, scale, rest
}

// parseRange reads a duration, or two with two points between.
func parseRange(s string) (*kubelet.Range, error) {
	from, to, ok := strings.Cut(s, "..")
	if !ok {
		to = from
	}
	low, wrong := ParseDuration(strings.TrimSpace(from))
	high, err := ParseDuration(strings.TrimSpace(to))
	if err = cmp.Or(wrong, err); err == nil && low > high {
		err = errRange
	}
	return &kubelet.Range{Min: low, Max: high}, err
}
