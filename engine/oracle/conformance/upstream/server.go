package upstream

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"
	clienttesting "k8s.io/client-go/testing"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/sim"
)

// Server is the API server that the real controllers write to. Below it lies the engine's store as it was when the
// engine's own reconcile of the same key began; what the real controller writes lies on top and is dropped when its
// reconcile has been compared.
type Server struct {
	store     *sim.Store
	converter *convert.Converter
	client    *fake.Clientset

	lock    sync.Mutex // the ReplicaSet controller works on pods in several goroutines
	fresh   map[api.Key]convert.Object
	version int64
	pods    int // created in this reconcile; names them
	actions []Action

	// The engine's hashes of pod templates are its own. During a reconcile the real hash of the template is replaced by the
	// engine's wherever it is part of a name, a label or a message.
	hashes []Hashes

	gate gate
}

// Hashes are the hash of one template on both sides.
type Hashes struct{ Real, Ours string }

// NewServer returns a server on top of the engine's store.
func NewServer(store *sim.Store, converter *convert.Converter) *Server {
	s := &Server{store: store, converter: converter, client: &fake.Clientset{}, gate: gate{arrived: make(chan struct{}, 1)}}
	s.client.AddReactor("*", "*", s.react)
	// The first look at a table makes it, and workers look at these two side by side.
	store.Table(api.KindResourceQuota)
	store.Table(api.KindPodDisruptionBudget)
	s.Begin()
	return s
}

// Begin drops what the last reconcile wrote. The hashes are those of the templates that the next one may use.
func (s *Server) Begin(hashes ...Hashes) {
	s.fresh = map[api.Key]convert.Object{}
	s.version = int64(len(s.store.Log)) // each change of the store has the next resourceVersion
	s.actions, s.pods, s.hashes = nil, 0, hashes
	s.client.ClearActions()
}

// TakeActions returns what was done since the last call.
func (s *Server) TakeActions() []Action {
	actions := s.actions
	s.actions = nil
	return actions
}

// Budgets is the client through which PodDisruptionBudgets are read and written.
func (s *Server) Budgets() policyclient.PodDisruptionBudgetsGetter { return s.client.PolicyV1() }

// note appends to what the reconcile did.
func (s *Server) note(a Action) {
	a.Text = s.Translate(a.Text)
	a.About.Name = s.Translate(a.About.Name)
	s.actions = append(s.actions, a)
}

// Translate replaces the real hashes in a text by the engine's.
func (s *Server) Translate(text string) string {
	for _, h := range s.hashes {
		text = strings.ReplaceAll(text, h.Real, h.Ours)
	}
	return text
}

// resources are the kinds that the controllers send requests about.
var resources = map[string]api.Kind{"deployments": api.KindDeployment, "replicasets": api.KindReplicaSet,
	"statefulsets": api.KindStatefulSet, "daemonsets": api.KindDaemonSet, "controllerrevisions": api.KindControllerRevision, "pods": api.KindPod,
	"persistentvolumeclaims": api.KindPersistentVolumeClaim, "poddisruptionbudgets": api.KindPodDisruptionBudget}

// react answers a request of a controller.
func (s *Server) react(request clienttesting.Action) (handled bool, answer runtime.Object, err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	kind, ok := resources[request.GetResource().Resource]
	if !ok {
		panic("conformance: request for " + request.GetResource().Resource)
	}
	key := api.Key{Kind: kind, Namespace: request.GetNamespace()}
	var o convert.Object
	switch r := request.(type) {
	case clienttesting.ListAction:
		return true, s.budgets(key.Namespace), nil
	case clienttesting.PatchAction: // first, because it has the methods of the others too
		key.Name = s.Translate(r.GetName())
		o, err = s.patch(key, r.GetPatchType(), r.GetPatch())
	case clienttesting.UpdateAction: // creations have the same methods
		o = r.GetObject().DeepCopyObject().(convert.Object)
		if request.GetVerb() == "create" {
			o, err = s.create(key, o)
		} else {
			if key.Name = s.Translate(o.GetName()); key.Name == "" {
				return true, convert.Empty(kind), errNoName
			}
			o, err = s.update(key, o, request.GetSubresource() == "status")
		}
	case clienttesting.DeleteAction:
		key.Name = s.Translate(r.GetName())
		err = s.delete(key)
	case clienttesting.GetAction:
		key.Name = s.Translate(r.GetName())
		o, err = s.get(key)
	default:
		panic(fmt.Sprintf("conformance: request %T", request))
	}
	if o == nil || err != nil {
		return true, convert.Empty(kind), err
	}
	return true, o.DeepCopyObject(), nil
}

// errNoName is the real client's error when an object without a name is updated.
var errNoName = errors.New("resource name may not be empty")

// Stored returns an object as it is now, nil if it does not exist. The object is shared.
func (s *Server) Stored(key api.Key) convert.Object {
	if o, ok := s.fresh[key]; ok {
		return o
	}
	if o := s.store.Get(key); o != nil {
		return s.converter.Convert(o)
	}
	return nil
}

// budgets lists the budgets of a namespace; the server is not asked for lists of another kind.
func (s *Server) budgets(namespace string) *policyv1.PodDisruptionBudgetList {
	list := &policyv1.PodDisruptionBudgetList{}
	for o := range s.store.Table(api.KindPodDisruptionBudget).All() {
		if o.Meta().Namespace == namespace {
			list.Items = append(list.Items, *s.Stored(o.Key()).DeepCopyObject().(*policyv1.PodDisruptionBudget))
		}
	}
	return list
}

func (s *Server) get(key api.Key) (convert.Object, error) {
	o := s.Stored(key)
	if o == nil {
		return nil, apierrors.NewNotFound(convert.ResourceOf(key.Kind), key.Name)
	}
	return o, nil
}

func (s *Server) delete(key api.Key) error {
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
	s.note(Action{What: "delete", About: key, Object: o})
	return nil
}

// endsGracefully says whether a deleted pod stays until its containers have stopped.
func endsGracefully(pod *corev1.Pod) bool {
	return pod.Spec.NodeName != "" && !podutil.IsPodTerminal(pod) && *pod.Spec.TerminationGracePeriodSeconds > 0
}

func (s *Server) terminating(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	pod.DeletionGracePeriodSeconds = pod.Spec.TerminationGracePeriodSeconds
	at := metav1.NewTime(time.Now().Add(time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second)).Rfc3339Copy()
	pod.DeletionTimestamp = &at
	pod.Generation++
	pod.ResourceVersion = strconv.FormatInt(s.version, 10)
	return pod
}

// write stores an object under the next resourceVersion.
func (s *Server) write(what string, o convert.Object) convert.Object {
	s.version++
	o.SetResourceVersion(strconv.FormatInt(s.version, 10))
	key := convert.KeyOf(o)
	s.fresh[key] = o
	s.note(Action{What: what, About: key, Object: o})
	return o
}
