package endpointslice_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/controllers/endpointslice"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

type world struct {
	*cluster.Cluster
	controller *endpointslice.Controller
}

func newWorld(t *testing.T) *world {
	w := &world{Cluster: cluster.New(t)}
	w.controller = endpointslice.New(w.Server)
	w.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: "n1", Labels: map[string]string{api.ZoneLabel: "z"}}})
	return w
}

// service creates the Service web with a spec.
func (w *world) service(spec string) *api.Service {
	w.T.Helper()
	o, issues := decode.JSON(api.KindService, []byte(`{"metadata": {"name": "web"}, "spec": {`+spec+`}}`))
	if len(issues) > 0 {
		w.T.Fatal(issues)
	}
	return w.Create(o).(*api.Service)
}

const plain = `"selector": {"app": "web"}, "ports": [{"port": 80, "targetPort": 8080}]`

// pod creates a pod on a node, with an address, and Ready or not.
func (w *world) pod(name, node string, ready bool) {
	w.T.Helper()
	spec := cluster.Spec(w.T, `{"containers": [{"name": "c", "image": "c", "ports": [{"name": "http", "containerPort": 8000}]}]}`)
	w.Create(&api.Pod{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default", Labels: map[string]string{"app": "web"}}, NodeName: node, Spec: spec})
	w.status(name, "PodReadyToStartContainers", "True")
	w.SetPhase(name, api.PodRunning, ready)
}

func (w *world) status(name, kind, status string) {
	pod := w.Pod(name).CopyForStatus()
	pod.Status.Conditions = api.SetPodCondition(pod.Status.Conditions, api.Condition{Type: kind, Status: status}, w.User.Timestamp())
	w.UpdateStatus(pod)
}

func (w *world) slices() (list []*api.EndpointSlice) {
	for o := range w.Server.Store.Table(api.KindEndpointSlice).All() {
		list = append(list, o.(*api.EndpointSlice))
	}
	return list
}

// text prints the endpoints of all slices.
func (w *world) text() string {
	var list []string
	for _, s := range w.slices() {
		var endpoints []string
		for _, e := range s.Endpoints {
			flags := []string{e.TargetRef.Name}
			for name, set := range map[string]bool{"ready": e.Conditions.Ready, "serving": e.Conditions.Serving, "terminating": e.Conditions.Terminating} {
				if set {
					flags = append(flags, name)
				}
			}
			slices.Sort(flags[1:])
			endpoints = append(endpoints, strings.Join(flags, " "))
		}
		list = append(list, strings.Join(endpoints, ", "))
	}
	return strings.Join(list, " | ")
}

// syncs counts the reconciles.
func (w *world) syncs() (n int) {
	for _, r := range w.Kernel.Trace.Records {
		if r.Kind == sim.Reconcile {
			n++
		}
	}
	return n
}

func (w *world) want(step, want string) {
	w.T.Helper()
	w.Advance(3)
	if got := w.text(); got != want {
		w.T.Errorf("%s: %q, want %q", step, got, want)
	}
}

// TestConditions follows a pod from its creation to its end (E-1, E-2).
func TestConditions(t *testing.T) {
	w := newWorld(t)
	w.service(plain)
	w.want("no pod", "")
	if list := w.slices(); len(list) != 1 || len(list[0].Ports) != 0 {
		t.Fatalf("a Service without pods has the slices %v", list)
	}
	w.pod("a", "n1", false)
	w.want("created", "a")
	w.SetPhase("a", api.PodRunning, true)
	w.want("ready", "a ready serving")
	w.Delete(w.Pod("a").Key())
	w.want("deleted", "a serving terminating")
	w.SetPhase("a", api.PodRunning, false)
	w.want("not ready any more", "a terminating")
	w.SetPhase("a", api.PodFailed, false)
	w.want("ended", "")
	if p := w.slices()[0]; p.Generation != 6 || p.Labels[api.ServiceNameLabel] != "web" {
		t.Errorf("the slice is %+v", p)
	}
}

// TestPublishNotReady: such a Service has ready endpoints that are not (E-1).
func TestPublishNotReady(t *testing.T) {
	w := newWorld(t)
	w.service(plain + `, "publishNotReadyAddresses": true`)
	w.pod("a", "", false)
	w.want("created", "a ready")
}

// TestNamedPorts: pods with other ports are in another slice (E-1, E-3).
func TestNamedPorts(t *testing.T) {
	w := newWorld(t)
	w.service(`"selector": {"app": "web"}, "ports": [{"port": 80, "targetPort": "http"}]`)
	w.pod("a", "n1", true)
	w.want("named", "a ready serving")
	if p := w.slices()[0].Ports; len(p) != 1 || p[0].Port != 8000 || w.slices()[0].Endpoints[0].Zone != "z" {
		t.Errorf("ports %+v", p)
	}
}

// TestQuietUpdates: an update that does not matter wakes no Service, but every update of a terminating pod does (E-2).
func TestQuietUpdates(t *testing.T) {
	w := newWorld(t)
	w.service(plain)
	w.pod("a", "n1", true)
	w.want("ready", "a ready serving")
	touch := func() int {
		before := w.syncs()
		pod := api.Copy(w.Pod("a"))
		pod.SetAnnotation("at", fmt.Sprint(w.Kernel.Now()))
		w.Update(pod)
		w.Advance(3)
		return w.syncs() - before
	}
	if n := touch(); n != 0 {
		t.Errorf("an annotation led to %d syncs", n)
	}
	w.Delete(w.Pod("a").Key())
	w.Advance(3)
	if n := touch(); n != 1 {
		t.Errorf("an annotation of a terminating pod led to %d syncs", n)
	}
}

// TestSlicesOfThree: new endpoints fill what changes anyway, then the slice that fits best (E-3).
func TestSlicesOfThree(t *testing.T) {
	w := newWorld(t)
	w.controller.Max = 3
	w.service(plain)
	w.Advance(3)
	for _, name := range []string{"a", "b", "c", "d"} {
		w.pod(name, "n1", true)
	}
	w.want("four", "d ready serving | a ready serving, b ready serving, c ready serving") // the empty slice becomes the last new one
	w.pod("e", "n1", true)
	w.want("the second has room", "d ready serving, e ready serving | a ready serving, b ready serving, c ready serving")
	w.End(w.Pod("a").Key())
	w.pod("f", "n1", true)
	w.want("the first changes anyway", "d ready serving, e ready serving | b ready serving, c ready serving, f ready serving")
}

// TestLastOfItsSlice: a slice without endpoints is deleted, which is done then: the Service is not looked at once more.
func TestLastOfItsSlice(t *testing.T) {
	w := newWorld(t)
	w.controller.Max = 1
	w.service(plain)
	w.pod("a", "n1", true)
	w.pod("b", "n1", true)
	w.want("two slices", "a ready serving | b ready serving")
	w.End(w.Pod("a").Key())
	w.want("one is empty", "b ready serving")
	before := w.syncs()
	if w.Advance(5000); w.syncs() != before {
		t.Errorf("%d syncs follow", w.syncs()-before)
	}
}

// TestOneMoreThanFits: what a changed slice has no room for goes to the slice that fits best (E-3).
func TestOneMoreThanFits(t *testing.T) {
	w := newWorld(t)
	w.controller.Max = 3
	w.service(plain)
	w.Advance(3)
	for _, name := range []string{"a", "b", "c", "d"} {
		w.pod(name, "n1", true)
	}
	w.Advance(3)
	w.End(w.Pod("a").Key())
	w.pod("e", "n1", true)
	w.pod("f", "n1", true)
	w.want("two for one place", "d ready serving, f ready serving | b ready serving, c ready serving, e ready serving")
}

// TestRelabelled: a pod leaves its Service with its labels, and the Service is looked at although nothing else of the pod has changed (E-2).
func TestRelabelled(t *testing.T) {
	w := newWorld(t)
	w.service(plain)
	w.pod("a", "n1", true)
	w.want("ready", "a ready serving")
	label := func(app string) {
		pod := api.Copy(w.Pod("a"))
		pod.Labels = map[string]string{"app": app}
		w.Update(pod)
	}
	label("other")
	w.want("of another app", "")
	label("web")
	w.want("back again", "a ready serving")
}

// TestSkipped: a Service without a selector gets no slices, whatever its pods do (E-1).
func TestSkipped(t *testing.T) {
	w := newWorld(t)
	w.service(`"ports": [{"port": 80}]`)
	w.pod("a", "n1", true)
	w.Advance(3)
	w.End(w.Pod("a").Key())
	w.Advance(3)
	if list := w.slices(); len(list) != 0 {
		t.Errorf("got the slices %v", list)
	}
}

// wakes gives the first slice another label, and checks that this leads to a number of syncs, a second later.
func (w *world) wakes(t *testing.T, label, value string, want int) {
	t.Helper()
	slice, before := api.Copy(w.slices()[0]), w.syncs()
	slice.Labels[label] = value
	w.Update(slice)
	w.Advance(900)
	if n := w.syncs() - before; n != 0 {
		t.Errorf("%d syncs at once", n)
	}
	w.Advance(110)
	if n := w.syncs() - before; n != want {
		t.Errorf("%d syncs a second later, want %d", n, want)
	}
}

// TestMovedSlice: a slice whose label names another Service wakes both Services, a second later (E-5).
func TestMovedSlice(t *testing.T) {
	w := newWorld(t)
	w.service(plain)
	w.Advance(3)
	w.wakes(t, api.ServiceNameLabel, "other", 2)
}

// TestFullestFirst: of slices with room the fullest gets a new endpoint, whether they change anyway or not (E-3).
func TestFullestFirst(t *testing.T) {
	w := newWorld(t)
	w.controller.Max = 3
	w.service(plain)
	w.Advance(3)
	for _, name := range []string{"a", "b", "c", "d"} {
		w.pod(name, "n1", true)
	}
	w.Advance(3)
	w.End(w.Pod("a").Key())
	w.want("both have room", "d ready serving | b ready serving, c ready serving")
	w.pod("e", "n1", true)
	w.want("none changes", "d ready serving | b ready serving, c ready serving, e ready serving")
	w.pod("f", "n1", true)
	w.want("one has room", "d ready serving, f ready serving | b ready serving, c ready serving, e ready serving")
	w.End(w.Pod("d").Key())
	w.End(w.Pod("b").Key())
	w.pod("g", "n1", true)
	w.want("both change", "f ready serving | c ready serving, e ready serving, g ready serving")
}

// TestStale: a sync whose cache lacks the last write fails, and runs again a second later (E-4).
func TestStale(t *testing.T) {
	w := newWorld(t)
	w.Server.Store.Informer(api.KindEndpointSlice).Late = 10
	w.service(plain)
	w.Advance(20)
	w.pod("a", "n1", true)
	w.Advance(5)
	w.SetPhase("a", api.PodRunning, false)
	at := w.Kernel.Now()
	w.Until(at + 1000)
	if got := w.text(); got != "a ready serving" {
		t.Errorf("before the retry: %q", got)
	}
	w.Until(at + 1002)
	if got := w.text(); got != "a" {
		t.Errorf("after the retry: %q", got)
	}
}

// TestForeign: a slice that a person changed or deleted is right again a second later (E-5).
func TestForeign(t *testing.T) {
	w := newWorld(t)
	w.service(plain)
	w.pod("a", "n1", true)
	w.want("ready", "a ready serving")
	slice := api.Copy(w.slices()[0])
	slice.Endpoints = nil
	w.Update(slice)
	w.want("emptied", "")
	w.Advance(1000)
	w.want("a second later", "a ready serving")
	w.Delete(w.slices()[0].Key())
	w.Advance(1000)
	w.want("deleted", "a ready serving")
}

// TestOtherManager: a slice that goes to another manager wakes its Service a second later (E-5).
func TestOtherManager(t *testing.T) {
	w := newWorld(t)
	w.service(plain)
	w.pod("a", "n1", true)
	w.Advance(3)
	w.wakes(t, api.SliceManagedByLabel, "somebody", 1)
}

// TestHints: zones and nodes of ready endpoints (E-6).
func TestHints(t *testing.T) {
	w := newWorld(t)
	svc := w.service(plain + `, "trafficDistribution": "PreferSameNode"`)
	w.pod("a", "n1", true)
	w.Advance(3)
	if h := w.slices()[0].Endpoints[0].Hints; h == nil || h.ForZones[0].Name != "z" || h.ForNodes[0].Name != "n1" {
		t.Errorf("hints %+v", h)
	}
	svc = api.Copy(w.Server.Store.Get(svc.Key()).(*api.Service))
	svc.Spec.TrafficDistribution = nil
	w.Update(svc)
	w.Advance(3)
	if h := w.slices()[0].Endpoints[0].Hints; h != nil {
		t.Errorf("hints %+v are left", h)
	}
}

// TestMissingNode: a pod on a node that does not exist is left out until it does (E-1).
func TestMissingNode(t *testing.T) {
	w := newWorld(t)
	w.service(plain)
	w.pod("a", "n2", true)
	w.want("no node", "")
	w.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: "n2"}})
	w.Advance(2000)
	w.want("after the retry", "a ready serving")
}

// TestAddress: a Service keeps the address that it gets (E-9).
func TestAddress(t *testing.T) {
	w := newWorld(t)
	svc := w.service(plain + `, "type": "NodePort"`)
	if !strings.HasPrefix(svc.Spec.ClusterIP, "10.96.") || svc.Spec.Ports[0].NodePort < 30_000 || svc.Spec.Ports[0].NodePort > 32_767 {
		t.Errorf("spec %+v", svc.Spec)
	}
	changed := api.Copy(svc)
	changed.Spec.ClusterIP, changed.Spec.ClusterIPs = "", nil
	if got := w.Update(changed).(*api.Service); got.Spec.ClusterIP != svc.Spec.ClusterIP {
		t.Errorf("the address became %q", got.Spec.ClusterIP)
	}
}
