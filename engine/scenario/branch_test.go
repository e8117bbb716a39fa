package scenario

import (
	"reflect"
	"strings"
	"testing"

	yaml2 "go.yaml.in/yaml/v2"

	"github.com/rollplay/rollplay/engine/breath"
)

// TestLongDocumentsAreReadInParts: with the same result as at once, and with breaths.
func TestLongDocumentsAreReadInParts(t *testing.T) {
	padding := "# " + strings.Repeat("x", breath.Long) + "\n"
	for _, text := range []string{
		"", "~", "a", "1", "[]", "{}", "a: 1", "- 1\n- ~\n- a: [1, {b: c}]", "a: {b: {c: {d: [1, 2, ~]}}}", "a: ~\nb:\n", "1: a\ntrue: b\n1.5: c",
		"a: !!binary aGk=\nb: 2020-01-01\nc: 0x1f\nd: 'x'", "? [a, b]\n: c", "<<: {a: 1}\nb: 2",
		"a: 1\na: 2", "a: {b: 1, b: 2}\nc: [{d: 1, d: 2}]", "a: [", "a: b: c", "a: *x",
	} {
		text += "\n" + padding
		var at, parts any
		want, got := yaml2.UnmarshalStrict([]byte(text), &at), unmarshal(text, false, &parts)
		if !reflect.DeepEqual(at, parts) || (want == nil) != (got == nil) || want != nil && want.Error() != got.Error() {
			t.Errorf("%.40q: %#v, %v; want %#v, %v", text, parts, got, at, want)
		}
	}
	breaths := 0
	breath.Host = func() { breaths++ }
	defer func() { breath.Host = nil }()
	const entries = 20_000
	var v any
	if err := unmarshal("spec: {nodes: ["+strings.Repeat("{name: x}, ", entries)+"]}\n", false, &v); err != nil || breaths < entries {
		t.Errorf("%d breaths for %d entries, %v", breaths, entries, err)
	}
}
