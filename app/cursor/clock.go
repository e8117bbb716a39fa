package cursor

import "fmt"

// Clock writes virtual ms as 01:02.345, with hours only if there are any, so that a time is always as wide as its
// neighbours.
func Clock(ms int64) string {
	s := ms / 1000
	if h := s / 3600; h > 0 {
		return fmt.Sprintf("%d:%02d:%02d.%03d", h, s/60%60, s%60, ms%1000)
	}
	return fmt.Sprintf("%02d:%02d.%03d", s/60, s%60, ms%1000)
}

const Second = 1000 // virtual ms
