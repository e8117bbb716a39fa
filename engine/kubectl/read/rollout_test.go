package read

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// TestReadStatefulSetStatus is K-10 to K-14, case by case.
func TestReadStatefulSetStatus(t *testing.T) {
	const observe = "Waiting for statefulset spec update to be observed..."
	partition := func(n int32) api.StatefulSetUpdateStrategy {
		return api.StatefulSetUpdateStrategy{Type: api.RollingUpdate, RollingUpdate: &api.RollingUpdateStatefulSet{Partition: &n}}
	}
	plain := api.StatefulSetUpdateStrategy{Type: api.RollingUpdate}
	for _, tt := range []struct {
		rule       string
		strategy   api.StatefulSetUpdateStrategy
		generation int64
		status     api.StatefulSetStatus
		want       string
		done       bool
	}{
		{"K-10", api.StatefulSetUpdateStrategy{Type: api.OnDelete}, 1, api.StatefulSetStatus{},
			"error: rollout status is only available for RollingUpdate strategy type", false},
		{"K-10", plain, 0, api.StatefulSetStatus{}, observe, false},
		{"K-10", plain, 2, api.StatefulSetStatus{ObservedGeneration: 1, ReadyReplicas: 4}, observe, false},
		{"K-11", partition(0), 1, api.StatefulSetStatus{ObservedGeneration: 1, ReadyReplicas: 3, UpdatedReplicas: 1}, "Waiting for 1 pods to be ready...", false},
		{"K-12", partition(0), 1, api.StatefulSetStatus{ObservedGeneration: 1, ReadyReplicas: 4, UpdatedReplicas: 1},
			"Waiting for partitioned roll out to finish: 1 out of 4 new pods have been updated...", false},
		{"K-12", partition(2), 1, api.StatefulSetStatus{ObservedGeneration: 1, ReadyReplicas: 4, UpdatedReplicas: 1},
			"Waiting for partitioned roll out to finish: 1 out of 2 new pods have been updated...", false},
		{"K-12", partition(2), 1, api.StatefulSetStatus{ObservedGeneration: 1, ReadyReplicas: 4, UpdatedReplicas: 2},
			"partitioned roll out complete: 2 new pods have been updated...", true},
		{"K-12", partition(0), 1, api.StatefulSetStatus{ObservedGeneration: 1, ReadyReplicas: 4, UpdatedReplicas: 4, CurrentRevision: "a", UpdateRevision: "b"},
			"partitioned roll out complete: 4 new pods have been updated...", true},
		{"K-13", plain, 1, api.StatefulSetStatus{ObservedGeneration: 1, ReadyReplicas: 4, UpdatedReplicas: 3, CurrentRevision: "a", UpdateRevision: "b"},
			"waiting for statefulset rolling update to complete 3 pods at revision b...", false},
		{"K-14", plain, 1, api.StatefulSetStatus{ObservedGeneration: 1, ReadyReplicas: 4, UpdatedReplicas: 4, CurrentReplicas: 4, CurrentRevision: "b", UpdateRevision: "b"},
			"statefulset rolling update complete 4 pods at revision b...", true},
	} {
		s := &api.StatefulSet{Status: tt.status}
		s.Generation, s.Spec.Replicas, s.Spec.UpdateStrategy = tt.generation, api.Ptr[int32](4), tt.strategy
		wantStatus(t, tt.rule, s, tt.want, tt.done)
	}
}

