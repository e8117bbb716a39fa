package values

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install" // registers defaults and conversions
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/registry/apps/daemonset"
	"k8s.io/kubernetes/pkg/registry/apps/deployment"
	"k8s.io/kubernetes/pkg/registry/apps/replicaset"
	"k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"k8s.io/kubernetes/pkg/registry/autoscaling/horizontalpodautoscaler"
	"k8s.io/kubernetes/pkg/registry/core/node"
	"k8s.io/kubernetes/pkg/registry/core/pod"
	"k8s.io/kubernetes/pkg/registry/core/resourcequota"
	"k8s.io/kubernetes/pkg/registry/core/service"
	"k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"sigs.k8s.io/yaml"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/sim"
)

// objectsText has manifests that are right. They are changed at random.
//
//go:embed objects.yaml
var objectsText string

// objectsEach is how many changed manifests a test compares.
const objectsEach = 10_000

// strategies are the rules of the registry for each kind.
var strategies = map[api.Kind]interface {
	rest.RESTCreateStrategy
	rest.RESTUpdateStrategy
}{
	api.KindDeployment: deployment.Strategy, api.KindReplicaSet: replicaset.Strategy, api.KindStatefulSet: statefulset.Strategy,
	api.KindDaemonSet: daemonset.Strategy, api.KindPod: pod.Strategy, api.KindNode: node.Strategy, api.KindResourceQuota: resourcequota.Strategy,
	api.KindPodDisruptionBudget: poddisruptionbudget.Strategy, api.KindHorizontalPodAutoscaler: horizontalpodautoscaler.Strategy,
	api.KindService: service.Strategy,
}

// strict reads JSON as the API server does with strict field validation.
var strict = serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, legacyscheme.Scheme, legacyscheme.Scheme,
	serializer.SerializerOptions{Strict: true})

// sample is a manifest that is right.
type sample struct {
	kind api.Kind
	gvk  schema.GroupVersionKind
	tree map[string]any
	goes reflect.Type // of its Go struct
}

func samples(t *testing.T) (list []sample) {
	for document := range strings.SplitSeq(objectsText, "\n---\n") {
		var s sample
		if err := yaml.Unmarshal([]byte(document), &s.tree); err != nil {
			t.Fatal(err)
		}
		s.gvk = schema.FromAPIVersionAndKind(s.tree["apiVersion"].(string), s.tree["kind"].(string))
		s.kind = api.Kind(s.gvk.Kind)
		o, err := legacyscheme.Scheme.New(s.gvk)
		if err != nil {
			t.Fatal(err)
		}
		s.goes = reflect.TypeOf(o).Elem()
		list = append(list, s)
	}
	return list
}

// answer holds the errors of a manifest's fields, or one text if it cannot be read; of a manifest that is accepted, the warnings and the
// object with its defaults.
type answer struct {
	Unread   string
	Wrong    []string
	Warnings []string
	Object   any
}

// unordered are errors about entries of maps and about claims, which upstream finds in any order.
var unordered = regexp.MustCompile(`abels: |notations: |nodeSelector: |spec\.selector: |resources\.|spec\.hard|capacity|allocatable|\.volumes`)

// claimValue is the value of an error about the templates of claims: the server's own type, of which ours has the fields that people give.
var claimValue = regexp.MustCompile(`^(spec\.volumeClaimTemplates: Invalid value: ).*(: field is immutable)$`)

// volumeIndex is the place of a volume of a StatefulSet among those of its claims.
var volumeIndex = regexp.MustCompile(`^(spec\.template\.spec\.volumes)\[\d+\]`)

func (a *answer) settle() {
	for i, w := range a.Wrong {
		a.Wrong[i] = volumeIndex.ReplaceAllString(claimValue.ReplaceAllString(w, "$1$2"), "$1")
	}
	if slices.ContainsFunc(a.Wrong, unordered.MatchString) {
		slices.Sort(a.Wrong)
	}
	a.Warnings = slices.DeleteFunc(a.Warnings, unsaid.MatchString)
	slices.Sort(a.Warnings)
	if len(a.Warnings) == 0 {
		a.Warnings = nil
	}
}

