package apiserver

import "github.com/rollplay/rollplay/engine/sim"

// RenewInterval is how often a kubelet renews its lease, in ms (G-40).
const RenewInterval = 10_000

// Leases replace the Lease objects of the namespace kube-node-lease, which kubelets renew as long as they live.
//
// Simplified: a renewal isn't a write. Only its time matters, so the time is computed from the first renewal and the end. A
// kubelet that begins at 3 s and ends at 27.5 s has renewed its lease at 3, 13 and 23 s.
type Leases struct {
	kernel   *sim.Kernel
	of       map[string]*lease
	watchers []LeaseWatcher
}

// LeaseWatcher is notified when a kubelet begins or stops renewing its lease.
type LeaseWatcher interface{ OnLease(node string) }

// lease is renewed at since and then every RenewInterval, up to until if it has ended.
type lease struct {
	since, until sim.Time
	ended        bool
}

// Watch notifies a watcher of every later beginning and end.
func (l *Leases) Watch(w LeaseWatcher) { l.watchers = append(l.watchers, w) }

// Begin lets the kubelet of a node renew its lease from now on.
func (l *Leases) Begin(node string) {
	l.of[node] = &lease{since: l.kernel.Now()}
	l.tell(node)
}

// End lets the kubelet of a node stop renewing its lease. A renewal that is due in this ms does not take place.
func (l *Leases) End(node string) {
	if x := l.of[node]; x != nil && !x.ended {
		x.until, x.ended = max(l.kernel.Now()-1, x.since), true
		l.tell(node)
	}
}

func (l *Leases) tell(node string) {
	for _, w := range l.watchers {
		w.OnLease(node)
	}
}

// Renewed returns when the lease of a node was last renewed, and whether its kubelet lives. A node without a kubelet, as tests
// have it, counts as alive.
func (l *Leases) Renewed(node string) (at sim.Time, lives bool) {
	x := l.of[node]
	if x == nil {
		return l.kernel.Now(), true
	}
	until := l.kernel.Now()
	if x.ended {
		until = x.until
	}
	return until - (until-x.since)%RenewInterval, !x.ended
}
