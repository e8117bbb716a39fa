package service

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/kubernetes/pkg/controller/endpointslice"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/sim"
)

// realWorld is the real controller with an API server for slices alone; everything else reaches it from our store.
type realWorld struct {
	late    time.Duration
	watches map[string]*watch.RaceFreeFakeWatcher
	slices  map[string]*discoveryv1.EndpointSlice // by name
	numbers int
	convert *convert.Converter
	seen    int // entries of our log that it has got
}

// latency is that of our watches.
const latency = sim.WatchLatency * time.Millisecond

func newReal(ctx context.Context, w *world) *realWorld {
	real := &realWorld{late: latency + time.Duration(w.late)*time.Millisecond, watches: map[string]*watch.RaceFreeFakeWatcher{},
		slices: map[string]*discoveryv1.EndpointSlice{}, convert: convert.New(w.Server.Store)}
	client := fake.NewClientset()
	for _, kind := range []string{"pods", "services", "nodes", "endpointslices"} {
		watcher := watch.NewRaceFreeFake()
		real.watches[kind] = watcher
		client.PrependWatchReactor(kind, clienttesting.DefaultWatchReactor(watcher, nil))
	}
	client.PrependReactor("*", "endpointslices", real.serve)
	f := informers.NewSharedInformerFactory(client, 0)
	controller := endpointslice.NewController(ctx, f.Core().V1().Pods(), f.Core().V1().Services(), f.Core().V1().Nodes(),
		f.Discovery().V1().EndpointSlices(), int32(w.most), client, 0)
	f.Start(ctx.Done())
	f.WaitForCacheSync(ctx.Done())
	go controller.Run(ctx, 5)
	synctest.Wait()
	return real
}

// serve is the API server of slices. The reactors of a fake client are called one at a time.
func (real *realWorld) serve(action clienttesting.Action) (bool, runtime.Object, error) {
	switch a := action.(type) {
	case clienttesting.CreateActionImpl:
		s := a.GetObject().(*discoveryv1.EndpointSlice).DeepCopy()
		real.numbers++
		s.Name, s.UID, s.Generation = fmt.Sprintf("%s%d", s.GenerateName, real.numbers), types.UID(fmt.Sprint(real.numbers)), 1
		real.put(s, watch.Added)
		return true, s, nil
	case clienttesting.UpdateActionImpl:
		s := a.GetObject().(*discoveryv1.EndpointSlice).DeepCopy()
		stored := real.slices[s.Name]
		if stored == nil {
			return true, nil, apierrors.NewNotFound(discoveryv1.Resource("endpointslices"), s.Name)
		}
		if s.ResourceVersion != "" && s.ResourceVersion != stored.ResourceVersion {
			return true, nil, apierrors.NewConflict(discoveryv1.Resource("endpointslices"), s.Name, fmt.Errorf("old"))
		}
		return true, real.update(s, stored), nil
	case clienttesting.DeleteActionImpl:
		stored := real.slices[a.GetName()]
		if stored == nil {
			return true, nil, apierrors.NewNotFound(discoveryv1.Resource("endpointslices"), a.GetName())
		}
		real.put(stored, watch.Deleted)
		return true, nil, nil
	}
	return false, nil, nil
}

// update stores a new version of a slice, as the strategy of its registry prepares it.
func (real *realWorld) update(s, stored *discoveryv1.EndpointSlice) *discoveryv1.EndpointSlice {
	s.UID, s.Generation = stored.UID, stored.Generation
	if differs(s, stored) {
		s.Generation++
	}
	real.put(s, watch.Modified)
	return s
}

// put stores or removes a slice, and tells the informer about it after the latency of the watch.
func (real *realWorld) put(s *discoveryv1.EndpointSlice, event watch.EventType) {
	real.numbers++
	s = s.DeepCopy()
	s.ResourceVersion = fmt.Sprint(real.numbers)
	real.slices[s.Name] = s
	if event == watch.Deleted {
		delete(real.slices, s.Name)
	}
	time.AfterFunc(real.late, func() { real.watches["endpointslices"].Action(event, s.DeepCopy()) })
}

// follow passes on what has changed in our store, but for slices.
func (real *realWorld) follow(w *world) {
	log := w.Server.Store.Log
	var events []func()
	for ; real.seen < len(log); real.seen++ {
		c := log[real.seen]
		kind := map[api.Kind]string{api.KindPod: "pods", api.KindService: "services", api.KindNode: "nodes"}[c.Object().Key().Kind]
		if kind == "" {
			continue
		}
		o, event := real.object(c.Object()), map[sim.ChangeType]watch.EventType{sim.Added: watch.Added, sim.Modified: watch.Modified, sim.Deleted: watch.Deleted}[c.Type]
		events = append(events, func() { real.watches[kind].Action(event, o) })
	}
	time.AfterFunc(latency, func() {
		for _, send := range events {
			send()
		}
	})
	for _, e := range w.edits {
		real.edit(e)
	}
	w.edits = nil
}

