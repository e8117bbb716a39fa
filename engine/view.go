package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl"
	"github.com/rollplay/rollplay/engine/sim"
)

// view shows the cluster as it was after some of its changes. It keeps the state that it showed last and moves on from
// there; a step back begins anew. Objects are never changed in place, so the log of changes is all that it needs.
type view struct {
	store   *sim.Store
	changes int // how many changes the tables have
	tables  map[api.Kind]*sim.Table
}

// seek brings the tables to the state after a number of changes.
func (v *view) seek(changes int) {
	if v.tables == nil || changes < v.changes {
		v.tables, v.changes = map[api.Kind]*sim.Table{}, 0
	}
	for ; v.changes < changes; v.changes++ {
		c := &v.store.Log[v.changes]
		key := c.Object().Key()
		if c.New == nil {
			v.table(key.Kind).Remove(key)
		} else {
			v.table(key.Kind).Put(c.New)
		}
	}
}

func (v *view) table(kind api.Kind) *sim.Table {
	t := v.tables[kind]
	if t == nil {
		t = &sim.Table{}
		v.tables[kind] = t
	}
	return t
}

// snapshot makes the tables of kubectl get at a moment.
func (v *view) snapshot(changes, record int, now int64) *Snapshot {
	v.seek(changes)
	s := &Snapshot{T: now, Record: record}
	for _, o := range v.byName(api.KindDeployment) {
		s.Deployments = append(s.Deployments, deploymentRow(o.(*api.Deployment), now))
	}
	for _, o := range v.byName(api.KindReplicaSet) {
		s.ReplicaSets = append(s.ReplicaSets, v.replicaSetRow(o.(*api.ReplicaSet), now))
	}
	pods := v.byName(api.KindPod)
	s.Pods = make([]PodRow, len(pods))
	for i, o := range pods {
		s.Pods[i] = v.podRow(o.(*api.Pod), now)
	}
	return s
}

// byName lists the objects of a kind as kubectl does. Objects are sorted, not rows: each type of rows would bring a copy
// of the sorting code into the download.
func (v *view) byName(kind api.Kind) []api.Object {
	objects := slices.Collect(v.table(kind).All())
	slices.SortFunc(objects, func(a, b api.Object) int {
		m, n := a.Meta(), b.Meta()
		return cmp.Or(strings.Compare(m.Namespace, n.Namespace), strings.Compare(m.Name, n.Name))
	})
	return objects
}

func age(m *api.ObjectMeta, now int64) string { return kubectl.Age(now - m.CreationTimestamp.Milli()) }

func revisionOf(m *api.ObjectMeta) int {
	n, _ := strconv.Atoi(m.Annotations[api.RevisionAnnotation]) // no number: 0
	return n
}

func deploymentRow(d *api.Deployment, now int64) DeploymentRow {
	names, images := containers(&d.Spec.Template)
	return DeploymentRow{
		Namespace: d.Namespace, Name: d.Name,
		Ready:     strconv.Itoa(int(d.Status.ReadyReplicas)) + "/" + strconv.Itoa(int(*d.Spec.Replicas)),
		UpToDate:  int(d.Status.UpdatedReplicas),
		Available: int(d.Status.AvailableReplicas),
		Age:       age(&d.ObjectMeta, now),
		Replicas:  int(*d.Spec.Replicas), Revision: revisionOf(&d.ObjectMeta), Paused: d.Spec.Paused,
		Containers: names, Images: images,
	}
}

// containers returns the names and the images of a template's containers, comma separated.
func containers(t *api.PodTemplateSpec) (names, images string) {
	var n, i []string
	for _, c := range t.Spec.Containers {
		n, i = append(n, c.Name), append(i, c.Image)
	}
	return strings.Join(n, ","), strings.Join(i, ",")
}

func (v *view) replicaSetRow(rs *api.ReplicaSet, now int64) ReplicaSetRow {
	_, images := containers(&rs.Spec.Template)
	row := ReplicaSetRow{
		Namespace: rs.Namespace, Name: rs.Name,
		Desired: int(*rs.Spec.Replicas), Current: int(rs.Status.Replicas), Ready: int(rs.Status.ReadyReplicas),
		Age: age(&rs.ObjectMeta, now), Available: int(rs.Status.AvailableReplicas), Revision: revisionOf(&rs.ObjectMeta),
		Images: images,
	}
	ref := rs.ControllerOf()
	if ref == nil {
		return row
	}
	row.Owner = ref.Name
	d, _ := v.table(api.KindDeployment).Get(api.Key{Kind: ref.Kind, Namespace: rs.Namespace, Name: ref.Name}).(*api.Deployment)
	row.New = d != nil && d.UID == ref.UID && rs.Spec.Template.EqualIgnoreHash(&d.Spec.Template)
	return row
}

func (v *view) podRow(pod *api.Pod, now int64) PodRow {
	row := PodRow{
		Namespace: pod.Namespace, Name: pod.Name,
		Ready: kubectl.PodReady(pod), Status: kubectl.PodStatus(pod), Restarts: kubectl.PodRestarts(pod),
		Age: age(&pod.ObjectMeta, now), Node: pod.NodeName, IsReady: pod.IsReady(), Terminating: pod.Terminating(),
	}
	var minReadySeconds int32
	if ref := pod.ControllerOf(); ref != nil {
		row.ReplicaSet = ref.Name
		rs, _ := v.table(api.KindReplicaSet).Get(api.Key{Kind: ref.Kind, Namespace: pod.Namespace, Name: ref.Name}).(*api.ReplicaSet)
		if rs != nil {
			minReadySeconds = rs.Spec.MinReadySeconds
		}
	}
	row.IsAvailable = pod.IsAvailable(minReadySeconds, now)
	return row
}