// unsaid are warnings that ours leaves out (see Simplified at validate.Warnings).
var unsaid = regexp.MustCompile(`\.preference\.matchExpressions\[\d+\]\.values`)

// real is a manifest as the real server reads it, with its defaults.
func (s *sample) real(text []byte) (runtime.Object, error) {
	o, _, err := strict.Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	legacyscheme.Scheme.Default(o)
	return o, nil
}

func (s *sample) context(verb string) context.Context {
	return genericrequest.WithRequestInfo(genericrequest.WithNamespace(context.Background(), "default"),
		&genericrequest.RequestInfo{IsResourceRequest: true, Verb: verb, APIGroup: s.gvk.Group, APIVersion: s.gvk.Version})
}

// allocated gives a Service what the registry allocates for it.
func allocated(o, stored runtime.Object) {
	s, ok := o.(*core.Service)
	if !ok {
		return
	}
	spec := &s.Spec
	if spec.Type == core.ServiceTypeLoadBalancer && spec.ExternalTrafficPolicy == core.ServiceExternalTrafficPolicyLocal {
		spec.HealthCheckNodePort = 32000
	}
	if spec.Type == core.ServiceTypeExternalName {
		if stored == nil && spec.ClusterIP != "" {
			spec.ClusterIPs = []string{spec.ClusterIP}
		}
		return
	}
	if was, ok := stored.(*core.Service); ok && was.Spec.ClusterIP != "" {
		spec.ClusterIP = was.Spec.ClusterIP
		keepPorts(spec, &was.Spec)
	}
	if spec.ClusterIP == "" {
		spec.ClusterIP = "10.96.0.9"
	}
	spec.ClusterIPs, spec.IPFamilies = []string{spec.ClusterIP}, []core.IPFamily{core.IPv4Protocol}
	spec.IPFamilyPolicy = api.Ptr(core.IPFamilyPolicySingleStack)
}

// keepPorts gives ports of a Service those of the nodes that ports of the same names had.
func keepPorts(s, was *core.ServiceSpec) {
	if s.Type == core.ServiceTypeClusterIP || was.Type == core.ServiceTypeClusterIP {
		return
	}
	given := slices.Clone(s.Ports)
	for i := range s.Ports {
		for _, old := range was.Ports {
			taken := slices.ContainsFunc(given, func(p core.ServicePort) bool { return p.NodePort == old.NodePort })
			if p := &s.Ports[i]; p.NodePort == 0 && p.Name == old.Name && !taken {
				p.NodePort = old.NodePort
			}
		}
	}
}

// realAnswer is the registry's answer to a new object, or to a changed one if there is a stored object.
func (s *sample) realAnswer(t *testing.T, text, stored []byte) (a answer) {
	o, err := s.real(text)
	if err != nil {
		return answer{Unread: err.Error()}
	}
	strategy, internal := strategies[s.kind], convert.ToInternal(o)
	if stored == nil {
		rest.FillObjectMetaSystemFields(internal)
		allocated(internal, nil)
		err = rest.BeforeCreate(strategy, s.context("create"), internal)
	} else {
		was, _ := s.real(stored)
		before := convert.ToInternal(was)
		for _, m := range []metav1.Object{before, internal} {
			m.SetUID("1")
			m.SetResourceVersion("1")
			m.SetGeneration(1)
		}
		allocated(before, nil)
		allocated(internal, before)
		err = rest.BeforeUpdate(strategy, s.context("update"), internal, before)
	}
	var refused *apierrors.StatusError
	switch {
	case errors.As(err, &refused):
		for _, cause := range refused.ErrStatus.Details.Causes {
			if text := cause.Field + ": " + cause.Message; !slices.Contains(a.Wrong, text) {
				a.Wrong = append(a.Wrong, text)
			}
		}
	case err != nil:
		t.Fatal(err)
	case stored == nil:
		a.Warnings = strategy.WarningsOnCreate(s.context("create"), internal)
		a.Object = s.shown(t, o)
	}
	return a
}

