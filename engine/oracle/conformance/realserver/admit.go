package realserver

import (
	"bytes"
	"context"
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/quota/v1/evaluator/core"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"
	"k8s.io/utils/clock"
)

// admissionOf returns the plugins that change what is stored of the kinds that are compared.
func admissionOf(m *Memory) admission.Interface {
	tolerations := defaulttolerationseconds.NewDefaultTolerationSeconds()
	tolerations.InspectFeatureGates(utilfeature.DefaultFeatureGate) // fills in what it adds
	return admission.NewChainHandler(tolerations, &quotaPlugin{admission.NewHandler(admission.Create), m})
}

// quotaPlugin charges the quotas of a namespace for a pod with upstream's evaluator. Upstream's own plugin has caches of quotas, which
// would not notice that the memory is reset before each line.
type quotaPlugin struct {
	*admission.Handler
	memory *Memory
}

// Validate implements admission.ValidationInterface.
func (p *quotaPlugin) Validate(_ context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	if a.GetResource().Resource != "pods" || a.GetSubresource() != "" {
		return nil
	}
	p.memory.mu.Lock()
	defer p.memory.mu.Unlock()
	keys := p.memory.under("/resourcequotas/"+a.GetNamespace(), true)
	quotas := make([]corev1.ResourceQuota, len(keys))
	for i, key := range keys {
		if err := json.Unmarshal(p.memory.entries[key].JSON, &quotas[i]); err != nil {
			return err
		}
	}
	if len(quotas) == 0 {
		return nil
	}
	charged, err := resourcequota.CheckRequest(quotas, a, core.NewPodEvaluator(nil, clock.RealClock{}), nil)
	if err != nil || a.IsDryRun() {
		return err
	}
	for i := range charged {
		var b bytes.Buffer
		if err := runtime.Encoder(codecOf("")).Encode(&charged[i], &b); err != nil {
			return err
		}
		if !bytes.Equal(b.Bytes(), p.memory.entries[keys[i]].JSON) {
			p.memory.request(keys[i], b.Bytes())
		}
	}
	return nil
}
