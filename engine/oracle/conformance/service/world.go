// Package service compares the EndpointSlice controller with the real one, and kube-proxy's choices with upstream's.
//
// A scenario is a list of random changes of pods, Services, nodes and slices. Ours plays it in its own clock; the real controller plays
// it in a bubble of fake time with its own queues, workers and informers. Before each change the slices of the two must be equal, with
// their generations, so both have written as often. Besides, before each sync of ours upstream's reconciler gets the same objects, and
// must plan the same: this also holds when slices are small and full, where upstream's choice among equals is random.
package service

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/controllers/endpointslice"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
)

// world is our side of a scenario.
type world struct {
	*cluster.Cluster
	r          *rand.Rand
	controller *endpointslice.Controller
	most       int // endpoints in a slice
	late       int64
	pods       int // created so far
	nodes      []string
	edits      []edit // of slices, since the last look
}

// edit is a change of a slice by a person.
type edit struct {
	service string
	what    string // drop, label, delete, foreign
}

var (
	apps  = []string{"a", "b", "c"}
	names = []string{"one", "two", "three"}
)

func newWorld(t testing.TB, seed uint64, k int) *world {
	w := &world{Cluster: cluster.New(t), r: rand.New(rand.NewPCG(seed, uint64(k))), most: 100}
	if k%3 == 2 {
		w.most = 1 + w.r.IntN(5)
	}
	w.late = []int64{0, 7, 25}[w.r.IntN(3)]
	w.controller = endpointslice.New(w.Server)
	w.controller.Max = w.most
	w.Server.Store.Informer(api.KindEndpointSlice).Late = w.late
	return w
}

// times returns the moments of n changes. Their places within a second differ, so that no change meets a retry.
func (w *world) times(n int) (list []int64) {
	places := w.r.Perm(50)[:n]
	slices.Sort(places)
	second := int64(0)
	for i, p := range places {
		if i > 0 && w.r.IntN(8) == 0 {
			second += int64(1 + w.r.IntN(3))
		}
		list = append(list, second*1000+int64(p)*20)
	}
	return list
}

// change makes one random change.
func (w *world) change() {
	pods := w.Pods()
	switch n := w.r.IntN(20); {
	case n == 0 || len(w.nodes) == 0:
		w.node()
	case n <= 2 || w.Server.Store.Table(api.KindService).Len() == 0:
		w.service()
	case n <= 6 || len(pods) == 0:
		for range w.several(3) {
			w.pod()
		}
	case n <= 8 && w.most == 100:
		w.edit()
	default:
		for range w.several(2) {
			if pods = w.Pods(); len(pods) > 0 {
				w.live(pods[w.r.IntN(len(pods))])
			}
		}
	}
}

// several returns how many pods change in one moment: one beside the real controller, which may see them one by one.
func (w *world) several(most int) int {
	if w.most == 100 {
		return 1
	}
	return 1 + w.r.IntN(most)
}

func (w *world) node() {
	if len(w.nodes) > 2 && w.r.IntN(2) == 0 {
		w.EditNode(w.nodes[w.r.IntN(len(w.nodes))], func(n *api.Node) { n.Labels = w.zone() })
		return
	}
	name := fmt.Sprintf("n%d", len(w.nodes))
	w.nodes = append(w.nodes, name)
	w.Create(&api.Node{ObjectMeta: api.ObjectMeta{Name: name, Labels: w.zone()}})
}

func (w *world) zone() map[string]string {
	if w.r.IntN(3) == 0 {
		return map[string]string{}
	}
	return map[string]string{api.ZoneLabel: pickOne(w.r, "x", "y")}
}

// service creates, changes or deletes a Service.
func (w *world) service() {
	name := pickOne(w.r, names...)
	key := cluster.Key(api.KindService, name)
	old, _ := w.Server.Store.Get(key).(*api.Service)
	if old != nil && w.r.IntN(3) == 0 {
		w.Delete(key)
		return
	}
	svc := &api.Service{ObjectMeta: api.ObjectMeta{Name: name, Namespace: "default", Labels: map[string]string{"l": pickOne(w.r, "1", "2")}}}
	if w.r.IntN(6) == 0 {
		svc.Labels[api.HeadlessLabel] = "mine"
	}
	svc.Spec = w.serviceSpec(old)
	decode.Default(svc)
	if old == nil {
		w.Create(svc)
		return
	}
	m := old.ObjectMeta
	m.Labels = svc.Labels
	svc.ObjectMeta = m
	w.Update(svc)
}

