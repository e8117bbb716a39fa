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

// The worked example of A-7.
func TestEncodeHash(t *testing.T) {
	if got := encodeHash(1668961435); got != "5bbdfb5879" {
		t.Errorf("got %s, want 5bbdfb5879", got)
	}
}
