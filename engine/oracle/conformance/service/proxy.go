package service

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/proxy"
	"k8s.io/kubernetes/pkg/proxy/runner"
	"k8s.io/utils/ptr"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/traffic"
)

// Proxy compares the choice of endpoints and the moments of the rules, of a random Service.
func Proxy(t *testing.T, seed uint64, k int) (difference string) {
	r := rand.New(rand.NewPCG(seed, uint64(k)))
	if d := choice(r); d != "" {
		return d
	}
	synctest.Test(t, func(t *testing.T) { difference = moments(r) })
	return difference
}

// choice compares which endpoints the proxy of a node uses.
func choice(r *rand.Rand) string {
	node, zone := pickOne(r, "n0", "n1"), pickOne(r, "", "x", "y")
	flag := func(n int) bool { return r.IntN(n) == 0 }
	var list []api.Endpoint
	for i := range r.IntN(6) {
		e := api.Endpoint{Addresses: []string{fmt.Sprintf("10.0.0.%d", i+1)}, NodeName: pickOne(r, "n0", "n1", "n2")}
		e.Conditions = api.EndpointConditions{Ready: flag(2), Serving: flag(2), Terminating: flag(2)}
		if !flag(5) {
			e.Hints = &api.EndpointHints{}
			if !flag(4) {
				e.Hints.ForZones = []api.Hint{{Name: pickOne(r, "x", "y")}}
			}
			if !flag(3) {
				e.Hints.ForNodes = []api.Hint{{Name: pickOne(r, "n0", "n1")}}
			}
		}
		list = append(list, e)
	}
	s := &api.ServiceSpec{Type: pickOne(r, api.ClusterIP, api.NodePort), InternalTrafficPolicy: ptr.To(pickOne(r, "Cluster", "Cluster", api.PolicyLocal))}
	if s.Type == api.NodePort {
		s.ExternalTrafficPolicy = pickOne(r, "Cluster", api.PolicyLocal)
	}
	cluster, local, any := traffic.Usable(s, list, node, zone)
	ours := fmt.Sprintf("cluster %v local %v any %t", addresses(cluster), addresses(local), any)
	if real := realChoice(s, list, node, zone); ours != real {
		return fmt.Sprintf("%+v %s zone %q: %+v\nours %s\nreal %s", *s, node, zone, list, ours, real)
	}
	return ""
}

func addresses(list []api.Endpoint) (out []string) {
	for _, e := range list {
		out = append(out, e.Addresses[0])
	}
	slices.Sort(out)
	return out
}

func realChoice(s *api.ServiceSpec, list []api.Endpoint, node, zone string) string {
	slice := &discoveryv1.EndpointSlice{AddressType: "IPv4", Ports: []discoveryv1.EndpointPort{{Name: ptr.To(""), Port: ptr.To[int32](80), Protocol: ptr.To(corev1.ProtocolTCP)}}}
	slice.Namespace, slice.Name, slice.Labels = "d", "s-1", map[string]string{discoveryv1.LabelServiceName: "s"}
	for i := range list {
		slice.Endpoints = append(slice.Endpoints, realEndpoint(&list[i]))
	}
	tracker, endpoints := proxy.NewEndpointsChangeTracker(corev1.IPv4Protocol, node, nil, nil), proxy.EndpointsMap{}
	tracker.EndpointSliceUpdate(slice, false)
	endpoints.Update(tracker)
	svc := &corev1.Service{}
	svc.Namespace, svc.Name = "d", "s"
	svc.Spec = corev1.ServiceSpec{ClusterIP: "10.1.1.1", ClusterIPs: []string{"10.1.1.1"}, Type: corev1.ServiceType(s.Type),
		Ports:                 []corev1.ServicePort{{Port: 80, Protocol: "TCP"}},
		ExternalTrafficPolicy: corev1.ServiceExternalTrafficPolicy(s.ExternalTrafficPolicy),
		InternalTrafficPolicy: ptr.To(corev1.ServiceInternalTrafficPolicy(*s.InternalTrafficPolicy))}
	if s.Type == api.NodePort {
		svc.Spec.Ports[0].NodePort = 30080
	}
	changes, services := proxy.NewServiceChangeTracker(corev1.IPv4Protocol, nil, nil), proxy.ServicePortMap{}
	changes.Update(nil, svc)
	services.Update(changes)
	name := proxy.ServicePortName{NamespacedName: types.NamespacedName{Namespace: "d", Name: "s"}, Protocol: corev1.ProtocolTCP}
	labels := map[string]string{}
	if zone != "" {
		labels[corev1.LabelTopologyZone] = zone
	}
	cluster, local, _, any := proxy.CategorizeEndpoints(endpoints[name], services[name], node, labels)
	text := func(list []proxy.Endpoint) (out []string) {
		for _, e := range list {
			out = append(out, e.IP())
		}
		slices.Sort(out)
		return out
	}
	return fmt.Sprintf("cluster %v local %v any %t", text(cluster), text(local), any)
}

