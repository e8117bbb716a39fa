package decode

import (
	"slices"
	"testing"
)

// TestFields: the types of fields in the words of kubectl explain.
func TestFields(t *testing.T) {
	for _, tt := range []struct{ structName, field, typ, inner string }{
		{"Deployment", "spec", "DeploymentSpec", "DeploymentSpec"},
		{"DeploymentSpec", "replicas", "integer", ""},
		{"RollingUpdateDeployment", "maxSurge", "IntOrString", ""},
		{"PodSpec", "containers", "[]Container", "Container"},
		{"PodSpec", "nodeSelector", "map[string]string", ""},
		{"ResourceRequirements", "limits", "map[string]Quantity", ""},
		{"Probe", "exec", "ExecAction", "ExecAction"},
		{"ObjectMeta", "creationTimestamp", "string", ""},
		{"ContainerStatus", "ready", "boolean", ""},
	} {
		typ, inner, ok := FieldType(tt.structName, tt.field)
		if !ok || typ != tt.typ || inner != tt.inner {
			t.Errorf("%s.%s is %s with the fields of %q, want %s with those of %q", tt.structName, tt.field, typ, inner, tt.typ, tt.inner)
		}
	}
	if _, _, ok := FieldType("DeploymentSpec", "replica"); ok {
		t.Error("there is no field replica")
	}
	if got := FieldNames("DeploymentStrategy"); !slices.Equal(got, []string{"rollingUpdate", "type"}) {
		t.Errorf("fields of DeploymentStrategy: %v", got)
	}
	if FieldNames("Gadget") != nil {
		t.Error("there is no struct Gadget")
	}
}
