package read

import (
	"errors"
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// errNoRollingUpdate is the answer about a set whose pods are replaced by hand (K-4, K-10).
var errNoRollingUpdate = errors.New("rollout status is only available for RollingUpdate strategy type")

// daemonSetStatus says how far the rollout of a DaemonSet is (K-4).
func daemonSetStatus(d *api.DaemonSet) (text string, done bool, err error) {
	s := &d.Status
	waiting := fmt.Sprintf("Waiting for daemon set %q rollout to finish: ", d.Name)
	switch want := s.DesiredNumberScheduled; {
	case d.Spec.UpdateStrategy.Type != api.RollingUpdate:
		return "", false, errNoRollingUpdate
	case d.Generation > s.ObservedGeneration:
		return "Waiting for daemon set spec update to be observed...", false, nil
	case s.UpdatedNumberScheduled < want:
		return fmt.Sprintf("%s%d out of %d new pods have been updated...", waiting, s.UpdatedNumberScheduled, want), false, nil
	case s.NumberAvailable < want:
		return fmt.Sprintf("%s%d of %d updated pods are available...", waiting, s.NumberAvailable, want), false, nil
	}
	return fmt.Sprintf("daemon set %q successfully rolled out", d.Name), true, nil
}

// statefulSetStatus says how far the rollout of a StatefulSet is (K-10 to K-14). With a rollingUpdate, which is the default,
// it is a partitioned one, also if no partition holds anything back.
func statefulSetStatus(o *api.StatefulSet) (text string, done bool, err error) {
	s, u, want := &o.Status, &o.Spec.UpdateStrategy, print.Replicas(o.Spec.Replicas)
	switch {
	case u.Type != api.RollingUpdate:
		return "", false, errNoRollingUpdate
	case s.ObservedGeneration == 0 || o.Generation > s.ObservedGeneration:
		return "Waiting for statefulset spec update to be observed...", false, nil
	case s.ReadyReplicas < want: // K-11
		return fmt.Sprintf("Waiting for %d pods to be ready...", want-s.ReadyReplicas), false, nil
	case u.RollingUpdate != nil: // K-12
		if below := want - print.Replicas(u.RollingUpdate.Partition); s.UpdatedReplicas < below {
			return fmt.Sprintf("Waiting for partitioned roll out to finish: %d out of %d new pods have been updated...",
				s.UpdatedReplicas, below), false, nil
		}
		return fmt.Sprintf("partitioned roll out complete: %d new pods have been updated...", s.UpdatedReplicas), true, nil
	case s.UpdateRevision != s.CurrentRevision: // K-13
		return fmt.Sprintf("waiting for statefulset rolling update to complete %d pods at revision %s...",
			s.UpdatedReplicas, s.UpdateRevision), false, nil
	}
	return fmt.Sprintf("statefulset rolling update complete %d pods at revision %s...", // K-14
		s.CurrentReplicas, s.CurrentRevision), true, nil
}