func realEndpoint(e *api.Endpoint) discoveryv1.Endpoint {
	out := discoveryv1.Endpoint{Addresses: e.Addresses, NodeName: &e.NodeName, Conditions: discoveryv1.EndpointConditions{
		Ready: &e.Conditions.Ready, Serving: &e.Conditions.Serving, Terminating: &e.Conditions.Terminating}}
	if e.Hints != nil {
		out.Hints = &discoveryv1.EndpointHints{}
		for _, z := range e.Hints.ForZones {
			out.Hints.ForZones = append(out.Hints.ForZones, discoveryv1.ForZone{Name: z.Name})
		}
		for _, n := range e.Hints.ForNodes {
			out.Hints.ForNodes = append(out.Hints.ForNodes, discoveryv1.ForNode{Name: n.Name})
		}
	}
	return out
}

// moments compares when a proxy writes its rules, in µs, so that no change meets the beginning of a run.
func moments(r *rand.Rand) string {
	const until, second = 200_000_000, 1_000_000
	takes, fails := int64(r.IntN(800_000)), r.Uint64()
	failed := func(run int) bool { return fails>>(run%64)&1 == 1 && run%3 != 0 }
	run := traffic.Runner{Min: second, Retry: 30 * second, Full: 90 * second}
	var changes []int64
	for at := int64(1); at < until; at += int64(1 + r.IntN(pickInt(r, 400_000, 4_000_000, 80_000_000))) {
		changes = append(changes, at)
	}
	ours := run.Runs(changes, takes, until, failed)
	var real []int64
	began := time.Now()
	b := runner.NewBoundedFrequencyRunner("r", func() error {
		real = append(real, time.Since(began).Microseconds())
		time.Sleep(time.Duration(takes) * time.Microsecond)
		if failed(len(real) - 1) {
			return errors.New("failed")
		}
		return nil
	}, time.Second, 30*time.Second, 90*time.Second)
	stop := make(chan struct{})
	go b.Loop(stop)
	for _, at := range changes {
		time.Sleep(time.Until(began.Add(time.Duration(at) * time.Microsecond)))
		b.Run()
		synctest.Wait()
	}
	time.Sleep(time.Until(began.Add(until*time.Microsecond + time.Nanosecond)))
	synctest.Wait()
	theirs := slices.Clone(real)
	close(stop)
	synctest.Wait()
	time.Sleep(2 * time.Second)
	if a, b := fmt.Sprint(ours), fmt.Sprint(theirs); a != b {
		return fmt.Sprintf("runs of %d µs for changes at %s\nours %s\nreal %s", takes, strings.Trim(fmt.Sprint(changes), "[]"), a, b)
	}
	return ""
}

func pickInt(r *rand.Rand, list ...int) int { return list[r.IntN(len(list))] }
