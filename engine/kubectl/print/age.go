package print

import "strconv"

// Age prints a duration in ms as the AGE column does (K-51).
func Age(ms int64) string {
	s := ms / 1000
	m, h, d := s/60, s/3600, s/86400
	const year = 365
	switch {
	case s < 0:
		return "<invalid>"
	case s < 120:
		return num(s, "s")
	case m < 10:
		return two(m, "m", s%60, "s")
	case m < 180:
		return num(m, "m")
	case h < 8:
		return two(h, "h", m%60, "m")
	case h < 48:
		return num(h, "h")
	case d < 8:
		return two(d, "d", h%24, "h")
	case d < 2*year:
		return num(d, "d")
	case d < 8*year:
		return two(d/year, "y", d%year, "d")
	}
	return num(d/year, "y")
}

func num(n int64, unit string) string { return strconv.FormatInt(n, 10) + unit }

func two(n int64, unit string, rest int64, restUnit string) string {
	if rest == 0 {
		return num(n, unit)
	}
	return num(n, unit) + num(rest, restUnit)
}