// TestReadDaemonSetStatus is K-4, case by case.
func TestReadDaemonSetStatus(t *testing.T) {
	const waiting = `Waiting for daemon set "agent" rollout to finish: `
	for _, tt := range []struct {
		strategy   string
		generation int64
		status     api.DaemonSetStatus
		want       string
		done       bool
	}{
		{api.OnDelete, 1, api.DaemonSetStatus{}, "error: rollout status is only available for RollingUpdate strategy type", false},
		{api.RollingUpdate, 2, api.DaemonSetStatus{ObservedGeneration: 1}, "Waiting for daemon set spec update to be observed...", false},
		{api.RollingUpdate, 1, api.DaemonSetStatus{ObservedGeneration: 1, DesiredNumberScheduled: 4, UpdatedNumberScheduled: 1, NumberAvailable: 4},
			waiting + "1 out of 4 new pods have been updated...", false},
		{api.RollingUpdate, 1, api.DaemonSetStatus{ObservedGeneration: 1, DesiredNumberScheduled: 4, UpdatedNumberScheduled: 4, NumberAvailable: 3},
			waiting + "3 of 4 updated pods are available...", false},
		{api.RollingUpdate, 1, api.DaemonSetStatus{ObservedGeneration: 1, DesiredNumberScheduled: 4, UpdatedNumberScheduled: 4, NumberAvailable: 4},
			`daemon set "agent" successfully rolled out`, true},
	} {
		d := &api.DaemonSet{Status: tt.status}
		d.Name, d.Generation, d.Spec.UpdateStrategy.Type = "agent", tt.generation, tt.strategy
		wantStatus(t, "K-4", d, tt.want, tt.done)
	}
}

func wantStatus(t *testing.T, rule string, o api.Object, want string, wantDone bool) {
	t.Helper()
	r := newReading(&Reader{}, &line.Command{})
	done, err := r.showStatus(o)
	text := r.answer.Text()
	if err != nil {
		text = line.ErrorText(err)
	}
	if text != want || done != wantDone {
		t.Errorf("%s: %q, done %t; want %q, %t", rule, text, done, want, wantDone)
	}
}

// TestReadDescribeRevision: kubectl has no words of its own for a ControllerRevision, and prints its fields.
func TestReadDescribeRevision(t *testing.T) {
	set := decoded(t, api.KindStatefulSet, `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db"},"spec":{"selector":{"matchLabels":{"app":"db"}},`+
		`"template":{"metadata":{"labels":{"app":"db"}},"spec":{"containers":[{"name":"db","image":"postgres:17","args":["-c","fsync=off"]}]}}}}`,
		func(s *api.StatefulSet) { s.UID = "u" })
	rev := &api.ControllerRevision{Template: set.Spec.Template, Revision: 3}
	rev.Name, rev.Namespace, rev.CreationTimestamp = "db-1", "default", api.TimeAt(ms(t, "2026-01-01T00:00:00Z"))
	rev.Labels = map[string]string{"app": "db", "controller.kubernetes.io/hash": "1"}
	rev.OwnerReferences = []api.OwnerReference{{APIVersion: "apps/v1", Kind: api.KindStatefulSet, Name: "db", UID: "u", Controller: true, BlockOwnerDeletion: true}}
	r := Reader{Cluster: objects{set, rev}, Now: ms(t, "2026-01-01T00:01:00Z"), Record: -1}
	a, _ := r.Read(line.Parse("describe controllerrevision db-1"))
	const want = `Name:         db-1
Namespace:    default
Labels:       app=db
              controller.kubernetes.io/hash=1
Annotations:  <none>
API Version:  apps/v1
Data:
  Spec:
    Template:
      $patch:  replace
      Metadata:
        Labels:
          App:  db
      Spec:
        Containers:
          Args:
            -c
            fsync=off
          Image:              postgres:17
          Image Pull Policy:  IfNotPresent
          Name:               db
          Resources:
          Termination Message Path:    /dev/termination-log
          Termination Message Policy:  File
        Dns Policy:                    ClusterFirst
        Restart Policy:                Always
        Scheduler Name:                default-scheduler
        Security Context:
        Termination Grace Period Seconds:  30
Kind:                                      ControllerRevision
Metadata:
  Creation Timestamp:  2026-01-01T00:00:00Z
  Owner References:
    API Version:           apps/v1
    Block Owner Deletion:  true
    Controller:            true
    Kind:                  StatefulSet
    Name:                  db
    UID:                   u
Revision:                  3
Events:                    <none>`
	if got := a.Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if a, _ := r.Read(line.Parse("get controllerrevisions")); a.Text() != "NAME   CONTROLLER            REVISION   AGE\ndb-1   statefulset.apps/db   3          60s" {
		t.Errorf("got\n%s", a.Text()) // K-46
	}
}
