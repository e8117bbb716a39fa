package service

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	corelisters "k8s.io/client-go/listers/core/v1"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	slicerec "k8s.io/endpointslice"
	"k8s.io/endpointslice/topologycache"
	sliceutil "k8s.io/endpointslice/util"
	"k8s.io/klog/v2"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/sim"
)

// plans lets upstream's reconciler plan each sync of ours, with the same objects, and compares what the two write.
type plans struct {
	w          *world
	real       *realWorld      // converts objects
	plan       func() *outcome // upstream's, of the present sync; nil if it does not reconcile
	began      int             // entries of the log when the sync began
	syncs      int
	difference string
}

// draws is how often upstream may plan a sync until its plan is ours. It goes through maps, whose order decides which slice it reuses. A
// slice that already is as it should be needs no update.
const draws = 100

// outcome is what a reconcile does, without what upstream leaves open: which of several new endpoints goes into which slice, and
// which of two equally full slices is filled.
type outcome struct {
	creates, updates, deletes int
	kept                      map[string]string // by the name of a slice: the endpoints that it had before, as they are now
	all                       []string          // endpoints, with their ports
	sizes                     []string          // of slices, with their ports
	failed                    bool
}

func newPlans(w *world) *plans {
	return &plans{w: w, real: &realWorld{convert: convert.New(w.Server.Store)}}
}

func (p *plans) Queued(*sim.Loop, api.Key, sim.Time) {}

// SyncBegins keeps what upstream plans with.
func (p *plans) SyncBegins(_ *sim.Loop, key api.Key) {
	p.plan, p.began = nil, len(p.w.Server.Store.Log)
	cached := func(kind api.Kind) *sim.Table { return &p.w.Server.Store.Informer(kind).Cache }
	svc, _ := cached(api.KindService).Get(key).(*api.Service)
	if svc == nil || svc.Spec.Type == api.ExternalName || len(svc.Spec.Selector) == 0 {
		return
	}
	var pods []*corev1.Pod
	for o := range cached(api.KindPod).All() {
		if svc.Selects(o.Meta().Namespace, o.Meta().Labels) {
			pods = append(pods, p.real.object(o).(*corev1.Pod))
		}
	}
	nodes := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
	for o := range cached(api.KindNode).All() {
		if err := nodes.Add(p.real.object(o)); err != nil {
			panic(err)
		}
	}
	existing := map[string]*api.EndpointSlice{}
	var slices []*discoveryv1.EndpointSlice
	for o := range cached(api.KindEndpointSlice).All() {
		s := o.(*api.EndpointSlice)
		if s.Labels[api.ServiceNameLabel] == svc.Name && s.Labels[api.SliceManagedByLabel] == api.EndpointSliceController {
			existing[s.Name] = s
			slices = append(slices, p.real.object(s).(*discoveryv1.EndpointSlice))
		}
	}
	p.plan = func() *outcome { return p.reconcile(svc, pods, corelisters.NewNodeLister(nodes), slices, existing) }
}

// reconcile lets upstream's reconciler plan.
func (p *plans) reconcile(svc *api.Service, pods []*corev1.Pod, nodes corelisters.NodeLister, list []*discoveryv1.EndpointSlice,
	existing map[string]*api.EndpointSlice) *outcome {
	after, out := map[string]*api.EndpointSlice{}, &outcome{}
	for name, s := range existing {
		after[name] = s
	}
	client := fake.NewClientset()
	client.PrependReactor("*", "endpointslices", func(action clienttesting.Action) (bool, runtime.Object, error) {
		switch a := action.(type) {
		case clienttesting.CreateActionImpl:
			out.creates++
			s := a.GetObject().(*discoveryv1.EndpointSlice)
			after[fmt.Sprintf("new %d", out.creates)] = ours(s)
			return true, s, nil
		case clienttesting.UpdateActionImpl:
			s := a.GetObject().(*discoveryv1.EndpointSlice)
			if text(ours(s)) != text(existing[s.Name]) { // the API server stores no other
				out.updates++
			}
			after[s.Name] = ours(s)
			return true, s, nil
		case clienttesting.DeleteActionImpl:
			out.deletes++
			delete(after, a.GetName())
			return true, nil, nil
		}
		return false, nil, nil
	})
	reconciler := slicerec.NewReconciler(client, nodes, int32(p.w.most), sliceutil.NewEndpointSliceTracker(), topologycache.NewTopologyCache(),
		record.NewFakeRecorder(100), api.EndpointSliceController, slicerec.WithPreferSameTrafficDistributionEnabled(true))
	err := reconciler.Reconcile(klog.Background(), p.real.object(svc).(*corev1.Service), pods, list, time.Time{})
	out.failed = err != nil
	out.take(existing, after)
	return out
}

func text(s *api.EndpointSlice) string { return describe(s.Labels, 0, endpointsOf(s), portsOf(s), "") }

// take notes what is compared.
func (out *outcome) take(existing, after map[string]*api.EndpointSlice) {
	out.kept = map[string]string{}
	for name, s := range after {
		ports := strings.Join(portsOf(s), " ")
		had := map[string]bool{}
		if old := existing[name]; old != nil && strings.Join(portsOf(old), " ") == ports {
			for _, e := range old.Endpoints {
				had[e.TargetRef.UID] = true
			}
		}
		var kept []string
		for i, text := range endpointsOf(s) {
			out.all = append(out.all, ports+" "+text)
			if had[s.Endpoints[i].TargetRef.UID] {
				kept = append(kept, text)
			}
		}
		slices.Sort(kept)
		if len(kept) > 0 {
			out.kept[name] = strings.Join(kept, "\n")
		}
		out.sizes = append(out.sizes, fmt.Sprintf("%s: %d", ports, len(s.Endpoints)))
	}
	slices.Sort(out.all)
	slices.Sort(out.sizes)
}

// SyncEnds compares.
func (p *plans) SyncEnds(_ *sim.Loop, key api.Key, err error) {
	p.syncs++
	if p.plan == nil || p.difference != "" || err != nil && strings.HasSuffix(err.Error(), "out of date") {
		return
	}
	out, existing, after := &outcome{failed: err != nil}, map[string]*api.EndpointSlice{}, map[string]*api.EndpointSlice{}
	cached := &p.w.Server.Store.Informer(api.KindEndpointSlice).Cache
	for o := range cached.All() {
		s := o.(*api.EndpointSlice)
		if s.Labels[api.ServiceNameLabel] == key.Name && s.Labels[api.SliceManagedByLabel] == api.EndpointSliceController {
			existing[s.Name], after[s.Name] = s, s
		}
	}
	for _, c := range p.w.Server.Store.Log[p.began:] {
		switch s := c.Object().(*api.EndpointSlice); c.Type {
		case sim.Added:
			out.creates++
			after[s.Name] = s
		case sim.Modified:
			out.updates++
			after[s.Name] = s
		case sim.Deleted:
			out.deletes++
			delete(after, s.Name)
		}
	}
	out.take(existing, after)
	if err != nil && strings.Contains(err.Error(), "failed to ") {
		return // a conflict, which upstream's reconciler alone cannot have
	}
	written, planned := fmt.Sprintf("%+v", *out), ""
	for range draws {
		if planned = fmt.Sprintf("%+v", *p.plan()); planned == written {
			return
		}
	}
	p.difference = fmt.Sprintf("sync of %s at %d ms\nours %s\nreal %s", key, p.w.Kernel.Now(), written, planned)
}
