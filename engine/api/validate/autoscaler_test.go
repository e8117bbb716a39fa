package validate_test

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/validate"
)

// HPA-12: the defaults, and what is refused in which words.
func TestHorizontalPodAutoscaler(t *testing.T) {
	const head = `{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"web"},"spec":{` +
		`"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},`
	decode := func(rest string) *api.HorizontalPodAutoscaler {
		t.Helper()
		o, issues := decode.JSON(api.KindHorizontalPodAutoscaler, []byte(head+rest+"}}"))
		if len(issues) > 0 {
			t.Fatalf("%s: %v", rest, issues)
		}
		return o.(*api.HorizontalPodAutoscaler)
	}
	h := decode(`"maxReplicas":5,"behavior":{"scaleDown":{"selectPolicy":"Min"}}`)
	up, down := h.Spec.Behavior.ScaleUp, h.Spec.Behavior.ScaleDown
	if *h.Spec.MinReplicas != 1 || *h.Spec.Metrics[0].Resource.Target.AverageUtilization != 80 || *up.StabilizationWindowSeconds != 0 ||
		len(up.Policies) != 2 || *down.SelectPolicy != "Min" || down.StabilizationWindowSeconds != nil || down.Policies[0].Value != 100 {
		t.Errorf("the defaults are %+v", h.Spec)
	}
	if !api.SpecEqual(h, api.Copy(h)) || len(validate.Object(h)) > 0 {
		t.Errorf("%v", validate.Object(h))
	}
	const metric = `"maxReplicas":5,"metrics":[{"type":"Resource","resource":{"name":"cpu","target":`
	memory := strings.Replace(metric, "cpu", "memory", 1)
	for rest, want := range map[string]string{
		`"minReplicas":1`: "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas` | " +
			"spec.maxReplicas: Required value",
		`"minReplicas":0,"maxReplicas":3`: "spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas",
		metric + `{"type":"Utilization"}}}]`: "spec.metrics[0].resource.target.averageUtilization: Required value: " +
			"must set either a target raw value or a target utilization",
		metric + `{"type":"Utilization","averageUtilization":0}}}]`:                                       "spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0",
		metric + `{"type":"AverageValue","averageValue":"1"}}}]`:                                          "spec.metrics[0].resource.target.averageValue: Forbidden: rollplay simulates averageUtilization only",
		`"maxReplicas":5,"metrics":[{"type":"Pods"}]`:                                                     "spec.metrics[0].type: Forbidden: rollplay simulates metrics of type Resource only",
		memory + `{"type":"AverageValue","averageValue":"0"}}}]`:                                          "spec.metrics[0].resource.target.averageValue: Invalid value: \"0\": must be positive",
		memory + `{"type":"AverageValue","averageValue":"500Mi"}}}]`:                                      "",
		memory + `{"type":"Utilization","averageUtilization":75}}}]`:                                      "",
		strings.Replace(memory, "memory", "gpu", 1) + `{"type":"Utilization","averageUtilization":75}}}]`: "spec.metrics[0].resource.name: Forbidden: rollplay simulates cpu and memory only",
		`"maxReplicas":5,"behavior":{"scaleUp":{"policies":[{"type":"Pods","value":0,"periodSeconds":1801}]}}`: "spec.behavior.scaleUp.policies[0].value: " +
			"Invalid value: 0: must be greater than zero | spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800",
	} {
		var got []string
		for _, e := range validate.Object(decode(rest)) {
			got = append(got, e.Error())
		}
		if text := strings.Join(got, " | "); text != want {
			t.Errorf("%s:\ngot  %s\nwant %s", rest, text, want)
		}
	}
}
