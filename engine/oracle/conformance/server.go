package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clienttesting "k8s.io/client-go/testing"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// server is the API server that the real controllers write to. Behind it lies the engine's store as it was when the
// engine's own reconcile of the same key began; what the real controller writes lies above it and is dropped when its
// reconcile has been compared.
type server struct {
	store     *sim.Store
	converter *converter

	lock    sync.Mutex // the ReplicaSet controller works on pods in several goroutines
	fresh   map[api.Key]object
	version int64
	pods    int // created in this reconcile; names them
	actions []action

	// The engine's hashes of pod templates are its own. While an object is being worked on, the real hash of its template
	// is replaced by the engine's wherever it is part of a name, a label or a message.
	hashes []hashes

	gate gate
}

// hashes are the hash of a template in the eyes of both sides.
type hashes struct{ real, ours string }

// begin drops what the last reconcile wrote.
func (s *server) begin() {
	s.fresh = map[api.Key]object{}
	s.version = int64(len(s.store.Log)) // each change of the store has the next resourceVersion
	s.actions, s.pods, s.hashes = nil, 0, nil
}

// note appends to what the reconcile did.
func (s *server) note(a action) {
	a.text = s.translate(a.text)
	a.about.Name = s.translate(a.about.Name)
	s.actions = append(s.actions, a)
}

func (s *server) translate(text string) string {
	for _, h := range s.hashes {
		text = strings.ReplaceAll(text, h.real, h.ours)
	}
	return text
}

// resources are the kinds that the controllers send requests about.
var resources = map[string]api.Kind{"deployments": api.KindDeployment, "replicasets": api.KindReplicaSet,
	"statefulsets": api.KindStatefulSet, "daemonsets": api.KindDaemonSet, "controllerrevisions": api.KindControllerRevision, "pods": api.KindPod,
	"persistentvolumeclaims": api.KindPersistentVolumeClaim, "poddisruptionbudgets": api.KindPodDisruptionBudget}

// react answers a request of a controller.
func (s *server) react(request clienttesting.Action) (handled bool, answer runtime.Object, err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	kind, ok := resources[request.GetResource().Resource]
	if !ok {
		panic("conformance: request for " + request.GetResource().Resource)
	}
	key := api.Key{Kind: kind, Namespace: request.GetNamespace()}
	var o object
	switch r := request.(type) {
	case clienttesting.ListAction:
		return true, s.budgets(key.Namespace), nil
	case clienttesting.PatchAction: // before the others, whose methods it has, too
		key.Name = s.translate(r.GetName())
		o, err = s.patch(key, r.GetPatchType(), r.GetPatch())
	case clienttesting.UpdateAction: // creations have the same methods
		o = r.GetObject().DeepCopyObject().(object)
		if request.GetVerb() == "create" {
			o, err = s.create(key, o)
		} else {
			if key.Name = s.translate(o.GetName()); key.Name == "" {
				return true, emptyOf(kind), errNoName
			}
			o, err = s.update(key, o, request.GetSubresource() == "status")
		}
	case clienttesting.DeleteAction:
		key.Name = s.translate(r.GetName())
		err = s.delete(key)
	case clienttesting.GetAction:
		key.Name = s.translate(r.GetName())
		o, err = s.get(key)
	default:
		panic(fmt.Sprintf("conformance: request %T", request))
	}
	if o == nil || err != nil {
		return true, emptyOf(kind), err
	}
	return true, o.DeepCopyObject(), nil
}

// errNoName is what the real client says of an update of an object without a name.
var errNoName = errors.New("resource name may not be empty")

// emptyOf returns what client-go wants beside an error.
func emptyOf(kind api.Kind) runtime.Object {
	switch kind {
	case api.KindDeployment:
		return &appsv1.Deployment{}
	case api.KindReplicaSet:
		return &appsv1.ReplicaSet{}
	case api.KindStatefulSet:
		return &appsv1.StatefulSet{}
	case api.KindDaemonSet:
		return &appsv1.DaemonSet{}
	case api.KindControllerRevision:
		return &appsv1.ControllerRevision{}
	case api.KindPersistentVolumeClaim:
		return &corev1.PersistentVolumeClaim{}
	case api.KindPodDisruptionBudget:
		return &policyv1.PodDisruptionBudget{}
	}
	return &corev1.Pod{}
}

// stored returns an object as it is now, nil if there is none. It is shared.
func (s *server) stored(key api.Key) object {
	if o, ok := s.fresh[key]; ok {
		return o
	}
	if o := s.store.Get(key); o != nil {
		return s.converter.convert(o)
	}
	return nil
}

// budgets lists the budgets of a namespace; nobody asks the server for lists of another kind.
func (s *server) budgets(namespace string) *policyv1.PodDisruptionBudgetList {
	list := &policyv1.PodDisruptionBudgetList{}
	for o := range s.store.Table(api.KindPodDisruptionBudget).All() {
		if o.Meta().Namespace == namespace {
			list.Items = append(list.Items, *s.stored(o.Key()).DeepCopyObject().(*policyv1.PodDisruptionBudget))
		}
	}
	return list
}

func (s *server) get(key api.Key) (object, error) {
	o := s.stored(key)
	if o == nil {
		return nil, apierrors.NewNotFound(resourceOf(key.Kind), key.Name)
	}
	return o, nil
}

func (s *server) delete(key api.Key) error {
	o, err := s.get(key)
	if err != nil {
		return err
	}
	if o.GetDeletionTimestamp() != nil {
		return nil
	}
	s.version++
	s.fresh[key] = nil
	if pod, ok := o.(*corev1.Pod); ok && endsGracefully(pod) {
		s.fresh[key] = s.terminating(pod)
	}
	s.note(action{what: "delete", about: key, object: o})
	return nil
}

// endsGracefully says whether a deleted pod stays until its containers have stopped.
func endsGracefully(pod *corev1.Pod) bool {
	return pod.Spec.NodeName != "" && !podutil.IsPodTerminal(pod) && *pod.Spec.TerminationGracePeriodSeconds > 0
}

func (s *server) terminating(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	pod.DeletionGracePeriodSeconds = pod.Spec.TerminationGracePeriodSeconds
	at := metav1.NewTime(time.Now().Add(time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second)).Rfc3339Copy()
	pod.DeletionTimestamp = &at
	pod.Generation++
	pod.ResourceVersion = strconv.FormatInt(s.version, 10)
	return pod
}

// write stores an object under the next resourceVersion.
func (s *server) write(what string, o object) object {
	s.version++
	o.SetResourceVersion(strconv.FormatInt(s.version, 10))
	key := keyFor(o)
	s.fresh[key] = o
	s.note(action{what: what, about: key, object: o})
	return o
}

func resourceOf(kind api.Kind) schema.GroupResource {
	return schema.ParseGroupResource(kind.Resource())
}
