package recorded

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// Names that are the same in every scenario.
const (
	namespace     = "default"
	workload      = "web"
	containerName = "app"
	deploymentUID = "deployment"
)

// deploymentKey names the Deployment of every scenario.
var deploymentKey = api.Key{Kind: api.KindDeployment, Namespace: namespace, Name: workload}

// template returns the pod template of an image, which may carry the time of a rollout restart: v1@28.
func template(image string) api.PodTemplateSpec {
	image, restarted, _ := strings.Cut(image, "@")
	text, err := json.Marshal(map[string]any{"containers": []any{map[string]any{"name": containerName, "image": image}}})
	if err != nil {
		panic("recorded: " + err.Error())
	}
	spec, err := decode.PodSpec(text)
	if err != nil {
		panic("recorded: " + err.Error())
	}
	t := api.PodTemplateSpec{Labels: map[string]string{"app": workload}, Spec: spec}
	if restarted != "" {
		t.Annotations = map[string]string{api.RestartedAtAnnotation: restarted}
	}
	return t
}

// imageOf returns the image of a template as the recordings write it.
func imageOf(t *api.PodTemplateSpec) string {
	image := t.Spec.Containers[0].Image
	if at := t.Annotations[api.RestartedAtAnnotation]; at != "" {
		image += "@" + at
	}
	return image
}

// selector selects the pods of the workload.
func selector() *api.LabelSelector {
	return &api.LabelSelector{MatchLabels: map[string]string{"app": workload}}
}

// seconds returns the stored form of a recorded time.
func seconds(t int64) api.Time { return api.TimeAt(t * 1000) }

// templates keeps one template for each image, because comparing pointers is fast.
type templates map[string]api.PodTemplateSpec

func (t templates) of(image string) api.PodTemplateSpec {
	have, ok := t[image]
	if !ok {
		have = template(image)
		t[image] = have
	}
	return have
}

// deployment returns the Deployment of a recorded state.
func (t templates) deployment(d *Deployment) *api.Deployment {
	o := &api.Deployment{
		ObjectMeta: api.ObjectMeta{Name: workload, Namespace: namespace, UID: deploymentUID, Generation: d.Generation,
			CreationTimestamp: seconds(0), Labels: map[string]string{"app": workload}, Annotations: maps.Clone(d.Annotations)},
		Spec: api.DeploymentSpec{
			Replicas: api.Ptr(d.Replicas), Selector: selector(), Template: t.of(d.Image), Paused: d.Paused,
			Strategy: api.DeploymentStrategy{Type: d.Strategy}, MinReadySeconds: d.MinReady,
			ProgressDeadlineSeconds: api.Ptr(d.Deadline), RevisionHistoryLimit: api.Ptr(d.History),
		},
		Status: api.DeploymentStatus{
			ObservedGeneration: d.Observed, Replicas: d.Status[0], UpdatedReplicas: d.Status[1], ReadyReplicas: d.Status[2],
			AvailableReplicas: d.Status[3], UnavailableReplicas: d.Status[4], TerminatingReplicas: d.Terminating,
			CollisionCount: d.Collisions, Conditions: conditions(d.Conditions),
		},
	}
	if d.Strategy == api.RollingUpdate {
		o.Spec.Strategy.RollingUpdate = &api.RollingUpdateDeployment{MaxSurge: api.Int(d.Surge), MaxUnavailable: api.Int(d.Unavailable)}
	}
	setAnnotation(&o.ObjectMeta, api.RevisionAnnotation, d.Revision)
	return o
}

