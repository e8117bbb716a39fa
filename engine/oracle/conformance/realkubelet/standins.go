package realkubelet

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"k8s.io/component-helpers/apimachinery/lease"
	"k8s.io/klog/v2"
	podconfig "k8s.io/kubernetes/pkg/kubelet/config"
	kubecontainer "k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/pluginmanager/cache"
	"k8s.io/kubernetes/pkg/probe"
)

// What a kubelet has beside its runtime, without sockets, files and devices: those would stop the bubble's clock.

// web answers HTTP probes in place of sockets. The last part of the path names the container.
type web struct{ runtime *Runtime }

// Probe implements httpprobe.Prober.
func (w web) Probe(r *http.Request, _ time.Duration) (probe.Result, string, error) {
	time.Sleep(10 * Instant)
	name := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	if w.runtime.answers(w.runtime.at(r.URL.Hostname(), name)) {
		return probe.Success, "ok", nil
	}
	return probe.Failure, "HTTP probe failed with statuscode: 503", nil
}

// ProbeH2C implements httpprobe.Prober.
func (w web) ProbeH2C(r *http.Request, timeout time.Duration) (probe.Result, string, error) {
	return w.Probe(r, timeout)
}

// dialer answers TCP probes of pods with one container.
type dialer struct{ runtime *Runtime }

// Probe implements tcpprobe.Prober.
func (d dialer) Probe(host string, _ int, _ time.Duration) (probe.Result, string, error) {
	time.Sleep(10 * Instant)
	if d.runtime.answers(d.runtime.at(host, "")) {
		return probe.Success, "", nil
	}
	return probe.Failure, "dial tcp: connect: connection refused", nil
}

// noPlugins is a plugin manager that watches no directory.
type noPlugins struct{}

// Run implements pluginmanager.PluginManager.
func (noPlugins) Run(context.Context, podconfig.SourcesReady, <-chan struct{}) {}

// AddHandler implements pluginmanager.PluginManager.
func (noPlugins) AddHandler(string, cache.PluginHandler) {}

// leaseUntil renews a lease until a context ends; upstream renews it until the process does.
type leaseUntil struct {
	lease.Controller
	until context.Context
}

// Run implements lease.Controller.
func (l *leaseUntil) Run(context.Context) { l.Controller.Run(l.until) }

// sooner makes what the PLEG reads on demand newer than the sync that asked for it. Upstream compares strictly, and in a bubble both have the
// same time: the pod's worker would wait for the next relist, which it does not on a real machine.
type sooner struct{ kubecontainer.Runtime }

// GetPod implements kubecontainer.Runtime.
func (s sooner) GetPod(ctx context.Context, uid types.UID) (*kubecontainer.Pod, error) {
	time.Sleep(Instant)
	return s.Runtime.GetPod(ctx, uid)
}

// recorder notes the events of pods, as they are before client-go counts equal ones together.
type recorder struct{ note func(pod, text string) }

var _ record.EventRecorderLogger = recorder{}

// Event implements record.EventRecorder.
func (r recorder) Event(o runtime.Object, kind, reason, message string) {
	switch o := o.(type) {
	case *corev1.ObjectReference:
		if o.Kind == "Pod" {
			r.note(o.Name, EventText(o.FieldPath, kind, reason, message))
		}
	case *corev1.Pod:
		r.note(o.Name, EventText("", kind, reason, message))
	}
}

// EventText is the text of an event in a timeline.
func EventText(field, kind, reason, message string) string {
	return fmt.Sprintf("event %s %s %s: %s", field, kind, reason, message)
}

// Eventf implements record.EventRecorder.
func (r recorder) Eventf(o runtime.Object, kind, reason, format string, args ...any) {
	r.Event(o, kind, reason, fmt.Sprintf(format, args...))
}

// AnnotatedEventf implements record.EventRecorder.
func (r recorder) AnnotatedEventf(o runtime.Object, _ map[string]string, kind, reason, format string, args ...any) {
	r.Event(o, kind, reason, fmt.Sprintf(format, args...))
}

// WithLogger implements record.EventRecorderLogger.
func (r recorder) WithLogger(klog.Logger) record.EventRecorderLogger { return r }
