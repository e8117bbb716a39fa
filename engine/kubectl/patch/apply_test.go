package patch

import (
	"encoding/json"
	"testing"
)

// TestApply: what was given and is no more goes, what is given stands in the given order, what nobody gave stays (K-35).
func TestApply(t *testing.T) {
	for _, tt := range []struct{ last, now, live, want string }{
		{`{"replicas":3,"paused":true}`, `{"replicas":5}`, `{"replicas":3,"paused":true,"kept":1}`, `{"kept":1,"replicas":5}`},
		{`{"a":1}`, `{"replicas":null}`, `{"replicas":3}`, `{}`},
		{`{"env":[{"name":"a"},{"name":"b"}]}`, `{"env":[{"name":"c"},{"name":"b","value":"2"}]}`, `{"env":[{"name":"a"},{"name":"b"},{"name":"z"}]}`,
			`{"env":[{"name":"z"},{"name":"c"},{"name":"b","value":"2"}]}`}, // c takes the place at the end that a has left (TestApplies)
		{`{}`, `{"args":["b"]}`, `{"args":["a"]}`, `{"args":["b"]}`},
		// Two ports with one number stay two ports.
		{`{}`, `{"ports":[{"containerPort":53,"protocol":"TCP"},{"containerPort":53,"protocol":"UDP"}]}`,
			`{"ports":[{"containerPort":53,"protocol":"TCP"},{"containerPort":53,"protocol":"UDP"}]}`,
			`{"ports":[{"containerPort":53,"protocol":"TCP"},{"containerPort":53,"protocol":"UDP"}]}`},
		// The ports of a Service are known by their own numbers.
		{`{"ports":[{"port":80},{"port":81}]}`, `{"ports":[{"port":80,"targetPort":"http"}]}`,
			`{"ports":[{"nodePort":30080,"port":80},{"port":81}]}`, `{"ports":[{"nodePort":30080,"port":80,"targetPort":"http"}]}`},
		// D-13: switching the type drops what was only a default.
		{`{}`, `{"strategy":{"type":"Recreate"}}`, `{"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}}`, `{"strategy":{"type":"Recreate"}}`},
	} {
		var last, now, live map[string]any
		for text, tree := range map[string]*map[string]any{tt.last: &last, tt.now: &now, tt.live: &live} {
			if err := json.Unmarshal([]byte(text), tree); err != nil {
				t.Fatal(err)
			}
		}
		if tt.live == tt.now {
			now = live
		}
		merged, err := Apply(last, now, live)
		got, _ := json.Marshal(merged)
		if err != nil || string(got) != tt.want {
			t.Errorf("last %s, now %s, live %s\n got %s (%v)\nwant %s", tt.last, tt.now, tt.live, got, err, tt.want)
		}
	}
}
