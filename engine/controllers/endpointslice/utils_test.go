package endpointslice

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// TestPlaceholder: a Service without endpoints that becomes headless keeps its empty slice. The label for that has an empty value, and
// upstream treats a missing label like an empty value. Any other label makes a new slice.
func TestPlaceholder(t *testing.T) {
	svc := &api.Service{ObjectMeta: api.ObjectMeta{Name: "one"}}
	svc.Spec.ClusterIP = "10.0.0.1"
	slice := &api.EndpointSlice{ObjectMeta: api.ObjectMeta{Labels: labelsOf(svc)}}
	svc.Spec.ClusterIP = api.HeadlessIP
	if !isPlaceholder(slice, svc) {
		t.Error("a headless Service has another empty slice")
	}
	svc.Labels = map[string]string{"l": "1"}
	if isPlaceholder(slice, svc) {
		t.Error("a label is missing in the empty slice")
	}
}

// TestHostname: a pod has its hostname in a Service of the name of its subdomain, so a change of either may concern the Service.
func TestHostname(t *testing.T) {
	svc := &api.Service{ObjectMeta: api.ObjectMeta{Name: "web"}}
	pod, other := &api.Pod{Hostname: "a", Subdomain: "web"}, &api.Pod{Hostname: "a", Subdomain: "other"}
	if here, there := endpoint(svc, pod, nil).Hostname, endpoint(svc, other, nil).Hostname; here != "a" || there != "" {
		t.Errorf("the hostname is %q, and %q with another subdomain", here, there)
	}
	renamed := &api.Pod{Hostname: "b", Subdomain: "web"}
	if !podRelabelled(pod, renamed) || !podRelabelled(pod, other) || podRelabelled(pod, pod) {
		t.Error("a new hostname or a new subdomain concerns a Service, and nothing new does not")
	}
}

// TestPortsOf: the ports are in the order of their names, and a sidecar has named ports, too.
func TestPortsOf(t *testing.T) {
	svc, pod := &api.Service{}, &api.Pod{Spec: &api.PodSpec{}}
	svc.Spec.Ports = []api.ServicePort{{Name: "web", TargetPort: api.IntOrString{Int: 80}},
		{Name: "admin", TargetPort: api.IntOrString{IsString: true, Str: "proxy"}}}
	pod.Spec.InitContainers = []api.Container{{RestartPolicy: "Always", Ports: []api.ContainerPort{{Name: "proxy", ContainerPort: 90}}}}
	if got := portsKey(portsOf(svc, pod)); got != "admin//90 web//80 " {
		t.Errorf("the ports are %q", got)
	}
}

// TestHintsFollowTheDistribution: without one there are no hints, with one those of endpoints that are not ready stay as they are.
func TestHintsFollowTheDistribution(t *testing.T) {
	zone := api.PreferSameZone
	slice := &api.EndpointSlice{Endpoints: []api.Endpoint{{Zone: "z"}, {Zone: "z"}}}
	slice.Endpoints[0].Conditions.Ready = true
	if !misled(&zone, slice) {
		t.Error("a ready endpoint has no hint")
	}
	hint(&zone, slice)
	if slice.Endpoints[0].Hints == nil || slice.Endpoints[1].Hints != nil {
		t.Errorf("got the hints %v and %v, want one for the first", slice.Endpoints[0].Hints, slice.Endpoints[1].Hints)
	}
	if misled(&zone, slice) || !misled(nil, slice) {
		t.Error("hints are right with the distribution that asks for them, and wrong without")
	}
	slice.Endpoints[1].Hints = slice.Endpoints[0].Hints
	if hint(nil, slice); slice.Endpoints[0].Hints != nil || slice.Endpoints[1].Hints != nil {
		t.Error("hints are left")
	}
}

// TestBestFit: the first of the slices that are closest to full, and none for as many endpoints as a slice takes.
func TestBestFit(t *testing.T) {
	of := func(n int) *api.EndpointSlice { return &api.EndpointSlice{Endpoints: make([]api.Endpoint, n)} }
	for _, tt := range []struct{ sizes, want, n int }{{0, -1, 3}, {1, 0, 2}, {1, 0, 1}, {3, -1, 1}} {
		if got := bestFit([]*api.EndpointSlice{of(tt.sizes), of(tt.sizes)}, tt.n, 3); got != tt.want {
			t.Errorf("%d endpoints for slices with %d of 3: got %d, want %d", tt.n, tt.sizes, got, tt.want)
		}
	}
}

// TestRecordCountsReady: a record of a write says how many endpoints are ready.
func TestRecordCountsReady(t *testing.T) {
	slice := &api.EndpointSlice{Endpoints: make([]api.Endpoint, 3)}
	slice.Endpoints[1].Conditions.Ready = true
	if got := endpoints(slice); got != "3 endpoints, 1 ready" {
		t.Error(got)
	}
}

// TestTrackerKnowsWhatIsGone: a slice that the controller has written and the cache lacks makes the cache stale; a slice that it deleted does not.
func TestTrackerKnowsWhatIsGone(t *testing.T) {
	key := api.Key{Kind: api.KindService, Name: "web"}
	if !(tracker{key: {"u": 1}}).stale(key, nil) || (tracker{key: {"u": gone}}).stale(key, nil) {
		t.Error("the cache is stale without a written slice, and not without a deleted one")
	}
}

// TestViewOfAService: what is known of the pods of a Service is kept until the Service changes.
func TestViewOfAService(t *testing.T) {
	c := &Controller{views: map[api.Key]*view{}}
	svc := &api.Service{ObjectMeta: api.ObjectMeta{Name: "web"}}
	v := c.view(svc)
	if c.view(svc) != v || c.view(api.Shallow(svc)) == v {
		t.Error("the same version has the same view, and another one another")
	}
}

// TestForgetsDeletedPods: a pod is forgotten when it is deleted, but not when it changes or when one of its name in another namespace goes.
func TestForgetsDeletedPods(t *testing.T) {
	svc := &api.Service{ObjectMeta: api.ObjectMeta{Name: "web", Namespace: "default"}}
	pod := &api.Pod{ObjectMeta: api.ObjectMeta{Name: "a", Namespace: "default"}, Spec: &api.PodSpec{}}
	other := &api.Pod{ObjectMeta: api.ObjectMeta{Name: "a", Namespace: "other"}, Spec: &api.PodSpec{}}
	for _, tt := range []struct {
		change sim.Change
		left   int
	}{{sim.Change{Old: pod, New: pod}, 1}, {sim.Change{Old: other}, 1}, {sim.Change{Old: pod}, 0}} {
		c := New(apiserver.New(&sim.Kernel{}, 1))
		c.services.Cache.Put(svc)
		c.view(svc).pods["a"] = &member{pod: pod}
		c.OnChange(&tt.change)
		if n := len(c.views[svc.Key()].pods); n != tt.left {
			t.Errorf("after %+v it knows %d pods, want %d", tt.change, n, tt.left)
		}
	}
}