func (w *world) serviceSpec(old *api.Service) (s api.ServiceSpec) {
	s.Selector, s.IPFamilyPolicy = map[string]string{"app": pickOne(w.r, apps...)}, api.Ptr("SingleStack")
	if w.r.IntN(4) == 0 {
		s.Selector["tier"] = "x"
	}
	if w.r.IntN(12) == 0 {
		s.Selector = nil
	}
	s.Ports = []api.ServicePort{{Port: 80, TargetPort: *api.Int(8080)}}
	switch w.r.IntN(4) {
	case 0:
		s.Ports[0].Name, s.Ports[0].TargetPort = "web", *api.Str("http")
	case 1:
		s.Ports = append(s.Ports, api.ServicePort{Name: "more", Port: 81, TargetPort: *api.Str("admin"), AppProtocol: api.Ptr("kubernetes.io/h2c")})
		s.Ports[0].Name = "web"
	}
	if old != nil {
		s.ClusterIP = old.Spec.ClusterIP
	} else if w.r.IntN(4) == 0 {
		s.ClusterIP = api.HeadlessIP
		if w.r.IntN(2) == 0 {
			s.Ports = nil
		}
	}
	s.PublishNotReadyAddresses = w.r.IntN(4) == 0
	if w.r.IntN(3) == 0 {
		s.TrafficDistribution = api.Ptr(pickOne(w.r, api.PreferClose, api.PreferSameZone, api.PreferSameNode))
	}
	if w.r.IntN(20) == 0 {
		s = api.ServiceSpec{Type: api.ExternalName, ExternalName: "example.com", Selector: s.Selector, Ports: s.Ports}
	}
	return s
}

const podText = `{"spec":{"containers":[{"name":"c","image":"c","ports":[%s]}],"initContainers":[{"name":"i","image":"i","restartPolicy":%q,"ports":[{"name":"admin","containerPort":9001}]}]}}`

func (w *world) pod() {
	w.pods++
	ports := pickOne(w.r, "", `{"name":"http","containerPort":8000}`, `{"name":"http","containerPort":8001},{"name":"admin","containerPort":9000}`,
		`{"name":"http","containerPort":53,"protocol":"UDP"}`)
	restart := pickOne(w.r, "", "Always")
	if w.most == 100 { // pods with other ports are in another slice, and upstream's order of the two is random
		ports, restart = `{"name":"http","containerPort":8001}`, "Always"
	}
	template, err := decode.Template(fmt.Appendf(nil, podText, ports, restart))
	w.Must(err)
	pod := &api.Pod{ObjectMeta: api.ObjectMeta{Name: fmt.Sprintf("p%d", w.pods), Namespace: "default"}, Spec: template.Spec}
	pod.Labels = map[string]string{"app": pickOne(w.r, apps...), "tier": pickOne(w.r, "x", "y")}
	if len(w.nodes) > 0 {
		pod.NodeName = pickOne(w.r, w.nodes...)
	}
	if w.r.IntN(15) == 0 {
		pod.NodeName = fmt.Sprintf("n%d", len(w.nodes)) // it does not exist yet
	}
	if w.r.IntN(4) == 0 {
		pod.Hostname, pod.Subdomain = pod.Name, pickOne(w.r, names...)
	}
	w.Create(pod)
	if w.r.IntN(2) == 0 && w.most < 100 { // the real controller may see the two changes of a moment one by one
		w.status(w.Pod(pod.Name), api.PodRunning, "True", pickOne(w.r, "True", "False"))
	}
}

// live changes a pod.
func (w *world) live(pod *api.Pod) {
	ip, ready := condition(pod, "PodReadyToStartContainers"), condition(pod, "Ready")
	switch w.r.IntN(9) {
	case 0:
		w.status(pod, api.PodRunning, "False", "False")
	case 1, 2, 3:
		w.status(pod, api.PodRunning, "True", pickOne(w.r, "True", "True", "False"))
	case 4:
		w.status(pod, pickOne(w.r, api.PodFailed, api.PodSucceeded), ip, ready)
	case 5, 6:
		if pod.Terminating() {
			w.End(pod.Key())
		} else {
			w.Delete(pod.Key())
		}
	case 7:
		w.edited(pod, func(p *api.Pod) {
			p.Labels = map[string]string{"app": pickOne(w.r, apps...), "tier": pickOne(w.r, "x", "y")}
		})
	case 8: // a change that does not matter, unless the pod terminates
		w.edited(pod, func(p *api.Pod) { p.SetAnnotation("n", fmt.Sprint(w.r.IntN(1000))) })
	}
}

