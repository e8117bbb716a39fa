// Package endpointslice is the EndpointSlice controller: it keeps the slices of every Service with a selector. Upstream (v1.37.1) has
// it in pkg/controller/endpointslice/endpointslice_controller.go, which this file answers to, and in the module k8s.io/endpointslice:
// reconciler.go and utils.go here are its files of these names, tracker.go is util/endpointslice_tracker.go, hints.go is
// trafficdist/trafficdist.go.
//
// Simplified: the queue of pods is left out, because finding the Services of a pod takes no time and cannot fail; the annotation
// endpoints.kubernetes.io/last-change-trigger-time is not written, and service.kubernetes.io/topology-mode is not read.
package endpointslice

import (
	"errors"
	"maps"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

const (
	// Actor is the controller's name in records.
	Actor = "endpointslice-controller"

	controllerGo = "pkg/controller/endpointslice/endpointslice_controller.go:"
	reconcilerGo = "k8s.io/endpointslice/reconciler.go:"

	maxRetries  = 15   // then it gives up on a key (H-6)
	syncBackOff = 1000 // ms after a first failure (E-4)
	sliceDelay  = 1000 // ms after a slice that somebody else changed (E-5)
)

// MaxEndpointsPerSlice is the default of --max-endpoints-per-slice (E-3).
const MaxEndpointsPerSlice = 100

// Controller writes the slices of Services.
type Controller struct {
	Max int // endpoints in a slice

	client   *apiserver.Client
	loop     *sim.Loop
	services *sim.Informer
	pods     *sim.Informer
	nodes    *sim.Informer
	slices   *sim.Informer
	tracker  tracker
	views    map[api.Key]*view
}

// New returns a controller that watches the server.
func New(s *apiserver.Server) *Controller {
	c := &Controller{
		Max:      MaxEndpointsPerSlice,
		client:   s.Controller(Actor),
		services: s.Store.Informer(api.KindService),
		pods:     s.Store.Informer(api.KindPod),
		nodes:    s.Store.Informer(api.KindNode),
		slices:   s.Store.Informer(api.KindEndpointSlice),
		tracker:  tracker{},
		views:    map[api.Key]*view{},
	}
	c.loop = sim.NewLoop(s.Store, Actor, maxRetries, c, c.client.Limit)
	c.loop.RetryFrom(syncBackOff)
	s.Store.Watch(c, api.KindService, api.KindPod, api.KindEndpointSlice)
	return c
}

// OnChange wakes a changed Service, the Services of a changed pod, and those of a slice that somebody else changed.
func (c *Controller) OnChange(change *sim.Change) {
	switch o := change.Object().(type) {
	case *api.Service:
		c.loop.Add(o.Key())
	case *api.Pod:
		c.onPod(change, o)
	case *api.EndpointSlice:
		c.onSlice(change, o)
	}
}

// onPod wakes the Services of a pod if the change may concern them (E-2).
func (c *Controller) onPod(change *sim.Change, pod *api.Pod) {
	changed, relabelled, labels := true, false, pod.Labels
	if old, ok := change.Old.(*api.Pod); ok && change.New != nil {
		changed, relabelled, labels = podChanged(old, pod), podRelabelled(old, pod), old.Labels
	}
	for o := range c.services.Cache.All() {
		svc := o.(*api.Service)
		is, was := svc.Selects(pod.Namespace, pod.Labels), svc.Selects(pod.Namespace, labels)
		if changed && (is || was) || relabelled && is != was {
			c.loop.Add(svc.Key())
		}
		if v := c.views[svc.Key()]; v != nil && change.New == nil && svc.Namespace == pod.Namespace {
			delete(v.pods, pod.Name)
		}
	}
}

// podRelabelled says whether an update may change which Services select a pod.
func podRelabelled(old, pod *api.Pod) bool {
	return !maps.Equal(old.Labels, pod.Labels) || old.Hostname != pod.Hostname || old.Subdomain != pod.Subdomain
}

// podChanged says whether an update may change the endpoint of a pod. Upstream compares the deletion timestamps as pointers, so each
// update of a terminating pod counts.
func podChanged(old, pod *api.Pod) bool {
	return old.Terminating() || pod.Terminating() || old.IsReady() != pod.IsReady() || old.HasIP() != pod.HasIP()
}

// onSlice wakes the Service of a slice that changed otherwise than by this controller, a second later (E-5).
func (c *Controller) onSlice(change *sim.Change, slice *api.EndpointSlice) {
	old, _ := change.Old.(*api.EndpointSlice)
	switch {
	case change.New == nil:
		if managed(slice) && c.tracker.lost(slice) {
			c.wakeLater(slice)
		}
	case old != nil && serviceKey(old) != serviceKey(slice):
		c.wakeLater(slice)
		c.wakeLater(old)
	case old != nil && managed(old) != managed(slice), managed(slice) && c.tracker.foreign(slice):
		c.wakeLater(slice)
	}
}

func (c *Controller) wakeLater(slice *api.EndpointSlice) {
	if slice.Labels[api.ServiceNameLabel] != "" {
		c.loop.AddAfter(serviceKey(slice), sliceDelay)
	}
}

// managed says whether a slice is this controller's.
func managed(slice *api.EndpointSlice) bool {
	return slice.Labels[api.SliceManagedByLabel] == api.EndpointSliceController
}

// serviceKey names the Service that a slice belongs to.
func serviceKey(slice *api.EndpointSlice) api.Key {
	return api.Key{Kind: api.KindService, Namespace: slice.Namespace, Name: slice.Labels[api.ServiceNameLabel]}
}

var errStale = errors.New("EndpointSlice informer cache is out of date")

// Sync brings the slices of a Service up to date.
func (c *Controller) Sync(key api.Key) error {
	svc, _ := c.services.Cache.Get(key).(*api.Service)
	switch {
	case svc == nil:
		delete(c.tracker, key)
		delete(c.views, key)
		return c.loop.Skip("the Service is gone", whyGone, "nothing is left to do")
	case svc.Spec.Type == api.ExternalName || len(svc.Spec.Selector) == 0:
		return c.loop.Skip("the Service has no selector", whySkipped, "its endpoints are not this controller's")
	}
	c.loop.Branch("looks at the pods of the Service", whyCounts)
	c.loop.Idle("its EndpointSlices are up to date", nil)
	existing := api.Pick(c.slices.Cache.All(), func(slice *api.EndpointSlice) bool {
		return managed(slice) && serviceKey(slice) == svc.Key() && !slice.Terminating()
	})
	if c.tracker.stale(key, existing) {
		return errStale
	}
	return c.reconcile(svc, existing)
}

var (
	whyGone    = why.Note("E-2", controllerGo+"syncService", "a Service that is gone needs no slices")
	whySkipped = why.Note("E-1", controllerGo+"syncService", "without a selector a Service has the endpoints that somebody else writes")
	whyCounts  = why.Note("E-1", "k8s.io/endpointslice/utils.go:podToEndpoint", "ready is Ready and not terminating, serving is Ready")
)
