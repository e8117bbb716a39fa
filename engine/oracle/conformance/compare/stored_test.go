package compare

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/texts"
)

// TestPrivileged: the judge takes privileged containers, as clusters that are set up in the usual way do. Agents on nodes have them.
func TestPrivileged(t *testing.T) {
	text := strings.Replace(texts.Rollout(3), "containers: [{", "containers: [{securityContext: {privileged: true}, ", 1)
	if !strings.Contains(text, "privileged") {
		t.Fatal(text)
	}
	if v := Scenario(t, text); v.Difference != nil || v.Syncs == 0 {
		t.Errorf("%+v", v)
	}
}
