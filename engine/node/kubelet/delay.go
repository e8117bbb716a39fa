package kubelet

import (
	"time"

	"github.com/rollplay/rollplay/engine/sim"
)

// How back-offs grow, in ms (G-6, G-10): ten seconds, doubled each time up to five minutes, and forgotten after ten.
const (
	backOffFirst   = 10_000
	backOffMax     = 300_000
	backOffForgets = 600_000
)

// delay is a back-off: how long to wait, and when that was last decided. The zero value is no back-off yet.
type delay struct{ length, updated sim.Time }

// fresh says whether there is no back-off at a moment: none yet, or an old one (flowcontrol/backoff.go:hasExpired).
func (d *delay) fresh(at sim.Time) bool { return d.length == 0 || at-d.updated > backOffForgets }

// next begins the back-off, or doubles it; at is the moment of the failure (flowcontrol/backoff.go:Next).
func (d *delay) next(at, now sim.Time) {
	if d.fresh(at) {
		d.length = backOffFirst
	} else {
		d.length = min(2*d.length, backOffMax)
	}
	d.updated = now
}

// duration prints a time as the kubelet does: 300ms, 1.2s, 5m0s.
func duration(ms sim.Time) string { return (time.Duration(ms) * time.Millisecond).String() }
