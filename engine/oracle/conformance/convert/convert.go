// Package convert turns the engine's objects into those of k8s.io/api, and these into the internal form that the real
// registry works on.
package convert

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// Object is a real API object.
type Object interface {
	metav1.Object
	runtime.Object
}

// Converter turns the engine's objects into real ones. Stored objects never change, so each is converted once; the result
// is shared and must not be changed.
type Converter struct {
	store *sim.Store
	done  map[api.Object]Object
	specs map[*api.PodSpec]*corev1.PodSpec
	sets  map[api.Key]*api.StatefulSet // the last one of each name; it may be deleted
}

// New returns a converter of the objects in a store.
func New(store *sim.Store) *Converter {
	return &Converter{store: store, done: map[api.Object]Object{}, specs: map[*api.PodSpec]*corev1.PodSpec{}, sets: map[api.Key]*api.StatefulSet{}}
}

// Convert returns the real form of an object, nil if no controller reads its kind.
func (c *Converter) Convert(o api.Object) Object {
	if real, ok := c.done[o]; ok {
		return real
	}
	var real Object
	switch o := o.(type) {
	case *api.Deployment, *api.ReplicaSet, *api.Node, *api.ResourceQuota:
		real = viaJSON(o, Empty(o.Key().Kind))
	case *api.Service:
		real = viaJSON(o, &corev1.Service{})
	case *api.EndpointSlice:
		real = viaJSON(o, &discoveryv1.EndpointSlice{})
	case *api.StatefulSet:
		c.sets[o.Key()] = o
		real = statefulSet(o)
	case *api.DaemonSet:
		real = daemonSet(o)
	case *api.ControllerRevision:
		real = controllerRevision(o)
	case *api.PersistentVolumeClaim:
		real = claim(o)
	case *api.PodDisruptionBudget:
		real = budget(o)
	case *api.Pod:
		real = c.pod(o)
	default:
		return nil
	}
	c.done[o] = real
	return real
}

// viaJSON reads what the engine's object prints, as a controller reads what the API server prints.
func viaJSON[T Object](o api.Object, real T) T {
	b, err := json.Marshal(o)
	if err == nil {
		err = json.Unmarshal(b, real)
	}
	if err != nil {
		panic(fmt.Sprintf("conformance: %s cannot be converted: %v", o.Key(), err))
	}
	return real
}

// pod converts a pod by hand: there are many of them, and the engine keeps their specs apart.
func (c *Converter) pod(p *api.Pod) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: objectMeta(&p.ObjectMeta), Spec: *c.podSpec(p.Spec)}
	pod.Spec.NodeName, pod.Spec.Hostname, pod.Spec.Subdomain = p.NodeName, p.Hostname, p.Subdomain
	if p.TargetNode != "" {
		pod.Spec.Affinity = daemonutil.ReplaceDaemonSetPodNodeNameNodeAffinity(pod.Spec.Affinity.DeepCopy(), p.TargetNode)
	}
	if p.Labels[api.StatefulSetPodNameLabel] != "" {
		pod.Spec.Volumes = append(c.claimVolumes(p), pod.Spec.Volumes...)
	}
	pod.Status.Phase = corev1.PodPhase(p.Status.Phase)
	pod.Status.Reason = p.Status.Reason
	for _, cond := range p.Status.Conditions {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{
			Type: corev1.PodConditionType(cond.Type), Status: corev1.ConditionStatus(cond.Status),
			LastTransitionTime: moment(cond.LastTransitionTime), Reason: cond.Reason, Message: cond.Message})
	}
	pod.Status.ContainerStatuses = containerStatuses(p.Status.ContainerStatuses)
	pod.Status.InitContainerStatuses = containerStatuses(p.Status.InitContainerStatuses)
	return pod
}

func containerStatuses(list []api.ContainerStatus) (out []corev1.ContainerStatus) {
	for i := range list {
		out = append(out, corev1.ContainerStatus{Name: list[i].Name, Ready: list[i].Ready, RestartCount: list[i].RestartCount})
	}
	return out
}

func (c *Converter) podSpec(s *api.PodSpec) *corev1.PodSpec {
	if real, ok := c.specs[s]; ok {
		return real
	}
	real := &corev1.PodSpec{}
	b, err := json.Marshal(s)
	must(err)
	must(json.Unmarshal(b, real))
	c.specs[s] = real
	return real
}

func objectMeta(m *api.ObjectMeta) metav1.ObjectMeta {
	out := metav1.ObjectMeta{
		Name: m.Name, GenerateName: m.GenerateName, Namespace: m.Namespace, UID: types.UID(m.UID),
		ResourceVersion: strconv.FormatInt(m.ResourceVersion, 10), Generation: m.Generation,
		CreationTimestamp: moment(m.CreationTimestamp), Labels: m.Labels, Annotations: m.Annotations, Finalizers: m.Finalizers,
	}
	if m.Terminating() {
		at := moment(m.DeletionTimestamp)
		out.DeletionTimestamp, out.DeletionGracePeriodSeconds = &at, &m.DeletionGracePeriodSeconds
	}
	for _, r := range m.OwnerReferences {
		out.OwnerReferences = append(out.OwnerReferences, metav1.OwnerReference{APIVersion: r.APIVersion, Kind: string(r.Kind),
			Name: r.Name, UID: types.UID(r.UID), Controller: &r.Controller, BlockOwnerDeletion: &r.BlockOwnerDeletion})
	}
	return out
}

// moment converts a stored time; zero stays zero.
func moment(t api.Time) metav1.Time {
	if t == 0 {
		return metav1.Time{}
	}
	return metav1.Unix(int64(t), 0)
}

// WallTime is the moment on the bubble's clock that a virtual time of the engine stands for.
func WallTime(ms int64) time.Time { return time.UnixMilli(api.Epoch*1000 + ms) }

// must panics on an error that only a mistake in this program can cause.
func must(err error) {
	if err != nil {
		panic("conformance: " + err.Error())
	}
}
