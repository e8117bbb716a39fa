package endpointslice

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestPlaceholder: a Service without endpoints that becomes headless keeps its empty slice. The label for that has an empty value, and
// upstream treats a missing label like an empty value. Any other label makes a new slice.
func TestPlaceholder(t *testing.T) {
	svc := &api.Service{ObjectMeta: api.ObjectMeta{Name: "one"}}
	svc.Spec.ClusterIP = "10.0.0.1"
	slice := &api.EndpointSlice{ObjectMeta: api.ObjectMeta{Labels: labelsOf(svc)}}
	svc.Spec.ClusterIP = api.HeadlessIP
	if !isPlaceholder(slice, svc) {
		t.Error("a headless Service has another empty slice")
	}
	svc.Labels = map[string]string{"l": "1"}
	if isPlaceholder(slice, svc) {
		t.Error("a label is missing in the empty slice")
	}
}