// replicaSet returns a ReplicaSet of a recorded state.
func (t templates) replicaSet(r *ReplicaSet) *api.ReplicaSet {
	hash := r.Name[strings.LastIndexByte(r.Name, '-')+1:]
	plain := t.of(r.Image)
	labelled := plain.WithLabel(api.PodTemplateHashLabel, hash)
	o := &api.ReplicaSet{
		ObjectMeta: api.ObjectMeta{Name: r.Name, Namespace: namespace, UID: "uid-" + r.Name, Generation: r.Generation,
			CreationTimestamp: seconds(r.Created), Labels: labelled.Labels, Annotations: maps.Clone(r.Annotations),
			OwnerReferences: []api.OwnerReference{{APIVersion: "apps/v1", Kind: api.KindDeployment, Name: workload,
				UID: deploymentUID, Controller: true, BlockOwnerDeletion: true}}},
		Spec: api.ReplicaSetSpec{Replicas: api.Ptr(r.Replicas), MinReadySeconds: r.MinReady,
			Selector: selector().WithLabel(api.PodTemplateHashLabel, hash), Template: labelled},
		Status: api.ReplicaSetStatus{Replicas: r.Status[0], FullyLabeledReplicas: r.Status[1], ReadyReplicas: r.Status[2],
			AvailableReplicas: r.Status[3], TerminatingReplicas: r.Terminating, ObservedGeneration: r.Observed,
			Conditions: conditions(r.Conditions)},
	}
	setAnnotation(&o.ObjectMeta, api.RevisionAnnotation, r.Revision)
	setAnnotation(&o.ObjectMeta, api.RevisionHistoryAnnotation, r.History)
	setAnnotation(&o.ObjectMeta, api.DesiredReplicasAnnotation, r.Desired)
	setAnnotation(&o.ObjectMeta, api.MaxReplicasAnnotation, r.Max)
	for i := range o.Status.Conditions {
		o.Status.Conditions[i].LastUpdateTime = 0
	}
	return o
}

// setAnnotation sets an annotation that is not empty.
func setAnnotation(m *api.ObjectMeta, key, value string) {
	if value != "" {
		m.SetAnnotation(key, value)
	}
}

func conditions(list []Condition) []api.Condition {
	var out []api.Condition
	for _, c := range list {
		out = append(out, api.Condition{Type: c.Type, Status: c.Status, Reason: c.Reason, Message: c.Message,
			LastUpdateTime: seconds(c.Updated), LastTransitionTime: seconds(c.Transition)})
	}
	return out
}

// pod returns a Pending pod of a ReplicaSet that is not on a node.
func pod(rs *api.ReplicaSet, name string) *api.Pod {
	return &api.Pod{
		ObjectMeta: api.ObjectMeta{Name: name, Namespace: namespace, UID: "uid-" + name, Labels: rs.Spec.Template.Labels,
			OwnerReferences: []api.OwnerReference{apiserver.ControllerRef(rs)}},
		Spec:   rs.Spec.Template.Spec,
		Status: api.PodStatus{Phase: api.PodPending},
	}
}

// podsOf returns pods of a ReplicaSet, as many of each sort as a recorded state counts.
func podsOf(rs *api.ReplicaSet, n *PodCounts) (pods []*api.Pod) {
	if n == nil {
		return nil
	}
	for _, group := range []struct {
		count int
		make  func(*api.Pod)
	}{
		{n.Pending, func(*api.Pod) {}},
		{n.Running, func(p *api.Pod) { p.Status.Phase = api.PodRunning }},
		{n.Ready, func(p *api.Pod) { p.Status.Phase = api.PodRunning }},
		{n.Failed, func(p *api.Pod) { p.Status.Phase = api.PodFailed }},
		{n.Terminating, func(p *api.Pod) { p.Status.Phase, p.DeletionTimestamp = api.PodRunning, seconds(0) }},
	} {
		for range group.count {
			p := pod(rs, fmt.Sprintf("%s-%05d", rs.Name, len(pods)+1))
			group.make(p)
			pods = append(pods, p)
		}
	}
	return pods
}

// newServer returns a server with an empty store, and its kernel at a recorded time.
func newServer(t int64) (*sim.Kernel, *apiserver.Server) {
	k := &sim.Kernel{}
	setClock(k, t*1000)
	return k, apiserver.New(k, 1)
}

// setClock empties the kernel and sets it to a virtual ms: syncs are called by hand here, without the events that would
// wake the controllers.
func setClock(k *sim.Kernel, ms sim.Time) {
	*k = sim.Kernel{}
	k.Schedule(sim.Event{At: ms, To: nothing{}})
	k.Step()
}

// nothing is a process that does nothing: an event for it moves the clock.
type nothing struct{}

// Handle does nothing.
func (nothing) Handle(sim.Event) {}

// deliver brings the controllers' caches up to date at once: the recordings had no watch latency between two syncs.
func deliver(s *apiserver.Server) {
	for _, kind := range []api.Kind{api.KindDeployment, api.KindReplicaSet, api.KindPod} {
		s.Store.Informer(kind).Handle(sim.Event{At: s.Kernel.Now() + sim.WatchLatency})
	}
}