// object converts an object, with what upstream reads and our objects compute.
func (real *realWorld) object(o api.Object) runtime.Object {
	out := real.convert.Convert(o).DeepCopyObject()
	switch p := out.(type) {
	case *corev1.Pod:
		if ip := o.(*api.Pod).IP(); ip != "" {
			p.Status.PodIP, p.Status.PodIPs = ip, []corev1.PodIP{{IP: ip}}
		}
	case *corev1.Service:
		if len(p.Spec.Selector) == 0 {
			p.Spec.Selector = nil
		}
	}
	return out
}

// edit changes the only slice of a Service as a person has changed ours.
func (real *realWorld) edit(e edit) {
	for _, stored := range real.slices {
		if stored.Labels[discoveryv1.LabelServiceName] != e.service {
			continue
		}
		s := stored.DeepCopy()
		switch e.what {
		case "drop":
			slices.SortFunc(s.Endpoints, func(a, b discoveryv1.Endpoint) int { return strings.Compare(a.Addresses[0], b.Addresses[0]) })
			s.Endpoints = s.Endpoints[1:]
		case "label":
			s.Labels["l"] = "mine"
		case "foreign":
			s.Labels[discoveryv1.LabelManagedBy] = "me"
		case "delete":
			real.put(s, watch.Deleted)
			return
		}
		if differs(s, stored) {
			real.update(s, stored)
		}
		return
	}
}

// differs says whether an update raises the generation of a slice; any other changes nothing that is compared.
func differs(s, stored *discoveryv1.EndpointSlice) bool { return text(ours(s)) != text(ours(stored)) }

func (real *realWorld) print() string {
	var list []string
	for _, s := range real.slices {
		list = append(list, describe(s.Labels, s.Generation, realEndpoints(s), realPorts(s), s.OwnerReferences[0].Name))
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

func realEndpoints(s *discoveryv1.EndpointSlice) []string { return endpointsOf(ours(s)) }
func realPorts(s *discoveryv1.EndpointSlice) []string     { return portsOf(ours(s)) }

// ours returns a slice of upstream as one of the engine's.
func ours(s *discoveryv1.EndpointSlice) *api.EndpointSlice {
	out := &api.EndpointSlice{ObjectMeta: api.ObjectMeta{Name: s.Name, UID: string(s.UID), Labels: s.Labels}}
	for _, p := range s.Ports {
		out.Ports = append(out.Ports, api.EndpointPort{Name: *p.Name, Protocol: string(*p.Protocol), Port: *p.Port, AppProtocol: p.AppProtocol})
	}
	for i := range s.Endpoints {
		out.Endpoints = append(out.Endpoints, oneOfOurs(&s.Endpoints[i]))
	}
	return out
}

func oneOfOurs(e *discoveryv1.Endpoint) api.Endpoint {
	text := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	c := e.Conditions
	o := api.Endpoint{Addresses: e.Addresses, Hostname: text(e.Hostname), NodeName: text(e.NodeName), Zone: text(e.Zone),
		Conditions: api.EndpointConditions{Ready: *c.Ready, Serving: *c.Serving, Terminating: *c.Terminating}}
	if t := e.TargetRef; t != nil {
		o.TargetRef = api.ObjectReference{Kind: api.Kind(t.Kind), Namespace: t.Namespace, Name: t.Name, UID: string(t.UID)}
	}
	if e.Hints != nil {
		o.Hints = &api.EndpointHints{}
		for _, z := range e.Hints.ForZones {
			o.Hints.ForZones = append(o.Hints.ForZones, api.Hint{Name: z.Name})
		}
		for _, n := range e.Hints.ForNodes {
			o.Hints.ForNodes = append(o.Hints.ForNodes, api.Hint{Name: n.Name})
		}
	}
	return o
}

// Verdict is the result of a scenario.
type Verdict struct {
	Syncs, Looks int
	Difference   string // "" if there is none
}

// Scenario plays scenario k of a seed.
func Scenario(t *testing.T, seed uint64, k int) (v Verdict) {
	synctest.Test(t, func(t *testing.T) { v = play(t, seed, k) })
	return v
}

func play(t *testing.T, seed uint64, k int) (v Verdict) {
	ctx, cancel := context.WithCancel(context.Background())
	defer func() {
		cancel()
		time.Sleep(time.Minute)
		synctest.Wait()
	}()
	w := newWorld(t, seed, k)
	plans := newPlans(w)
	w.Kernel.LoopObserver = plans
	var real *realWorld
	if w.most == 100 {
		real = newReal(ctx, w)
	}
	began := time.Now()
	look := func(at int64) bool {
		w.Until(at)
		if real != nil {
			time.Sleep(time.Until(began.Add(time.Duration(at) * time.Millisecond)))
			synctest.Wait()
			v.Looks++
			if ours, theirs := w.print(), real.print(); ours != theirs {
				v.Difference = fmt.Sprintf("at %d ms\nours\n%s\nreal\n%s", at, ours, theirs)
			}
		}
		if v.Difference == "" {
			v.Difference = plans.difference
		}
		v.Syncs = plans.syncs
		return v.Difference == ""
	}
	times := w.times(10 + w.r.IntN(30))
	for _, at := range times {
		if !look(at) {
			return v
		}
		w.change()
		if real != nil {
			real.follow(w)
		}
	}
	look(times[len(times)-1] + 45_007)
	return v
}
