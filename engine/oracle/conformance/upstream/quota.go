package upstream

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	"k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/utils/clock"

	"github.com/rollplay/rollplay/engine/api"
)

// admit asks the real ResourceQuota plugin whether a pod may be created, and charges it. The resourceVersion stays, since
// the engine may find the quota's status unchanged and write nothing; its cache must not look outdated then.
func (s *Server) admit(pod *corev1.Pod) error {
	var quotas []corev1.ResourceQuota
	for o := range s.store.Table(api.KindResourceQuota).All() {
		if o.Meta().Namespace == pod.Namespace {
			quotas = append(quotas, *s.Stored(o.Key()).(*corev1.ResourceQuota).DeepCopy())
		}
	}
	if len(quotas) == 0 {
		return nil
	}
	gvr := corev1.SchemeGroupVersion.WithResource("pods")
	attributes := admission.NewAttributesRecord(pod, nil, corev1.SchemeGroupVersion.WithKind("Pod"), pod.Namespace, pod.Name,
		gvr, "", admission.Create, nil, false, nil)
	charged, err := resourcequota.CheckRequest(quotas, attributes, core.NewPodEvaluator(nil, clock.RealClock{}), nil)
	if err != nil {
		return err
	}
	if len(charged) != len(quotas) {
		return fmt.Errorf("conformance: %d quotas charged of %d", len(charged), len(quotas))
	}
	for i := range charged {
		key := api.Key{Kind: api.KindResourceQuota, Namespace: pod.Namespace, Name: charged[i].Name}
		s.fresh[key] = &charged[i]
	}
	return nil
}
