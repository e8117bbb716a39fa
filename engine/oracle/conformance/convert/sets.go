package convert

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	coredefaults "k8s.io/kubernetes/pkg/apis/core/v1"

	"github.com/rollplay/rollplay/engine/api"
)

// statefulSet converts a StatefulSet. The engine does not read its claims and leaves out their defaults.
func statefulSet(o *api.StatefulSet) *appsv1.StatefulSet {
	s := viaJSON(o, &appsv1.StatefulSet{})
	for i := range s.Spec.VolumeClaimTemplates {
		t := &s.Spec.VolumeClaimTemplates[i]
		t.APIVersion, t.Kind = "v1", "PersistentVolumeClaim"
		coredefaults.SetObjectDefaults_PersistentVolumeClaim(t)
	}
	return s
}

// daemonSet converts a DaemonSet. In the served version, the template's generation is an annotation.
func daemonSet(o *api.DaemonSet) *appsv1.DaemonSet {
	d := viaJSON(o, &appsv1.DaemonSet{})
	d.Annotations = maps.Clone(d.Annotations)
	if d.Annotations == nil {
		d.Annotations = map[string]string{}
	}
	d.Annotations[appsv1.DeprecatedTemplateGeneration] = strconv.FormatInt(o.TemplateGeneration, 10)
	return d
}

// controllerRevision converts a revision. Its data must be byte for byte what upstream would write.
func controllerRevision(o *api.ControllerRevision) *appsv1.ControllerRevision {
	template := &corev1.PodTemplateSpec{}
	b, err := json.Marshal(o.Template)
	must(err)
	must(json.Unmarshal(b, template))
	return &appsv1.ControllerRevision{ObjectMeta: objectMeta(&o.ObjectMeta), Revision: o.Revision,
		Data: runtime.RawExtension{Raw: TemplatePatch(template)}}
}

// claim converts a claim, with the defaults of its spec, which the engine does not read.
func claim(o *api.PersistentVolumeClaim) *corev1.PersistentVolumeClaim {
	c := viaJSON(o, &corev1.PersistentVolumeClaim{})
	coredefaults.SetObjectDefaults_PersistentVolumeClaim(c)
	return c
}

// budget converts a PodDisruptionBudget; the disrupted pods by hand, because there can be two thousand. Its condition was
// always written together with the observed generation, which the engine does not keep twice.
func budget(o *api.PodDisruptionBudget) *policyv1.PodDisruptionBudget {
	bare := api.Shallow(o)
	bare.Status.DisruptedPods = nil
	p := viaJSON(bare, &policyv1.PodDisruptionBudget{})
	if o.Status.DisruptedPods != nil {
		p.Status.DisruptedPods = make(map[string]metav1.Time, len(o.Status.DisruptedPods))
	}
	for name, at := range o.Status.DisruptedPods {
		p.Status.DisruptedPods[name] = moment(at)
	}
	for i := range p.Status.Conditions {
		p.Status.Conditions[i].ObservedGeneration = p.Status.ObservedGeneration
	}
	return p
}

// claimVolumes returns the volumes that a StatefulSet gives a pod for its claims. The engine does not keep them.
func (c *Converter) claimVolumes(p *api.Pod) (volumes []corev1.Volume) {
	dash := strings.LastIndexByte(p.Name, '-')
	key := api.Key{Kind: api.KindStatefulSet, Namespace: p.Namespace, Name: p.Name[:max(dash, 0)]}
	if s, ok := c.store.Get(key).(*api.StatefulSet); ok {
		c.sets[key] = s
	}
	s := c.sets[key]
	if s == nil {
		return nil
	}
	for i := range s.Spec.VolumeClaimTemplates {
		name := s.Spec.VolumeClaimTemplates[i].Name
		volumes = append(volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: fmt.Sprintf("%s-%s", name, p.Name)}}})
	}
	return volumes
}

// TemplatePatch returns the data of a revision upstream: a patch that restores the pod template.
func TemplatePatch(t *corev1.PodTemplateSpec) []byte {
	b, err := json.Marshal(t)
	must(err)
	var tree map[string]any
	must(json.Unmarshal(b, &tree))
	tree["$patch"] = "replace"
	b, err = json.Marshal(map[string]any{"spec": map[string]any{"template": tree}})
	must(err)
	return b
}
