package values

import (
	"encoding/json"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/utils/clock"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
)

// TestQuotaScopes compares which quotas count a pod (G-50), for all scopes but CrossNamespacePodAffinity.
func TestQuotaScopes(t *testing.T) {
	real := core.NewPodEvaluator(nil, clock.RealClock{})
	var pods, quotas []string
	for _, resources := range []string{`{}`, `{"requests": {"cpu": "0"}}`, `{"requests": {"cpu": "1"}}`, `{"limits": {"memory": "1Gi"}, "requests": {"memory": "1Gi"}}`,
		`{"requests": {"ephemeral-storage": "1Gi"}}`, `{"limits": {"cpu": "1"}, "requests": {"cpu": "0"}}`} {
		for _, more := range []string{"", `, "activeDeadlineSeconds": 9`, `, "priorityClassName": "high"`, `, "priorityClassName": "low", "activeDeadlineSeconds": 1`} {
			pods = append(pods, fmt.Sprintf(`{"containers": [{"name": "a", "resources": %s}]%s}`, resources, more),
				fmt.Sprintf(`{"containers": [{"name": "a"}], "initContainers": [{"name": "b", "resources": %s}]%s}`, resources, more))
		}
	}
	expression := func(e string) string { return `"scopeSelector": {"matchExpressions": [` + e + `]}` }
	for _, scope := range []string{"BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "PriorityClass"} {
		quotas = append(quotas, `"scopes": ["`+scope+`"]`, `"scopes": ["NotTerminating", "`+scope+`"]`, expression(`{"scopeName": "`+scope+`", "operator": "Exists"}`))
	}
	for _, operator := range []string{`"In", "values": ["high"]`, `"NotIn", "values": ["high", "x"]`, `"In", "values": ["low", "high"]`, `"Exists"`, `"DoesNotExist"`} {
		e := `{"scopeName": "PriorityClass", "operator": ` + operator + `}`
		quotas = append(quotas, expression(e), `"scopes": ["BestEffort"], `+expression(e), expression(e+`, {"scopeName": "Terminating", "operator": "Exists"}`))
	}
	for _, quota := range append(quotas, `"scopes": []`) {
		text := `{"spec": {` + quota + `}, "status": {"hard": {"pods": "4"}}}`
		var theirs corev1.ResourceQuota
		var ours api.ResourceQuota
		parse(t, text, &theirs)
		parse(t, text, &ours)
		for _, spec := range pods {
			var pod corev1.Pod
			parse(t, `{"spec": `+spec+`}`, &pod)
			want, err := real.Matches(&theirs, &pod)
			if got := ours.InScope(apiserver.ScopesOf(cluster.Spec(t, spec))); err != nil || got != want {
				t.Errorf("%s of %s: ours says %t, real %t (%v)", quota, spec, got, want, err)
			}
		}
	}
}

func parse(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err, text)
	}
}
