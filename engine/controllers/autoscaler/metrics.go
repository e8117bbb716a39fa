package autoscaler

import (
	"errors"
	"iter"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/sim"
)

// PodMetric is the usage of a pod, in thousandths of a core or of a byte, in the window of ms that ends at At.
type PodMetric struct {
	At, Window sim.Time
	Value      int64
}

// Metrics is the source of the controller's metrics.
type Metrics interface {
	// PodMetrics returns the metrics of the pods that a selector selects, by name; resource is cpu or memory.
	PodMetrics(resource, namespace string, selector *api.LabelSelector) (map[string]PodMetric, error)
}

// Load is the CPU that all ready pods of a workload use together from At on, in thousandths of a core.
type Load struct {
	At  sim.Time
	Of  api.Key
	CPU int64
}

const (
	scrapeInterval = 15_000 // ms between two samples of the metrics server
	metricWindow   = 30_000 // ms that a sample covers
)

// MetricsServer plays the part of metrics-server: it samples the usage of the pods every 15 s (HPA-11).
//
// Simplified: a sample is the usage at that time and not an average, a pod has a metric once it has run for 15 s, and
// starting needs no cpu. The real one averages over what the kubelets happen to report, which is unpredictable.
type MetricsServer struct {
	kernel  *sim.Kernel
	store   *sim.Store
	load    []Load // in order of time; without any there is no metrics server
	samples map[api.Key]PodMetric
	running bool
}

// NewMetricsServer returns a metrics server that takes samples while there is a HorizontalPodAutoscaler.
func NewMetricsServer(s *apiserver.Server, load []Load) *MetricsServer {
	m := &MetricsServer{kernel: s.Kernel, store: s.Store, load: load}
	s.Store.Informer(api.KindHorizontalPodAutoscaler).AddHandler(m)
	return m
}

// OnChange takes the first sample when the first autoscaler appears.
func (m *MetricsServer) OnChange(*sim.Change) {
	if !m.running && m.store.Table(api.KindHorizontalPodAutoscaler).Len() > 0 {
		m.running = true
		m.sample()
	}
}

// Handle takes a sample.
func (m *MetricsServer) Handle(sim.Event) {
	m.running = m.store.Table(api.KindHorizontalPodAutoscaler).Len() > 0
	if m.running {
		m.sample()
	}
}

// sample notes the usage of each pod, and schedules the next sample.
func (m *MetricsServer) sample() {
	now := m.kernel.Now()
	m.kernel.Schedule(sim.Event{At: now - now%scrapeInterval + scrapeInterval, To: m})
	m.samples = Sample(now, m.load, m.store.Get, m.store.Table(api.KindPod).All())
}

// Sample returns what the pods use that have run long enough. Of workloads without a load nothing is known, and before it begins they
// use nothing.
func Sample(now sim.Time, load []Load, get func(api.Key) api.Object, pods iter.Seq[api.Object]) map[api.Key]PodMetric {
	samples := map[api.Key]PodMetric{}
	known := map[api.Key]bool{} // by workload: whether one of its loads has begun; that one is in the samples
	for i := len(load) - 1; i >= 0; i-- {
		l := &load[i]
		workload, ok := get(l.Of).(api.Workload)
		shared, seen := known[l.Of]
		if began := l.At <= now; ok && !shared && (began || !seen) {
			known[l.Of] = began
			cpu := int64(0)
			if began {
				cpu = l.CPU
			}
			share(cpu, now, workload, pods, samples)
		}
	}
	return samples
}

// share divides cpu equally among the ready pods of a workload: 300m among 3 are 100m each.
func share(cpu int64, now sim.Time, workload api.Workload, pods iter.Seq[api.Object], samples map[api.Key]PodMetric) {
	var running []*api.Pod
	ready, namespace, selector := int64(0), workload.Key().Namespace, workload.Selector()
	takes := func(pod *api.Pod) bool { return pod.IsReady() && !pod.Terminating() }
	for o := range pods {
		breath.Often()
		pod := o.(*api.Pod)
		if pod.Namespace != namespace || !selector.Matches(pod.Labels) {
			continue
		}
		if takes(pod) {
			ready++
		}
		if ranSince(pod, now-scrapeInterval) {
			running = append(running, pod)
		}
	}
	for _, pod := range running {
		s := PodMetric{At: now, Window: metricWindow}
		if takes(pod) {
			s.Value = cpu / ready
		}
		samples[pod.Key()] = s
	}
}

// ranSince says whether all containers of a pod have been running since a time.
func ranSince(pod *api.Pod, ms sim.Time) bool {
	for i := range pod.Status.ContainerStatuses {
		if s := &pod.Status.ContainerStatuses[i].State; s.Kind != api.Running || s.StartedAt.Milli() > ms {
			return false
		}
	}
	return pod.Status.Phase == api.PodRunning
}

// PodMetrics returns the last samples of the pods that a selector selects.
//
// Simplified: what memory pods use is not simulated, so that no pod has a metric of it.
func (m *MetricsServer) PodMetrics(resource, namespace string, selector *api.LabelSelector) (map[string]PodMetric, error) {
	if len(m.load) == 0 {
		return nil, errors.New("unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)")
	}
	found := map[string]PodMetric{}
	for key, s := range m.samples {
		if o := m.store.Get(key); o != nil && key.Namespace == namespace && selector.Matches(o.Meta().Labels) {
			found[key.Name] = s
		}
	}
	switch {
	case len(found) == 0:
		return nil, errors.New("no metrics returned from resource metrics API")
	case resource != "cpu":
		return nil, nil
	}
	return found, nil
}
