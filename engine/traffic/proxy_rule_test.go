package traffic_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/traffic"
)

func endpoint(ip, node string, ready, serving, terminating bool) api.Endpoint {
	return api.Endpoint{Addresses: []string{ip}, NodeName: node, Conditions: api.EndpointConditions{Ready: ready, Serving: serving, Terminating: terminating}}
}

// TestUsable: ready endpoints; if there are none, those that serve and terminate; never the others (E-7).
func TestUsable(t *testing.T) {
	cluster, local := &api.ServiceSpec{Type: api.ClusterIP}, &api.ServiceSpec{Type: api.ClusterIP, InternalTrafficPolicy: api.Ptr(api.PolicyLocal)}
	ready, leaving, gone := endpoint("1", "n1", true, true, false), endpoint("2", "n2", false, true, true), endpoint("3", "n1", false, false, true)
	near := endpoint("4", "n2", true, true, false)
	near.Hints = &api.EndpointHints{ForZones: []api.Hint{{Name: "z"}}}
	for _, tt := range []struct {
		name      string
		spec      *api.ServiceSpec
		endpoints []api.Endpoint
		want      string
	}{
		{"nothing", cluster, nil, "[] [] false"},
		{"a ready one", cluster, []api.Endpoint{ready, leaving, gone}, "[1] [] true"},
		{"the last resort", cluster, []api.Endpoint{leaving, gone}, "[2] [] true"},
		{"nothing usable", cluster, []api.Endpoint{gone}, "[] [] false"},
		{"local", local, []api.Endpoint{ready, near}, "[] [1] true"},
		{"local, elsewhere", local, []api.Endpoint{near}, "[] [] true"},
		{"hints for all", cluster, []api.Endpoint{near, near}, "[4 4] [] true"},
		{"hints for some", cluster, []api.Endpoint{near, ready}, "[4 1] [] true"},
	} {
		ips := func(list []api.Endpoint) (out []string) {
			for _, e := range list {
				out = append(out, e.Addresses[0])
			}
			return out
		}
		c, l, any := traffic.Usable(tt.spec, tt.endpoints, "n1", "z")
		if got := fmt.Sprint(ips(c), ips(l), any); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestRuns: the first change at once, the next ones a second after the end of the last run, a failed run again after 30 s (E-8).
func TestRuns(t *testing.T) {
	for _, tt := range []struct {
		name    string
		changes []int64
		fails   func(int) bool
		want    []int64
	}{
		{"one", []int64{500}, nil, []int64{500}},
		{"a burst", []int64{500, 510, 900, 1_700}, nil, []int64{500, 1_600, 2_700}},
		{"during the run", []int64{500, 550}, nil, []int64{500, 1_600}},
		{"later", []int64{500, 5_000}, nil, []int64{500, 5_000}},
		{"a failure", []int64{500}, func(run int) bool { return run == 0 }, []int64{500, 30_600}},
	} {
		if got := traffic.KubeProxy.Runs(tt.changes, 100, 60_000, tt.fails); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	if got := traffic.KubeProxy.Runs(nil, 100, 8_000_000, nil); !slices.Equal(got, []int64{3_600_000, 7_200_100}) {
		t.Errorf("without a change: %d", got)
	}
}
