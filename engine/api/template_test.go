package api

import (
	"strings"
	"testing"
)

func TestSleepSeconds(t *testing.T) {
	tests := []struct {
		command string // words separated by |
		want    int64
		more    bool
	}{
		{"sleep|5", 5, false}, {"/bin/sleep|0.5", 1, false}, {"sh|-c|sleep 15", 15, false}, {"/bin/bash|-c| sleep 3s ", 3, false},
		{"sleep|2m", 120, false}, {"sleep|0.5h", 1800, false}, {"sh|-ec|sleep 5;", 5, false}, {"sh|-c|sleep 5\n", 5, false},
		{"sh|-c|sleep 5; kill 1", 5, true}, {"/bin/sh|-c|sleep 15 && /usr/sbin/nginx -s quit", 15, true}, {"sh|-c|\nsleep 1m\nkill 1\n", 60, true},
		{"sh|-c|sleep 5 & kill 1", 0, true}, {"sh|-c|kill 1; sleep 5", 0, true}, {"sh|-c|sleep $N; kill 1", 0, true}, {"sh|-c|", 0, true},
		{"sh|-x|sleep 5", 0, true}, {"nginx|-s|quit", 0, true}, {"sleep|x", 0, true}, {"sleep|-5", 0, true}, {"sleep|1e99", 0, true},
		{"sleep|5d", 0, true}, {"sleep|", 0, true}, {"sleep|1|2", 0, true}, {"", 0, true},
	}
	for _, test := range tests {
		if got, more := sleepSeconds(strings.Split(test.command, "|")); got != test.want || more != test.more {
			t.Errorf("%q: got %d, %t, want %d, %t", test.command, got, more, test.want, test.more)
		}
	}
}

// TestServing: by the number and the protocol of a port; sidecars count, other init containers do not.
func TestServing(t *testing.T) {
	on := func(name string, port int32, protocol string) Container {
		return Container{Name: name, Ports: []ContainerPort{{ContainerPort: 9, Protocol: "TCP"}, {ContainerPort: port, Protocol: protocol}}}
	}
	sidecar := on("sidecar", 81, "TCP")
	sidecar.RestartPolicy = "Always"
	spec := &PodSpec{InitContainers: []Container{on("init", 80, "TCP"), sidecar}, Containers: []Container{on("first", 1, "TCP"), on("web", 8080, "TCP"), on("dns", 53, "UDP")}}
	for _, tt := range []struct {
		port     int32
		protocol string
		want     string
	}{{8080, "TCP", "web"}, {53, "UDP", "dns"}, {53, "TCP", ""}, {80, "TCP", ""}, {81, "TCP", "sidecar"}, {9, "TCP", "first"}} {
		c, declared := spec.Serving([]EndpointPort{{Port: tt.port, Protocol: tt.protocol}})
		if declared != (tt.want != "") || !declared && c.Name != "first" || declared && c.Name != tt.want {
			t.Errorf("%d/%s: %s, %t, want %q", tt.port, tt.protocol, c.Name, declared, tt.want)
		}
	}
}

// The worked example of A-7.
func TestEncodeHash(t *testing.T) {
	if got := encodeHash(1668961435); got != "5bbdfb5879" {
		t.Errorf("got %s, want 5bbdfb5879", got)
	}
}
