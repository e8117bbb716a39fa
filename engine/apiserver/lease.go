package apiserver

import "github.com/rollplay/rollplay/engine/sim"

// RenewInterval is how often a kubelet renews its lease, in ms (G-40).
const RenewInterval = 10_000

// Leases stand for the Lease objects of the namespace kube-node-lease, by which kubelets say that they live.
//
// Simplified: a renewal is no write. Nothing but the time follows from it, so it is computed, and only the beginning and
// the end of the renewals are noted.
type Leases struct {
	kernel   *sim.Kernel
	of       map[string]*lease
	watchers []LeaseWatcher
}

// LeaseWatcher is told when a kubelet begins or stops to renew its lease.
type LeaseWatcher interface{ OnLease(node string) }

// lease is renewed at since and then every RenewInterval, until it was ended.
type lease struct {
	since, until sim.Time
	ended        bool
}

// Watch lets a watcher hear of every later beginning and end.
func (l *Leases) Watch(w LeaseWatcher) { l.watchers = append(l.watchers, w) }

// Begin says that the kubelet of a node renews its lease now, and from now on.
func (l *Leases) Begin(node string) {
	l.of[node] = &lease{since: l.kernel.Now()}
	l.tell(node)
}

// End says that the kubelet of a node renews its lease no more, and not in this millisecond either.
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

// Renewed returns when the lease of a node was renewed last, and whether it will be again. A node without a kubelet of its
// own counts as one that lives.
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
