package validate_test

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
)

// TestValidateStatus refuses numbers that cannot be (S-30).
func TestValidateStatus(t *testing.T) {
	const replicas = "cannot be greater than status.replicas"
	for _, c := range []struct {
		status api.StatefulSetStatus
		want   string
	}{
		{api.StatefulSetStatus{Replicas: 2, ReadyReplicas: 2, AvailableReplicas: 1, CurrentReplicas: 1, UpdatedReplicas: 1}, ""},
		{api.StatefulSetStatus{CurrentReplicas: -1}, "status.currentReplicas: Invalid value: -1: must be greater than or equal to 0"},
		{api.StatefulSetStatus{UpdatedReplicas: 1}, "status.updatedReplicas: Invalid value: 1: " + replicas},
		{api.StatefulSetStatus{Replicas: 1, AvailableReplicas: 1},
			"status.availableReplicas: Invalid value: 1: cannot be greater than status.readyReplicas"},
	} {
		got := ""
		if errs := validate.Status(&api.StatefulSet{Status: c.status}); len(errs) > 0 {
			got = errs[0].Error()
		}
		if got != c.want {
			t.Errorf("%+v: got %q, want %q", c.status, got, c.want)
		}
	}
}
