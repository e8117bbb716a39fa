package validate

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestNamesOfRoles: nothing else is named after a role, so its name may have colons, and other names may not.
func TestNamesOfRoles(t *testing.T) {
	for _, tt := range []struct {
		kind api.Kind
		name string
		ok   bool
	}{
		{"ClusterRole", "system:auth-delegator", true}, {"RoleBinding", "a:B", true}, {"ClusterRoleBinding", "a/b", false}, {"Role", "..", false},
		{"ServiceAccount", "system:auth-delegator", false}, {"ConfigMap", "settings", true},
	} {
		o := &api.Stored{Kind: tt.kind}
		o.Name = tt.name
		if tt.kind[0] != 'C' || tt.kind == "ConfigMap" {
			o.Namespace = "default"
		}
		if wrong := Object(o); (len(wrong) == 0) != tt.ok {
			t.Errorf("%s %s: %v", tt.kind, tt.name, wrong)
		}
	}
}
