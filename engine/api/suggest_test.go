package api

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	tests := []struct{ word, candidates, want string }{
		{"imag", "image,name,ports", "image"},
		{"Replicas", "paused,replicas", "replicas"},
		{"contianers", "containers,initContainers", "containers"},
		{"strategi", "selector,strategy", "strategy"},
		{"foo", "replicas,selector", ""},
		{"", "a,b", ""},
	}
	for _, test := range tests {
		if got := Nearest(test.word, strings.Split(test.candidates, ",")); got != test.want {
			t.Errorf("%q among %s: got %q, want %q", test.word, test.candidates, got, test.want)
		}
	}
}
