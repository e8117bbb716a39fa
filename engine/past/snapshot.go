package past

import (
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// Snapshot is the cluster after one record, as tables: what kubectl get would print. Rows are comparable values.
type Snapshot struct {
	T           int64
	Record      int
	Deployments []DeploymentRow
	ReplicaSets []ReplicaSetRow
	Others      []Table  // of other kinds that have objects
	Pods        []PodRow // by name

	AllDeployments, AllReplicaSets, AllPods int // how many there are; the lists may be cut
}

// DeploymentRow is a line of `kubectl get deploy` (K-40) with what the page's controls need.
type DeploymentRow struct {
	Namespace, Name string
	Ready           string // "3/10"
	UpToDate        int
	Available       int
	Age             string
	Replicas        int // spec.replicas
	Revision        int
	Paused          bool
	Containers      string // container names, comma separated, in order
	Images          string // images in the same order
}

// ReplicaSetRow is a line of `kubectl get rs` (K-41).
type ReplicaSetRow struct {
	Namespace, Name         string
	Desired, Current, Ready int
	Age                     string
	Available               int
	Revision                int
	Owner                   string // name of the Deployment; empty if none
	Images                  string
	New                     bool // it has the Deployment's present template
}

// PodRow is a line of `kubectl get pods` (K-44).
type PodRow struct {
	Namespace, Name string
	Ready           string // "1/1"
	Status          string // K-52: Pending, ContainerCreating, Running, Terminating, ...
	Restarts        int
	Age             string
	Node            string
	ReplicaSet      string // the owner, whatever its kind; empty if none
	IsReady         bool
	IsAvailable     bool
	Terminating     bool
}

// snapshot makes the tables of kubectl get at a moment, with at most `most` Deployments, ReplicaSets and pods.
func (v *view) snapshot(record int, now int64, most int) *Snapshot {
	s := &Snapshot{T: now, Record: record}
	deployments, replicaSets := v.All(api.KindDeployment), v.All(api.KindReplicaSet)
	s.AllDeployments, s.AllReplicaSets = len(deployments), len(replicaSets)
	for _, o := range deployments[:min(most, len(deployments))] {
		s.Deployments = append(s.Deployments, deploymentRow(o.(*api.Deployment), now))
	}
	for _, o := range replicaSets[:min(most, len(replicaSets))] {
		s.ReplicaSets = append(s.ReplicaSets, v.replicaSetRow(o.(*api.ReplicaSet), now))
	}
	s.Others = v.tables(now)
	pods := v.All(api.KindPod)
	s.AllPods = len(pods)
	pods = pods[:min(most, len(pods))]
	s.Pods = make([]PodRow, len(pods))
	var owners minReadyCache
	for i, o := range pods {
		s.Pods[i] = v.podRow(o.(*api.Pod), &owners, now)
	}
	return s
}

func age(m *api.ObjectMeta, now int64) string { return print.Age(now - m.CreationTimestamp.Milli()) }

func deploymentRow(d *api.Deployment, now int64) DeploymentRow {
	names, images := print.Containers(&d.Spec.Template)
	return DeploymentRow{
		Namespace: d.Namespace, Name: d.Name,
		Ready:     strconv.Itoa(int(d.Status.ReadyReplicas)) + "/" + strconv.Itoa(int(*d.Spec.Replicas)),
		UpToDate:  int(d.Status.UpdatedReplicas),
		Available: int(d.Status.AvailableReplicas),
		Age:       age(&d.ObjectMeta, now),
		Replicas:  int(*d.Spec.Replicas), Revision: frames.RevisionOf(&d.ObjectMeta), Paused: d.Spec.Paused,
		Containers: names, Images: images,
	}
}

func (v *view) replicaSetRow(rs *api.ReplicaSet, now int64) ReplicaSetRow {
	_, images := print.Containers(&rs.Spec.Template)
	row := ReplicaSetRow{
		Namespace: rs.Namespace, Name: rs.Name,
		Desired: int(*rs.Spec.Replicas), Current: int(rs.Status.Replicas), Ready: int(rs.Status.ReadyReplicas),
		Age: age(&rs.ObjectMeta, now), Available: int(rs.Status.AvailableReplicas), Revision: frames.RevisionOf(&rs.ObjectMeta),
		Images: images,
	}
	ref := rs.ControllerOf()
	if ref == nil {
		return row
	}
	row.Owner = ref.Name
	d, _ := v.Get(api.Key{Kind: ref.Kind, Namespace: rs.Namespace, Name: ref.Name}).(*api.Deployment)
	row.New = d != nil && d.UID == ref.UID && rs.Spec.Template.EqualIgnoreHash(&d.Spec.Template)
	return row
}

func (v *view) podRow(pod *api.Pod, owners *minReadyCache, now int64) PodRow {
	row := PodRow{
		Namespace: pod.Namespace, Name: pod.Name,
		Ready: print.PodReady(pod), Status: print.PodStatus(pod), Restarts: print.PodRestarts(pod),
		Age: age(&pod.ObjectMeta, now), Node: pod.NodeName, IsReady: pod.IsReady(), Terminating: pod.Terminating(),
	}
	row.ReplicaSet = ownerKey(pod).Name
	row.IsAvailable = pod.IsAvailable(owners.of(v, pod), now)
	return row
}
