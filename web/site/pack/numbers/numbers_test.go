package numbers

import (
	"regexp"
	"testing"
)

// The patterns of go.yaml.in/yaml, in v2 and v3.
var (
	float  = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	base60 = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$`)
)

// TestAsThePatterns tries every text of at most six of these characters: each stands for all that the patterns treat like it.
func TestAsThePatterns(t *testing.T) {
	const alphabet = "+.e:_609\n"
	var yes [2]int
	var try func(s string)
	try = func(s string) {
		for i, is := range []struct {
			name      string
			got, want bool
		}{{"isFloat", isFloat(s), float.MatchString(s)}, {"isBase60", isBase60(s), base60.MatchString(s)}} {
			if is.got != is.want {
				t.Fatalf("%s(%q) is %v, want %v", is.name, s, is.got, is.want)
			}
			if is.got {
				yes[i]++
			}
		}
		if len(s) < 6 {
			for i := range len(alphabet) {
				try(s + alphabet[i:i+1])
			}
		}
	}
	try("")
	if yes[0] < 1000 || yes[1] < 1000 {
		t.Errorf("only %d texts match, so this tests little", yes)
	}
}

func FuzzAsThePatterns(f *testing.F) {
	for _, s := range []string{"-12.5E-3", "190:20:30.15", "1_2:59", "1:60", "Infinity", "-.5e+", "\u0661"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if isFloat(s) != float.MatchString(s) || isBase60(s) != base60.MatchString(s) {
			t.Errorf("%q: isFloat %v, isBase60 %v", s, isFloat(s), isBase60(s))
		}
	})
}
