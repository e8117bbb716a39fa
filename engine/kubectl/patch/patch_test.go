package patch

import (
	"encoding/json"
	"testing"
)

// TestOperations has what jsonpatch does with the same steps, and kubectl's words where it refuses them.
func TestOperations(t *testing.T) {
	const doc = `{"kind":"K","list":["a","b"],"map":{"n":1,"x/y":null}}`
	for _, tt := range []struct{ steps, want string }{
		{`[]`, doc},
		{`[{"op":"add","path":"/list/-1","value":"c"}]`, `{"kind":"K","list":["a","b","c"],"map":{"n":1,"x/y":null}}`},
		{`[{"op":"add","path":"/list/0","value":"c"},{"op":"remove","path":"/list/-1"}]`, `{"kind":"K","list":["c","a"],"map":{"n":1,"x/y":null}}`},
		{`[{"op":"copy","from":"/nope","path":"/map/n"},{"op":"remove","path":"/map/x~1y"}]`, `{"kind":"K","list":["a","b"],"map":{"n":null}}`},
		{`[{"op":"move","from":"/list/1","path":"/list/0"},{"op":"replace","path":"/new","value":1}]`,
			`{"kind":"K","list":["b","a"],"map":{"n":1,"x/y":null},"new":1}`},
		{`[{"op":"add","path":"ignored/new","value":1},{"op":"remove","path":"/map"}]`, `{"kind":"K","list":["a","b"],"new":1}`},
		{`[{"op":"test","path":"/nope"},{"op":"test","path":"/map/n","value":1},{"op":"replace","path":"","value":{"kind":"L"}}]`, `{"kind":"L"}`},
		{`[{"op":"replace","path":"","value":1}]`, "replace operation value must be object or array"},
		{`[{"op":"replace","path":""}]`, "This request caused apiserver to panic. Look in the logs for details."},
		{`[{"op":"add","path":"/l","value":[null]},{"op":"test","path":"/l","value":[null]}]`,
			"This request caused apiserver to panic. Look in the logs for details."},
		{`[{"path":"/map"}]`, "Unexpected kind: unknown"},
		{`[{"op":"add","value":1}]`, "add operation failed to decode path: missing value"},
		{`[{"op":"add","path":"/map/n/deep","value":1}]`, `add operation does not apply: doc is missing path: "/map/n/deep": missing value`},
		{`[{"op":"add","path":"/list/x"}]`, `error in add for path: '/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`},
		{`[{"op":"remove","path":"/map/nope"}]`, "error in remove for path: '/map/nope': Unable to remove nonexistent key: nope: missing value"},
		{`[{"op":"remove","path":"/list/-3"}]`, "error in remove for path: '/list/-3': Unable to access invalid index: -3: invalid index referenced"},
		{`[{"op":"replace","path":"/list/2","value":1}]`, "Object to be patched is missing field (/list/2: missing value)"},
		{`[{"op":"replace","path":"/nope/x","value":1}]`, "replace operation does not apply: doc is missing path: /nope/x: missing value"},
		{`[{"op":"test","path":"/map/n","value":2}]`, "testing value /map/n failed: test failed"},
		{`[{"op":"test","path":"/nope/x"}]`, "test operation does not apply: is missing path: /nope/x: missing value"},
		{`[{"op":"copy","path":"/x"}]`, "copy operation failed to decode from: operation, missing from field: missing value"},
		{`[{"op":"copy","from":"/kind","path":"/list/9"}]`, "error while adding value during copy: Unable to access invalid index: 9: invalid index referenced"},
		{`[{"op":"move","from":"/nope","path":"/x"}]`, "error in move for path: 'nope': Unable to remove nonexistent key: nope: missing value"},
		{`[{"op":"move","from":"/kind","path":"/nope/x"}]`, "move operation does not apply: doc is missing destination path: /nope/x: missing value"},
	} {
		var live map[string]any
		if err := json.Unmarshal([]byte(doc), &live); err != nil {
			t.Fatal(err)
		}
		tree, err := ApplyOperations(live, []byte(tt.steps))
		got := ""
		if refused, ok := err.(*Refused); ok {
			got = refused.Words
		} else if text, wrong := json.Marshal(tree); err != nil || wrong != nil {
			t.Errorf("%s: %v, %v", tt.steps, err, wrong)
		} else {
			got = string(text)
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.steps, got, tt.want)
		}
		if text, _ := json.Marshal(live); string(text) != doc {
			t.Errorf("%s changes the object that it is given: %s", tt.steps, text)
		}
	}
}
