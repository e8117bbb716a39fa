package decode

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestOlderVersions: an object of an older version is read by its own fields, and is one of the stored version then.
func TestOlderVersions(t *testing.T) {
	autoscaler := func(spec string) string {
		return `{"apiVersion":"autoscaling/v1","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},"spec":{` + spec + `}}`
	}
	for _, tt := range []struct {
		kind       api.Kind
		text, want string // part of the object, or of the message
	}{
		{"HorizontalPodAutoscaler", autoscaler(`"maxReplicas":9,"targetCPUUtilizationPercentage":70`), `"averageUtilization":70`},
		{"HorizontalPodAutoscaler", autoscaler(`"maxReplicas":9`), `"averageUtilization":80`}, // the default
		{"HorizontalPodAutoscaler", autoscaler(`"maxReplicas":9,"metrics":[]`), `unknown field "spec.metrics"`},
		{"HorizontalPodAutoscaler", autoscaler(`"maxReplicas":"9"`), "cannot unmarshal string into Go struct field HorizontalPodAutoscalerSpec.spec.maxReplicas of type int32"},
		{"HTTPRoute", `{"apiVersion":"gateway.networking.k8s.io/v1beta1","kind":"HTTPRoute","metadata":{"name":"web"},"spec":{"rules":[]}}`, `"rules":[]`},
	} {
		o, issues := JSON(tt.kind, []byte(tt.text))
		got := Message(issues)
		if len(issues) == 0 {
			got = string(api.JSON(o))
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %s, want %s", tt.text, got, tt.want)
		}
	}
}