func (w *world) edited(pod *api.Pod, edit func(*api.Pod)) {
	c := api.Copy(pod)
	edit(c)
	w.Update(c)
}

func condition(pod *api.Pod, kind string) string {
	if c := api.FindCondition(pod.Status.Conditions, kind); c != nil {
		return c.Status
	}
	return "False"
}

func (w *world) status(pod *api.Pod, phase, ip, ready string) {
	pod = pod.CopyForStatus()
	pod.Status.Phase = phase
	for kind, status := range map[string]string{"PodReadyToStartContainers": ip, "Ready": ready} {
		pod.Status.Conditions = api.SetPodCondition(pod.Status.Conditions, api.Condition{Type: kind, Status: status}, w.User.Timestamp())
	}
	w.UpdateStatus(pod)
}

// edit changes the first slice of a Service as a person would.
func (w *world) edit() {
	e := edit{pickOne(w.r, names...), pickOne(w.r, "drop", "label", "delete", "foreign")}
	list := w.slicesOf(e.service)
	if len(list) != 1 {
		return // which one upstream has under which name is open
	}
	slice := api.Copy(list[0])
	switch e.what {
	case "drop":
		if len(slice.Endpoints) == 0 {
			return
		}
		sort.Slice(slice.Endpoints, func(i, j int) bool { return slice.Endpoints[i].Addresses[0] < slice.Endpoints[j].Addresses[0] })
		slice.Endpoints = slice.Endpoints[1:]
	case "label":
		slice.Labels["l"] = "mine"
	case "foreign":
		slice.Labels[api.SliceManagedByLabel] = "me"
	}
	w.edits = append(w.edits, e)
	if e.what == "delete" {
		w.Delete(slice.Key())
		return
	}
	w.Update(slice)
}

func (w *world) slicesOf(service string) (list []*api.EndpointSlice) {
	for o := range w.Server.Store.Table(api.KindEndpointSlice).All() {
		if s := o.(*api.EndpointSlice); s.Labels[api.ServiceNameLabel] == service {
			list = append(list, s)
		}
	}
	return list
}

// print returns the slices of a world as a text in which the order of slices and endpoints is not seen.
func (w *world) print() string {
	var list []string
	for o := range w.Server.Store.Table(api.KindEndpointSlice).All() {
		s := o.(*api.EndpointSlice)
		list = append(list, describe(s.Labels, s.Generation, endpointsOf(s), portsOf(s), string(s.OwnerReferences[0].Name)))
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

func describe(labels map[string]string, generation int64, endpoints, ports []string, owner string) string {
	slices.Sort(endpoints)
	slices.Sort(ports)
	var l []string
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		l = append(l, k+"="+labels[k])
	}
	return fmt.Sprintf("slice of %s %s, generation %d, ports %s\n  %s", owner, strings.Join(l, ","), generation, strings.Join(ports, " "), strings.Join(endpoints, "\n  "))
}

func endpointsOf(s *api.EndpointSlice) (list []string) {
	for i := range s.Endpoints {
		e := &s.Endpoints[i]
		text := fmt.Sprintf("%s %+v host %q node %q zone %q of %s/%s", e.Addresses, e.Conditions, e.Hostname, e.NodeName, e.Zone, e.TargetRef.Name, e.TargetRef.UID)
		if e.Hints != nil {
			text += fmt.Sprintf(" hints %+v", *e.Hints)
		}
		list = append(list, text)
	}
	return list
}

func portsOf(s *api.EndpointSlice) (list []string) {
	for _, p := range s.Ports {
		app := ""
		if p.AppProtocol != nil {
			app = *p.AppProtocol
		}
		list = append(list, fmt.Sprintf("%s:%d/%s%s", p.Name, p.Port, p.Protocol, app))
	}
	return list
}

func pickOne(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }
