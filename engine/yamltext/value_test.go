package yamltext

import (
	"reflect"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/breath"
)

// valueSeeds are values and styles of YAML 1.1 that readers disagree about.
var valueSeeds = []string{
	"a: 1\nb: [x, 'y', ~, true, No]\nc: {d: {}}", "a: 1.50\nb: 1e21\nc: -0.0\nd: 1e-7\ne: 0x10\nf: 0o7\ng: 1_000\nh: 1.0",
	"a: 9223372036854775807\nb: 9223372036854775808\nc: 18446744073709551615\nd: 18446744073709551616\ne: -9223372036854775809",
	"a: .nan", "a: [.inf]", "1: a\n1.5: b\ntrue: c\n.inf: d\n-.inf: e\n-1: f", "~: a", "[a]: b", "2026-01-01: 2026-01-01\nt: !!timestamp 2026-01-01T00:00:00Z",
	"a: !!binary /w==\n!!binary /w==: 1", "a: !!binary gICA", "a: &x {b: 1}\nc: *x\nd: {<<: *x, e: 2}", "18446744073709551615: a", "'<>&\u2028': '<>&\u2028\\u0000'",
	"a: !!float 3\nb: !!str 3\nc: !!int '3'", "- a\n- 1", "x", "a: 1\na: 2",
	"a: yes\nb: Y\nc: oFF\nd: 010\ne: 0b11\nf: 0b-101\ng: -0b1\nh: +5\ni: 1:30\nj: .5\nk: 5.\nl: 1e400\nm: _1\nn: 1__0\no: 0x_f\np: ._5", "a: ! 12\nb: [! x, !]", "a: 'null'\nb: null\nc:\nd: \"\"",
	"a: &x {b: 1}\nc: {<<: [*x, {d: 2}]}", "a: &x {b: 1}\nc: {<<: *x, b: 2}", "\"<<\": a\nb: <<", "!!merge <<: {a: 1}\n", "a: &a [*a]", "a: &x 1\n*x : b", "? a\n? b\n", "a: !foo x",
	"a: +.inf\nb: -.INF", "a: - b", "a: |\n  x\n\n  y\nb: >-\n  x\n  y\n", "a: 1 # c\n# d\nb: 2\n", "%YAML 1.1\n---\na: 1\n", "a: 1\n...\nb: 2", "{a: 1} b", "a: \"\\x41\\u00e9\\\n  b\"", "a: é\tb\u0085c",
	"a: &x [1, 2]\nb: {<<: *x}", "a: 0x1p-2\nb: infinity\nc: nan\nd: 1e5\ne: 1E+5\nf: -", "a: {b}\nc: [d: e]", "{: a}", "\ta: 1", "a:\r\n  b: 1\r\n", "\u2028!", "08000000:", "{\"a\":! 1}", "a: 0xffffffffffffffff\nb: 0777777777777777777777\n",
}

// FuzzValue compares the values with those of sigs.k8s.io/yaml, and the errors with its words.
func FuzzValue(f *testing.F) {
	for _, text := range valueSeeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range Split(text) {
			got, err := d.Value()
			if d.body == "" { // no tree was asked for
				d.Root()
			}
			want, wantErr := kubernetesValue(d.body)
			switch {
			case err != nil && wantErr == nil:
				if !strings.Contains(err.Error(), "already set in map") && !strings.Contains(err.Error(), "the document ") {
					t.Errorf("%q: got %v", d.body, err)
				}
			case wantErr != nil && (err == nil || err.Error() != wantErr.Error()) && !strings.Contains(wantErr.Error(), "unsupported map key"):
				t.Errorf("%q: got %v, want %v", d.body, err, wantErr)
			case wantErr == nil && !reflect.DeepEqual(got, want):
				t.Errorf("%q: got %#v, want %#v", d.body, got, want)
			}
		}
	})
}

// TestLongDocumentsTakeBreaths: their values are the same as at once.
func TestLongDocumentsTakeBreaths(t *testing.T) {
	padding := "# " + strings.Repeat("x", breath.Long) + "\n"
	for _, text := range append(valueSeeds, "~", "a", "1", "[]", "{}", "- 1\n- ~\n- a: [1, {b: c}]", "a: {b: {c: {d: [1, 2, ~]}}}", "a: ~\nb:\n",
		"? [a, b]\n: c", "<<: {a: 1}\nb: 2", "a: {b: 1, b: 2}\nc: [{d: 1, d: 2}]", "a: [", "a: b: c", "a: *x") {
		text += "\n" + padding
		want, wantErr := kubernetesValue(text)
		got, err := Split(text)[0].Value()
		if wantErr != nil && !strings.Contains(wantErr.Error(), "unsupported map key") && (err == nil || err.Error() != wantErr.Error()) || wantErr == nil && !reflect.DeepEqual(got, want) {
			if !strings.Contains(text, "...\n") && !strings.Contains(text, "---\n") { // Split takes only the first document
				t.Errorf("%.40q: %#v, %v; want %#v, %v", text, got, err, want, wantErr)
			}
		}
	}
	breaths := 0
	breath.Host = func() { breaths++ }
	defer func() { breath.Host = nil }()
	const entries = 20_000
	if _, err := Split("spec: {nodes: [" + strings.Repeat("{name: x}, ", entries) + "]}\n")[0].Value(); err != nil || breaths < entries {
		t.Errorf("%d breaths for %d entries, %v", breaths, entries, err)
	}
}

// TestCollision: two keys that Kubernetes would read as one are an error; which value sigs.k8s.io/yaml keeps depends on chance.
func TestCollision(t *testing.T) {
	for _, text := range []string{"a: 1\nb: {1: x, \"1\": y}\n", "a: {1: x, \"1\": y}\nb: !!str c\n", "a: {1.5: x, \"1.5\": y}\n", "a: {true: x, \"true\": y}\n"} {
		if _, err := Split(text)[0].Value(); err == nil || !strings.HasSuffix(err.Error(), `already set in map`) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
