package upstream

import (
	"context"
	"fmt"
	"strconv"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	autoscalingclient "k8s.io/client-go/kubernetes/typed/autoscaling/v2"
	v1core "k8s.io/client-go/kubernetes/typed/core/v1"
	autoscalinglisters "k8s.io/client-go/listers/autoscaling/v2"
	corelisters "k8s.io/client-go/listers/core/v1"
	scaleclient "k8s.io/client-go/scale"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/autoscaler"
)

// hpaMetrics gives the real controller the same.
type hpaMetrics struct {
	metrics.MetricsClient
	pair *hpaPair
}

func (m hpaMetrics) GetResourceMetric(_ context.Context, resource corev1.ResourceName, _ string, _ labels.Selector, _ string) (metrics.PodMetricsInfo, time.Time, error) {
	if len(m.pair.usage) == 0 {
		return nil, time.Time{}, fmt.Errorf("no metrics returned from resource metrics API")
	}
	out := metrics.PodMetricsInfo{}
	if resource != corev1.ResourceCPU {
		return out, m.pair.time(m.pair.now), nil
	}
	for name, u := range m.pair.usage {
		out[name] = metrics.PodMetric{Timestamp: m.pair.time(u.at), Window: time.Duration(u.window) * time.Millisecond, Value: u.value}
	}
	return out, m.pair.time(m.pair.now), nil
}

// hpaScales is the scale subresource.
type hpaScales struct {
	scaleclient.ScaleInterface
	pair *hpaPair
}

func (s hpaScales) Scales(string) scaleclient.ScaleInterface { return s }

func (s hpaScales) Get(_ context.Context, _ schema.GroupResource, name string, _ metav1.GetOptions) (*autoscalingv1.Scale, error) {
	return &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}, Spec: autoscalingv1.ScaleSpec{Replicas: s.pair.target},
		Status: autoscalingv1.ScaleStatus{Replicas: s.pair.target, Selector: "app=web"}}, nil
}

func (s hpaScales) Update(_ context.Context, _ schema.GroupResource, scale *autoscalingv1.Scale, _ metav1.UpdateOptions) (*autoscalingv1.Scale, error) {
	s.pair.target = scale.Spec.Replicas
	s.pair.rescales++
	return scale, nil
}

// hpaWriter takes the statuses that the real controller writes.
type hpaWriter struct {
	autoscalingclient.HorizontalPodAutoscalerInterface
	pair *hpaPair
}

func (w hpaWriter) HorizontalPodAutoscalers(string) autoscalingclient.HorizontalPodAutoscalerInterface {
	return w
}

func (w hpaWriter) UpdateStatus(_ context.Context, h *autoscalingv2.HorizontalPodAutoscaler, _ metav1.UpdateOptions) (*autoscalingv2.HorizontalPodAutoscaler, error) {
	h = h.DeepCopy()
	h.Spec = w.pair.hpa.Spec
	w.pair.version++
	h.ResourceVersion = strconv.FormatInt(w.pair.version, 10)
	w.pair.written = h
	return h, nil
}

// hpaEvents is never asked: the recorder is replaced.
type hpaEvents struct{ v1core.EventsGetter }

func (hpaEvents) Events(string) v1core.EventInterface { return nil }

// hpaInformer is an informer of either kind.
type hpaInformer struct{ *informer }

func (i *hpaInformer) AddEventHandlerWithResyncPeriod(h cache.ResourceEventHandler, _ time.Duration) (cache.ResourceEventHandlerRegistration, error) {
	return i.AddEventHandler(h)
}

type hpaLister struct{ *hpaInformer }

func (l hpaLister) Informer() cache.SharedIndexInformer { return l.hpaInformer }

func (l hpaLister) Lister() autoscalinglisters.HorizontalPodAutoscalerLister {
	return autoscalinglisters.NewHorizontalPodAutoscalerLister(l.cache)
}

type hpaPodLister struct{ *hpaInformer }

func (l hpaPodLister) Informer() cache.SharedIndexInformer { return l.hpaInformer }

func (l hpaPodLister) Lister() corelisters.PodLister { return corelisters.NewPodLister(l.cache) }

// PodMetrics gives ours what both are told.
func (p *hpaPair) PodMetrics(resource, _ string, _ *api.LabelSelector) (map[string]autoscaler.PodMetric, error) {
	if len(p.usage) == 0 {
		return nil, fmt.Errorf("no metrics returned from resource metrics API")
	}
	out := map[string]autoscaler.PodMetric{}
	if resource != "cpu" {
		return out, nil
	}
	for name, u := range p.usage {
		out[name] = autoscaler.PodMetric{At: u.at, Window: u.window, Value: u.value}
	}
	return out, nil
}

func (p *hpaPair) time(ms int64) time.Time { return p.start.Add(time.Duration(ms) * time.Millisecond) }
