package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	yaml2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"
)

// asJSON gives what kubectl makes of YAML: it prints it as JSON and reads that.
func FuzzAsJSON(f *testing.F) {
	for _, text := range []string{
		"a: 1\nb: [x, 'y', ~, true, No]\nc: {d: {}}", "a: 1.50\nb: 1e21\nc: -0.0\nd: 1e-7\ne: 0x10\nf: 0o7\ng: 1_000\nh: 1.0",
		"a: 9223372036854775807\nb: 9223372036854775808\nc: 18446744073709551615\nd: 18446744073709551616\ne: -9223372036854775809",
		"a: .nan", "a: [.inf]", "1: a\n1.5: b\ntrue: c\n.inf: d\n-.inf: e\n-1: f", "~: a", "[a]: b", "2026-01-01: 2026-01-01\nt: !!timestamp 2026-01-01T00:00:00Z",
		"a: !!binary /w==\n!!binary /w==: 1", "a: !!binary gICA", "a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}", "18446744073709551615: a", "'<>&\u2028': '<>&\u2028\\u0000'",
		"a: !!float 3\nb: !!str 3\nc: !!int '3'", "- a\n- 1", "x", "a: 1\na: 2",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var parsed any
		if err := yaml2.UnmarshalStrict([]byte(text), &parsed); err != nil {
			return
		}
		got, err := asJSON(parsed)
		b, wantErr := yaml.YAMLToJSONStrict([]byte(text))
		if wantErr != nil || err != nil {
			if fmt.Sprint(err) != fmt.Sprint(wantErr) && !collides(parsed) {
				t.Errorf("%q: got %v, want %v", text, err, wantErr)
			}
			return
		}
		d := json.NewDecoder(bytes.NewReader(b))
		d.UseNumber()
		var want any
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	})
}

// collides says whether two keys of a mapping become the same string, which is an error here.
func collides(v any) bool {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if collides(e) {
				return true
			}
		}
	case map[any]any:
		names := map[string]bool{}
		for k, e := range v {
			name, _ := keyText(k, e)
			if names[name] || collides(e) {
				return true
			}
			names[name] = true
		}
	}
	return false
}

// Two keys that Kubernetes would read as one are an error; which value sigs.k8s.io/yaml keeps depends on chance.
func TestAsJSONCollision(t *testing.T) {
	_, diagnostics := Parse("a: 1\nb: {1: x, \"1\": y}\n")
	if len(diagnostics) != 1 || diagnostics[0].Message != `error converting YAML to JSON: yaml: line 1: key "1" already set in map` {
		t.Errorf("got %v", diagnostics)
	}
}
