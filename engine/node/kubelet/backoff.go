package kubelet

import (
	"time"

	"github.com/rollplay/rollplay/engine/sim"
)

// Back-offs, in ms, begin with ten seconds, are doubled each time up to five minutes, and are reset ten minutes after the last one
// (G-6, G-10). They count from the failure, so with instant pulls a missing image is tried at 0, 10, 30, 70, 150, 310, 610, 910 s.
//
// The first restart of a container is at once, and later ones wait after its end. A container that always runs for 2 s starts at
// 0, 2, 14 (4 + 10), 36 (16 + 20), 78 (38 + 40), 160 (80 + 80), 322 (162 + 160), 624 (324 + 300), 926 s (626 + 300). One that
// runs for more than ten minutes restarts at once, every time.
const (
	backOffFirst   = 10_000
	backOffMax     = 300_000
	backOffForgets = 600_000
)

// backOffEntry is a back-off: how long to wait, and when it last grew. The zero value has not begun.
type backOffEntry struct{ length, updated sim.Time }

// fresh says whether the back-off has not begun or has expired (flowcontrol/backoff.go:hasExpired).
func (d *backOffEntry) fresh(at sim.Time) bool { return d.length == 0 || at-d.updated > backOffForgets }

// next begins the back-off, or doubles it; at is the time of the failure (flowcontrol/backoff.go:Next).
func (d *backOffEntry) next(at, now sim.Time) {
	if d.fresh(at) {
		d.length = backOffFirst
	} else {
		d.length = min(2*d.length, backOffMax)
	}
	d.updated = now
}

// duration prints a time as the kubelet does: 300ms, 1.2s, 5m0s.
func duration(ms sim.Time) string { return (time.Duration(ms) * time.Millisecond).String() }
