package api

import (
	"strings"
	"testing"
)

func TestSleepSeconds(t *testing.T) {
	tests := []struct {
		command string // words separated by |
		want    int64
	}{
		{"sleep|5", 5}, {"/bin/sleep|0.5", 1}, {"sh|-c|sleep 15", 15}, {"/bin/bash|-c| sleep 3s ", 3}, {"sh|-c|sleep 5; kill 1", 0},
		{"nginx|-s|quit", 0}, {"sleep|x", 0}, {"sleep|-5", 0}, {"sleep|1e99", 0}, {"", 0},
	}
	for _, test := range tests {
		if got := sleepSeconds(strings.Split(test.command, "|")); got != test.want {
			t.Errorf("%s: got %d, want %d", test.command, got, test.want)
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