// ourAnswer is the same from ours. simulated is false if rollplay does not simulate a value.
func (s *sample) ourAnswer(t *testing.T, text, stored []byte) (a answer, simulated bool) {
	o, issues := decode.JSON(s.kind, text)
	if len(issues) > 0 {
		return answer{Unread: decode.Message(issues)}, true
	}
	var wrong validate.FieldErrors
	if stored == nil {
		given := api.Copy(o)
		if !allocate(given, nil) {
			return a, false
		}
		wrong = validate.Object(given)
	} else {
		before, _ := decode.JSON(s.kind, stored)
		if !allocate(before, nil) || !allocate(o, before) {
			return a, false
		}
		wrong = validate.Update(o, before)
	}
	for _, e := range wrong {
		if e.NotSimulated() {
			return a, false
		}
		if text := e.Error(); !slices.Contains(a.Wrong, text) {
			a.Wrong = append(a.Wrong, text)
		}
	}
	if len(wrong) > 0 || stored != nil {
		return a, true
	}
	for _, w := range validate.Warnings(o, nil) {
		a.Warnings = append(a.Warnings, w.String())
	}
	tree := api.Tree(o)
	tree["apiVersion"], tree["kind"] = s.tree["apiVersion"], s.tree["kind"]
	again, _, err := strict.Decode(api.JSON(tree), nil, nil)
	if err != nil {
		t.Fatalf("what ours stores cannot be read: %v\n%s", err, text)
	}
	a.Object = s.shown(t, again)
	return a, true
}

// allocate gives a Service what our server gives it. It is false for a port that no node has, which kubectl's judge compares.
func allocate(o, stored api.Object) bool {
	return apiserver.New(&sim.Kernel{}, 1).Client("kubectl").Allocate(o, stored, false) == nil
}

// notStored are fields that ours fills in when an object is shown, or not at all.
var notStored = map[api.Kind][]string{api.KindDaemonSet: {"metadata.annotations"}, api.KindPod: {"spec.enableServiceLinks", "spec.terminationGracePeriodSeconds"}}

// shown is an object as a tree, without its status and what is not stored.
func (s *sample) shown(t *testing.T, o runtime.Object) map[string]any {
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	delete(tree, "status")
	for _, path := range notStored[s.kind] {
		of, field, _ := strings.Cut(path, ".")
		delete(api.Fields(tree).Object(of), field)
	}
	if s.kind == api.KindPod {
		for _, c := range api.ContainersOf(api.Fields(tree).Object("spec")) {
			delete(c.Object("resources"), "requests") // shown as the limits where there are none
		}
	}
	return tree
}

// compare compares the answers to changed manifests: as new objects, or as changes of the objects that they were.
func compare(t *testing.T, seed uint64, list []sample, update bool) {
	klog.SetLogger(logr.Discard()) // the registry logs where its two ways of validation differ
	c := changer{rand.New(rand.NewPCG(seed, 27))}
	refused := 0
	for range objectsEach {
		s := pick(c, list)
		var stored []byte
		if update {
			stored = api.JSON(s.tree)
		}
		text := api.JSON(c.changed(s.tree, s.goes, update))
		real := s.realAnswer(t, text, stored)
		ours, simulated := s.ourAnswer(t, text, stored)
		if !simulated {
			continue
		}
		if len(real.Wrong) > 0 {
			refused++
		}
		real.settle()
		ours.settle()
		if difference := cmp.Diff(real, ours); difference != "" {
			t.Errorf("%s\n- real, + ours\n%s", text, difference)
		}
	}
	if refused < objectsEach/4 || refused > objectsEach*3/4 {
		t.Errorf("%d of %d are refused; that tests one half only", refused, objectsEach)
	}
}

// TestObjects compares new objects: the errors of those that are refused, the warnings and the defaults of the others.
func TestObjects(t *testing.T) {
	list := samples(t)
	for _, s := range list {
		text := api.JSON(s.tree)
		if a := s.realAnswer(t, text, nil); len(a.Wrong)+len(a.Unread)+len(a.Warnings) > 0 {
			t.Errorf("%s: %+v", text, a)
		}
	}
	compare(t, 1, list, false)
}

// TestChangedObjects compares changes of stored objects. Pods and nodes have rules of their own: kubectl's judge compares them.
func TestChangedObjects(t *testing.T) {
	list := slices.DeleteFunc(samples(t), func(s sample) bool { return s.kind == api.KindPod || s.kind == api.KindNode })
	compare(t, 2, list, true)
}
