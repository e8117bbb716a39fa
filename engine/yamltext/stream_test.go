package yamltext

import (
	"fmt"
	"strings"
	"testing"
)

// The markers, directives, line ends and byte order marks that editors leave.
func TestSplitStream(t *testing.T) {
	text := "\ufeff%YAML 1.1\n---\r\na: 1\r\n--- # two\nb: |\n  --- no marker\n...\n--- {c: 3}\n----\n---\n---\n# end\n"
	var got []string
	for _, d := range Split(text) {
		got = append(got, fmt.Sprintf("%d@%d", d.Number, d.First))
	}
	if want := "1@2 2@4 3@8"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestSplitPath(t *testing.T) {
	got := SplitPath("spec.containers[10].resources.limits[example.com/gpu].x")
	if want := "spec|containers|10|resources|limits|example.com/gpu|x"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}
